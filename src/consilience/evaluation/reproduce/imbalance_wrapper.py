"""Yang, Liu, Zhou, Chawla, Zomaya: Ensemble-based wrapper methods for imbalanced data.

Of the paper (PAKDD 2013) we have what the text says; all cells of its tables and its figures are
lost to us. The rules of the verdicts are those of verdicts.py, and the data sets are the witnesses;
inside one set the halves of its splits are, with the interval for runs that share their rows.
"""

import numpy as np

from .imbalance_wrapper_classifiers import CLASSIFIERS
from .imbalance_wrapper_measures import COMPARED, UNPRUNED, Runs, Sets, place
from .verdicts import (
    FAILS,
    HOLDS,
    OPEN,
    Statement,
    mean_interval,
    positive,
    resampled_interval,
    resampled_positive,
)
from .wording import each, percent

GREEDY, GENETIC = COMPARED
FIGURES = {"Figure 2": "fbis", "Figure 3": "re0"}
AS_MANY = 1.0  # rows that are tested for each row that is learned from: halves
EXCEPTIONS = (("oh5", "7-NN"), ("oil", "3-NN"), ("oil", "7-NN"))
# Parts of the sizes 1 to 20 that are compared: a quarter at either end, and the middle.
FIRST, MIDDLE, LAST = (0.0, 0.25), (0.35, 0.65), (0.75, 1.0)


def statements(found: dict[str, Runs]) -> list[Statement]:
    """Return what the paper says beside what was measured.

    Parameters
    ----------
    found : dict of str to Runs
        The runs of each data set.
    """
    sets = Sets(found)
    return [*greedy_statements(sets, GREEDY), *_genetic_statements(sets)]


def unpruned_statements(found: dict[str, Runs]) -> list[Statement]:
    """Return what the paper says of greedy search, judged with trees that are not pruned."""
    return greedy_statements(Sets(found), UNPRUNED)


def greedy_statements(sets: Sets, search: str) -> list[Statement]:
    """Return what the paper says of greedy search.

    Parameters
    ----------
    sets : Sets
        Figures of all data sets.
    search : str
        By whose runs it is judged: "greedy", or "unpruned".
    """
    return [
        *_shown(sets, search),
        _most_classifiers(sets, search, "Table 2"),
        _significant(sets, search),
        _exceptions(sets, search),
        _accumulation(sets, search),
        *_trends(sets, search),
        _contradictions(sets, search),
        _whichever(sets, search),
    ]


def _shown(sets, search):
    """What the curves of Figures 2 and 3 show; the witnesses are the halves."""
    for where, name in FIGURES.items():
        published = f"On {name}, greedy search: the ensemble wrapper is better than the single one."
        if name not in sets.found:
            yield not_run(where, published, name)
            continue
        gains = sets.found[name].gains(search)
        row = gains.mean(axis=(1, 2))
        parts = ", ".join(
            f"{c} {100 * gain:+.1f}"
            for c, gain in zip(CLASSIFIERS, gains.mean(axis=(0, 1)), strict=True)
        )
        yield Statement(
            where,
            published,
            f"area larger by {percent(*halves_interval(row))}: {parts}",
            resampled_positive(row, ratio=AS_MANY),
        )


def _most_classifiers(sets, search, where):
    share = sets.better[search].mean(axis=1)
    told = ", ".join(
        f"{name} {len(CLASSIFIERS) * own:.1f}" for name, own in zip(sets.names, share, strict=True)
    )
    named = GENETIC if search == GENETIC else GREEDY
    return Statement(
        where,
        f"With {named} search most classifiers are better with the features of the ensemble, "
        "across all data sets.",
        f"of 6 classifiers {told}; share above one half by "
        f"{percent(*mean_interval(share - 0.5), 0)}",
        positive(share - 0.5),
    )


def _significant(sets, search):
    share = sets.significant[search].mean(axis=1)
    return Statement(
        "Section 4",
        "With greedy search, in most cases the improvements are significant.",
        f"{_spoken(sets, search)}; share for the ensemble above one half by "
        f"{percent(*mean_interval(share - 0.5), 0)}",
        positive(share - 0.5),
    )


def _spoken(sets, search):
    """In how many cells Friedman's test speaks, in words."""
    ensemble, single = sets.significant[search].mean(), sets.against[search].mean()
    return (
        f"significant in {100 * ensemble:.0f} % of the cells for the ensemble, in "
        f"{100 * single:.0f} % for the single wrapper"
    )


def _exceptions(sets, search):
    published = (
        "With greedy search the single wrapper is better for 7-NN on oh5, and for 3-NN and 7-NN "
        "on oil."
    )
    for name, _ in EXCEPTIONS:
        if name not in sets.found:
            return not_run("Table 2", published, name)
    rows = {
        f"{c} on {name}": -sets.found[name].gains(search)[:, :, place(c)].mean(axis=1)
        for name, c in EXCEPTIONS
    }
    return Statement(
        "Table 2",
        published,
        "area of the single wrapper larger by " + each(rows, interval=halves_interval),
        resampled_positive(*rows.values(), ratio=AS_MANY),
    )


def _later(sets, search):
    """Gain of the area in the second half of the sizes over that in the first, of each set."""
    gain = sets.gain[search].mean(axis=2)  # sets, sizes
    half = gain.shape[1] // 2
    return gain[:, half:].mean(axis=1) - gain[:, :half].mean(axis=1)


def _accumulation(sets, search):
    later = _later(sets, search)
    return Statement(
        "Section 4",
        "Greedy search adds up the effect of the ensemble from step to step.",
        "gain of the area in the second half of the sizes over that in the first: "
        f"{percent(*mean_interval(later))}",
        positive(later),
    )


