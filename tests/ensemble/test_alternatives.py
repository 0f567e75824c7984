import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import pdist, squareform

from consilience import EnsembleSelector, FeatureModels, MostFrequent, SelectionResult, make_planted
from consilience.ensemble import alternatives
from consilience.ensemble.alternatives import embed, explore, several_panels
from consilience.exceptions import UsageError
from consilience.measures.similarity import jaccard
from tiny_panels import FirstModels

subsets = st.lists(
    st.lists(st.integers(0, 7), min_size=1, max_size=5, unique=True), min_size=1, max_size=9
)
NAMES = np.array(list("abcdefgh"))


def naive_jaccard(a, b):
    return len(set(a) & set(b)) / len(set(a) | set(b))


@settings(max_examples=60)
@given(subsets, subsets)
def test_clusters_and_similarities_agree_with_sets(chosen, panels):
    found = explore(FeatureModels(chosen, 8), [np.array(panel) for panel in panels], NAMES)
    assert_allclose(found.similarity, [[naive_jaccard(a, b) for b in panels] for a in panels])
    near = np.array([[naive_jaccard(s, panel) for panel in panels] for s in chosen])
    assert_array_equal(found.clusters, near.round(9).argmax(axis=1))
    assert found.cluster_sizes.sum() == len(chosen)
    pairs = [naive_jaccard(a, b) for k, a in enumerate(panels) for b in panels[:k]]
    if pairs:
        assert found.mean_similarity == pytest.approx(np.mean(pairs))
    else:
        assert found.mean_similarity is None


@settings(max_examples=60)
@given(subsets)
def test_the_map_is_classical_scaling_of_the_root_of_the_jaccard_distance(chosen):
    models = FeatureModels(chosen, 8)
    found = explore(models, models.subsets, NAMES)
    squares = 1 - np.array([[naive_jaccard(a, b) for b in chosen] for a in chosen])
    centre = np.eye(len(chosen)) - 1 / len(chosen)
    values = np.sort(np.linalg.eigvalsh(-centre @ squares @ centre / 2))[::-1]
    assert values.min() > -1e-9  # the root is a Euclidean distance
    assert_allclose(
        np.sort((found.positions**2).sum(axis=0))[::-1],
        np.append(values, [0.0, 0.0])[:2].clip(0),
        atol=1e-8,
    )
    # A panel that is a model lies on it, and equal models lie on each other.
    assert_allclose(found.panel_positions, found.positions, atol=1e-8)
    on_the_map = squareform(pdist(found.positions)) ** 2
    assert np.all(on_the_map <= squares + 1e-8)  # a projection never stretches
    assert 0 <= found.explained <= 1 + 1e-9


def test_three_models_or_fewer_fit_into_the_plane():
    found = explore(FeatureModels([[0, 1], [1, 2], [4]], 5), [np.array([0, 1])], NAMES)
    roots = np.sqrt([1 - 1 / 3, 1, 1])
    assert_allclose(pdist(found.positions), roots)
    assert found.explained == pytest.approx(1)
    assert np.all(found.panel_positions[0] >= 0)


def test_models_beyond_the_landmarks_are_placed_among_them():
    rng = np.random.default_rng(0)
    held = (rng.random((60, 30)) < 0.3).astype(float)
    held[:, 0] = 1
    all_of_them, _, explained = embed(held, held, held[:1])
    some, _, less = embed(held[::2], held, held[:1])
    assert_allclose(explained, less, atol=0.1)
    assert np.abs(all_of_them).max() == pytest.approx(np.abs(some).max(), rel=0.5)
    assert_allclose(some[::2], embed(held[::2], held[::2], held[:1])[0], atol=1e-9)


def test_identical_models_lie_on_one_point():
    found = explore(FeatureModels([[0, 1]] * 5, 4), [np.array([0, 1])], NAMES)
    assert_array_equal(found.positions, np.zeros((5, 2)))
    assert (found.explained, found.cluster_sizes.tolist()) == (1.0, [5])
    assert found.stand_ins == []


def test_empty_rows_are_alike():
    empty = np.zeros((2, 3))
    assert_array_equal(jaccard(empty, empty), np.ones((2, 2)))
    assert_array_equal(jaccard(empty, np.ones((1, 3))), np.zeros((2, 1)))


@pytest.fixture(scope="module")
def planted():
    return make_planted(60, 80, n_blocks=3, random_state=1)


@pytest.fixture(scope="module")
def fitted(planted):
    ensemble = EnsembleSelector(
        aggregator=FirstModels(4), n_features_to_select=6, n_models=40, random_state=3
    )
    return ensemble.fit(planted.X, planted.y)


