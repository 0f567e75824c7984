"""Diversity by the votes of a set, beside loops over cases, classes and voters."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

import naive_genetic
from consilience.committee.mean_diversity import MeanDiversity
from consilience.committee.search_objective import PopulationObjective
from consilience.measures.diversity import pairwise_diversities
from consilience.measures.vote_diversity import BY_VOTES

every_measure = pytest.mark.parametrize("measure", BY_VOTES)
tables = st.tuples(
    st.integers(2, 5), st.integers(1, 6), st.integers(0, 7), st.integers(1, 9)
).flatmap(
    lambda shape: st.tuples(
        st.just(shape[0]),
        arrays(np.int16, (shape[1], shape[3]), elements=st.integers(0, shape[0] - 1)),
        arrays(np.int16, (shape[2], shape[3]), elements=st.integers(0, shape[0] - 1)),
    )
)


@every_measure
@given(tables)
def test_votes_are_those_of_the_loops(measure, table):
    n_classes, some, others = table
    diversity = MeanDiversity(measure, np.zeros(some.shape[1], dtype=int), n_classes)
    found = diversity.to(some, diversity.reference(others))
    rest = others.tolist()
    expected = [naive_genetic.vote_diversity(measure, a, rest, n_classes) for a in some.tolist()]
    assert_allclose(found, expected, atol=1e-12)
    assert ((found >= 0) & (found <= 1)).all()
    among = diversity.among(some)
    for k, own in enumerate(some.tolist()):
        beside = [other for j, other in enumerate(some.tolist()) if j != k]
        expected = naive_genetic.vote_diversity(measure, own, beside, n_classes)
        assert abs(among[k] - expected) < 1e-12


@every_measure
@given(tables, st.randoms(use_true_random=False))
def test_no_order_changes_the_last_bit(measure, table, random):
    n_classes, some, others = table
    order = list(range(some.shape[1]))
    random.shuffle(order)
    diversity = MeanDiversity(measure, np.zeros(some.shape[1], dtype=int), n_classes)
    found = diversity.to(some, diversity.reference(others))
    turned = diversity.to(some[:, order], diversity.reference(others[::-1][:, order]))
    assert_array_equal(turned, found)
    one_by_one = [diversity.to(own[None], diversity.reference(others))[0] for own in some]
    assert_array_equal(one_by_one, found)


@every_measure
def test_copies_are_not_diverse_and_the_most_spread_votes_are(measure):
    diversity = MeanDiversity(measure, np.zeros(6, dtype=int), 3)
    own = np.array([[0, 1, 2, 0, 1, 2]])
    for size in (1, 2, 3, 6):
        copies = diversity.reference(np.repeat(own, size, axis=0))
        assert diversity.to(own, copies)[0] == 0
        assert (diversity.among(np.repeat(own, size + 1, axis=0)) == 0).all()
        against = diversity.reference(np.repeat((own + 1) % 3, size, axis=0))
        assert diversity.to(own, against)[0] > 0
    spread = diversity.reference((own + np.array([[1], [2]])) % 3)
    expected = {"entropy": 1.0, "ambiguity": (4 / 9 + 1 / 9 + 1 / 9) / 2}
    assert_allclose(diversity.to(own, spread), expected[measure])


def test_a_case_by_hand():
    # Votes 0 0 1 and a new one for 1, of three classes: shares 1/2, 1/2 and 0.
    reference, own = np.array([[0], [0], [1]]), np.array([[1]])
    found = {
        measure: diversity.to(own, diversity.reference(reference))[0]
        for measure in BY_VOTES
        for diversity in [MeanDiversity(measure, np.array([0]), 3)]
    }
    assert_allclose(found["entropy"], math.log(2) / math.log(3))
    assert_allclose(found["ambiguity"], (0.25 + 0.25) / 2)


def test_of_two_votes_both_are_label_disagreement():
    rng = np.random.default_rng(0)
    some, others, y = (rng.integers(0, 4, shape) for shape in ((3, 20), (5, 20), 20))
    differ = pairwise_diversities(some, others, y, "label_disagreement")
    for measure, factor in (("entropy", 1), ("ambiguity", 0.25)):
        alone = MeanDiversity(measure, y, 4)
        beside = [alone.to(some, alone.reference(other[None])) for other in others]
        assert_allclose(np.transpose(beside), factor * differ)


@every_measure
def test_classes_that_no_row_to_judge_has_count(measure):
    class Said:
        n_classes = 4
        predict = staticmethod(lambda masks: np.array([[3, 0], [0, 0], [1, 2]], dtype=np.int16))

    found = PopulationObjective(Said(), np.array([0, 1]), measure).of_population(np.eye(3) > 0)
    said = Said.predict(None).tolist()
    expected = [
        naive_genetic.vote_diversity(measure, said[k], said[:k] + said[k + 1 :], 4)
        for k in range(3)
    ]
    assert_allclose(found.diversity, expected)
