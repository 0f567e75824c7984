"""Hatami, Chira: Diverse accurate feature selection (Intelligent Data Analysis 17, 2013).

Of its Tables 2 and 3 and its figures, what the text says of them is known, and few cells. The
rules of the verdicts are those of verdicts.py. Over data sets, these are the witnesses; inside one
data set its rows are, each told right or wrong by both methods.
"""

import pandas as pd

from ...measures.accuracy import wilson
from .dafs_methods import MACHINES, OURS, PAPER, SINGLE
from .dafs_paired import ahead, alike, at_least, differences, tell_pair
from .dafs_runs import Found
from .verdicts import FAILS, HOLDS, OPEN, Statement, about, all_of, between, mean_interval, positive
from .wording import percent

MARGIN = 0.05  # how far apart accuracies may be that are called the same

# Accuracies of the five machines on all genes in Statnikov et al. 2005 (ten-fold), in percent.
MACHINES_PUBLISHED = {
    "9_tumors": (65.10, 58.57, 60.24, 62.24, 65.33),
    "11_tumors": (94.68, 90.36, 90.36, 94.68, 95.30),
    "brain_tumor1": (91.67, 90.56, 90.56, 90.56, 90.56),
    "leukemia1": (97.50, 91.32, 96.07, 97.50, 97.50),
    "leukemia2": (97.32, 95.89, 95.89, 95.89, 95.89),
    "lung_cancer_3312": (96.05, 95.59, 95.59, 95.55, 96.55),
    "srbct": (100.0, 100.0, 100.0, 100.0, 100.0),
    "prostate_tumor": (92.0, 92.0, 92.0, 92.0, 92.0),
    "dlbcl": (97.5, 97.5, 97.5, 97.5, 97.5),
}
# The other cells that the text tells, in percent.
CELLS_PUBLISHED = {
    ("lung_cancer_3312", PAPER): 95.4,
    ("lung_cancer_3312", "mRMR"): 96.5,
    ("lung_cancer_3312", "SVM"): 96.5,
    ("srbct", PAPER): 100.0,
}
LUNG = "lung_cancer_3312"
SAME_AS_MRMR = ("11_tumors", "9_tumors", "brain_tumor1")
BEST = "DAFS has the best average rank of all methods."
TABLES = {
    "Table 2": (*SINGLE, "RSE", "mean member"),
    "Table 3": ("MI", "mRMR", *MACHINES),
}


def statements(found: Found, column: str = PAPER) -> list[Statement]:
    """Return what Tables 2 and 3 say, with one form of DAFS in the place of the paper's."""
    accuracies = accuracy_table(found)
    told = [
        *(_best_rank(accuracies, where, column) for where in TABLES),
        _rank_number(accuracies, column),
        _over_sets(
            "DAFS clearly obtains better rates than mutual information.",
            accuracies[[column, "MI"]],
        ),
        _over_sets(
            "DAFS outperforms mRMR on the sets other than those three and Lung_Cancer.",
            accuracies.drop([*SAME_AS_MRMR, LUNG], errors="ignore")[[column, "mRMR"]],
        ),
        _same_as_mrmr(found, column),
        _on_one_set(found, LUNG, "On Lung_Cancer mRMR (96.5) is better than DAFS (95.4).",
                    ("mRMR", column)),
        *_small_cells(found, column),
        _not_behind(found, column),
        _share_of_sets(accuracies, "OVR is better than DAFS on four of the eleven sets.",
                       accuracies["OVR"] > accuracies[column] + 1e-9, 4 / 11),
        _share_of_sets(accuracies, "DAFS is better than CS on six of the eleven sets.",
                       accuracies[column] > accuracies["CS"] + 1e-9, 6 / 11),
    ]  # fmt: skip
    if column == PAPER:
        return [*told, *_doubled(accuracies), *_by_classifier(found), *_machines(accuracies)]
    return [_renamed(statement) for statement in told]


