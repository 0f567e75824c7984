import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_protocol
from consilience.exceptions import DataError
from consilience.measures.time_curves import average_curve, time_to_target

steps = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), min_size=1, max_size=6)
curves = st.lists(steps, min_size=1, max_size=4)


def as_curve(pairs):
    seconds, figures = zip(*pairs, strict=True)
    return sorted(seconds), list(figures)


@given(curves)
def test_the_average_at_every_time_is_that_of_the_last_figures(parts):
    parts = [as_curve(pairs) for pairs in parts]
    seconds, figures = average_curve(parts)
    assert (np.diff(seconds) > 0).all()
    for time in range(11):
        known = [naive_protocol.figure_at(*part, time) for part in parts]
        found = naive_protocol.figure_at(seconds, figures, time)
        if None in known:
            assert found is None
        else:
            assert found == pytest.approx(np.mean(known))


@given(steps, st.integers(0, 5), st.booleans())
def test_the_target_is_met_as_a_clock_would_tell(pairs, target, stay):
    seconds, figures = as_curve(pairs)
    met = [figure >= target for figure in figures]
    places = [i for i in range(len(met)) if met[i] and (not stay or all(met[i:]))]
    expected = seconds[places[0]] if places else math.inf
    assert time_to_target(seconds, figures, target, stay=stay) == expected


def test_an_average_of_equal_figures_meets_their_value():
    seconds, figures = average_curve([([1.0], [0.1 + 0.2]), ([2.0], [0.3]), ([1.0], [0.3])])
    assert time_to_target(seconds, figures, 0.3) == 2.0
    assert time_to_target([1.0], [0.3 - 1e-15], 0.3) == 1.0


@pytest.mark.parametrize(
    ("seconds", "figures", "message"),
    [
        ([1, 2], [0.5], "1 figures for 2 times"),
        ([], [], "0 figures for 0 times"),
        ([2, 1], [0.5, 0.6], "must ascend"),
    ],
)
def test_what_is_no_curve_is_refused(seconds, figures, message):
    with pytest.raises(DataError, match=message):
        time_to_target(seconds, figures, 0.5)
    with pytest.raises(DataError, match=message):
        average_curve([(seconds, figures)])


def test_no_curve_has_no_average():
    with pytest.raises(DataError, match="no curve to average"):
        average_curve([])
