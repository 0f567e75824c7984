"""Woznica, Nguyen, Kalousis: Model mining for robust feature selection (KDD 2012), Tables 2 to 4.

The numbers of single cells of the tables are not all known to us; what the text says of them is
here, statement by statement. The rules of the verdicts are those of verdicts.py, the same for all
statements. Differences are taken data set by data set, as means over its selectors: selectors see
the same rows, folds and bootstraps, so that they are no independent witnesses.
"""

import numpy as np
import pandas as pd

from ...measures.accuracy import wilson
from ..comparison import Comparison
from .verdicts import FAILS, Statement, about, all_of, between, mean_interval, positive

MARGIN = 0.05  # how far apart shares may be that are called close

UNIVARIATE = ("information-gain", "chi-square", "symmetrical-uncertainty")
MULTIVARIATE = ("relieff", "svm-one", "svm-rfe", "cfs")
SELECTORS = (*UNIVARIATE, *MULTIVARIATE)
# Our name -> the paper's.
AGGREGATORS = {
    "average-rank": "avgRank",
    "most-frequent": "mostFreq",
    "closed-itemsets": "closedApr",
    "maximal-itemsets": "maxApr",
    "most-representative": "mostRep",
    "largest-cluster-medoid": "largeMed",
    "closed-itemset-medoid": "medClosedApr",
    "maximal-itemset-medoid": "medMaxApr",
}
NAMES = {"nobagg": "nobagg", **AGGREGATORS}
MEDOIDS = (
    "most-representative",
    "largest-cluster-medoid",
    "closed-itemset-medoid",
    "maximal-itemset-medoid",
)
CLOSED = "closed-itemsets"
BOTH = ["closed-itemsets", "maximal-itemsets"]
# Our name of the aggregator -> the paper's, for several panels.
SEVERAL = {
    "all-medoids": "allMed",
    "all-closed-itemsets": "allClosedApr",
    "closed-itemset-medoids": "medClosedApr-k",
}


def table_2(comparison: Comparison, classifier: str = "svm") -> list[Statement]:
    """Statements about error and stability points of the nine ways to a panel."""
    rows = comparison.table()
    rows = rows[rows["classifier"] == classifier]
    cells = [_wide(rows, f"{figure}_points") for figure in ("error", "stability")]
    error, stability = (_per_data(points) for points in cells)
    top = ["closed-itemsets", "maximal-itemsets", "most-frequent", "nobagg"]
    others = [name for name in NAMES if name not in top]
    steady = ["most-frequent", "closed-itemsets", "average-rank"]
    shaky = [name for name in NAMES if name not in [*steady, "nobagg"]]
    several, several_stability = (_per_data(points, MULTIVARIATE) for points in cells)
    simple, simple_stability = (_per_data(points, UNIVARIATE[:2]) for points in cells)
    clusters, seeded = list(MEDOIDS[:2]), list(MEDOIDS[2:])
    return [
        _statement(
            "closedApr gets the most error points (5.6).",
            _told(error, _best_first(error)[:3]),
            *(error["closed-itemsets"] - error[name] for name in NAMES if name != CLOSED),
        ),
        _statement(
            "closedApr, maxApr, mostFreq and nobagg (5.6, 5.0, 4.9, 4.9) err less than the other "
            "five (3.1 on average).",
            f"{_told(error, top)}; the others {error[others].to_numpy().mean():.1f}",
            error[top].mean(axis=1) - error[others].mean(axis=1),
        ),
        _statement(
            "avgRank errs more than nobagg.",
            _told(error, ["average-rank", "nobagg"]),
            error["nobagg"] - error["average-rank"],
        ),
        _statement(
            "On the four multivariate selectors closedApr errs less than nobagg.",
            _told(several, ["closed-itemsets", "nobagg"]),
            several["closed-itemsets"] - several["nobagg"],
        ),
        _statement(
            "On most of the four multivariate selectors mostFreq errs more than nobagg.",
            _told(several, ["most-frequent", "nobagg"]),
            several["nobagg"] - several["most-frequent"],
        ),
        _statement(
            "The four ways that return a base model (mostRep, largeMed, medClosedApr, medMaxApr) "
            "err more than nobagg.",
            _told(error, [*MEDOIDS, "nobagg"]),
            error["nobagg"] - error[list(MEDOIDS)].mean(axis=1),
        ),
        _statement(
            "Of these, mostRep and largeMed err less than medClosedApr and medMaxApr.",
            f"{error[clusters].to_numpy().mean():.1f} and {error[seeded].to_numpy().mean():.1f}",
            error[clusters].mean(axis=1) - error[seeded].mean(axis=1),
        ),
        _statement(
            "With information gain and chi-square, mostFreq errs more than nobagg.",
            _told(simple, ["most-frequent", "nobagg"]),
            simple["nobagg"] - simple["most-frequent"],
        ),
        _statement(
            "mostFreq (6.5), closedApr (6.3) and avgRank (6.2) are more stable than nobagg (5.3).",
            _told(stability, [*steady, "nobagg"]),
            *(stability[name] - stability["nobagg"] for name in steady),
        ),
        _statement(
            "All others are far less stable than nobagg (2.3 on average against 5.3).",
            f"the others {stability[shaky].to_numpy().mean():.1f}, "
            f"nobagg {stability['nobagg'].mean():.1f}",
            stability["nobagg"] - stability[shaky].mean(axis=1),
        ),
        _statement(
            "On most of the four multivariate selectors mostFreq is the most stable.",
            _told(several_stability, _best_first(several_stability)[:3]),
            *(
                several_stability["most-frequent"] - several_stability[name]
                for name in NAMES
                if name != "most-frequent"
            ),
        ),
        _statement(
            "With information gain and chi-square, mostFreq is less stable than nobagg.",
            _told(simple_stability, ["most-frequent", "nobagg"]),
            simple_stability["nobagg"] - simple_stability["most-frequent"],
        ),
    ]


