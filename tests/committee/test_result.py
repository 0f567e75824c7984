"""A committee as a selection: which features it takes, what its result keeps, and that it holds."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.utils.estimator_checks import parametrize_with_checks

from consilience import (
    BitMatrix,
    CERPClassifier,
    CommitteeResult,
    CommitteeSelector,
    EFSClassifier,
    EIFSClassifier,
    EnsembleSelector,
    QIFSClassifier,
    RandomSubspaceClassifier,
    load_result,
)
from consilience.committee.answer import best_scored, make_result, use_scores
from consilience.committee.query_rounds import PARTS
from consilience.committee.result import EFSResult, QIFSResult, members_with, new_features
from consilience.committee.search_result import RandomSubspaceResult
from consilience.exceptions import DataError, UsageError
from report.real import rare_bits

X, Y, NAMES = rare_bits()
N_FEATURES = 9
subsets_of_few = st.lists(
    st.sets(st.integers(0, N_FEATURES - 1), min_size=1).map(sorted).map(np.array),
    min_size=1,
    max_size=6,
)


def qifs(**options):
    settings = {"n_rounds": 4, "n_features": 10, "patience": None, "random_state": 0}
    return QIFSClassifier("nb", **settings | options)


def select(data=X, committee=None, size=6):
    return CommitteeSelector(committee or qifs(), n_features_to_select=size).fit(data, Y)


@parametrize_with_checks(
    [CommitteeSelector(qifs(n_rounds=1, n_features=None), n_features_to_select=1)]
)
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    check(estimator)


@given(subsets_of_few, st.integers(1, N_FEATURES))
def test_the_panel_is_what_most_members_use(subsets, size):
    rng = np.random.default_rng(len(subsets))
    table, codes = rng.normal(size=(8, N_FEATURES)), np.arange(8) % 2
    distances = rng.integers(0, 3, N_FEATURES).astype(float)  # few values: ties
    found = best_scored(use_scores(subsets, N_FEATURES), distances, table, codes, size)
    counts = [sum(j in subset for subset in subsets) for j in range(N_FEATURES)]
    used = [j for j in range(N_FEATURES) if counts[j]]
    assert len(found) == min(size, len(used)) == len(set(found))
    # Slowly: nobody outside has more members, or as many and a larger distance.
    taken = [(counts[j], distances[j]) for j in found]
    assert taken == sorted(taken, reverse=True)
    assert taken == sorted(((counts[j], distances[j]) for j in used), reverse=True)[:size]


def test_members_that_meet_a_part_are_asked_for_places_and_not_for_their_number():
    subsets = [np.array([0, 5]), np.array([5, 6]), np.array([5, 6, 7])]
    assert_array_equal(use_scores(subsets, 8) * 3, [1, 0, 0, 0, 0, 3, 2, 1])
    # 0 was met once, and was first; 5 was first twice and second once; 6 never first.
    met = np.array([1, 1, 1, 1, 1, 3, 2, 1])
    expected = [1, 0, 0, 0, 0, 2.5 / 3, (1 / 2 + 2 / 3) / 2, 1 / 3]
    assert_allclose(use_scores(subsets, 8, met), expected)
    # Who met 0 and did not take it counts as well.
    met[0] = 3
    assert_allclose(use_scores(subsets, 8, met)[0], 1 / 3)
    # One draw where there are six on average is divided by three.
    met = np.array([1, 6, 6, 6, 6, 6, 6, 11])
    assert_allclose(use_scores(subsets, 8, met)[[0, 7]], [1 / 3, 1 / 33])


@pytest.mark.parametrize("kind", [EFSClassifier, EIFSClassifier, QIFSClassifier])
def test_the_scores_of_a_selector_are_what_its_panel_is_ranked_by(kind):
    committee = kind("nb", n_rounds=6, n_features=30, random_state=0)
    fitted = select(committee=committee, size=8)
    scores, chosen = fitted.scores_, fitted.support_
    assert scores[chosen].min() >= scores[~chosen].max()
    panel = scores[fitted.result_.panels[0]]
    assert_array_equal(panel, np.sort(panel)[::-1])
    if kind is QIFSClassifier:
        return
    assert [row["place"] for row in fitted.result_.to_dict()["asked"][:8]] == panel.tolist()
    assert not np.array_equal(scores, fitted.committee_.feature_importances_)


def test_random_halves_do_not_choose_the_panel_by_luck():
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    apart = 0.3 * np.linspace(1, 0, 600) ** 8  # many features, each a bit worse than the last
    table = (rng.random((200, 600)) < 0.1 + apart * y[:, None]).astype(np.uint8)
    committee = EIFSClassifier("nb", n_rounds=20, n_features=100, random_state=0)
    fitted = CommitteeSelector(committee, n_features_to_select=20).fit(table, y)
    best = np.argsort(-fitted.committee_.gains_, kind="stable")[:20]
    # By the number of members or the expected number of draws it would be a dozen.
    assert np.isin(fitted.result_.panels[0], best).sum() >= 17
    assert fitted.result_.to_dict()["committee"]["order"] == "places"


@given(subsets_of_few, st.permutations(range(N_FEATURES)))
def test_permuted_columns_give_the_same_panel(subsets, order):
    rng = np.random.default_rng(1)
    table, codes = rng.integers(0, 2, size=(20, N_FEATURES)).astype(float), np.arange(20) % 2
    order = np.array(order)
    none = np.empty(0)
    scores = use_scores(subsets, N_FEATURES)
    expected = best_scored(scores, none, table, codes, 3)
    found = best_scored(scores[order], none, table[:, order], codes, 3)
    assert_array_equal(table[:, order[found]], table[:, expected])


@given(subsets_of_few)
def test_who_uses_what_and_what_is_new(subsets):
    found = members_with(subsets, range(N_FEATURES))
    for j in range(N_FEATURES):
        assert found[j] == [k + 1 for k, subset in enumerate(subsets) if j in subset]
    seen, expected = set(), []
    for subset in subsets:
        expected.append(len(set(subset.tolist()) - seen))
        seen |= set(subset.tolist())
    assert new_features(subsets, N_FEATURES) == expected


def test_the_selector_is_the_committee_and_its_panel():
    fitted, committee = select(), qifs().fit(X, Y)
    assert_array_equal(fitted.committee_.predict(X), committee.predict(X))
    assert_array_equal(fitted.result_.selection_counts, committee.selection_counts_)
    assert_array_equal(np.flatnonzero(fitted.support_), np.sort(fitted.result_.panels[0]))
    assert_array_equal(fitted.scores_, committee.feature_importances_)
    assert fitted.transform(X).shape == (120, 6)
    assert_array_equal(fitted.transform(BitMatrix.from_array(X)).toarray(), fitted.transform(X))


@pytest.mark.parametrize("form", [BitMatrix.from_array, sparse.csr_array, sparse.csc_array])
def test_the_result_is_the_same_in_every_storage(form):
    def told(result):
        document = result.to_dict()
        for key in ("created", "seconds", "data"):
            document.pop(key)
        document["committee"].pop("storage")
        return json.dumps(document)

    assert told(select(form(X)).result_) == told(select().result_)


@pytest.mark.parametrize(
    ("committee", "kind"),
    [
        (qifs(), QIFSResult),
        (EFSClassifier("nb", n_rounds=3, n_features=10, random_state=0), EFSResult),
        (CERPClassifier("tree", n_blocks=4, n_partitions=1, random_state=0), CommitteeResult),
        (
            RandomSubspaceClassifier("ridge", n_estimators=4, evaluation="oof", random_state=0),
            RandomSubspaceResult,
        ),
    ],
    ids=["qifs", "efs", "any", "random"],
)
def test_a_result_is_read_as_it_was_written(tmp_path, committee, kind):
    result = select(committee=committee).result_
    assert type(result) is kind
    result.save(tmp_path)
    again = load_result(tmp_path)
    assert type(again) is kind
    assert json.dumps(again.to_dict()) == json.dumps(result.to_dict())
    assert_array_equal(again.margins, result.margins)
    assert_array_equal(again.round_seconds, result.round_seconds)
    for a, b in zip(again.subsets, result.subsets, strict=True):
        assert_array_equal(a, b)


def test_arrays_of_another_run_are_refused(tmp_path):
    select().result_.save(tmp_path)
    with np.load(tmp_path / "models.npz", allow_pickle=False) as kept:
        arrays = dict(kept)
    arrays["indices"] = arrays["indices"] + 140  # features that these data do not have
    np.savez(tmp_path / "models.npz", **arrays)
    with pytest.raises(DataError, match="belongs to another"):
        load_result(tmp_path)


def test_the_rounds_tell_what_the_committee_measured():
    fitted = select(committee=qifs(patience=3))
    document, rounds = fitted.result_.to_dict(), fitted.committee_.rounds_
    assert document["method"] == "qifs"
    rows = document["rounds"]
    assert [row["member"] for row in rows] == [1, 2, 3, 4, 5]
    assert rows[0]["mean_margin"] is None  # nobody had voted before the first member
    for key in ("mean_margin", "unsure_share", "average_precision", "balanced_accuracy"):
        assert [row[key] for row in rows[1:]] == rounds[key][1:].tolist()
    assert not any(key.startswith("seconds") for key in rows[0])  # the same for the same seed
    assert set(document["seconds"]) == {*PARTS, "select"} - {"total"}
    assert sum(n for _, n in document["margins"]) == 120
    used = np.unique(np.concatenate(fitted.committee_.subsets_))
    assert document["committee"]["n_used"] == used.size
    first = document["asked"][0]
    assert first["n_members"] == len(first["members"]) == fitted.result_.selection_counts.max()


def test_settings_of_the_selector_reach_the_committee(tmp_path):
    selector = CommitteeSelector(
        qifs(random_state=1), random_state=7, checkpoint=tmp_path / "kept", n_jobs=2
    )
    committee = selector.configured()
    assert (committee.random_state, committee.n_jobs) == (7, 2)
    assert selector.committee.random_state == 1
    assert CommitteeSelector(qifs(random_state=1)).configured().random_state == 1
    selector.fit(X, Y)
    assert list((tmp_path / "kept").rglob("*.npz"))


def test_what_is_no_committee_is_refused():
    with pytest.raises(UsageError, match=r"give a committee such as QIFSClassifier\(\)\."):
        CommitteeSelector(EnsembleSelector()).fit(X, Y)
    with pytest.raises(UsageError, match="n_features_to_select is 0"):
        CommitteeSelector(qifs(), n_features_to_select=0).fit(X, Y)


def test_more_features_than_members_use_are_not_made_up():
    result = select(committee=qifs(n_rounds=1, n_features=2), size=50).result_
    assert result.panels[0].size == np.count_nonzero(result.selection_counts) <= 4


def test_numbers_and_missing_values_have_a_result_too():
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(120, 30))
    numbers[:, 3] += 3 * (Y == "active")
    numbers[5, 7] = np.nan
    result = CommitteeSelector(qifs(n_features=5), n_features_to_select=2).fit(numbers, Y).result_
    assert 3 in result.panels[0]
    assert result.panel_values.shape == (120, 2)


def test_the_result_of_a_fitted_committee_needs_no_selector():
    committee = qifs().fit(X, Y)
    codes = np.searchsorted(committee.classes_, Y)
    assert_array_equal(
        make_result(committee, X, codes, n_features=6).panels[0], select().result_.panels[0]
    )
