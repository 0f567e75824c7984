"""What the DAFS paper says of its sweep over (m, L) on DLBCL, Figures 2 to 6."""

import itertools

import numpy as np
import pandas as pd

from .dafs import MARGIN
from .dafs_paired import ahead, alike, tell_pair
from .dafs_runs import LEARNERS, MIDDLE, PAIRS, Found, Setting
from .verdicts import FAILS, HOLDS, Statement, about, all_of, between, mean_interval, positive
from .wording import percent

STEP = 1.0  # features by which a panel may grow from one pair to the next without a trend
COVERED = 0.995  # least coverage that is "1" when rounded
NAMES = {"svm": "SVM", "knn": "kNN", "mlp": "MLP"}
SHORT = {"double_fault": "DF", "q_statistic": "Q", "correlation": "Corr", "disagreement": "Dis"}


def sweep_statements(found: Found) -> list[Statement]:
    """Return the statements on the sweep; none where it was not run."""
    if not found.sweep:
        return []
    right = _column(found, "DAFS")
    return [
        _best_learner(right),
        _best_diversity(right),
        _no_best_pair(right),
        *_above_rse(found),
        *_panel_sizes(found),
        _times(found),
        *_coverages(found),
        _alike_with_double_fault(right),
    ]


def pairs_of(figures: pd.DataFrame, learner: str) -> list[Setting]:
    """The settings of one learner with the double fault, in the order of the pairs."""
    wanted = [Setting(learner, *pair) for pair in PAIRS]
    return [setting for setting in wanted if setting in figures.columns]


def _column(found, name) -> pd.DataFrame:
    """One figure of the sweep: a row per sample, a column per setting."""
    return pd.DataFrame({setting: table[name] for setting, table in found.sweep.items()})


def _mean_over_pairs(right, learner):
    """Share of the pairs at which each row is told right; the pairs that all learners have."""
    shared = set.intersection(
        *({(s.size, s.number) for s in pairs_of(right, name)} for name in LEARNERS)
    )
    own = [s for s in pairs_of(right, learner) if (s.size, s.number) in shared]
    return right[own].mean(axis=1)


def _best_learner(right):
    means = {name: _mean_over_pairs(right, name) for name in LEARNERS}
    gaps = [means["svm"] - means[name] for name in LEARNERS if name != "svm"]
    told = ", ".join(f"{NAMES[name]} {100 * mean.mean():.1f}" for name, mean in means.items())
    least = min(map(mean_interval, gaps))
    return Statement(
        "Figure 2",
        "On DLBCL SVM is the best classifier for DAFS.",
        f"{told} (mean over the pairs that all three have); least lead {percent(*least)}",
        positive(*gaps),
    )


def _best_diversity(right):
    names = {short: Setting("svm", *MIDDLE, name) for name, short in SHORT.items()}
    table = pd.DataFrame({short: right[setting] for short, setting in names.items()})
    pairs = [(good, other) for good in ("DF", "Q") for other in ("Corr", "Dis")]
    told = ", ".join(f"{short} {100 * table[short].mean():.1f}" for short in table)
    return Statement(
        "Figure 2",
        "On DLBCL the Q statistic and the double fault are the best diversities (SVM).",
        f"{told} at {MIDDLE}",
        ahead(table, *pairs),
    )


def _no_best_pair(right):
    own = pairs_of(right, "svm")
    told = ", ".join(f"({s.size}, {s.number}) {100 * right[s].mean():.1f}" for s in own)
    return Statement(
        "Figure 2",
        "No pair (m, L) clearly outperforms the others.",
        told,
        alike(right, list(itertools.combinations(own, 2)), MARGIN),
    )


def _above_rse(found):
    right, votes = _column(found, "DAFS"), _column(found, "RSE")
    for name in LEARNERS:
        own = pairs_of(right, name)
        rates, voted = right[own].mean(axis=1), votes[own].mean(axis=1)
        gap = rates - voted
        yield Statement(
            "Figure 3",
            f"DAFS is clearly better than RSE at the same (m, L), here with {NAMES[name]}.",
            tell_pair(("DAFS", "RSE"), (rates.mean(), voted.mean()), *mean_interval(gap)),
            positive(gap),
        )


def _panel_sizes(found):
    sizes = _column(found, "features")
    for name in LEARNERS:
        own = pairs_of(sizes, name)
        # Slope over the pairs as the paper orders them: m grows, L falls.
        slopes = np.polyfit(np.arange(len(own)), sizes[own].to_numpy().T, 1)[0]
        mean, low, high = mean_interval(slopes)
        shown = ", ".join(f"({s.size}, {s.number}) {sizes[s].mean():.1f}" for s in own)
        told = f"{shown}; per step {mean:+.2f} ({low:+.2f} to {high:+.2f})"
        if name == "svm":
            published = "The number of genes with SVM grows as m grows and L falls."
            yield Statement("Figure 4", published, told, positive(slopes))
        else:
            published = f"It has no particular trend with {NAMES[name]}."
            yield Statement("Figure 4", published, told, between(low, high, -STEP, STEP))


def _times(found):
    seconds = _column(found, "seconds")
    own = pairs_of(seconds, "svm")
    dear, cheap = seconds[own[0]], seconds[own[-1]]
    mean, low, high = (10**end for end in mean_interval(np.log10(dear / cheap)))
    return Statement(
        "Figure 5",
        "DAFS with SVM takes about 3 hours at (10, 10000) and 1 second at (1000, 10).",
        f"{dear.sum():.0f} and {cheap.sum():.1f} CPU seconds for all {len(dear)} rows left out, "
        f"{mean:.0f} times as long ({low:.0f} to {high:.0f}) where the paper has 10,800",
        about(low, high, 10_800),
    )


def _coverages(found):
    tested = {pair: found.coverages[pair] for pair in PAIRS}
    for where, published, covered in (
        ("Section 4.3", "The tested pairs (m, L) have a coverage of 1.", tested),
        ("Figure 6", "(20, 2500) and (2500, 20) have a coverage of about 1.",
         {pair: c for pair, c in found.coverages.items() if pair not in PAIRS}),
    ):  # fmt: skip
        told = ", ".join(f"{pair} {share:.4f}" for pair, share in covered.items())
        fine = all(share >= COVERED for share in covered.values())
        yield Statement(where, published, told, HOLDS if fine else FAILS)


def _alike_with_double_fault(right):
    means = {name: _mean_over_pairs(right, name) for name in LEARNERS}
    gaps = [means[a] - means[b] for a, b in itertools.combinations(LEARNERS, 2)]
    told = ", ".join(f"{NAMES[name]} {100 * mean.mean():.1f}" for name, mean in means.items())
    return Statement(
        "Figure 9",
        "With the double fault the accuracies of SVM, kNN and MLP are almost similar.",
        told,
        all_of(between(*mean_interval(gap)[1:], -MARGIN, MARGIN) for gap in gaps),
    )