def table_3(itemsets: pd.DataFrame) -> list[Statement]:
    """Statements about the itemsets that are walked through until a panel is full.

    Parameters
    ----------
    itemsets : DataFrame
        As `walk_all` returns it.
    """
    size, number, support = (
        itemsets.pivot(index=["data", "selector"], columns="aggregator", values=figure)
        for figure in ("size", "number", "support")
    )
    sizes, supports = size[BOTH].mean(axis=1), support[BOTH].mean(axis=1)
    kinds = {"univariate": UNIVARIATE, "multivariate": MULTIVARIATE[:3], "CFS": ("cfs",)}
    by_kind = {kind: _per_data(sizes, names) for kind, names in kinds.items()}
    # Ratios are means of logarithms: half as many and twice as many are as far from equal.
    logs = _per_data(np.log(number["maximal-itemsets"] / number["closed-itemsets"]))
    ratio, low, high = np.exp(mean_interval(logs))
    less = _per_data(support["closed-itemsets"] - support["maximal-itemsets"])
    few, many = (_per_data(supports, names) for names in (UNIVARIATE, MULTIVARIATE))
    return [
        Statement(
            "Table 3",
            "Itemsets are longest for univariate selectors (12 to 13 features), shorter for "
            "multivariate ones (6 to 7), shortest for CFS (4 to 5).",
            ", ".join(f"{kind} {value.mean():.1f}" for kind, value in by_kind.items()),
            positive(
                by_kind["univariate"] - by_kind["multivariate"],
                by_kind["multivariate"] - by_kind["CFS"],
            ),
        ),
        Statement(
            "Table 3",
            "maxApr needs about 20 % of the number of itemsets of closedApr.",
            f"{ratio:.0%} ({low:.0%} to {high:.0%})",
            about(low, high, 0.2),
        ),
        Statement(
            "Table 3",
            "The mean support of maxApr's itemsets is lower than that of closedApr's.",
            ", ".join(f"{AGGREGATORS[name]} {support[name].mean():.2f}" for name in BOTH),
            positive(less),
        ),
        Statement(
            "Table 3",
            "Itemsets of univariate selectors have more support than those of multivariate ones.",
            f"univariate {few.mean():.2f}, multivariate {many.mean():.2f}",
            positive(few - many),
        ),
    ]


