"""The figures behind the statements of the GAS-SEFS paper, as JSON values and as Markdown."""

import numpy as np

from .gas_sefs_figures import DVS, GA, GAS, PAPER_RULES, SHOWN, Sets
from .gas_sefs_measures import CHOICES, DIVERSITIES, GENERATIONS, RULES, SIZES, STRATEGIES, Runs
from .wording import table_row, table_rule

PARTS = ("accuracy", "alpha", "k", "features")


def figures(found: dict[str, Runs]) -> dict:
    """All figures as JSON values: of each data set by choice, strategy, rule and size."""
    chosen = {by: Sets(found, by) for by in CHOICES}
    named = {
        "strategies": STRATEGIES, "rules": RULES, "sizes": SIZES, "generations": GENERATIONS,
        "diversities": DIVERSITIES, "choices": CHOICES,
    }  # fmt: skip
    return {
        "axes": {
            axis: dict(names) if isinstance(names, dict) else list(names)
            for axis, names in named.items()
        },
        "n_runs": {name: len(runs.arrays["plain"]) for name, runs in found.items()},
        "groups": {name: runs.group for name, runs in found.items()},
        "plain": {name: _rounded(runs.arrays["plain"].mean()) for name, runs in found.items()},
        "chosen": {
            by: {
                name: {part: _rounded(getattr(sets, part)[i]) for part in PARTS}
                | {"kappa": _rounded(sets.both[i, :, 1]), "early": _rounded(sets.early[i])}
                for i, name in enumerate(found)
            }
            for by, sets in chosen.items()
        },
    }


def table_lines(document: dict) -> list[str]:
    """Statements by other choices, accuracies by group, rule, generations and set, in Markdown."""
    chosen = {
        by: {
            part: np.array([own[part] for own in sets.values()])
            for part in (*PARTS, "kappa", "early")
        }
        for by, sets in document["chosen"].items()
    }
    first = next(iter(chosen.values()))
    return [
        *_otherwise_table(document),
        *_group_table(chosen, np.array(list(document["groups"].values()))),
        *_shown_table(first["accuracy"], list(document["groups"])),
        *_rule_table(chosen),
        *_generation_table(first["early"]),
        *_set_table(chosen, document),
    ]


def _otherwise_table(document):
    """The statements with alpha and k chosen in other ways than the paper's, side by side."""
    told = document["otherwise"]
    lines = ["**The same statements** with alpha and k chosen in other ways", ""]
    lines += [table_row(["published", *(f"{by}: measured | verdict" for by in told)])]
    lines += [table_rule(1 + 2 * len(told))]
    for same in zip(*told.values(), strict=True):
        cells = [cell for own in same for cell in (own["measured"], own["verdict"])]
        lines.append(table_row([same[0]["published"], *cells]))
    return [*lines, "", *_legend()]


def _group_table(chosen, groups):
    lines = ["**Accuracy with DVS** in percent, mean over the sets of a group", ""]
    lines += [
        table_row(["alpha and k", "group", "sets", "strategy", *map(str, SIZES)]),
        table_rule(8),
    ]
    for by, held in chosen.items():
        for group in (1, 2):
            own = held["accuracy"][groups == group]
            if len(own):
                lines += [
                    table_row([by, str(group), str(len(own)), STRATEGIES[s],
                          *_percents(own[:, s, :, DVS].mean(axis=0))])
                    for s in (GA, GAS)
                ]  # fmt: skip
    return [*lines, ""]


def _legend():
    told = "; ".join(f"*{by}*: {words}" for by, words in CHOICES.items())
    return [f"Chosen are, of each set, strategy, size and rule, {told}.", ""]


def _shown_table(accuracy, names):
    if SHOWN not in names:
        return []
    own = accuracy[names.index(SHOWN)]
    head = [f"{strategy}, {size}" for strategy in STRATEGIES for size in SIZES]
    lines = [f"**{SHOWN}**: accuracy in percent by members", "", table_row(["rule", *head])]
    lines += [table_rule(1 + len(head))]
    lines += [table_row([rule, *_percents(own[:, :, r].ravel())]) for r, rule in enumerate(RULES)]
    return [*lines, ""]


def _rule_table(chosen):
    """Means over sets and sizes of what was chosen and what it gave."""
    first = next(iter(chosen.values()))
    lines = ["**By rule**: means over the sets and sizes; accuracy and features in percent", ""]
    head = ["strategy", "rule", *(f"accuracy, {by}" for by in chosen), "accuracy, kappa", "alpha"]
    lines += [table_row([*head, "k", "features"]), table_rule(len(head) + 2)]
    for s, strategy in enumerate(STRATEGIES):
        for r, rule in enumerate(RULES):
            means = [held["accuracy"][:, s, :, r].mean() for held in chosen.values()]
            means.append(first["kappa"][:, s, :, r].mean())
            alpha, k, features = (first[part][:, s, :, r].mean() for part in PARTS[1:])
            k = f"{k:.0f}" if rule.startswith("D") else ""
            more = [f"{alpha:.2f}", k, *_percents([features])]
            lines.append(table_row([strategy, rule, *_percents(means), *more]))
    return [*lines, ""]


def _generation_table(early):
    lines = [
        f"**By generations**: accuracy of {SIZES[-1]} members in percent, mean over the sets",
        "",
        table_row(["strategy", "rule", *map(str, GENERATIONS)]),
        table_rule(2 + len(GENERATIONS)),
    ]
    for s, strategy in enumerate(STRATEGIES):
        lines += [
            table_row([strategy, RULES[r], *_percents(early[:, s, :, r].mean(axis=0), 2)])
            for r in PAPER_RULES
        ]
    return [*lines, ""]


def _set_table(chosen, document):
    lines = [f"**By set**: accuracy of {SIZES[-1]} members with DVS in percent", ""]
    pairs = [(by, s) for by in chosen for s in (GA, GAS)]
    head = ["set", "group", "runs", "naive Bayes, all features"]
    lines += [
        table_row([*head, *(f"{STRATEGIES[s]}, {by}" for by, s in pairs)]),
        table_rule(len(head) + len(pairs)),
    ]
    for i, (name, group) in enumerate(document["groups"].items()):
        own = [chosen[by]["accuracy"][i, s, -1, DVS] for by, s in pairs]
        plain = _percents([document["plain"][name]])
        lines.append(
            table_row([name, str(group), str(document["n_runs"][name]), *plain, *_percents(own)])
        )
    means = [np.mean(list(document["plain"].values()))]
    means += [chosen[by]["accuracy"][:, s, -1, DVS].mean() for by, s in pairs]
    return [*lines, table_row(["mean", "", "", *_percents(means)]), ""]


def _rounded(values):
    return np.round(values, 6).tolist()


def _percents(values, digits: int = 1) -> list[str]:
    return [f"{100 * value:.{digits}f}" for value in values]
