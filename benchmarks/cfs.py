"""CFS with best-first search: WEKA in the same process, and bootstraps against copied rows.

WEKA 3.6 runs inside this process through JPype. Its virtual machine is started and warmed before
anything is timed, and its data are built before, too; the subset must be the same.
"""

import os
import sys
from pathlib import Path

import numpy as np

from consilience import EnsembleSelector, MostFrequent
from consilience.sampling import bootstrap_weights
from consilience.selectors.cfs import CFS
from real_data import real
from timing import Line, best_times

WEKA = Path(os.environ.get("WEKA_JAR") or "/usr/share/java/weka.jar")
N_MODELS = 150
PART = 15  # bootstraps that the loop is timed on
WARM = 5  # selections by WEKA before the clock runs; its compiler has then seen the hot loops


def run():
    lines = []
    if (colon := real("colon")) is not None:
        lines += against_weka(*colon)
    for name, promised in (("colon", 2), ("leukemia_golub", 2)):
        if (data := real(name)) is not None:
            lines += bootstraps(name, *data, promised)
    return lines


def against_weka(X, y):
    try:
        select = weka_selection(X, y)
    except (ImportError, OSError) as error:
        print(f"left out: WEKA cannot be run from here ({error})", file=sys.stderr)
        return []
    for _ in range(WARM):
        theirs = select()
    selector = CFS(random_state=0)
    if np.flatnonzero(selector.fit(X, y).support_).tolist() != theirs:
        raise AssertionError("WEKA selects another subset.")
    times = best_times({"ours": lambda: selector.fit(X, y), "weka": select})
    return [
        Line("CFS, colon 62 x 2,000, one fit",
             f"WEKA CfsSubsetEval with BestFirst, same {len(theirs)} genes, virtual machine warm",
             times["weka"], times["ours"], 10)
    ]  # fmt: skip


def weka_selection(X, y):
    """A function without arguments that runs WEKA's selection and returns the columns."""
    import jpype

    if not WEKA.is_file():
        raise OSError(f"{WEKA} is not there; WEKA_JAR may name another place")
    if not jpype.isJVMStarted():
        jpype.startJVM("-Xmx1g", "-XX:+UseSerialGC", classpath=[str(WEKA)])
    core, chosen = jpype.JPackage("weka").core, jpype.JPackage("weka").attributeSelection
    attributes, labels = core.FastVector(), core.FastVector()
    classes, codes = np.unique(y, return_inverse=True)
    for j in range(X.shape[1]):
        attributes.addElement(core.Attribute(f"f{j}"))
    for k in range(classes.size):
        labels.addElement(jpype.JString(f"c{k}"))
    attributes.addElement(core.Attribute("class", labels))
    rows = core.Instances("data", attributes, X.shape[0])
    for values in np.column_stack([X, codes]).astype(np.float64):
        rows.add(core.Instance(1.0, jpype.JDouble[:](values)))
    rows.setClassIndex(X.shape[1])

    def select():
        selection = chosen.AttributeSelection()
        selection.setEvaluator(chosen.CfsSubsetEval())
        selection.setSearch(chosen.BestFirst())
        selection.SelectAttributes(rows)
        return sorted(int(j) for j in selection.selectedAttributes())[:-1]  # the class is the last

    return select


def bootstraps(name, X, y, promised):
    """All bootstraps at once, which share the sorting and the first scores, and one by one."""
    seeds = np.random.SeedSequence(0).spawn(PART)
    copies = [np.repeat(np.arange(y.size), w) for w in bootstrap_weights(y, seeds)]
    selector = CFS(random_state=0)
    ensemble = EnsembleSelector(selector, MostFrequent(), n_models=N_MODELS, random_state=0)

    def loop():
        for rows in copies:
            selector.fit(X[rows], y[rows])

    times = best_times({"ours": lambda: ensemble.fit(X, y), "loop": loop}, rounds=3)
    scaled = times["loop"] * N_MODELS / PART
    size = f"{X.shape[0]} x {X.shape[1]:,}"
    return [
        Line(f"{N_MODELS} bootstraps of CFS, {name} {size}, whole EnsembleSelector.fit",
             f"fit on copied rows, one by one (scaled from {PART})", scaled, times["ours"],
             promised)
    ]  # fmt: skip
