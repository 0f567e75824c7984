import contextlib
import dataclasses
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LogisticRegression

from consilience import (
    AverageRank,
    BitMatrix,
    EnsembleSelector,
    MostFrequent,
    SelectionResult,
    make_planted,
    stability,
    write_report,
)
from consilience.exceptions import DataError, UsageError

PLANTED = make_planted(40, 60, n_blocks=4, block_size=3, effect=2.0, random_state=0)
NAMES = np.array(
    ['a "quoted", name', "<img src=x onerror=alert(1)>", "Größe µm", "", *map(str, range(56))],
    dtype=object,
)


def fit(X=PLANTED.X, y=PLANTED.y, **options):
    defaults = {"n_features_to_select": 8, "n_models": 12, "random_state": 0}
    return EnsembleSelector(**defaults | options).fit(X, y).result_


@pytest.fixture(scope="module")
def result():
    return fit()


def refuse_constants(name):
    raise AssertionError(f"{name} is not JSON")


def strict_json(path):
    return json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse_constants)


# --- files


@pytest.mark.parametrize("table", [
    PLANTED.X,
    PLANTED.X.astype(np.float32),
    pd.DataFrame(PLANTED.X, columns=NAMES),
    sparse.csr_array(PLANTED.X > 1),
    BitMatrix.from_array(PLANTED.X > 1),
    np.where(PLANTED.X > 1.5, np.nan, PLANTED.X),
], ids=["dense", "float32", "frame", "sparse", "bits", "missing"])  # fmt: skip
@pytest.mark.parametrize("aggregator", [MostFrequent(), AverageRank()])
def test_a_result_read_again_is_the_same(tmp_path, table, aggregator):
    result = fit(table, aggregator=aggregator)
    path = result.save(tmp_path / "new" / "run")
    again = SelectionResult.load(tmp_path / "new" / "run")
    assert again.to_dict() == result.to_dict() == strict_json(path)
    assert again.models == result.models
    for field in dataclasses.fields(SelectionResult):
        mine, theirs = (getattr(r, field.name) for r in (result, again))
        if isinstance(mine, np.ndarray):
            assert_array_equal(theirs, mine)
    assert_array_equal(again.panels[0], result.panels[0])
    assert again.panel.equals(result.panel)
    assert again.stability() == result.stability()
    assert again.at(5).panels[0].tolist() == result.at(5).panels[0].tolist()
    assert sorted(p.name for p in path.parent.iterdir()) == ["models.npz", "result.json"]


def test_the_json_file_may_be_named_instead_of_its_directory(tmp_path, result):
    path = result.save(tmp_path)
    assert SelectionResult.load(path).to_dict() == result.to_dict()
    assert SelectionResult.load(str(tmp_path)).to_dict() == result.to_dict()


def test_saving_again_replaces_the_files(tmp_path, result):
    fit(n_models=5).save(tmp_path)
    result.save(tmp_path)
    assert SelectionResult.load(tmp_path).models == result.models


def test_everything_that_is_told_survives(tmp_path, result):
    told = result.described(
        evaluation={"methods": [{"key": "ensemble", "auc": None}]},
        warnings=["mind the gap"],
        command="consilience select genes.csv",
        data=result.data | {"source": "genes.csv"},
        seconds={"total": 1.5},
    )
    told.save(tmp_path)
    again = SelectionResult.load(tmp_path)
    for name in ("evaluation", "warnings", "command", "data", "seconds", "created", "versions"):
        assert getattr(again, name) == getattr(told, name)


def test_a_document_has_no_nan(tmp_path):
    table = PLANTED.X.copy()
    table[:, :55] = 3.0  # constant columns come into the panel, and have no effect to tell
    result = fit(table).described(evaluation={"error": np.float64("nan"), "n": np.int64(3)})
    document = strict_json(result.save(tmp_path))
    effects = [row["effects"][0]["effect"] for row in document["panels"][0]["features"]]
    assert None in effects
    assert document["evaluation"] == {"error": None, "n": 3}


