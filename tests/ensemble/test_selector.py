import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from consilience import (
    CFS,
    SVMRFE,
    AverageRank,
    BitMatrix,
    BWRatio,
    ChiSquare,
    ClosedItemsets,
    EnsembleSelector,
    InformationGain,
    MarkovBlanket,
    MostFrequent,
    RidgeRFE,
    SVMOne,
    SymmetricalUncertainty,
    load_demo,
    make_planted,
)
from consilience.exceptions import CheckpointError, ConsilienceWarning, UsageError
from consilience.execution import Checkpoint
from consilience.sampling import bootstrap_weights
from consilience.selectors import SELECTORS

PLANTED = make_planted(50, 200, n_blocks=4, block_size=3, effect=4.0, random_state=1)
X, y = PLANTED.X, PLANTED.y


def fit(table=X, labels=y, *, sample_weight=None, groups=None, **options):
    defaults = {"n_features_to_select": 12, "n_models": 20, "random_state": 0}
    ensemble = EnsembleSelector(**defaults | options)
    return ensemble.fit(table, labels, sample_weight=sample_weight, groups=groups)


def test_the_learned_attributes_belong_together():
    ensemble = fit(n_models=30)
    assert ensemble.models_.n_models == 30
    assert_array_equal(ensemble.frequencies_, ensemble.models_.frequencies)
    assert_array_equal(np.flatnonzero(ensemble.support_), np.sort(ensemble.panels_[0]))
    assert_array_equal(ensemble.ranking_[ensemble.panels_[0]], np.arange(1, 13))
    assert ensemble.classes_.tolist() == [0, 1]
    assert ensemble.result_.models is ensemble.models_
    assert ensemble.result_.panel["feature"].tolist() == [f"x{j}" for j in ensemble.panels_[0]]


def test_the_defaults_are_those_of_the_contract():
    ensemble = EnsembleSelector()
    assert (ensemble.n_features_to_select, ensemble.n_models) == (20, 150)
    settings = fit().result_.settings
    assert settings["selector"]["name"] == "ridge-rfe"
    assert settings["aggregator"]["name"] == "average-rank"
    assert settings["sample_share"] == 0.8


@pytest.mark.parametrize("share", [0, 1, -0.5, 1.5, True, "0.8", float("nan")])
def test_a_share_that_cannot_be_is_refused(share):
    with pytest.raises(UsageError, match=r"sample_share is .* or None for bootstraps"):
        fit(sample_share=share)


@pytest.mark.parametrize("share", [0.8, 0.5, None])
def test_every_model_is_the_selector_on_a_sample(share):
    ensemble = fit(selector=InformationGain(), sample_share=share)
    seeds = np.random.SeedSequence(np.random.RandomState(0).randint(2**31 - 1)).spawn(21)
    for m, seed in enumerate(seeds[1:]):
        rng = np.random.default_rng(seed)
        weights = plan(share).draw(rng)
        assert weights[y == 0].sum() == round((share or 1) * (y == 0).sum())
        assert share is None or weights.max() == 1
        scores = InformationGain(1).fit(X, y, sample_weight=weights).scores_
        ranks = ensemble.models_.rankings[m]
        assert (np.diff(ranks[np.argsort(-scores, kind="stable")]) >= 0).all()
        assert ranks[ensemble.models_.subsets[m]].max() <= np.sort(ranks)[11]


def plan(share):
    from consilience.sampling import plan_bootstrap
    from consilience.sampling.row_keys import row_keys

    return plan_bootstrap(y, keys=row_keys(X), rate=share)


@pytest.mark.parametrize("selector", [InformationGain(), ChiSquare(), SymmetricalUncertainty()])
def test_any_number_of_workers_of_any_kind_gives_the_same_bits(selector):
    alone = fit(selector=selector, n_models=160)
    for options in ({"n_jobs": 2}, {"n_jobs": -1}, {"n_jobs": 2, "backend": "processes"}):
        other = fit(selector=selector, n_models=160, **options)
        assert other.models_ == alone.models_
        assert_array_equal(other.ranking_, alone.ranking_)


def test_dense_sparse_and_packed_data_give_the_same_bits():
    ones = (X > 1).astype(np.uint8)
    dense = fit(ones, n_models=40)
    for table in (sparse.csr_array(ones), sparse.csc_array(ones), BitMatrix.from_array(ones)):
        found = fit(table, n_models=40)
        assert found.models_ == dense.models_
        assert_array_equal(found.result_.panel_values, dense.result_.panel_values)


