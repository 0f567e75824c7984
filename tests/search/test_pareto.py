"""Fronts, crowding and knees: plain loops, and pymoo where it is installed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import naive_search as naive
from consilience.search import (
    GeneticOptions,
    Masks,
    Objective,
    Scored,
    crowding_distances,
    genetic_search,
    knee_point,
    pareto_fronts,
)
from consilience.search.pareto import crowded_order

POINTS = arrays(
    np.float64, st.tuples(st.integers(1, 14), st.integers(1, 3)), elements=st.integers(0, 4)
)


@given(POINTS)
def test_fronts_are_those_of_plain_loops(points):
    assert pareto_fronts(points).tolist() == naive.fronts(points.tolist())


@given(POINTS)
def test_fronts_are_those_of_pymoo(points):
    sorting = pytest.importorskip("pymoo.util.nds.non_dominated_sorting")
    fronts = sorting.NonDominatedSorting().do(-points)
    expected = np.empty(len(points), dtype=int)
    for number, front in enumerate(fronts):
        expected[front] = number
    assert pareto_fronts(points).tolist() == expected.tolist()


def first_front(points):
    """Different points of the first front of two aims: there each aim tells them apart."""
    return np.unique(points[pareto_fronts(points) == 0], axis=0)


@given(arrays(np.float64, (20, 2), elements=st.integers(0, 30)))
def test_crowding_is_that_of_plain_loops(points):
    front = first_front(points)
    assert crowding_distances(front).tolist() == pytest.approx(naive.crowding(front.tolist()))


@given(arrays(np.float64, (20, 2), elements=st.integers(0, 30)))
def test_crowding_orders_as_that_of_pymoo(points):
    metrics = pytest.importorskip("pymoo.operators.survival.rank_and_crowding.metrics")
    front = first_front(points)
    theirs = metrics.get_crowding_function("cd").do(-front)
    np.testing.assert_allclose(crowding_distances(front) / 2, theirs)  # theirs is a mean of aims


def test_copies_of_a_point_are_not_lonely():
    found = crowding_distances([[0, 4], [1, 2], [1, 2], [4, 0], [4, 0]])
    assert found.tolist() == [np.inf, 2.0, 0.0, np.inf, 0.0]


def test_the_order_is_by_front_then_by_loneliness_and_copies_are_last():
    values = [[0, 9], [4, 5], [5, 4], [5, 4], [9, 0], [0, 0], [4, 5]]
    individuals = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1], [1, 1, 0], [1, 0, 1],
                            [0, 1, 0]])  # fmt: skip
    order = crowded_order(values, individuals, 0).tolist()
    assert set(order[:2]) == {0, 4}
    assert set(order[2:4]) <= {1, 2, 3}
    assert order[-2:] == [5, 6]  # dominated by all, and a copy of the second


def test_equals_are_ordered_by_chance():
    values, individuals = np.zeros((4, 2)), np.eye(4, dtype=bool)
    firsts = {int(crowded_order(values, individuals, seed)[1]) for seed in range(40)}
    assert len(firsts) > 1


@pytest.mark.parametrize(
    ("values", "knee"),
    [
        ([[0.3, 0.3]], 0),
        ([[0.0, 1.0], [1.0, 0.0]], 1),  # two extremes: the more accurate
        ([[0.0, 1.0], [0.9, 0.8], [1.0, 0.0], [0.8, 0.7]], 1),
        ([[0.5, 0.2], [0.5, 0.4]], 1),
    ],
)
def test_the_knee_is_farthest_from_the_line_between_the_extremes(values, knee):
    assert knee_point(values) == knee


@given(arrays(np.float64, (12, 2), elements=st.integers(0, 20)))
def test_no_point_of_the_front_is_farther_out_than_the_knee(points):
    front = first_front(points)
    knee = points[knee_point(points)]
    low, high = front.min(axis=0), front.max(axis=0)
    if (low < high).all():
        # signed distance to the line through the extremes, by the cross product
        one, other = (front[front[:, 0].argmin()] - low) / (high - low), [1.0, 0.0]
        direction = np.subtract(other, one)

        def height(point):
            way = (point - low) / (high - low) - one
            return -(direction[0] * -way[1] - direction[1] * -way[0])

        assert max(height(point) for point in front) == pytest.approx(height(knee))


class Plane(Objective):
    """Few features are accurate, many are diverse."""

    relative = False

    def of_population(self, individuals):
        size = individuals.mean(axis=1)
        even = individuals[:, ::2].mean(axis=1)
        return Scored.of(1 - size**2, size * even)


def test_the_population_becomes_a_wide_front():
    options = GeneticOptions(survivors="pareto", parents="tournament", population=20,
                             n_generations=60, mutation_rate=0.1)  # fmt: skip
    run = genetic_search(Plane(), Masks(16), options, 0)
    values = np.stack([run.scored.accuracy, run.scored.diversity], axis=1)
    assert len(np.unique(run.population, axis=0)) == 20
    assert (pareto_fronts(values) == 0).mean() > 0.5
    first = Plane().of_population(run.populations[0])
    everybody = np.concatenate([values, np.stack([first.accuracy, first.diversity], axis=1)])
    assert (pareto_fronts(everybody)[20:] > 0).mean() >= 0.9  # the start is left behind
    # Nothing on the front was lost on the way: the best of each aim only rises.
    best = [Plane().of_population(population) for population in run.populations]
    for aim in ("accuracy", "diversity"):
        assert (np.diff([getattr(scored, aim).max() for scored in best]) >= 0).all()