def test_the_document_follows_its_schema(result):
    document = result.to_dict()
    assert document["schema"] == "consilience.result"
    assert document["schema_version"] == 1
    assert document["data"]["storage"] == "dense"
    assert document["data"]["classes"] == [{"name": "0", "count": 20}, {"name": "1", "count": 20}]
    (panel,) = document["panels"]
    for row in panel["features"]:
        assert set(row) == {
            "feature", "index", "frequency", "mean_rank", "description", "categories", "effects"
        }  # fmt: skip
        assert [effect["class"] for effect in row["effects"]] == ["0", "1"]
        assert set(row["effects"][0]) == {"class", "mean", "sd", "effect", "shares"}
    frequencies = [row["frequency"] for row in document["frequent"]]
    assert frequencies == sorted(frequencies, reverse=True)
    assert len(frequencies) <= 24
    chosen = {row["index"] for row in document["frequent"] if row["selected"]}
    assert chosen == {row["index"] for row in panel["features"]}
    assert set(document["stability"]) == {"nogueira", "kuncheva", "tanimoto", "chance"}
    assert set(document["versions"]) >= {"python", "consilience", "numpy", "scikit-learn"}


@pytest.mark.parametrize("missing", ["result.json", "models.npz"])
def test_a_missing_file_is_named(tmp_path, result, missing):
    result.save(tmp_path)
    (tmp_path / missing).unlink()
    with pytest.raises(DataError, match=f"holds no {missing}; give a directory"):
        SelectionResult.load(tmp_path)


def test_a_directory_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(DataError, match=r"nowhere holds no result\.json"):
        SelectionResult.load(tmp_path / "nowhere")


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "3", '{"a": 1}', "\udcff", '"text"'])
def test_a_foreign_document_is_refused(tmp_path, result, text):
    path = result.save(tmp_path)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(DataError, match=r"damaged|not written by consilience") as error:
        SelectionResult.load(tmp_path)
    assert "\n" not in str(error.value)


def test_a_newer_schema_is_refused(tmp_path, result):
    path = result.save(tmp_path)
    path.write_text(json.dumps(strict_json(path) | {"schema_version": 2}), encoding="utf-8")
    with pytest.raises(DataError, match="schema version 2 and this consilience reads up to 1"):
        SelectionResult.load(tmp_path)


@pytest.mark.parametrize("key", ["schema_version", "panels", "settings", "data", "seconds"])
def test_a_document_that_lacks_a_part_is_refused(tmp_path, result, key):
    path = result.save(tmp_path)
    document = strict_json(path)
    del document[key]
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(DataError, match="damaged"):
        SelectionResult.load(tmp_path)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["result.json", "models.npz"]), st.floats(0, 1), st.integers(0, 255),
       st.booleans())  # fmt: skip
def test_a_damaged_file_is_refused_or_read_but_never_breaks(tmp_path, result, name, at, byte, cut):
    result.save(tmp_path)
    content = bytearray((tmp_path / name).read_bytes())
    position = int(at * (len(content) - 1))
    if cut:
        del content[position:]
    else:
        content[position] = byte
    (tmp_path / name).write_bytes(content)
    with contextlib.suppress(DataError):
        SelectionResult.load(tmp_path)


def test_arrays_that_do_not_fit_the_document_are_refused(tmp_path, result):
    result.save(tmp_path / "a")
    fit(PLANTED.X[:, :20]).save(tmp_path / "b")
    (tmp_path / "b" / "models.npz").replace(tmp_path / "a" / "models.npz")
    with pytest.raises(DataError, match="damaged"):
        SelectionResult.load(tmp_path / "a")


def test_nothing_in_a_file_is_executed(tmp_path, result):
    result.save(tmp_path)
    with np.load(tmp_path / "models.npz") as arrays:
        content = dict(arrays)
    content["feature_names"] = np.array([object()], dtype=object)
    np.savez(tmp_path / "models.npz", **content)
    with pytest.raises(DataError, match="damaged"):
        SelectionResult.load(tmp_path)


