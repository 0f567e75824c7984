"""The Qifs paper again: verdicts from folds made by hand, and small runs without a leak."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import nct, t

from consilience import BitMatrix, Table
from consilience.evaluation.folds import make_folds
from consilience.evaluation.reproduce import qifs, qifs_tables
from consilience.evaluation.reproduce.qifs_measures import (
    FORMS,
    HELD_OUT,
    LEARNERS,
    LEVELS,
    QIFS,
    RIVALS,
    VARIANCE,
    Cell,
    Fold,
    mean_lead,
    noncentrality,
    overall,
    precisions,
    t_value,
    times_to_target,
)
from consilience.evaluation.reproduce.qifs_methods import METHODS, timeline
from consilience.evaluation.reproduce.qifs_runs import Task, judge_fold, prepare, run_cells
from consilience.evaluation.reproduce.verdicts import FAILS, HOLDS, OPEN
from consilience.exceptions import DataError

SET = qifs.PAPER_SET


def make_fold(n_wrong, *, found=15, false=2, seconds=(1.0, 2.0), n_positive=20):
    """A fold of 200 rows: 20 positive; so many wrong at the end, and so many hits among the top."""
    positive = np.arange(200) < n_positive
    right = np.ones(200, dtype=bool)
    right[np.linspace(0, 199, n_wrong).astype(int)] = False
    last = np.where(right == positive, 0.9, 0.1)
    scores = np.zeros(200)
    scores[:found], scores[n_positive : n_positive + false] = 1.0, 1.0
    shares = np.array([np.where(positive, 0.0, 1.0), last])
    return Fold(positive, shares, scores, np.array(seconds))


def make_found(wrong, *, false=None, seconds=None, data=SET):
    """All cells of a set; `wrong` gives errors by (name, noise, learner, fold)."""
    found = {}
    for noise in LEVELS:
        for learner in LEARNERS:
            found[Cell(data, noise, learner)] = {
                name: [
                    make_fold(
                        wrong(name, noise, learner, k),
                        false=2 if false is None else false(name, noise),
                        seconds=(1.0, 2.0) if seconds is None else seconds(name, k),
                    )
                    for k in range(5)
                ]
                for name in (*FORMS, *RIVALS)
            }
    return found


def verdict(told, beginning):
    (own,) = [s for s in told if s.published.startswith(beginning)]
    return own.verdict


def qifs_ahead(name, noise, learner, fold):
    """Errors where all forms of Qifs have fewer; the rivals' differ from fold to fold."""
    lead = 3 if noise == 0 else 8 if learner == "tree" else 15
    return 10 if name in FORMS else 10 + lead + (-2, 2, 0, 1, -1)[fold]


# Figures


def test_t_is_the_formula_of_the_paper():
    first = [make_fold(n) for n in (3, 5, 4, 6, 2)]
    second = [make_fold(n) for n in (6, 5, 9, 7, 9)]
    gaps = np.array([3, 0, 5, 1, 7]) / 200
    assert t_value(first, second) == pytest.approx(gaps.mean() / np.sqrt(gaps.var(ddof=1) / 5))
    assert t.ppf(0.995, 4) == pytest.approx(qifs.SIGNIFICANT, abs=1e-3)


@pytest.mark.parametrize("value", [0.0, 1.15, 4.78])
def test_the_interval_of_t_inverts_its_distribution(value):
    low, high = noncentrality(value, 5)
    assert nct.cdf(value, 4, low) == pytest.approx(0.975, abs=1e-3)
    assert nct.cdf(value, 4, high) == pytest.approx(0.025, abs=1e-3)
    assert noncentrality(-value, 5) == pytest.approx((-high, -low))


def test_the_interval_of_t_has_ends_far_out():
    low, high = noncentrality(200.0, 5)
    assert 50 < low < 200 < high < 400
    assert noncentrality(np.inf, 5) == (np.inf, np.inf)


def test_figures_over_all_folds_are_those_of_all_rows():
    folds = [make_fold(n) for n in (0, 10)]
    found = overall(folds)
    assert found["accuracy"].value == pytest.approx(1 - 10 / 400)
    assert found["accuracy"].low < found["accuracy"].value < found["accuracy"].high
    wrong_positive = np.sum(folds[1].positive & ~folds[1].predicted)
    recalls = 1 - wrong_positive / 40, 1 - (10 - wrong_positive) / 360
    assert found["balanced accuracy"].value == pytest.approx(np.mean(recalls))
    # 15 of 20 among the first 17, the others with all the rest
    assert found["average precision"].value == pytest.approx(15 / 17 * 15 / 20 + 20 / 200 * 5 / 20)