def test_a_packed_file_gives_the_same_bits_through_processes(tmp_path):
    ones = (X > 1).astype(np.uint8)
    BitMatrix.from_array(ones).save(tmp_path / "ones.bits")
    opened = BitMatrix.open(tmp_path / "ones.bits")
    found = fit(opened, n_models=160, n_jobs=2, backend="processes")
    assert found.models_ == fit(ones, n_models=160).models_


def test_more_models_begin_with_the_same_ones():
    few, many = fit(n_models=5).models_, fit(n_models=90).models_
    assert_array_equal(few.rankings, many.rankings[:5])
    assert all(map(np.array_equal, few.subsets, many.subsets))


def test_the_global_seed_is_left_alone():
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    fit()
    assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_without_a_seed_answers_differ():
    noise = np.random.default_rng(0).normal(size=(20, 100))
    labels = np.arange(20) % 2
    assert fit(noise, labels, random_state=None).models_ != fit(noise, labels).models_


def test_a_random_state_is_advanced():
    state = np.random.RandomState(0)
    assert fit(random_state=state).models_ != fit(random_state=state).models_


@pytest.mark.parametrize("selector", [entry.cls() for entry in SELECTORS])
@pytest.mark.parametrize("aggregator", [None, AverageRank()])
def test_planted_blocks_are_found(selector, aggregator):
    planted = make_planted(80, 1000, n_blocks=5, block_size=4, effect=3.0, random_state=0)
    if isinstance(selector, MarkovBlanket):  # among all 1,000 it rather keeps what is new
        selector = MarkovBlanket(n_candidates=20)
    found = fit(
        planted.X, planted.y, selector=selector, aggregator=aggregator, n_features_to_select=20
    )
    if isinstance(selector, CFS):  # one feature of a block will do
        assert planted.relevant[found.panels_[0][:5]].mean() >= 0.8
        return
    assert planted.relevant[found.support_].mean() >= 0.9
    assert found.result_.stability().value > 0.6


@pytest.mark.parametrize("selector", [entry.cls() for entry in SELECTORS])
def test_pure_noise_is_hardly_stabler_than_chance(selector):
    # Not quite 0: what goes together by chance in these rows does so in their bootstraps too.
    noise = np.random.default_rng(1).normal(size=(100, 1000))
    found = fit(noise, np.arange(100) % 2, selector=selector, n_features_to_select=20, n_models=80,
                sample_share=None)  # fmt: skip
    # A machine fits these rows with all columns at once, so its bootstraps share more of it; means
    # move less with the rows than cuts do.
    shared = isinstance(selector, (BWRatio, CFS, RidgeRFE, SVMOne, SVMRFE))
    assert abs(found.result_.stability().value) < (0.2 if shared else 0.1)


@pytest.mark.parametrize("selector", [InformationGain(), ChiSquare(), SymmetricalUncertainty()])
def test_features_without_any_score_are_chosen_by_chance_alone(selector):
    # In both classes each column has as many ones as zeros: hardly a cut pays in any bootstrap,
    # and ties broken by column would select the same features every time.
    rng = np.random.default_rng(0)
    table = rng.permuted(np.tile([[0], [1]], (20, 400)), axis=0)
    table = np.vstack([table, rng.permuted(table, axis=0)])
    found = fit(table, np.repeat([0, 1], 40), selector=selector, n_features_to_select=20,
                n_models=100)  # fmt: skip
    stability = found.result_.stability()
    assert abs(stability.value) < 0.05
    assert found.frequencies_.max() < 0.3


def test_whole_weights_are_copies():
    weights = np.random.default_rng(0).integers(0, 3, 50)
    copies = np.repeat(np.arange(50), weights)
    weighted = fit(sample_weight=weights, n_models=30)
    assert weighted.models_ == fit(X[copies], y[copies], n_models=30).models_


def test_rows_without_weight_are_never_drawn():
    weights = np.ones(50)
    weights[10:] = (np.arange(40) % 2) * 0.7
    expected = fit(X[weights > 0], y[weights > 0], sample_weight=weights[weights > 0])
    assert fit(sample_weight=weights).models_ == expected.models_


