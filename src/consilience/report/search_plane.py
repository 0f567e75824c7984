"""How the search went: accuracy and diversity of each generation, and what the members ended as."""

import numpy as np

from .text import number

PLANE = ("mean_accuracy", "mean_diversity", "best_accuracy", "best_diversity")
FITNESS = ("best_fitness", "mean_fitness")
# What one entry of the history is, where no population is bred: singular and plural.
UNITS = {"hill-climbing": ("pass", "passes"), "sequential-selection": ("step", "steps")}
# What joins of a search that may lose its best, by method.
LAST = {
    "ga": "the committee is what the last generation holds",
    "gas-sefs": "the best of the last generation joins",
}
VISIBLE = 0.005  # fitness by which the best ever must exceed the last to be worth a word
MAX_POINTS = 40  # generations of one process that are drawn; more would be a line anyway


def search_facts(document: dict) -> dict | None:
    """Return the generations of every process; None where nothing was searched for.

    Parameters
    ----------
    document : dict
        A result as documented in docs/result-schema.md.

    Returns
    -------
    dict or None
        `processes`, each with its `number` and lists over its generations, `members` with the
        place of each in the plane, and what there is to say: how many subsets were judged, whether
        the first process had nobody to differ from, and `grew`, how fitness went, in a sentence.

    Examples
    --------
    >>> from consilience.report.search_plane import search_facts
    >>> history = {"process": [0, 0], "generation": [0, 1], "best_fitness": [0.5, 0.75]}
    >>> document = {"method": "ga", "search": history, "rounds": [], "committee": {}}
    >>> found = search_facts(document)
    >>> found["processes"][0]["best_fitness"], found["grew"].partition(":")[0]
    ([0.5, 0.75], 'The fitness of the best grew by 0.250')
    """
    history = document["search"]
    if not history or "process" not in history or "generation" not in history:
        return None
    processes = _processes(history)
    told = document["committee"]
    first = processes[0]
    plane = all(key in history for key in PLANE)
    one, many = UNITS.get(document["method"], ("generation", "generations"))
    return {
        "processes": processes,
        "unit": one,
        "units": many,
        "alone": plane and all(_is_alone(process) for process in processes),
        "n_generations": max(process["generation"][-1] for process in processes),
        "n_evaluations": told.get("n_evaluations"),
        "n_validation": told.get("n_validation"),
        "members": [
            {
                "member": row["member"],
                "accuracy": row["validation_accuracy"],
                "diversity": row["diversity"],
            }
            for row in document["rounds"]
            if row.get("validation_accuracy") is not None and row.get("diversity") is not None
        ],
        # A first member has nobody to differ from: its process would lie on the edge of the plane.
        "lonely_first": plane and len(processes) > 1 and not any(first["mean_diversity"]),
        "plane": plane and any(_differs(process) for process in processes),
        "fitness": all(key in history for key in FITNESS),
        "worth": "accuracy plus diversity" if document["method"] == "pareto" else "fitness",
        "sizes": "mean_size" in history,
        "grew": _grown(document, processes),
    }


def _processes(history: dict) -> list[dict]:
    """Split the columns of the history by process, generations ascending, few enough to draw."""
    process = np.asarray(history["process"], dtype=float)
    found = []
    for which in np.unique(process):
        rows = np.flatnonzero(process == which)
        rows = rows[np.argsort(np.asarray(history["generation"], dtype=float)[rows], kind="stable")]
        if rows.size > MAX_POINTS:
            rows = rows[np.unique(np.linspace(0, rows.size - 1, MAX_POINTS).astype(int))]
        told = {
            key: [values[row] for row in rows]
            for key, values in history.items()
            if key != "process"
        }
        told["generation"] = [int(g) for g in told["generation"]]
        for key in ("mean_diversity", "best_diversity"):
            if key in told:
                told[key] = [value or 0.0 for value in told[key]]
        found.append({"number": int(which) + 1, **told})
    return found


def _is_alone(process: dict) -> bool:
    """Tell whether there is one subset at a time, which is its own population."""
    return all(
        process[f"mean_{key}"] == process[f"best_{key}"] for key in ("accuracy", "diversity")
    )


def _differs(process: dict) -> bool:
    return any(process["mean_diversity"]) or any(process["best_diversity"])


def _grown(document: dict, processes: list[dict]) -> str:
    """Say how the fitness of the best went, and why it may fall; empty where that says nothing.

    GEFS changes alpha on the way and the Pareto search has none: there, fitness of different
    generations is not compared.
    """
    known = [
        process["best_fitness"]
        for process in processes
        if process.get("best_fitness") and None not in process["best_fitness"]
    ]
    if not known or document["method"] in ("gefs", "pareto"):
        return ""
    gain, lost = (
        float(np.mean([fitness[-1] - told(fitness) for fitness in known]))
        for told in (lambda fitness: fitness[0], max)
    )
    average = " on average" if len(known) > 1 else ""
    if round(abs(gain), 3) == 0:
        said = f"The fitness of the best is in the end what it was at first{average}"
    else:
        said = f"The fitness of the best {'grew' if gain > 0 else 'fell'} by {number(abs(gain), 3)}"
        said += average
    if document["method"] not in LAST or document.get("settings", {}).get("elitism"):
        return f"{said}."
    joins = LAST[document["method"]]
    said += f": by the paper's rules nothing is kept for sure (elitism 0), and {joins}"
    if -lost >= VISIBLE:
        said += f"; on the way there was one better by {number(-lost, 3)}{average}"
    return f"{said}."
