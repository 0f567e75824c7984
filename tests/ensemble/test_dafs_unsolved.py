"""Machines that were not solved: one warning for a fit, which is in the result too."""

import numpy as np
import pytest

from consilience import DAFS
from consilience.exceptions import ConsilienceWarning
from consilience.learners import LinearSVMLearner, linear_svm

rng = np.random.default_rng(0)
y = np.arange(30) % 2
X = rng.standard_normal((30, 12)) + y[:, None] * (np.arange(12) < 3)


def fit(**options):
    options = {
        "subspace_size": 6,
        "n_subspaces": 80,
        "max_features": 3,
        "random_state": 0,
    } | options
    dafs = DAFS("svm", **options)
    with pytest.warns(ConsilienceWarning) as told:
        dafs.fit(X, y)
    remarks = [str(one.message) for one in told if "did not reach" in str(one.message)]
    assert [text for text in dafs.result_.warnings if "did not reach" in text] == remarks
    return remarks


@pytest.mark.parametrize("verbose", [0, 1])
def test_a_fit_warns_once_of_unsolved_machines(verbose, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(linear_svm, "MAX_STEPS", 1)
    (remark,) = fit(verbose=verbose, checkpoint=tmp_path)
    assert int(remark.split()[0]) > 80
    assert fit(n_jobs=2) == [remark]
    assert fit(checkpoint=tmp_path) == [remark]  # nothing is trained again


def test_a_final_estimator_of_its_own_has_a_remark_of_its_own(monkeypatch):
    monkeypatch.setattr(linear_svm, "MAX_STEPS", 1)
    members, curve = fit(final_estimator=LinearSVMLearner(0.5))
    assert "C=1 " in members
    assert "C=0.5 " in curve
