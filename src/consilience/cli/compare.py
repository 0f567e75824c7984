"""`consilience compare`: which selector and aggregator do best on one's own data."""

from pathlib import Path
from typing import Annotated

import typer

from . import options as o

DataFiles = Annotated[
    list[Path],
    typer.Argument(
        metavar="TABLE",
        help="Files to compare on, read alike; a row per sample.",
        show_default=False,
    ),
]
Selectors = Annotated[
    str,
    typer.Option("--selectors", metavar="NAMES", help="Selectors, with commas between."),
]
Aggregators = Annotated[
    str,
    typer.Option("--aggregators", metavar="NAMES", help="Aggregators, with commas between."),
]
Classifiers = Annotated[
    str,
    typer.Option(
        "--classifiers",
        metavar="NAMES",
        help="Whose errors count, with commas between: svm, knn, tree, j48, balanced-svm, "
        "balanced-forest.",
    ),
]
Folds = Annotated[int, typer.Option("--folds", metavar="N", help="Folds of the cross-validation.")]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="DIRECTORY",
        help="Where the comparison is kept.",
        show_default="name of the first TABLE and -comparison",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print comparison.json and nothing else.")]


def compare(
    tables: DataFiles,
    selectors: Selectors = "ridge-rfe,symmetrical-uncertainty",
    aggregators: Aggregators = "average-rank,most-frequent,closed-itemsets",
    classifiers: Classifiers = "svm,knn,j48",
    target: o.Target = None,
    sample_names: o.SampleNames = None,
    drop: o.Drop = None,
    nominal: o.Nominal = None,
    groups: o.Groups = None,
    transpose: o.Transpose = False,
    features: o.Features = 20,
    models: o.Models = 150,
    share: o.Share = 0.0,
    folds: Folds = 10,
    seed: o.Seed = 0,
    out: Out = None,
    resume: o.Resume = False,
    jobs: o.Jobs = -1,
    backend: o.Backend = "threads",
    cluster: o.Cluster = None,
    quiet: o.Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Compare selectors and aggregators on your data: error and stability.

    All see the same folds and the same bootstraps, beside one selection without resampling
    (nobagg). Writes comparison.json, comparison.csv and a page (report.html) into one directory.
    A comparison that was stopped goes on with --resume and gives the same answer.

    \b
    Examples:
      consilience compare genes.csv -t diagnosis --selectors relieff,svm-rfe
      consilience compare colon.npz lung.npz --aggregators mostFreq,avgRank
    """  # noqa: D301
    from .cluster import on_cluster
    from .comparison import ComparisonPlan, carry_out
    from .reading import Reading, split

    plan = ComparisonPlan(
        selectors=selectors,
        aggregators=aggregators,
        classifiers=classifiers,
        features=features,
        models=models,
        share=share,
        folds=folds,
        seed=seed,
        jobs=jobs,
        backend=backend,
    )
    how = {"target": target, "sample_names": sample_names, "drop": tuple(drop or ())}
    how["nominal"] = split(nominal)
    readings = [Reading(path, **how, groups=groups, transpose=transpose) for path in tables]
    with on_cluster(cluster, show=not quiet):
        carry_out(readings, plan, out, resume=resume, quiet=quiet, as_json=as_json)