# --- questions


def test_stability_is_that_of_the_measures(result):
    subsets = result.models.subsets
    assert result.stability() == stability.nogueira(subsets, 60)
    assert result.stability("kuncheva") == stability.kuncheva(subsets, 60)
    assert result.stability("tanimoto") == stability.tanimoto(subsets, 60)
    with pytest.raises(UsageError, match="Unknown stability 'jaccard'; known are nogueira"):
        result.stability("jaccard")


def test_frequencies_and_ranks_are_those_of_the_models(result):
    assert_array_equal(result.frequencies, result.models.frequencies)
    assert_array_equal(result.ranks, result.models.mean_ranks)
    assert_array_equal(result.panel["frequency"], result.frequencies[result.panels[0]])


@pytest.mark.parametrize("aggregator", [MostFrequent(), AverageRank()])
@pytest.mark.parametrize("size", [1, 3, 8, 20, 60])
def test_another_size_is_a_whole_result(tmp_path, size, aggregator):
    result = fit(aggregator=aggregator).described(evaluation={"methods": []})
    other = result.at(size)
    assert other.panels[0].size == size
    assert other.models.sizes.tolist() == [size] * 12
    assert other.settings["n_features_to_select"] == size
    assert other.evaluation is None or size == 8  # it was that of another panel
    other.save(tmp_path)
    assert SelectionResult.load(tmp_path).to_dict() == other.to_dict()
    write_report(other.described(evaluation=None), tmp_path / "report.html")


def test_the_same_size_is_the_same_panel(result):
    assert result.at(8).panels[0].tolist() == result.panels[0].tolist()
    assert result.at(8).models == result.models


def test_another_size_is_that_of_an_ensemble_of_this_size():
    # Where no scores are tied, the rankings hold every size.
    rng = np.random.default_rng(0)
    table = PLANTED.X + 3 * PLANTED.y[:, None] * rng.random(60)
    large = fit(table, n_features_to_select=20, aggregator=AverageRank())
    small = fit(table, n_features_to_select=4, aggregator=AverageRank())
    assert_array_equal(large.ranks, small.ranks)
    assert_array_equal(large.ranks[large.at(4).panels[0]], small.ranks[small.panels[0]])


@pytest.mark.parametrize("size", [0, -1, 61, 2.5])
def test_sizes_that_make_no_sense_are_refused(result, size):
    with pytest.raises(UsageError):
        result.at(size)


def test_sizes_tell_what_another_panel_would_be(result):
    rows = {row["n_features"]: row for row in result.sizes()}
    assert sorted(rows) == [5, 8, 10, 20, 30]  # up to half of the features, and the chosen one
    assert rows[8]["kept"] == 8
    assert rows[8]["of_panel"] == 1.0
    assert rows[8]["stability"] == vars(result.stability())
    for size, row in rows.items():
        other = result.at(size)
        assert row["features"] == result.feature_names[other.panels[0]].tolist()
        assert row["stability"] == vars(other.stability())
        assert row["kept"] == np.isin(other.panels[0], result.panels[0]).sum()
    assert [row["n_features"] for row in result.sizes([3, 4])] == [3, 4]


def test_without_rankings_there_is_no_other_size(tmp_path):
    model = SelectFromModel(LogisticRegression(), threshold=-np.inf)
    result = fit(selector=model, n_models=4)
    assert result.sizes() == []
    with pytest.raises(UsageError, match="subsets without rankings"):
        result.at(3)
    result.save(tmp_path)
    assert SelectionResult.load(tmp_path).to_dict() == result.to_dict()


def test_one_model_has_no_stability_but_a_document(tmp_path):
    result = fit(n_models=1)
    result.save(tmp_path)
    document = SelectionResult.load(tmp_path).to_dict()
    assert set(document["stability"]) == {"chance"}


def test_a_result_is_not_changed_by_questions(result):
    before = json.dumps(result.to_dict())
    result.at(3)
    result.sizes()
    result.described(warnings=["other"])
    assert json.dumps(result.to_dict()) == before