def table_4(alternatives: dict) -> list[Statement]:
    """Statements about ten panels for SVM-RFE, judged by the SVM.

    Parameters
    ----------
    alternatives : dict of str to AlternativesEvaluation
        Of each aggregator of several panels, by our name.
    """
    medoids, closed = alternatives["all-medoids"], alternatives["all-closed-itemsets"]
    seeded = alternatives["closed-itemset-medoids"]
    first = next(d for d in medoids.evaluation.differences if d["against"] == "plain")["error"]
    similar, unlike = (_known(medoids, f"fold_{what}") for what in ("similarities", "agreements"))
    unlike = 1 - unlike
    error = _error_interval(medoids)
    ratio = closed.error / medoids.error if medoids.error > 0 else np.inf
    least, most = _ratio_interval(closed, medoids)
    figures = ("fold_similarities", "fold_agreements")
    apart = [_known(seeded, figure) - _known(medoids, figure) for figure in figures]
    apart.append(_row_errors(seeded) - _row_errors(medoids))
    return [
        Statement(
            "Table 4",
            "allMed with SVM-RFE and the SVM: the similarity of its ten panels is 0.21.",
            _figure(*mean_interval(similar)),
            about(*mean_interval(similar)[1:], 0.21),
        ),
        Statement(
            "Table 4",
            "allMed: their error is 0.03.",
            _figure(medoids.error, *error),
            about(*error, 0.03),
        ),
        Statement(
            "Table 4",
            "allMed: they agree on 0.98 of the rows, that is disagree on 0.02.",
            f"disagree on {_figure(*mean_interval(unlike))}",
            about(*mean_interval(unlike)[1:], 0.02),
        ),
        Statement(
            "Table 4",
            "The error of allMed is not significantly different from that of nobagg.",
            f"difference {first['value']:+.3f} ({first['low']:+.3f} to {first['high']:+.3f}), "
            f"p {first['p']:.2f}",
            FAILS if first["p"] < 0.05 else between(first["low"], first["high"], -MARGIN, MARGIN),
        ),
        Statement(
            "Table 4",
            "allClosedApr errs about three times as often as allMed.",
            f"{closed.error:.3f} against {medoids.error:.3f}, {ratio:.1f} times ({least:.1f} to "
            f"{most:.1f} within the intervals of both)",
            about(least, most, 3.0),
        ),
        Statement(
            "Table 4",
            "allClosedApr has lower similarity and agreement than allMed.",
            f"similarity {closed.similarity:.2f} against {medoids.similarity:.2f}, agreement "
            f"{closed.agreement:.2f} against {medoids.agreement:.2f}",
            positive(*(_known(medoids, figure) - _known(closed, figure) for figure in figures)),
        ),
        Statement(
            "Table 4",
            "medClosedApr-k is close to allMed.",
            f"similarity {seeded.similarity:.2f}, error {seeded.error:.2f}, agreement "
            f"{seeded.agreement:.2f}",
            all_of(between(*mean_interval(gap)[1:], -MARGIN, MARGIN) for gap in apart),
        ),
    ]


def _error_interval(found) -> tuple[float, float]:
    """Interval of the mean error of several panels, which have no more rows than one of them."""
    n_rows = found.panels[0].n_rows
    low, high = wilson(found.error * n_rows, n_rows)
    return float(low), float(high)


def _ratio_interval(first, second) -> tuple[float, float]:
    """Least and largest ratio of two errors within their 95 % intervals."""
    (low, high), (other_low, other_high) = _error_interval(first), _error_interval(second)
    return low / other_high, high / other_low if other_low > 0 else np.inf


def _row_errors(found) -> np.ndarray:
    """Share of the panels that err, row by row."""
    known = found.predicted >= 0
    wrong = known & (found.predicted != found.evaluation.y)
    return wrong.sum(axis=0) / known.sum(axis=0)


def _statement(published, measured, *differences):
    """A statement of Table 2; of several differences the least is told."""
    mean, low, high = min(map(mean_interval, differences))
    name = "difference" if len(differences) == 1 else "least difference"
    told = f"{measured}; {name} {mean:+.2f} ({low:+.2f} to {high:+.2f})"
    return Statement("Table 2", published, told, positive(*differences))


def _figure(value, low, high) -> str:
    return f"{value:.2f} ({low:.2f} to {high:.2f})"


def _wide(rows: pd.DataFrame, figure: str) -> pd.DataFrame:
    """A row per data set and selector, a column per aggregator."""
    return rows.pivot(index=["data", "selector"], columns="aggregator", values=figure)


def _best_first(points: pd.DataFrame) -> list[str]:
    return list(points.mean().sort_values(ascending=False, kind="stable").index)


def _told(points: pd.DataFrame, names) -> str:
    return ", ".join(f"{NAMES[name]} {points[name].mean():.1f}" for name in names)


def _per_data(figures, selectors=SELECTORS):
    """Mean over some selectors, data set by data set."""
    chosen = figures.index.get_level_values("selector").isin(selectors)
    return figures[chosen].groupby("data").mean()


def _known(evaluation, figure):
    values = getattr(evaluation, figure)
    return np.array([np.nan if v is None else v for v in values], dtype=float)
