import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from sklearn.metrics import cohen_kappa_score, matthews_corrcoef

import naive_dafs
import naive_genetic
from consilience import diversity
from consilience.exceptions import DataError, UsageError
from consilience.measures.diversity import MEASURES, PAIRWISE, TURNED, label_disagreements

sizes = st.integers(1, 12)
pairs = sizes.flatmap(lambda n: st.tuples(arrays(bool, n), arrays(bool, n)))
tables = st.tuples(st.integers(1, 5), sizes).flatmap(
    lambda shape: st.tuples(arrays(bool, shape), arrays(bool, shape[1]))
)
every_measure = pytest.mark.parametrize("name", MEASURES)


@every_measure
@given(pairs)
def test_each_measure_agrees_with_its_formula(name, pair):
    found = getattr(diversity, name)(*pair)
    assert isinstance(found, float)
    assert_allclose(found, naive_dafs.diversity(name, *pair), atol=1e-15)


@every_measure
@given(tables)
def test_all_members_at_once_are_each_alone(name, table):
    correct, ensemble = table
    one_by_one = [naive_dafs.diversity(name, row, ensemble) for row in correct]
    found = diversity.member_diversities(correct, ensemble, name, orientation="raw")
    assert_allclose(found, one_by_one, atol=1e-15)
    turned = [naive_dafs.diverse(name, value) for value in one_by_one]
    found = diversity.member_diversities(correct, ensemble, name)
    assert_allclose(found, turned, atol=1e-15)
    assert ((found >= 0) & (found <= 1)).all()
    assert_allclose(TURNED[name](np.array(one_by_one)), turned)


@given(pairs)
def test_the_correlation_is_that_of_scikit_learn(pair):
    a, b = pair
    if np.ptp(a.astype(int)) and np.ptp(b.astype(int)):
        assert_allclose(diversity.correlation(a, b), matthews_corrcoef(a, b), atol=1e-12)


@every_measure
@given(pairs)
def test_which_of_the_two_comes_first_does_not_matter(name, pair):
    measure = getattr(diversity, name)
    assert_allclose(measure(*pair), measure(*pair[::-1]), atol=1e-15)


@pytest.mark.parametrize("n", [1, 4, 30])
def test_two_that_are_always_right_have_the_value_of_haldane(n):
    right = np.ones(n, dtype=bool)
    assert diversity.q_statistic(right, right) == pytest.approx(n / (n + 1))


@pytest.mark.parametrize(("n", "w"), [(10, 1), (10, 4), (7, 7)])
def test_beside_a_perfect_ensemble_q_falls_with_the_errors(n, w):
    right, member = np.ones(n, dtype=bool), np.arange(n) >= w
    assert diversity.q_statistic(right, member) == pytest.approx((n - 2 * w) / (n + 1))


def test_published_values_of_a_pair():
    # 6 both right, 3 only the first, 1 only the second, 2 neither.
    a = np.repeat([True, True, False, False], [6, 3, 1, 2])
    b = np.repeat([True, False, True, False], [6, 3, 1, 2])
    assert diversity.q_statistic(a, b) == pytest.approx((12 - 3) / (12 + 3))
    assert diversity.correlation(a, b) == pytest.approx(9 / np.sqrt(9 * 3 * 7 * 5))
    assert diversity.disagreement(a, b) == pytest.approx(4 / 12)
    assert diversity.double_fault(a, b) == pytest.approx(2 / 12)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=20))
def test_kappa_is_that_of_scikit_learn(labels):
    a, b = np.array(labels).T
    if np.unique([a, b]).size == 1:
        assert diversity.kappa(a, b) == 1  # undefined there
    else:
        assert_allclose(diversity.kappa(a, b), cohen_kappa_score(a, b), atol=1e-12)


def test_labels_may_disagree_where_both_are_wrong():
    truth, voted = np.array([0, 1, 2, 0]), np.array([0, 1, 1, 1])
    member = np.array([[0, 1, 0, 1]])
    assert label_disagreements(member, voted)[0] == 0.25
    assert diversity.disagreement(member[0] == truth, voted == truth) == 0