def accuracy_table(found: Found) -> pd.DataFrame:
    """Share of right answers: a row per data set, a column per method."""
    return pd.DataFrame({name: right.mean() for name, right in found.right.items()}).T


def rank_table(accuracies: pd.DataFrame, methods) -> pd.DataFrame:
    """Rank of each method on each set, 1 is best; equal accuracies share their mean rank.

    Examples
    --------
    >>> import pandas as pd
    >>> from consilience.evaluation.reproduce.dafs import rank_table
    >>> rank_table(pd.DataFrame({"a": [0.9, 0.5], "b": [0.9, 0.7]}), ["a", "b"]).mean().tolist()
    [1.75, 1.25]
    """
    return accuracies[list(methods)].round(9).rank(axis=1, ascending=False)


def _best_rank(accuracies, where, column):
    ranks = rank_table(accuracies, (*TABLES[where], column))
    order = ranks.mean().sort_values(kind="stable")
    gaps = [ranks[name] - ranks[column] for name in TABLES[where]]
    mean, low, high = min(map(mean_interval, gaps))
    told = ", ".join(f"{name} {rank:.2f}" for name, rank in order.items())
    return Statement(
        where,
        BEST,
        f"{told}; least lead {mean:+.2f} ({low:+.2f} to {high:+.2f})",
        positive(*gaps),
    )


def _rank_number(accuracies, column):
    ranks = rank_table(accuracies, (*TABLES["Table 3"], column))[column]
    mean, low, high = mean_interval(ranks)
    told = f"{mean:.2f} ({low:.2f} to {high:.2f})"
    return Statement("Table 3", "Its average rank is 2.09.", told, about(low, high, 2.09))


def _over_sets(published, pair):
    first, second = pair.columns
    gap = pair[first] - pair[second]
    measured = tell_pair(pair.columns, pair.mean(), *mean_interval(gap)) if len(pair) else "not run"
    return Statement("Table 3", published, measured, positive(gap))


def _same_as_mrmr(found, column):
    there = [name for name in SAME_AS_MRMR if name in found.right]
    gaps = {name: differences(found.right[name], column, "mRMR") for name in there}
    return Statement(
        "Table 3",
        "DAFS and mRMR have the same accuracy on 11_Tumors, 9_Tumors and Brain_Tumor1.",
        "; ".join(f"{name} {percent(*gap)}" for name, gap in gaps.items()) or "not run",
        all_of(between(low, high, -MARGIN, MARGIN) for _, low, high in gaps.values()),
    )


def _on_one_set(found, name, published, *pairs, where="Table 3"):
    """The first of each pair is right more often, on one set."""
    if name not in found.right:
        return Statement(where, published, f"{name} was not run", OPEN)
    right = found.right[name]
    told = "; ".join(
        tell_pair(pair, right[list(pair)].mean(), *differences(right, *pair)) for pair in pairs
    )
    return Statement(where, published, told, ahead(right, *pairs))


def _small_cells(found, column):
    """The cells of single sets that the text tells."""
    if LUNG in found.right:
        wrong = 1 - found.right[LUNG][column]
        low, high = wilson(wrong.sum(), wrong.size)
        told = f"errs on {100 * wrong.mean():.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        verdict = about(low, high, 0.046)
    else:
        told, verdict = f"{LUNG} was not run", OPEN
    yield Statement("Table 3", "DAFS errs on 4.6 % of Lung_Cancer.", told, verdict)
    perfect = {"On SRBCT DAFS reaches 100 %.": [column]}
    if column == PAPER:
        perfect["On SRBCT all five multi-class SVMs reach 100 %."] = list(MACHINES)
    for published, names in perfect.items():
        if "srbct" not in found.right:
            yield Statement("Table 3", published, "srbct was not run", OPEN)
            continue
        rates = found.right["srbct"][names].mean()
        told = ", ".join(f"{name} {100 * rate:.1f}" for name, rate in rates.items())
        yield Statement("Table 3", published, told, HOLDS if (rates == 1).all() else FAILS)
    pairs = [(column, "MI"), (column, "mRMR")]
    yield _on_one_set(found, "srbct", "On SRBCT MI and mRMR stay below DAFS.", *pairs)


