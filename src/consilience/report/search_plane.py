"""How the search went: accuracy and diversity of each generation, and what the members ended as."""

import numpy as np

PLANE = ("mean_accuracy", "mean_diversity", "best_accuracy", "best_diversity")
FITNESS = ("best_fitness", "mean_fitness")
# What one entry of the history is, where no population is bred: singular and plural.
UNITS = {"hill-climbing": ("pass", "passes"), "sequential-selection": ("step", "steps")}
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
        the first process had nobody to differ from, whether fitness grew.

    Examples
    --------
    >>> from consilience.report.search_plane import search_facts
    >>> history = {"process": [0, 0], "generation": [0, 1], "best_fitness": [0.5, 0.75]}
    >>> document = {"method": "ga", "search": history, "rounds": [], "committee": {}}
    >>> found = search_facts(document)
    >>> found["processes"][0]["best_fitness"], found["gain"]
    ([0.5, 0.75], 0.25)
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
        "sizes": "mean_size" in history,
        "gain": _gain(processes),
    }


def _processes(history: dict) -> list[dict]:
    """Split the columns of the history by process, generations ascending, few enough to draw."""
    process = np.asarray(history["process"], dtype=float)
    found = []
    for number in np.unique(process):
        rows = np.flatnonzero(process == number)
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
        found.append({"number": int(number) + 1, **told})
    return found


def _is_alone(process: dict) -> bool:
    """Tell whether there is one subset at a time, which is its own population."""
    return all(
        process[f"mean_{key}"] == process[f"best_{key}"] for key in ("accuracy", "diversity")
    )


def _differs(process: dict) -> bool:
    return any(process["mean_diversity"]) or any(process["best_diversity"])


def _gain(processes: list[dict]) -> float | None:
    """Return by how much the fitness of the best grew, on average over the processes."""
    grown = [
        process["best_fitness"][-1] - process["best_fitness"][0]
        for process in processes
        if process.get("best_fitness") and None not in process["best_fitness"]
    ]
    return float(np.mean(grown)) if grown else None