@pytest.mark.parametrize("name", [*MEASURES, "kappa"])
def test_arrays_that_do_not_pair_are_refused(name):
    for a, b in (([True], [True, False]), ([], []), ([[True]], [[True]])):
        with pytest.raises(DataError, match="on the same cases"):
            getattr(diversity, name)(a, b)


def test_unknown_words_are_refused():
    correct, ensemble = np.ones((2, 3), dtype=bool), np.ones(3, dtype=bool)
    with pytest.raises(UsageError, match="diversity is 'yule'; choose one of q_statistic, corr"):
        diversity.member_diversities(correct, ensemble, "yule")
    with pytest.raises(UsageError, match="orientation is 'up'; choose 'diverse' or 'raw'"):
        diversity.member_diversities(correct, ensemble, orientation="up")
    with pytest.raises(DataError, match=r"shape \(2, 3\).*\(2,\)"):
        diversity.member_diversities(correct, ensemble[:2])


@pytest.mark.parametrize("labels", [["a", "b", "a"], [2, 1, 1], [np.nan, 1.0, 0.0]])
def test_labels_are_refused(labels):
    with pytest.raises(DataError, match="give predicted == y"):
        diversity.q_statistic(labels, [True, False, True])
    with pytest.raises(DataError, match="give predicted == y"):
        diversity.member_diversities([labels], [True, False, True])
    assert diversity.q_statistic([1, 0, 1], [1.0, 0.0, 1.0]) == diversity.q_statistic(
        [True, False, True], [1, 0, 1]
    )


labels = st.integers(0, 2)
answer_tables = st.tuples(st.integers(1, 4), st.integers(1, 3), sizes).flatmap(
    lambda shape: st.tuples(
        arrays(np.int16, (shape[0], shape[2]), elements=labels),
        arrays(np.int16, (shape[1], shape[2]), elements=labels),
        arrays(np.int64, shape[2], elements=labels),
    )
)


@pytest.mark.parametrize("name", PAIRWISE)
@given(answer_tables)
def test_pairwise_diversities_are_those_of_each_pair(name, table):
    some, others, y = table
    found = diversity.pairwise_diversities(some, others, y, name)
    expected = [[naive_genetic.pair_diversity(name, a, b, y) for b in others] for a in some]
    assert_allclose(found, expected, atol=1e-12)
    assert ((found >= 0) & (found <= 1)).all()
    assert_allclose(diversity.pairwise_diversities(others, some, y, name), found.T, atol=1e-15)


@pytest.mark.parametrize("name", ["disagreement", "kappa", "label_disagreement"])
@given(answer_tables)
def test_a_classifier_does_not_differ_from_itself(name, table):
    some, _, y = table
    assert (np.diagonal(diversity.pairwise_diversities(some, some, y, name)) == 0).all()


@given(answer_tables)
def test_pairwise_kappa_is_that_of_scikit_learn(table):
    some, others, y = table
    found = diversity.pairwise_diversities(some, others, y, "kappa")
    for i, a in enumerate(some):
        for j, b in enumerate(others):
            if (a != b).any():  # scikit-learn has 0/0 where both are constant
                assert_allclose(1 - 2 * found[i, j], cohen_kappa_score(a, b), atol=1e-12)


def test_no_cases_are_no_diversity():
    none = np.empty((2, 0), dtype=int)
    assert (diversity.pairwise_diversities(none, none[:1], np.empty(0), "kappa") == 0).all()


def test_pairwise_diversities_need_answers_and_a_measure_that_is_known():
    with pytest.raises(DataError, match=r"shape \(2, 3\) and \(2, 3\) for true classes of"):
        diversity.pairwise_diversities(np.ones((2, 3)), np.ones((2, 3)), np.ones(4))
    with pytest.raises(UsageError, match="diversity is 'kapa'; choose one of disagreement, kappa"):
        diversity.pairwise_diversities(np.ones((2, 3)), np.ones((2, 3)), np.ones(3), "kapa")
