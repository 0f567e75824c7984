"""A packed file that changes while it is in use stops the work, whichever method is at it."""

import os

import numpy as np
import pytest

from consilience import (
    DAFS,
    BitMatrix,
    EnsembleSelector,
    InformationGain,
    QIFSClassifier,
    evaluate_committee,
    evaluate_selection,
)
from consilience.exceptions import DataError

SENTENCE = r"changed.*\.$"


@pytest.fixture
def mapped(tmp_path):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    path = tmp_path / "x.bits"
    BitMatrix.from_array((rng.random((60, 40)) < 0.2 + 0.4 * y[:, None]).astype(int)).save(path)
    return BitMatrix.open(path), y


class Meddler(InformationGain):
    """Writes into the file the second time that any copy of it is fitted."""

    path, fits = None, 0

    def fit(self, X, y=None, **weights):
        type(self).fits += 1
        if type(self).fits == 2:
            touch(type(self).path)
        return super().fit(X, y, **weights)


def touch(path):
    stat = path.stat()
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns + 10**9))


def test_evaluations_keep_no_fold_of_a_changed_file(mapped, monkeypatch, tmp_path):
    X, y = mapped
    monkeypatch.setattr(Meddler, "path", X.source.path)
    monkeypatch.setattr(Meddler, "fits", 0)
    with pytest.raises(DataError, match=SENTENCE):
        evaluate_selection(Meddler(5), X, y, n_splits=3, random_state=0, checkpoint=tmp_path / "c")
    assert len(list((tmp_path / "c").rglob("fold-*.npz"))) == 1


@pytest.mark.parametrize("selector", [EnsembleSelector(n_models=5), DAFS("knn", max_features=5)])
def test_selections_of_a_changed_file_are_no_answer(mapped, selector):
    X, y = mapped
    touch(X.source.path)
    with pytest.raises(DataError, match=SENTENCE):
        selector.set_params(random_state=0).fit(X, y)


def test_committees_too(mapped, monkeypatch):
    X, y = mapped
    committee = QIFSClassifier("nb", n_rounds=2, n_features=5, patience=None)
    asked = QIFSClassifier.predict_proba

    def meddle(self, rows):
        touch(X.source.path)
        return asked(self, rows)

    monkeypatch.setattr(QIFSClassifier, "predict_proba", meddle)
    with pytest.raises(DataError, match=SENTENCE):
        evaluate_committee(committee, X, y, rivals=(), n_splits=3, random_state=0)
