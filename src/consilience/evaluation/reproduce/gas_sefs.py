"""Tsymbal, Pechenizkiy, Cunningham: Sequential genetic search for ensemble feature selection.

Of the paper (IJCAI 2005) we have what the text says; its figures and the digits in its text are
lost to us. The rules of the verdicts are those of verdicts.py, and the data sets are the
witnesses; inside one set the runs are, with the interval for runs that share their rows.
"""

import numpy as np

from .gas_sefs_figures import (
    DS,
    DV,
    DVS,
    DYNAMIC,
    GA,
    GAS,
    PAPER_RULES,
    SHOWN,
    SS,
    STATIC,
    WV,
    Sets,
    sign,
)
from .gas_sefs_findings import (
    alpha_statements,
    cost_statements,
    feature_statements,
    generation_statements,
    neighbour_statements,
    overfitting_statement,
)
from .gas_sefs_measures import (
    DIVERSITIES,
    RULES,
    SIZES,
    STRATEGIES,
    Chosen,
    Runs,
    welch_interval,
)
from .verdicts import (
    FAILS,
    HOLDS,
    OPEN,
    Statement,
    all_of,
    between,
    mean_interval,
    positive,
    resampled_interval,
    resampled_positive,
)
from .wording import each, percent

PAPER_CHOICE = "validation"
CLOSE = 0.01  # how far apart accuracies may be that are nearly the same


def statements(found: dict[str, Runs], by: str = PAPER_CHOICE) -> list[Statement]:
    """Return what the paper says, with alpha and k chosen in one way.

    Parameters
    ----------
    found : dict of str to Runs
        The runs of each data set.
    by : str
        One of `CHOICES`.
    """
    sets = Sets(found, by)
    return [
        *_strategies(sets),
        *_growth(sets),
        *_integration(sets),
        *_tic_tac_toe(sets.shown),
        *_diversities(sets),
        *alpha_statements(sets),
        *neighbour_statements(sets),
        *feature_statements(sets),
        *generation_statements(sets),
        overfitting_statement(sets),
        *(cost_statements(found) if by == PAPER_CHOICE else ()),  # which no choice changes
    ]


def _strategies(sets):
    lead = sets.accuracy[:, GAS, :, DVS] - sets.accuracy[:, GA, :, DVS]  # sets, sizes
    for group, words in ((1, "fewer than 9 features"), (2, "9 features or more")):
        rows = list(lead[sets.groups == group].T)
        yield Statement(
            "Figure 2",
            f"With DVS, GAS-SEFS is more accurate than GA on sets of {words}, at all four sizes.",
            "; ".join(
                f"{size} members {percent(*mean_interval(row))}"
                for size, row in zip(SIZES, rows, strict=True)
            ),
            positive(*rows),
        )
    mean = lead.mean(axis=1)
    ends = welch_interval(mean[sets.groups == 2], mean[sets.groups == 1])
    yield Statement(
        "Figure 2",
        "The lead of GAS-SEFS is larger on sets of 9 features or more.",
        f"larger by {percent(*ends)}",
        sign(*ends),
    )


def _growth(sets):
    rows = {
        f"{STRATEGIES[s]}, group {g}": (
            sets.accuracy[sets.groups == g, s, -1, DVS] - sets.accuracy[sets.groups == g, s, 0, DVS]
        )
        for s in (GA, GAS)
        for g in (1, 2)
    }
    yield Statement(
        "Figure 2",
        "With DVS, accuracy grows with the ensemble size, for both strategies and groups.",
        "from 3 to 10 members " + each(rows),
        positive(*rows.values()),
    )
    slopes = np.diff(sets.accuracy[:, :, :, DVS], axis=2) / np.diff(SIZES)  # for each member more
    rows = {STRATEGIES[s]: slopes[:, s, 0] - slopes[:, s, -1] for s in (GA, GAS)}
    yield Statement(
        "Figure 2",
        "The growth flattens as the number of members increases.",
        "a member more gives, from 3 to 5 over from 7 to 10 members, more by " + each(rows, 2),
        positive(*rows.values()),
    )