def test_the_target_is_the_lowest_final_accuracy_of_the_three():
    own = {
        QIFS: [make_fold(4, seconds=(1, 2))] * 5,
        "Efs": [make_fold(8, seconds=(3, 9))] * 5,
        "Eifs": [make_fold(6, seconds=(2, 5))] * 5,
    }
    found = times_to_target(own, QIFS)
    assert found == {QIFS: 2.0, "Efs": 9.0, "Eifs": 5.0, "target": 1 - 8 / 200}
    ranked = times_to_target(own, QIFS, "average precision")
    assert ranked["target"] == min(folds[0].areas()[-1] for folds in own.values())


def test_precision_is_compared_at_the_recall_of_fss():
    folds = {name: [make_fold(10, found=20, false=f)] for name, f in ((QIFS, 0), ("Rand", 20))}
    fss = make_fold(10)
    hits = np.sum(fss.positive & fss.predicted)
    silent = Fold(fss.positive, np.zeros((1, 200)), np.zeros(200), np.ones(1))
    astray = replace(silent, shares=(~fss.positive)[None].astype(float))  # calls others, hits none
    found = precisions({**folds, "FSS": [fss]})
    assert found[QIFS] == pytest.approx(1.0)
    assert found["Rand"] == pytest.approx(0.5)  # hits and false alarms come in equal parts
    assert found["FSS"] == pytest.approx(hits / fss.predicted.sum())
    found = precisions({n: own * 3 for n, own in folds.items()} | {"FSS": [silent, fss, astray]})
    for values in found.values():
        np.testing.assert_array_equal(np.isnan(values), [True, False, True])


def test_a_lead_among_as_many_members_asks_the_first_of_them_alone():
    positive = np.arange(20) < 4
    perfect, useless = positive.astype(float), np.zeros(20)
    # Useless after two members, perfect after three; the rival has two members and ranks at random.
    own = {
        QIFS: [Fold(positive, np.array([useless, useless, perfect]), perfect, np.arange(3.0))] * 2,
        "Efs": [Fold(positive, np.array([useless, useless]), useless, np.arange(2.0))] * 2,
    }
    better = {**own, QIFS: own["Efs"], "Efs": own["Efs"]}
    np.testing.assert_allclose(mean_lead([own], QIFS, "Efs"), [0.8, 0.8])
    np.testing.assert_allclose(mean_lead([own], QIFS, "Efs", equal=True), [0, 0])
    np.testing.assert_allclose(mean_lead([own, better], QIFS, "Efs"), [0.4, 0.4])


# Statements


def test_all_statements_have_a_verdict_and_other_forms_are_named():
    found = make_found(qifs_ahead)
    told = qifs.statements(found)
    assert len(told) == 17
    assert told[0].published.startswith("1,950 records")
    assert "1,000 records, 100 active (10.00 %)" in told[0].measured
    assert {s.verdict for s in told} <= {HOLDS, FAILS, OPEN}
    other = qifs.statements(found, form=VARIANCE)
    assert len(other) == 14
    assert all(s.published.endswith(f"({VARIANCE} for Qifs).") for s in other)
    hiva = qifs.statements(make_found(qifs_ahead, data="hiva"), "hiva", HELD_OUT)
    assert all(s.published.endswith(f"(hiva, {HELD_OUT} for Qifs).") for s in hiva)


def test_without_all_cells_nothing_is_said():
    found = make_found(qifs_ahead)
    assert qifs.statements(found, "hiva") == []
    found.pop(Cell(SET, 10, "svm"))
    assert qifs.statements(found) == []


def test_a_method_that_is_ahead_everywhere_holds_what_is_said_of_accuracy():
    told = qifs.statements(make_found(qifs_ahead))
    for beginning in (
        "Without noise Qifs is more", "At 10 and 20 % noise", "At 20 % noise Qifs with SVM",
    ):  # fmt: skip
        assert verdict(told, beginning) == HOLDS
    assert verdict(told, "With C4.5 Efs and Eifs end close") == FAILS  # 4 percent apart


