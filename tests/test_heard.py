"""What is warned of is heard in its own thread, and the process is left as it was."""

import threading
import time
import warnings

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from consilience import EnsembleSelector, InformationGain
from consilience.exceptions import ConsilienceWarning
from consilience.execution import run_tasks
from consilience.heard import Heard, all_but, filters_kept, hear, remark, tell


def say_something():
    remark("Two columns are constant.", stacklevel=1)


def test_a_remark_is_a_warning_from_its_own_line():
    with pytest.warns(ConsilienceWarning, match=r"^Two columns are constant\.$") as told:
        say_something()
    with hear() as heard:
        say_something()
    assert [(each.filename, each.lineno) for each in told] == [(h.filename, h.line) for h in heard]
    assert told[0].filename == __file__


@pytest.mark.parametrize("stacklevel", [1, 2, 3, 999])
def test_the_place_of_a_remark_is_that_of_python(stacklevel):
    def within():
        remark("A sentence.", stacklevel)

    with pytest.warns(ConsilienceWarning, match="A sentence") as told:
        within()
    with hear() as heard:
        within()
    if stacklevel < 900:  # beyond the first caller Python has a name of its own for it
        assert abs(told[0].lineno - heard[0].line) <= 3
        assert told[0].filename == heard[0].filename


def test_who_hears_first_tells_the_next():
    with hear() as outer:
        with hear() as inner:
            say_something()
        assert not outer
        tell(inner)
    assert outer == inner
    assert isinstance(outer[0], Heard)


def test_what_is_expected_is_left_out():
    with hear() as heard, all_but(["Two", "Nobody"]):
        say_something()
        remark("Three columns are constant.")
    assert [each.sentence for each in heard] == ["Three columns are constant."]


def test_each_thread_hears_its_own():
    found = {}

    def work(number):
        with hear() as heard:
            for k in range(20):
                remark(f"{number}, {k}")
                time.sleep(0.001)
        found[number] = [each.sentence for each in heard]

    in_threads(work, 5)
    assert found == {n: [f"{n}, {k}" for k in range(20)] for n in range(5)}


def test_fits_at_the_same_time_leave_the_process_as_it_was():
    """Filters, the way warnings are shown, and threads of libraries."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 30)), np.arange(40) % 2
    before = list(warnings.filters), warnings.showwarning, blas_threads()

    def fit(number):
        for n_jobs in (1, 2):
            how = {"n_models": 10 + 40 * number, "n_jobs": n_jobs}
            EnsembleSelector(InformationGain(3), random_state=0, **how).fit(X, y)

    in_threads(fit, 4)
    assert (list(warnings.filters), warnings.showwarning, blas_threads()) == before


def test_filters_are_put_back_by_the_last():
    before = list(warnings.filters)
    inside, leave = threading.Event(), threading.Event()

    def other():
        with filters_kept():
            inside.set()
            leave.wait(10)

    with filters_kept():
        thread = threading.Thread(target=other)
        thread.start()
        inside.wait(10)
        warnings.simplefilter("ignore")
    assert warnings.filters != before
    leave.set()
    thread.join()
    assert warnings.filters == before


def blas_threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def in_threads(function, n_threads):
    threads = [threading.Thread(target=function, args=(k,)) for k in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_filters_by_module_hold_for_what_is_told_later():
    with hear() as heard:
        say_something()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", module=say_something.__module__)
        say_something()
        tell(heard)
    assert not told


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_what_was_heard_is_told_and_hides_no_error(error):
    def run():
        with all_but(["Nobody"]):
            say_something()
            raise error

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with pytest.raises(error):
            run()
    assert [str(each.message) for each in told] == ["Two columns are constant."]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(error):
            run()


@pytest.mark.parametrize("how", [{}, {"n_jobs": 2}])
def test_an_interrupted_run_is_interrupted_where_warnings_are_errors(how):
    def work(task):
        say_something()
        if task == 3:
            raise KeyboardInterrupt
        return {"task": task}

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(KeyboardInterrupt):
            run_tasks(work, range(4), **how)