def _integration(sets):
    mean = sets.accuracy.mean(axis=(1, 2))  # over strategies and sizes
    rows = {RULES[rule]: mean[:, DVS] - mean[:, rule] for rule in PAPER_RULES if rule != DVS}
    yield Statement(
        "Section 5.2",
        "DVS is the best of the five integration methods.",
        "DVS less each: " + each(rows),
        positive(*rows.values()),
    )
    mean = sets.accuracy.mean(axis=2)
    rows = {
        STRATEGIES[s]: mean[:, s][:, DYNAMIC].mean(axis=1) - mean[:, s][:, STATIC].mean(axis=1)
        for s in (GA, GAS)
    }
    yield Statement(
        "Section 5.2",
        "Dynamic integration is better than static on the other sets, too.",
        each(rows),
        positive(*rows.values()),
    )
    gaps = [own[..., DV].mean(axis=(1, 2)) - own[..., DS].mean(axis=(1, 2)) for own in sets.per_run]
    strict = 1 - 0.05 / max(1, len(gaps))
    ahead = [name for name, gap in zip(sets.names, gaps, strict=True) if gap.mean() > 1e-9]
    clear = [
        name
        for name, gap in zip(sets.names, gaps, strict=True)
        if resampled_interval(gap, strict)[1] > 0
    ]
    yield Statement(
        "Section 5.2",
        "For some data sets DV is better than DS.",
        f"on {len(ahead)} of {len(gaps)} sets; beyond chance on {', '.join(clear) or 'none'}",
        HOLDS if clear else OPEN if ahead else FAILS,
    )


def _tic_tac_toe(shown: Chosen | None):
    """What Figure 3 shows; the witnesses are the runs."""
    own = None if shown is None else shown.accuracy[:, :, 0]  # runs, strategies, sizes, rules

    def told(published, rows):
        """Verdict on rows of differences by name, which `rows` gives."""
        if own is None:
            return Statement("Figure 3", published, f"{SHOWN} was not run", OPEN)
        found = rows()
        measured = each(found, interval=resampled_interval)
        return Statement("Figure 3", published, measured, resampled_positive(*found.values()))

    def by_strategy(figure):
        return lambda: {STRATEGIES[s]: figure(own[:, s]) for s in (GA, GAS)}

    def lead(values, first, second):
        """Mean of some rules, the last axis, less that of others."""
        return values[..., first].mean(axis=-1) - values[..., second].mean(axis=-1)

    best, rest = [DS, DVS], [SS, WV, DV]
    yield told(
        "On tic-tac-toe dynamic integration is better than static, for both strategies.",
        by_strategy(lambda a: lead(a.mean(axis=1), DYNAMIC, STATIC)),
    )
    yield told(
        "On tic-tac-toe DS and DVS are the best integration methods.",
        lambda: {
            f"{RULES[a]} less {RULES[b]}, {STRATEGIES[s]}": lead(own[:, s].mean(axis=1), [a], [b])
            for s in (GA, GAS)
            for a in best
            for b in rest
        },
    )
    yield told(
        "On tic-tac-toe accuracy grows with the ensemble size, with DS and DVS.",
        by_strategy(lambda a: (a[:, -1] - a[:, 0])[:, best].mean(axis=-1)),
    )
    yield told(
        "On tic-tac-toe this growth is greater for DS and DVS than for the others.",
        by_strategy(lambda a: lead(a[:, -1] - a[:, 0], best, rest)),
    )
    yield told(
        "On tic-tac-toe GAS-SEFS is more accurate than GA, with DS and DVS.",
        lambda: {"DS and DVS": (own[:, GAS] - own[:, GA]).mean(axis=1)[:, best].mean(axis=-1)},
    )
    yield told(
        "On tic-tac-toe the lead of GAS-SEFS is clearer for DS and DVS than for the others.",
        lambda: {"larger by": lead((own[:, GAS] - own[:, GA]).mean(axis=1), best, rest)},
    )


def _diversities(sets):
    gap = (sets.both[:, :, 0] - sets.both[:, :, 1])[..., PAPER_RULES].mean(axis=(2, 3))
    intervals = {STRATEGIES[s]: mean_interval(gap[:, s]) for s in (GA, GAS)}
    yield Statement(
        "Section 5.2",
        "The two diversities lead to nearly the same accuracies.",
        f"{DIVERSITIES[0]} less {DIVERSITIES[1]}: "
        + "; ".join(f"{name} {percent(*ends, 2)}" for name, ends in intervals.items()),
        all_of(between(low, high, -CLOSE, CLOSE) for _, low, high in intervals.values()),
    )
    mean = gap.mean(axis=1)
    yield Statement(
        "Section 5.2",
        "Disagreement is slightly better on average.",
        f"by {percent(*mean_interval(mean), 2)}",
        positive(mean),
    )