def test_a_method_that_is_behind_fails():
    def behind(name, noise, learner, fold):
        lead = qifs_ahead(name, noise, learner, fold) - 10
        return 10 if name in RIVALS else 22 + qifs_ahead(RIVALS[0], noise, learner, fold) + lead

    told = qifs.statements(make_found(behind))
    for beginning in (
        "Without noise Qifs is more", "Without noise t lies", "At 10 and 20 % noise",
        "In ten of these", "At 20 % noise Qifs with SVM",
    ):  # fmt: skip
        assert verdict(told, beginning) == FAILS


def test_chance_decides_one_statement_in_twenty():
    decided = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        told = qifs.statements(make_found(lambda *_, rng=rng: int(rng.integers(5, 15))))
        decided += [
            verdict(told, beginning) != OPEN
            for beginning in (
                "Without noise Qifs is more", "At 10 and 20 % noise", "In ten of these",
                "At 20 % noise Qifs with SVM", "t grows", "It grows more",
            )
        ]  # fmt: skip
    assert np.mean(decided) < 0.1


def test_a_significant_lead_that_is_widest_with_svm_grows_with_the_noise():
    def wrong(name, noise, learner, fold):
        # Against the uneven folds of the rivals a larger lead has a larger t.
        lead = {0: 2, 10: 8, 20: 8 if learner == "tree" else 15}[noise] + RIVALS.index(
            name) % 2 if name in RIVALS else 0  # fmt: skip
        return 10 + lead + (0, 3, 1, 2, 2)[fold] * (name in RIVALS)

    told = qifs.statements(make_found(wrong))
    assert verdict(told, "t grows") == HOLDS
    assert verdict(told, "It grows more") == HOLDS


@pytest.mark.parametrize(("slower", "expected"), [(4.0, HOLDS), (0.5, FAILS)])
def test_the_time_to_the_target_is_compared_case_by_case(slower, expected):
    def seconds(name, fold):
        return (0.5, 1.0) if name in FORMS else (0.5, slower)

    told = qifs.statements(make_found(qifs_ahead, seconds=seconds))
    assert verdict(told, "Qifs reaches the least") == expected


def test_times_of_the_whole_are_compared_fold_by_fold():
    def seconds(name, fold):
        whole = {"Efs": 16.0, "Eifs": 10.0}.get(name, 4.0)
        return 0.1, whole * (1 + fold / 10)

    told = qifs.statements(make_found(qifs_ahead, seconds=seconds))
    assert verdict(told, "Efs takes about 1.6") == HOLDS
    assert verdict(told, "Qifs, run to saturation") == HOLDS


@pytest.mark.parametrize("false", [0, 1, 3, 6, 12])
def test_the_gain_over_the_precision_of_fss_is_a_share(false):
    found = make_found(lambda *_: 16, false=lambda name, noise: false if name in FORMS else 2)
    shown = precisions(found[Cell(SET, 20, "svm")])
    share = shown[QIFS][0] / shown["FSS"][0] - 1
    told = qifs.statements(found)
    (svm,) = [s for s in told if "Qifs with SVM has a precision" in s.published]
    assert f"higher by a share of {100 * share:+.1f}" in svm.measured
    assert svm.verdict == (HOLDS if 0.1 <= share <= 0.8 else FAILS)


def test_two_folds_do_not_decide_how_much_precision_is_gained():
    found = make_found(lambda *_: 16, false=lambda name, noise: 0 if name in FORMS else 2)
    own = found[Cell(SET, 20, "svm")]
    for number in range(5):
        (svm,) = [
            s for s in qifs.statements(found) if "Qifs with SVM has a precision" in s.published
        ]
        assert (svm.verdict == OPEN) == (5 - number < qifs.FEWEST)
        fold = own["FSS"][number]
        own["FSS"][number] = replace(fold, shares=np.zeros((1, 200)), seconds=fold.seconds[:1])


def test_where_fss_finds_nothing_nothing_is_decided():
    found = make_found(qifs_ahead)
    for own in found.values():
        own["FSS"] = [
            Fold(f.positive, np.zeros((1, 200)), np.zeros(200), f.seconds[:1]) for f in own["FSS"]
        ]
    told = qifs.statements(found)
    assert verdict(told, "With C4.5 Rand has") == OPEN
    assert verdict(told, "The advantage in precision") == OPEN
    lines = qifs_tables.table_lines(qifs_tables.figures(found))
    assert any("| 0 |  |  |" in line for line in lines)  # no folds, no figures


# Tables