def _not_behind(found, column):
    sets = [name for name in found.right if name != LUNG]
    cells = [(found.right[name], rival) for name in sets for rival in ("OVO", "DAG", "WW")]
    kept = sum(right[column].mean() >= right[rival].mean() - 1e-9 for right, rival in cells)
    worst = min((differences(right, column, rival) for right, rival in cells), default=None)
    return Statement(
        "Table 3",
        "DAFS is at least as good as OVO, DAGSVM and WW on every set but Lung_Cancer.",
        f"in {kept} of {len(cells)} comparisons; the worst is {percent(*worst)}"
        if worst
        else "not run",
        at_least([(right, column, rival) for right, rival in cells], MARGIN),
    )


def _share_of_sets(accuracies, published, better, share):
    low, high = wilson(better.sum(), len(accuracies))
    told = f"{better.sum()} of {len(accuracies)}"
    return Statement("Table 3", published, told, about(float(low), float(high), share))


def _doubled(accuracies):
    for name in ("kNN", "MLP"):
        after, before = accuracies[f"{name} on DAFS"], accuracies[name]
        gap = after - 2 * before
        yield Statement(
            "Table 2",
            f"The rates of {name} more than double when DAFS selects first.",
            f"{100 * before.mean():.1f} without and {100 * after.mean():.1f} with; beyond twice "
            f"the first by {percent(*mean_interval(gap))}",
            positive(gap),
        )


def _by_classifier(found):
    """Which classifiers do well on the features of DAFS (Figure 8)."""
    knn, mlp = "kNN on DAFS", "MLP on DAFS"
    for name, title in (("dlbcl", "DLBCL"), ("leukemia1", "Leukemia1")):
        published = f"On the features of DAFS the three classifiers do alike on {title}."
        if name not in found.right:
            yield Statement("Figure 8", published, f"{name} was not run", OPEN)
            continue
        right = found.right[name]
        pairs = [(PAPER, knn), (PAPER, mlp), (knn, mlp)]
        told = ", ".join(f"{c} {100 * right[c].mean():.1f}" for c in (PAPER, knn, mlp))
        yield Statement("Figure 8", published, told, alike(right, pairs, MARGIN))
    for name, published, *pairs in (
        ("9_tumors", "On 9_Tumors SVM and kNN do better than MLP.", (PAPER, mlp), (knn, mlp)),
        ("prostate_tumor", "On Prostate_Tumor SVM and MLP do better than kNN.",
         (PAPER, knn), (mlp, knn)),
    ):  # fmt: skip
        yield _on_one_set(found, name, published, *pairs, where="Figure 8")


def _machines(accuracies):
    """The columns of the machines, beside what Statnikov et al. found."""
    published = pd.DataFrame(MACHINES_PUBLISHED, index=list(MACHINES)).T / 100
    there = [name for name in accuracies.index if name in published.index]
    for machine in MACHINES:
        ours, theirs = accuracies.loc[there, machine], published.loc[there, machine]
        mean, low, high = mean_interval(ours - theirs)
        yield Statement(
            "Table 3",
            f"{machine} without selection is as accurate as Statnikov et al. found "
            f"({100 * theirs.mean():.1f} on these sets).",
            f"{100 * ours.mean():.1f}; difference {percent(mean, low, high)}",
            between(low, high, -MARGIN, MARGIN),
        )


def _renamed(statement):
    """The same statement, put to our default."""
    told = statement.measured.replace(OURS, "ours")
    published = f"{statement.published.rstrip('.')} (our default in its place)."
    return Statement(statement.where, published, told, statement.verdict)
