"""Tasks side by side on this machine: threads that share all, or processes, which may be killed."""

from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool

import joblib

from ..exceptions import ProcessError
from ..heard import filters_kept, remark
from .one_task import Result, find_one, run_one
from .parcel import portable
from .thread_limit import one_thread_each

# Arrays above this size reach processes as a file mapped into memory, dumped once for all tasks.
_MAPPED_ABOVE = "100K"
# What joblib calls it when a process was ended, and not, say, a result that could not travel.
ENDED = "TerminatedWorkerError"
ATTEMPTS = 3  # times in a row that processes are killed without a single result


def run_threads(calls: list[tuple], n_jobs: int) -> Iterator[tuple[int, Result]]:
    """Run calls of `run_one` on threads; results as they come."""
    yield from _run(run_one, calls, n_jobs, {"backend": "threading"})


def run_processes(calls: list[tuple], n_jobs: int) -> Iterator[tuple[int, Result]]:
    """The same on processes; where one is killed, what is left goes on in half as many.

    The system ends a process when memory runs out, and with one of them joblib ends them all.
    """
    waiting, in_vain = {call[-1]: call for call in calls}, 0
    settings = {"backend": "loky", "inner_max_num_threads": 1}
    while waiting:
        before = len(waiting)
        try:
            for position, result in _run(_run_in_process, list(waiting.values()), n_jobs, settings):
                del waiting[position]
                yield position, result
        except BrokenProcessPool as error:
            if type(error).__name__ != ENDED:
                raise
            for position in list(waiting):  # finished, and on its way here
                result = find_one(waiting[position])
                if result is not None:
                    del waiting[position]
                    yield position, result
            in_vain = in_vain + 1 if len(waiting) == before else 0
            if in_vain == ATTEMPTS:
                raise ProcessError(
                    f"Processes of this machine were ended {ATTEMPTS} times in a row while they "
                    "worked, as happens when memory runs out; what is finished is kept, so use "
                    "fewer jobs or threads, and resume."
                ) from error
            for position in list(waiting)[:n_jobs]:  # one of these may be why: others go first
                waiting[position] = waiting.pop(position)
            n_jobs = max(1, n_jobs // 2)
            if waiting:
                _remark(n_jobs)


def _run(run, calls: list[tuple], n_jobs: int, settings: dict) -> Iterator[tuple[int, Result]]:
    with one_thread_each(), filters_kept(), joblib.parallel_config(**settings):
        outputs = joblib.Parallel(
            # One job joblib would do here, where it must not be killed: hence one of two at a time.
            n_jobs=max(2, n_jobs),
            pre_dispatch=1 if n_jobs == 1 else "2 * n_jobs",
            return_as="generator_unordered",
            max_nbytes=_MAPPED_ABOVE,
            # Copy on write: pages are shared until written to, and a compiled kernel sees the same
            # writable array type as in a thread, so that it is not compiled a second time.
            mmap_mode="c",
        )(joblib.delayed(run)(*call) for call in calls)
        try:
            yield from outputs
        finally:
            outputs.close()


def _run_in_process(*call) -> tuple[int, Result]:
    """Run one task; an error that cannot travel would look like the end of the process."""
    try:
        return run_one(*call)
    except Exception as error:
        found = portable(error)
        if found is error:
            raise
        raise found from error


def _remark(n_jobs: int) -> None:
    remark(
        "A process of this machine was ended while it worked, as happens when memory runs out; "
        f"what is left goes on, {n_jobs} at a time.",
        stacklevel=2,
    )