def test_groups_are_drawn_together():
    groups = np.arange(50) // 5
    grouped = fit(groups=groups)
    assert grouped.models_ != fit().models_
    # One row per group is a plain bootstrap of the rows.
    assert fit(groups=np.arange(50)).models_ == fit().models_
    renamed = np.array([f"patient {g}" for g in groups])
    assert fit(groups=renamed).models_ == grouped.models_
    assert fit(groups=pd.Series(groups, index=np.arange(50) + 7)).models_ == grouped.models_


def test_a_class_with_one_row_stays_in_every_sample():
    labels = np.array(["rare", *["common"] * 49])
    assert fit(labels=labels).models_.n_models == 20
    assert (bootstrap_weights(labels, [1, 2, 3])[:, 0] == 1).all()


def test_the_size_of_the_selector_yields_to_that_of_the_ensemble():
    selector = InformationGain(n_features_to_select=3)
    ensemble = fit(selector=selector, n_features_to_select=7)
    assert ensemble.models_.sizes.tolist() == [7] * 20
    assert selector.n_features_to_select == 3


def test_an_aggregator_may_find_fewer_features_and_the_result_says_so():
    strict = SelectFromModel(LogisticRegression(C=0.01), threshold=0.06)
    with pytest.warns(ConsilienceWarning, match="were ever selected"):
        ensemble = fit(selector=strict, n_features_to_select=60, n_models=3)
    assert ensemble.support_.sum() < 60
    assert ensemble.result_.warnings == [
        f"Only {ensemble.support_.sum()} of the 60 features asked for were ever selected."
    ]


def test_samples_without_any_selection_are_left_out():
    # Of the samples some select nothing at all; that must not end the others.
    strict = SelectFromModel(LogisticRegression(C=0.01), threshold=0.095)
    with pytest.warns(ConsilienceWarning):
        ensemble = fit(selector=strict, n_features_to_select=5, n_models=12, sample_share=None)
    assert 0 < ensemble.models_.n_models < 12


def test_labels_of_any_kind():
    expected = fit().models_
    for labels in (y.astype(bool), y.astype(float), np.where(y, "b", "a"),
                   pd.Series(np.where(y, "b", "a"), dtype="category"), y.tolist()):  # fmt: skip
        assert fit(labels=labels).models_ == expected


def test_verbose_says_how_much_memory_it_takes(capsys):
    fit(verbose=1)
    said = capsys.readouterr()
    assert said.out == ""
    assert "Selecting from 20 samples of 50 x 200 values needs about" in said.err
    fit()
    assert capsys.readouterr().err == ""


def test_memory_grows_with_models_and_features():
    ensemble = EnsembleSelector(n_models=100)
    wide = np.zeros((10, 5000))
    assert ensemble.estimate_memory(wide) > 4 * 100 * 5000
    assert ensemble.estimate_memory(wide) > 5 * ensemble.estimate_memory(wide[:, :500])
    assert EnsembleSelector(n_models=10).estimate_memory(wide) < ensemble.estimate_memory(wide)


def test_the_demo_data_go_through_a_pipeline():
    demo = load_demo()
    ensemble = EnsembleSelector(n_features_to_select=10, n_models=30, random_state=0)
    pipeline = make_pipeline(StandardScaler(), ensemble).fit(demo.X, demo.y)
    assert pipeline.transform(demo.X).shape == (38, 10)
    assert ensemble.result_.stability().low > 0.05


# --- callbacks


class Recorder:
    """A callback of scikit-learn that writes down what it is told."""

    def __init__(self):
        self.told = []

    def setup(self, estimator, context):
        self.told.append("setup")

    def teardown(self, estimator, context):
        self.told.append("teardown")

    def on_fit_task_begin(self, estimator, context, **facts):
        self.told.append(("begin", context.task_name, context.task_id))

    def on_fit_task_end(self, estimator, context, **facts):
        self.told.append(("end", context.task_name, context.task_id))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_callbacks_hear_of_every_task_once(n_jobs):
    recorder = Recorder()
    options = {"selector": SymmetricalUncertainty(), "n_features_to_select": 5, "n_models": 200}
    ensemble = EnsembleSelector(**options, random_state=0, n_jobs=n_jobs)
    ensemble.set_callbacks(recorder).fit(X, y)
    assert recorder.told[0] == "setup"
    assert recorder.told[-1] == "teardown"
    ends = [told for told in recorder.told if told[0] == "end" and told[1] == "samples"]
    begins = [told for told in recorder.told if told[0] == "begin" and told[1] == "samples"]
    assert len(begins) == len(ends) == 3  # of at most 75 models each
    assert len(set(ends)) == 3
    assert ensemble.models_ == fit(**options).models_


