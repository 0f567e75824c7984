"""The options of the commands, declared once: words, help, and how they complete."""

from pathlib import Path
from typing import Annotated

import typer

from .names import (
    complete_aggregator,
    complete_backend,
    complete_classifier,
    complete_method,
    complete_selector,
)

TableFile = Annotated[
    Path,
    typer.Argument(
        metavar="TABLE",
        help="A row per sample, as csv, tsv, parquet, arff, svmlight, mtx, npz, h5ad or bits; the "
        "suffix may be left out.",
        show_default=False,
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        "--target",
        "-t",
        metavar="COLUMN",
        help="Column that holds the class, by name or position; files that say need none.",
    ),
]
SampleNames = Annotated[
    str | None,
    typer.Option("--id", metavar="COLUMN", help="Column that names the samples."),
]
Drop = Annotated[
    list[str] | None,
    typer.Option("--drop", metavar="COLUMN", help="Column to leave out; repeatable."),
]
Nominal = Annotated[
    list[str] | None,
    typer.Option(
        "--nominal",
        metavar="COLUMNS",
        help="Columns of names, even if they look like numbers; commas between; repeatable.",
    ),
]
Groups = Annotated[
    str | None,
    typer.Option(
        "--groups",
        metavar="COLUMN",
        help="Column of what belongs together, such as the patient; never split, no feature.",
    ),
]
Transpose = Annotated[
    bool,
    typer.Option("--transpose", help="Samples are in columns, features in rows."),
]
Labels = Annotated[
    Path | None,
    typer.Option("--labels", metavar="FILE", help="The classes, where TABLE has none."),
]
FeatureNames = Annotated[
    Path | None,
    typer.Option("--names", metavar="FILE", help="Feature names, where TABLE has none."),
]
Separator = Annotated[
    str | None,
    typer.Option(
        "--separator",
        metavar="CHARACTER",
        help="What is between columns, or its name: comma, tab, ...; else it is found out.",
    ),
]
Features = Annotated[
    int,
    typer.Option("--features", "-n", metavar="N", help="Size of the panel to find."),
]
Selector = Annotated[
    str,
    typer.Option(
        "--selector",
        metavar="NAME",
        help="How to select from one sample; see consilience methods.",
        autocompletion=complete_selector,
    ),
]
Aggregator = Annotated[
    str,
    typer.Option(
        "--aggregator",
        metavar="NAME",
        help="How the selections become one panel; see consilience methods.",
        autocompletion=complete_aggregator,
    ),
]
Method = Annotated[
    str,
    typer.Option(
        "--method",
        metavar="NAME",
        help="How the panel is found: ensemble, dafs, qifs, ...; see consilience methods.",
        autocompletion=complete_method,
    ),
]
Models = Annotated[
    int,
    typer.Option("--models", metavar="N", help="Samples of the rows to select from."),
]
Share = Annotated[
    float,
    typer.Option(
        "--share",
        metavar="SHARE",
        help="Share of the rows in each sample, without replacement; 0 draws bootstraps.",
    ),
]
Panels = Annotated[
    int | None,
    typer.Option(
        "--panels",
        metavar="N",
        help="How many panels, of an aggregator that gives several.",
        show_default="10",
    ),
]
Folds = Annotated[
    int,
    typer.Option(
        "--folds",
        metavar="N",
        help="Folds of the cross-validation that tells the error; 0 skips it.",
    ),
]
Classifier = Annotated[
    str,
    typer.Option(
        "--classifier",
        metavar="NAME",
        help="Whose error is told: svm, knn, tree, j48, or balanced-svm or balanced-forest, to "
        "which all classes weigh the same.",
        autocompletion=complete_classifier,
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed",
        metavar="N",
        help="The same seed gives the same result with any number of jobs.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="DIRECTORY",
        help="Where the run is kept.",
        show_default="name of TABLE and -run",
    ),
]
AlternativesOut = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="DIRECTORY",
        help="Where the run is kept.",
        show_default="name of TABLE and -alternatives",
    ),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with a run that was stopped.")]
Jobs = Annotated[
    int,
    typer.Option("--jobs", "-j", metavar="N", help="How much to do at a time; -1 is all cores."),
]
Backend = Annotated[
    str,
    typer.Option(
        "--backend",
        metavar="NAME",
        help="What does the jobs: threads or processes.",
        autocompletion=complete_backend,
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Dask scheduler whose workers do the jobs, such as tcp://10.0.0.1:8786, or its "
        "--scheduler-file.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print result.json and nothing else.")]