def _trends(sets, search):
    """How areas go with the size on fbis: over both approaches, the halves being the witnesses."""
    name, where = FIGURES["Figure 2"], "Figure 2"
    if name in sets.found:
        areas = sets.found[name].areas(search).mean(axis=2)  # runs, halves, sizes, classifiers
        areas = areas.reshape(-1, *areas.shape[2:])

    def part(classifier, share):
        sizes = (np.arange(areas.shape[1]) + 0.5) / areas.shape[1]
        return areas[:, (sizes >= share[0]) & (sizes < share[1]), place(classifier)].mean(axis=1)

    def rise(classifier):
        return part(classifier, LAST) - part(classifier, FIRST)

    for published, rows in (
        (
            "On fbis the area of RF grows with more features.",
            lambda: {"RF, last quarter of the sizes less first": rise("RF")},
        ),
        (
            "On fbis the areas of LogReg and ADTree fall with more features.",
            lambda: {f"{c}, first quarter less last": -rise(c) for c in ("LogReg", "ADTree")},
        ),
        (
            "On fbis the area of MLP grows first and then falls.",
            lambda: {
                "middle less first": part("MLP", MIDDLE) - part("MLP", FIRST),
                "middle less last": part("MLP", MIDDLE) - part("MLP", LAST),
            },
        ),
        (
            "On fbis classifiers go different ways with the same features: RF grows more than "
            "LogReg and ADTree.",
            lambda: {f"RF less {c}": rise("RF") - rise(c) for c in ("LogReg", "ADTree")},
        ),
    ):
        if name not in sets.found:
            yield not_run(where, published, name)
            continue
        told = rows()
        measured = each(told, interval=halves_interval)
        yield Statement(
            where, published, measured, resampled_positive(*told.values(), ratio=AS_MANY)
        )


def _contradictions(sets, search):
    """Whether some set has a classifier for the ensemble and another one against it."""
    strict = 1 - 0.05 / max(1, len(sets.found) * len(CLASSIFIERS))
    apart, clear = [], []
    for name, runs in sets.found.items():
        gains = runs.gains(search).mean(axis=1).T  # classifiers, halves
        means = np.round(gains.mean(axis=1), 9)
        if means.max() > 0 > means.min():
            apart.append(name)
        ends = [resampled_interval(row, strict, AS_MANY)[1:] for row in gains]
        if any(low > 0 for low, _ in ends) and any(high < 0 for _, high in ends):
            clear.append(name)
    return Statement(
        "Section 4",
        "Which wrapper is better hangs on the classifier on some data sets, with greedy search.",
        f"classifiers differ on {', '.join(apart) or 'none'}; beyond chance on "
        f"{', '.join(clear) or 'none'}",
        HOLDS if clear else OPEN if apart else FAILS,
    )


def _whichever(sets, search):
    gain = sets.gain[search].mean(axis=1)  # sets, classifiers
    rows = {c: gain[:, i] for i, c in enumerate(CLASSIFIERS)}
    return Statement(
        "Section 3.2",
        "Useful features improve the result whichever classifier is used: with greedy search all "
        "six are better with the features of the ensemble.",
        "area larger by " + each(rows),
        positive(*rows.values()),
    )


def _genetic_statements(sets):
    """What the paper says of genetic search, and of both."""
    yield _most_classifiers(sets, GENETIC, "Table 3")
    share = sets.moderate[GENETIC] - 0.5
    yield Statement(
        "Section 4",
        "With genetic search most improvements are moderate, not significant.",
        f"{_spoken(sets, GENETIC)}; of the improvements the share that is not above one half by "
        f"{percent(*mean_interval(share), 0)}",
        positive(share),
    )
    margins = {search: sets.margin[search].mean(axis=1) for search in COMPARED}
    row = margins[GREEDY] - margins[GENETIC]
    areas = {search: 100 * sets.gain[search].mean() for search in COMPARED}
    yield Statement(
        "Section 4",
        "Greedy search is more sensitive to the ensemble than genetic search.",
        f"wins less losses, in percent of the sizes: {100 * margins[GREEDY].mean():+.0f} and "
        f"{100 * margins[GENETIC].mean():+.0f}, more by {percent(*mean_interval(row), 0)}; area "
        f"larger by {areas[GREEDY]:+.1f} and {areas[GENETIC]:+.1f}",
        positive(row),
    )
    later = {search: _later(sets, search) for search in COMPARED}
    row = later[GREEDY] - later[GENETIC]
    yield Statement(
        "Section 4",
        "Genetic search, which begins anew for each size, adds up the effect of the ensemble less.",
        f"gain in the second half of the sizes over the first: {100 * later[GREEDY].mean():+.1f} "
        f"and {100 * later[GENETIC].mean():+.1f}; less by {percent(*mean_interval(row))}",
        positive(row),
    )
    rows = {search: sets.gain[search].mean(axis=(1, 2)) for search in COMPARED}
    yield Statement(
        "Section 5",
        "Features of the ensemble wrapper are more useful than those of the single one, with "
        "either search.",
        "area larger by " + each(rows),
        positive(*rows.values()),
    )


def not_run(where: str, published: str, name: str) -> Statement:
    """A statement on a data set that was not run."""
    return Statement(where, published, f"{name} was not run", OPEN)


def halves_interval(row) -> tuple[float, float, float]:
    """Mean over the halves of one data set, and its interval."""
    return resampled_interval(row, ratio=AS_MANY)
