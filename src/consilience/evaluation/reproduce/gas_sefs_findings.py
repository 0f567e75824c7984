"""What the GAS-SEFS paper says beside its accuracies: features, generations, alpha, k, cost."""

import numpy as np

from .gas_sefs_figures import (
    DS,
    DV,
    DVS,
    DYNAMIC,
    GA,
    GAS,
    PAPER_RULES,
    SS,
    STATIC,
    WV,
)
from .gas_sefs_measures import RULES, STRATEGIES
from .verdicts import FAILS, HOLDS, OPEN, Statement, about, all_of, between, mean_interval, positive
from .wording import each, percent, plain

HALF_A_STEP = 0.5  # of the list of k: what does not count as a change


def feature_statements(sets):
    """How many features members have."""
    share = sets.features[..., PAPER_RULES].mean(axis=-1)  # sets, strategies, sizes
    fall = {STRATEGIES[s]: share[:, s, 0] - share[:, s, -1] for s in (GA, GAS)}
    yield Statement(
        "Section 5.3",
        "The number of selected features falls as the ensemble size grows.",
        "from 3 to 10 members, in percent of the features, by " + each(fall),
        positive(*fall.values()),
    )
    more = fall[STRATEGIES[GAS]] - fall[STRATEGIES[GA]]
    yield Statement(
        "Section 5.3",
        "It falls more clearly for GAS-SEFS.",
        f"by {percent(*mean_interval(more))} more",
        positive(more),
    )
    share = sets.features.mean(axis=2)  # sets, strategies, rules
    rows = {
        STRATEGIES[s]: share[:, s][:, STATIC].mean(axis=1) - share[:, s][:, DYNAMIC].mean(axis=1)
        for s in (GA, GAS)
    }
    yield Statement(
        "Section 5.3",
        "Static integration needs more features than dynamic.",
        "more by " + each(rows),
        positive(*rows.values()),
    )
    fewer = share[:, GA][:, DYNAMIC].mean(axis=1) - share[:, GAS][:, DYNAMIC].mean(axis=1)
    means = ", ".join(
        f"{STRATEGIES[s]} {100 * share[:, s][:, DYNAMIC].mean():.1f}" for s in (GA, GAS)
    )
    yield Statement(
        "Section 5.3",
        "GAS-SEFS has slightly smaller subsets, with dynamic integration.",
        f"{means} percent of the features; smaller by {percent(*mean_interval(fewer))}",
        positive(fewer),
    )


def generation_statements(sets):
    """What more generations bring."""
    late = sets.early[:, :, -1] - sets.early[:, :, -2]  # from 5 to 10: sets, strategies, rules
    falls = {f"{RULES[r]}, {STRATEGIES[s]}": late[:, s, r] for s in (GA, GAS) for r in (SS, WV, DS)}
    yield Statement(
        "Section 5.3",
        "SS, WV and DS overfit the validation rows after 5 generations: accuracy falls up to 10.",
        "from 5 to 10 generations " + each(falls),
        positive(*(-row for row in falls.values())),
    )
    rises = {f"{RULES[r]}, {STRATEGIES[s]}": late[:, s, r] for s in (GA, GAS) for r in (DV, DVS)}
    yield Statement(
        "Section 5.3",
        "With DV and DVS accuracy grows up to 10 generations.",
        "from 5 to 10 generations " + each(rises),
        positive(*rises.values()),
    )