@pytest.mark.parametrize("aggregator", [MostFrequent, "most-frequent", 3])
def test_what_is_no_aggregator_is_refused(aggregator):
    with pytest.raises(UsageError, match="give an aggregator such as"):
        fit(aggregator=aggregator)


def test_the_aggregator_that_was_given_stays_as_it_is():
    given = ClosedItemsets()
    ensemble = fit(aggregator=given)
    assert not hasattr(given, "itemsets_")
    used = [itemset.features.tolist() for itemset in ensemble.aggregator_.itemsets_]
    ensemble.result_.sizes()
    assert [itemset.features.tolist() for itemset in ensemble.aggregator_.itemsets_] == used


# --- checkpoints


class Interrupted(Exception):
    """Stands for a power cut."""


def interrupt_after(monkeypatch, n_tasks):
    """Let `n_tasks` tasks reach the disk and the next one fail; returns the list of these."""
    whole, done = Checkpoint.store, []

    def store(self, key, arrays):
        if len(done) == n_tasks:
            raise Interrupted
        whole(self, key, arrays)
        done.append(key)

    monkeypatch.setattr(Checkpoint, "store", store)
    return done


@pytest.mark.parametrize("n_done", [0, 1, 2])
def test_an_interrupted_fit_goes_on_where_it_stopped(tmp_path, monkeypatch, n_done):
    options = {"selector": SymmetricalUncertainty(), "n_models": 200}  # three tasks
    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        interrupt_after(patch, n_done)
        with pytest.raises(Interrupted):
            fit(**options, checkpoint=folder)
    with monkeypatch.context() as patch:
        done = interrupt_after(patch, 99)
        resumed = fit(**options, checkpoint=folder)
        assert len(done) == 3 - n_done
    assert resumed.models_ == fit(**options).models_
    assert_array_equal(resumed.ranking_, fit(**options).ranking_)


def test_a_finished_fit_is_read_from_its_checkpoint(tmp_path, monkeypatch):
    first = fit(n_models=100, checkpoint=tmp_path)
    interrupt_after(monkeypatch, 0)
    again = fit(n_models=100, checkpoint=str(tmp_path), n_jobs=2)
    assert again.models_ == first.models_


@pytest.mark.parametrize("change", [
    {"n_models": 21}, {"n_features_to_select": 5}, {"random_state": 1},
    {"selector": InformationGain()}, {"selector": SymmetricalUncertainty(discretize=None)},
    {"aggregator": MostFrequent()}, {"sample_share": None}, {"table": X + 1}, {"labels": 1 - y},
    {"sample_weight": np.arange(50) % 2 + 1}, {"groups": np.arange(50) // 2},
    {"selector": SymmetricalUncertainty(categorical_features=[0])},
])  # fmt: skip
def test_a_checkpoint_of_another_run_is_refused(tmp_path, change):
    fit(checkpoint=tmp_path)
    with pytest.raises(CheckpointError) as error:
        fit(checkpoint=tmp_path, **change)
    assert str(tmp_path) in str(error.value)
    assert "\n" not in str(error.value)


def test_nominal_columns_are_part_of_the_data(tmp_path):
    codes = np.random.default_rng(0).integers(0, 4, size=(50, 30))
    numbers = pd.DataFrame(codes, columns=[f"c{j}" for j in range(30)])
    fit(numbers, checkpoint=tmp_path)
    words = numbers.assign(c3=pd.Categorical(numbers["c3"]))
    with pytest.raises(CheckpointError):
        fit(words, checkpoint=tmp_path)


def test_workers_and_noise_are_no_part_of_a_run(tmp_path):
    first = fit(n_models=100, checkpoint=tmp_path)
    again = fit(n_models=100, checkpoint=tmp_path, n_jobs=2, backend="processes", verbose=1)
    assert again.models_ == first.models_


@pytest.mark.parametrize("entry", SELECTORS, ids=lambda entry: entry.name)
def test_rows_of_weight_0_are_not_seen(entry):
    # Not even by the range of a column, which scales the others.
    weights = np.where(np.arange(50) == 7, 0.0, 1.0)
    changed = X.copy()
    changed[7, 0] = 1000.0
    options = {"selector": entry.cls(), "sample_weight": weights, "n_models": 5}
    assert fit(X, y, **options).models_ == fit(changed, y, **options).models_
