import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.naive_bayes import BernoulliNB

from consilience import BitMatrix
from consilience.exceptions import UsageError
from consilience.learners import BitBernoulliNB

tables = st.tuples(st.integers(1, 140), st.integers(1, 6), st.integers(1, 4)).flatmap(
    lambda size: st.tuples(
        arrays(np.uint8, size[:2], elements=st.integers(0, 1)),
        arrays(np.int64, size[0], elements=st.integers(0, size[2] - 1)),
        st.none() | arrays(np.float64, size[0], elements=st.floats(0.1, 3)),
    )
)


@given(tables, st.sampled_from([0.01, 1.0, 3.0]), st.booleans())
def test_it_is_the_bernoulli_model_of_scikit_learn(table, alpha, fit_prior):
    X, y, weights = table
    ours = BitBernoulliNB(alpha=alpha, fit_prior=fit_prior)
    ours.fit(BitMatrix.from_array(X), y, sample_weight=weights)
    theirs = BernoulliNB(alpha=alpha, fit_prior=fit_prior).fit(X, y, sample_weight=weights)
    for name in ("class_count_", "feature_count_", "class_log_prior_", "feature_log_prob_"):
        assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-12, atol=1e-12)
    options = {"rtol": 1e-10, "atol": 1e-10}  # of a log of nearly 1, digits are lost
    for ask in ("predict_joint_log_proba", "predict_log_proba", "predict_proba"):
        assert_allclose(getattr(ours, ask)(X), getattr(theirs, ask)(X), **options)
    # Where two classes are equally probable, rounding decides.
    shares = np.sort(theirs.predict_proba(X), axis=1)
    clear = np.ones(len(X), bool) if shares.shape[1] == 1 else shares[:, -1] - shares[:, -2] > 1e-9
    assert_array_equal(ours.predict(X)[clear], theirs.predict(X)[clear])


def test_rows_of_weight_0_are_left_out():
    X, y = np.array([[1, 0], [0, 1], [1, 1]]), np.array(["a", "b", "c"])
    model = BitBernoulliNB().fit(X, y, sample_weight=[1, 1, 0])
    assert_array_equal(model.classes_, ["a", "b"])
    assert_allclose(model.predict_proba(X), BitBernoulliNB().fit(X[:2], y[:2]).predict_proba(X))


@pytest.mark.parametrize("alpha", [0, -1, "much"])
def test_wrong_requests_get_a_sentence(alpha):
    with pytest.raises(UsageError, match="alpha is"):
        BitBernoulliNB(alpha=alpha).fit(np.eye(2), [0, 1])