def test_a_result_of_several_panels_gives_these(fitted):
    found = fitted.result_.alternatives()
    assert found.n_panels == 4
    for panel, own in zip(found.panels, fitted.panels_, strict=True):
        assert_array_equal(panel, own)
    assert found.table.columns.tolist() == ["panel", "rank", "feature", "index", "n_panels"]
    assert len(found.table) == sum(panel.size for panel in found.panels)
    held = found.table.groupby("feature")["panel"].nunique()
    assert_array_equal(found.table["n_panels"], held[found.table["feature"]])


def test_another_number_of_panels_comes_from_the_same_models(fitted):
    assert fitted.result_.alternatives(n_panels=2).n_panels == 2
    assert fitted.result_.alternatives(1).mean_similarity is None
    few = len({frozenset(s.tolist()) for s in fitted.models_.subsets})
    assert fitted.result_.alternatives(1000).n_panels == few


def test_the_document_holds_them_and_is_read_again(fitted, tmp_path):
    result = fitted.result_.described(alternatives_evaluation={"similarity": 0.5})
    result.save(tmp_path)
    document = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    told = document["alternatives"]
    assert [panel["number"] for panel in told["panels"]] == [1, 2, 3, 4]
    assert sum(panel["n_models"] for panel in told["panels"]) == 40
    assert len(told["map"]["models"]) == len(told["map"]["clusters"]) == 40
    assert told["evaluation"] == {"similarity": 0.5}
    loaded = SelectionResult.load(tmp_path)
    assert loaded.alternatives_evaluation == {"similarity": 0.5}
    assert loaded.alternatives().to_dict() == result.alternatives().to_dict()


def test_one_panel_has_no_alternatives_in_its_document(planted):
    ensemble = EnsembleSelector(n_features_to_select=4, n_models=10, random_state=0)
    document = ensemble.fit(planted.X, planted.y).result_.to_dict()
    assert document["alternatives"] is None


def test_results_from_before_are_still_read(fitted, tmp_path):
    path = fitted.result_.save(tmp_path)
    document = json.loads(path.read_text(encoding="utf-8"))
    del document["alternatives"]
    path.write_text(json.dumps(document), encoding="utf-8")
    assert SelectionResult.load(tmp_path).alternatives_evaluation is None


def test_another_size_forgets_what_was_measured(fitted):
    result = fitted.result_.described(alternatives_evaluation={"similarity": 0.5})
    assert result.at(3).alternatives_evaluation is None


def test_models_without_rankings_have_alternatives_too():
    models = FeatureModels([[0, 1], [2], [0, 1, 3], [2, 4]], 5)
    panels = FirstModels(3).aggregate(models, 2, random_state=0)
    assert [panel.size for panel in explore(models, panels, NAMES).panels] == [2, 1, 3]


def test_an_aggregator_of_one_panel_is_refused(fitted):
    with pytest.raises(UsageError, match=r"most-frequent gives one panel.*all-medoids.*\.$"):
        fitted.result_.alternatives(aggregator=MostFrequent())


@pytest.mark.parametrize("n_panels", [0, -1, 2.5, "ten", True])
def test_the_number_of_panels_is_checked(n_panels):
    with pytest.raises(UsageError, match=r"n_panels is .*give a whole number"):
        several_panels(FirstModels(), n_panels)


def test_the_given_aggregator_is_not_changed():
    given = FirstModels(3)
    assert several_panels(given, 5).n_panels == 5
    assert given.n_panels == 3


def test_permuting_the_columns_permutes_the_stand_ins_and_keeps_the_map():
    rng = np.random.default_rng(1)
    chosen = [np.flatnonzero(rng.random(12) < 0.4) for _ in range(60)]
    chosen = [np.append(s[s > 1], k % 2) for k, s in enumerate(chosen)]
    order = rng.permutation(12)
    moved = [np.argsort(order)[s] for s in chosen]
    one = explore(FeatureModels(chosen, 12), [chosen[0], chosen[1]], np.arange(12).astype(str))
    other = explore(FeatureModels(moved, 12), [moved[0], moved[1]], order.astype(str))
    assert one.to_dict()["stand_ins"] == other.to_dict()["stand_ins"]
    assert {(p.feature, p.other) for p in one.stand_ins} == {(0, 1)}
    assert_allclose(one.positions, other.positions, atol=1e-9)


def test_the_default_is_a_registered_aggregator_of_several_panels():
    assert alternatives.DEFAULT_AGGREGATOR in alternatives.multi_panel_names()
