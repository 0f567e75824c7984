"""`consilience reproduce`: a paper's statements beside what its protocol gives here."""

from pathlib import Path
from typing import Annotated

import typer

from . import options as o

Paper = Annotated[str, typer.Argument(metavar="PAPER", help="Which paper: model-mining.")]
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
    str,
    typer.Option("--sets", metavar="NAMES", help="Data sets, with commas between."),
]
Order = Annotated[
    str,
    typer.Option(
        "--order",
        metavar="NAME",
        help="Order of closed itemsets: area (our default), support (the paper's word).",
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
Folds = Annotated[int, typer.Option("--folds", metavar="N", help="Folds of the cross-validation.")]


def reproduce(
    paper: Paper,
    data: DataFolder,
    sets: Sets = "leukemia_golub,colon,cns,ovarian_ms_592,relathe",
    order: Order = "area",
    models: o.Models = 150,
    folds: Folds = 10,
    seed: o.Seed = 0,
    out: Out = None,
    resume: o.Resume = False,
    jobs: o.Jobs = -1,
    backend: o.Backend = "threads",
    quiet: o.Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Rerun the experiments of PAPER and tell which of its statements hold.

    Prints each published statement beside the measured one, with a verdict: holds, does not
    hold, cannot be decided. Writes reproduction.md, reproduction.json and the comparison behind
    them into one directory. A run that was stopped goes on with --resume.

    \b
    Example:
      consilience reproduce model-mining --data datasets
    """  # noqa: D301
    from ..exceptions import UsageError
    from .reproduction import ORDERS, PAPERS, carry_out

    if paper not in PAPERS:
        raise UsageError(f"Unknown paper {paper!r}; known are {', '.join(PAPERS)}.")
    if order not in ORDERS:
        raise UsageError(f"Unknown --order {order!r}; known are {', '.join(ORDERS)}.")
    settings = {"models": models, "folds": folds, "seed": seed, "jobs": jobs, "backend": backend}
    carry_out(paper, data, sets, order, settings, out, resume=resume, quiet=quiet, as_json=as_json)