def test_tables_show_every_method_and_cell():
    document = qifs_tables.figures(make_found(qifs_ahead))
    lines = qifs_tables.table_lines(document)
    assert sum(line.startswith("| 20 % | SVM |") for line in lines) == 7
    leads = document["cells"][0]["leads_in_average_precision"][QIFS]["Efs"]
    assert leads == [0.0, 0.0, 0.0]  # all rank their rows alike
    shown = document["cells"][0]["methods"][QIFS]
    assert shown["accuracy"][0] == pytest.approx(1 - 10 / 200)
    assert document["cells"][0]["largest_class"] == pytest.approx(0.9)


# Runs


def made_table(seed=0, n=90, p=80):
    """Fingerprints of which the first twenty columns tell the rarer class; some rows are empty."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 4 == 0, "A", "I")
    chance = np.where((y[:, None] == "A") & (np.arange(p) < 20), 0.5, 0.1)
    X = (rng.random((n, p)) < chance).astype(np.uint8)
    X[5:8] = 0
    return Table(X, y)


@pytest.fixture(scope="module")
def ran():
    return run_cells({"made": made_table()}, n_rounds=3, n_folds=3, random_state=1)


def test_every_method_tells_of_every_row_that_is_not_empty(ran):
    assert list(ran) == [Cell("made", n, a) for n in LEVELS for a in LEARNERS]
    members = dict.fromkeys(FORMS, 4) | {"Rand": 4, "FSS": 1, "Efs": 10, "Eifs": 20}
    for own in ran.values():
        for name, folds in own.items():
            assert sum(fold.positive.size for fold in folds) == 87
            assert sum(fold.positive.sum() for fold in folds) == 23
            for fold in folds:
                assert fold.shares.shape == (members[name], fold.positive.size)
                assert fold.seconds.shape == (members[name],)
                assert (np.diff(fold.seconds) >= 0).all()
                assert fold.seconds[0] > 0


def test_the_signal_is_found_without_noise_and_less_with_it(ran):
    def area(noise):
        return np.mean([
            overall(folds)["average precision"].value
            for cell, own in ran.items() if cell.noise == noise
            for folds in own.values()
        ])  # fmt: skip

    assert area(0) > 0.8
    assert area(0) > area(20)


def test_one_classifier_is_ranked_by_its_decision_values(ran):
    fold = ran[Cell("made", 0, "svm")]["FSS"][0]
    assert np.unique(fold.scores).size > 2
    np.testing.assert_array_equal(fold.scores > 0, fold.predicted)
    committee = ran[Cell("made", 0, "svm")][QIFS][0]
    np.testing.assert_array_equal(committee.scores, committee.shares[-1])


def test_the_first_member_of_qifs_is_fss(ran):
    for own in ran.values():
        for form in FORMS:
            for fold, fss in zip(own[form], own["FSS"], strict=True):
                np.testing.assert_array_equal(fold.shares[0], fss.shares[0])


def test_test_rows_teach_nothing():
    table = made_table()
    X, positive = prepare(table, "made")
    task = Task(Cell("made", 0, "svm"), 1)
    found = judge_fold({"made": (X, positive)}, 2, 3, 0, task)
    test = make_folds(positive, None, 3, 0)[1][1]
    spoilt = X.toarray()
    spoilt[test[3:]] = 1 - spoilt[test[3:]]
    again = judge_fold({"made": (BitMatrix.from_array(spoilt), positive)}, 2, 3, 0, task)
    for number in range(len(METHODS)):
        name = f"shares_{number}"
        np.testing.assert_array_equal(found[name][:, :3], again[name][:, :3])
    assert any((found[f"shares_{k}"] != again[f"shares_{k}"]).any() for k in range(len(METHODS)))


def test_rounds_have_cpu_seconds_in_proportion_to_the_clock():
    class Slow:
        rounds_ = {"seconds_total": np.array([2.0, 1.0, 1.0])}  # noqa: RUF012

    # Five seconds by the clock, one of them before the rounds; half of them on the CPU.
    np.testing.assert_allclose(timeline(Slow(), wall=5.0, cpu=2.5, n_members=3), [1.5, 2.0, 2.5])
    np.testing.assert_allclose(timeline(object(), wall=5.0, cpu=3.0, n_members=3), [1, 2, 3])


def test_classes_other_than_two_are_refused():
    table = Table(np.eye(3), np.array(["a", "b", "c"]))
    with pytest.raises(DataError, match="'words' has 3 classes"):
        prepare(table, "words")
