"""`consilience reproduce`: a paper's statements beside what its protocol gives here."""

from pathlib import Path
from typing import Annotated

import typer

from . import options as o

Paper = Annotated[
    str,
    typer.Argument(
        metavar="PAPER",
        help="Which paper: model-mining, dafs, qifs, gas-sefs or imbalance-wrapper.",
    ),
]
DataFolder = Annotated[
    Path,
    typer.Option(
        "--data",
        metavar="FOLDER",
        envvar="CONSILIENCE_DATA",
        help="Folder of the data sets, as npz files.",
        show_default=False,
    ),
]
Sets = Annotated[
    str | None,
    typer.Option(
        "--sets",
        metavar="NAMES",
        help="Data sets, with commas between.",
        show_default="those of PAPER that are to be had",
    ),
]
Order = Annotated[
    str | None,
    typer.Option(
        "--order",
        metavar="NAME",
        help="Order of closed itemsets: area, support (the paper's word); model-mining only.",
        show_default="area",
    ),
]
Models = Annotated[
    int | None,
    typer.Option(
        "--models",
        metavar="N",
        help="Samples of the rows to select from; model-mining only.",
        show_default="150",
    ),
]
Rows = Annotated[
    int | None,
    typer.Option(
        "--rows",
        metavar="N",
        help="Rows to leave out of each set, for a quick look; 0 is all; dafs only.",
        show_default="0",
    ),
]
Rounds = Annotated[
    int | None,
    typer.Option(
        "--rounds",
        metavar="N",
        help="Rounds of Qifs after its first member; qifs only.",
        show_default="50",
    ),
]
Runs = Annotated[
    int | None,
    typer.Option(
        "--runs",
        metavar="N",
        help="Splits of each set, 70 in the paper of gas-sefs and 1 in that of imbalance-wrapper; "
        "these two only.",
        show_default="20 for gas-sefs, 2 for imbalance-wrapper",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="DIRECTORY",
        help="Where it is kept.",
        show_default="name of PAPER and -reproduction",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print reproduction.json and nothing else.")]
Folds = Annotated[
    int | None,
    typer.Option(
        "--folds",
        metavar="N",
        help="Folds of the cross-validation; model-mining and qifs only.",
        show_default="10 for model-mining, 5 for qifs",
    ),
]


def reproduce(
    paper: Paper,
    data: DataFolder,
    sets: Sets = None,
    order: Order = None,
    models: Models = None,
    folds: Folds = None,
    rows: Rows = None,
    rounds: Rounds = None,
    runs: Runs = None,
    seed: o.Seed = 0,
    out: Out = None,
    resume: o.Resume = False,
    jobs: o.Jobs = -1,
    backend: o.Backend = "threads",
    cluster: o.Cluster = None,
    quiet: o.Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Rerun the experiments of PAPER and tell which of its statements hold.

    Prints each published statement beside the measured one, with a verdict: holds, does not
    hold, cannot be decided. Writes reproduction.md, reproduction.json and the figures behind
    them into one directory. A run that was stopped goes on with --resume.

    \b
    Example:
      consilience reproduce model-mining --data datasets
      consilience reproduce dafs --data datasets --rows 10
      consilience reproduce qifs --data datasets --sets hiva
      consilience reproduce gas-sefs --data datasets --runs 3
      consilience reproduce imbalance-wrapper --data datasets --sets re0,oil --runs 1
    """  # noqa: D301
    from .cluster import on_cluster
    from .reproduction import carry_out, find_paper

    given = {"models": models, "folds": folds, "order": order, "rows": rows, "rounds": rounds}
    given |= {"runs": runs, "seed": seed}
    again = find_paper(paper)(paper, given, jobs, backend)
    with on_cluster(cluster, show=not quiet):
        carry_out(again, data, sets, out, resume=resume, quiet=quiet, as_json=as_json)