def alpha_statements(sets):
    """Which alpha is chosen."""
    mean = sets.alpha.mean(axis=2)  # sets, strategies, rules
    rows = {
        STRATEGIES[s]: mean[:, s][:, DYNAMIC].mean(axis=1) - mean[:, s][:, STATIC].mean(axis=1)
        for s in (GA, GAS)
    }
    yield Statement(
        "Section 5.3",
        "The chosen alpha is bigger for dynamic than for static integration, for both strategies.",
        f"{mean[..., DYNAMIC].mean():.2f} and {mean[..., STATIC].mean():.2f} on average; bigger by "
        + "; ".join(f"{name} {plain(*mean_interval(row))}" for name, row in rows.items()),
        positive(*rows.values()),
    )
    more = (mean[:, GAS] - mean[:, GA])[:, PAPER_RULES].mean(axis=1)
    yield Statement(
        "Section 5.3",
        "GAS-SEFS needs a slightly higher alpha than GA.",
        f"{mean[:, GAS][:, PAPER_RULES].mean():.2f} and {mean[:, GA][:, PAPER_RULES].mean():.2f}; "
        f"higher by {plain(*mean_interval(more))}",
        positive(more),
    )


def neighbour_statements(sets):
    """Which k is chosen."""
    mean = sets.k.mean(axis=(1, 2))  # sets, rules
    rows = {
        "DS less DVS": mean[:, DS] - mean[:, DVS],
        "DVS less DV": mean[:, DVS] - mean[:, DV],
    }
    means = ", ".join(f"{RULES[r]} {mean[:, r].mean():.0f}" for r in (DS, DVS, DV))
    yield Statement(
        "Section 5.3",
        "The chosen k is highest for DS, lowest for DV, and in between for DVS.",
        f"{means}; "
        + "; ".join(f"{name} {plain(*mean_interval(row), 0)}" for name, row in rows.items()),
        positive(*rows.values()),
    )
    steps = sets.steps[..., DYNAMIC].mean(axis=-1)  # sets, strategies, sizes
    for what, row in (
        ("strategy", (steps[:, GAS] - steps[:, GA]).mean(axis=1)),
        ("ensemble size", (steps[:, :, -1] - steps[:, :, 0]).mean(axis=1)),
    ):
        named = "GAS-SEFS less GA" if what == "strategy" else "10 less 3 members"
        ends = mean_interval(row)
        yield Statement(
            "Section 5.3",
            f"The chosen k does not change much with the {what}.",
            f"{named}: {plain(*ends)} steps in the list of k",
            between(*ends[1:], -HALF_A_STEP, HALF_A_STEP),
        )


def overfitting_statement(sets):
    """Whether members fit the validation rows better than unseen ones."""
    excess = sets.excess[:, :, -1, DVS]
    row = excess[:, GAS] - excess[:, GA]
    means = ", ".join(f"{STRATEGIES[s]} {100 * excess[:, s].mean():.1f}" for s in (GA, GAS))
    return Statement(
        "Section 6",
        "The members of GAS-SEFS are overfitted, more than those of GA.",
        f"accuracy on validation over test rows, in percent: {means}; more by "
        f"{percent(*mean_interval(row))}",
        positive(excess[:, GAS], row),
    )


def cost_statements(found):
    """How much work a search is."""
    evaluated = np.mean([runs.arrays["evaluated"].mean(axis=0) for runs in found.values()], axis=0)
    yield Statement(
        "Section 3.1",
        "GA and GAS-SEFS look at about 400 and 4,000 subsets, for 10 members.",
        f"{evaluated[GA]:,.0f} and {evaluated[GAS]:,.0f}",
        all_of(about(n, n, p) for n, p in zip(evaluated, (400, 4000), strict=True)),
    )
    seconds = [runs.arrays["seconds"].mean(axis=0) for runs in found.values()]
    ratio, low, high = np.exp(mean_interval([np.log(own[GAS] / own[GA]) for own in seconds]))
    yield Statement(
        "Section 6",
        "GAS-SEFS takes significantly more time than GA.",
        f"{ratio:.1f} times ({low:.1f} to {high:.1f}); {1000 * np.mean(seconds, axis=0)[GAS]:.0f} "
        f"and {1000 * np.mean(seconds, axis=0)[GA]:.0f} ms of CPU for one search",
        HOLDS if low > 1 else FAILS if high < 1 else OPEN,
    )
