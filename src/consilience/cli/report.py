"""`consilience report`: render the page of a run again."""

from pathlib import Path
from typing import Annotated

import typer


def report(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="Directory that an earlier command wrote.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Page to write.", show_default="RUN/report.html"),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
) -> None:
    """Render the page of a finished run again.

    It is made from result.json and models.npz, or from comparison.json; nothing is computed
    anew.

    \b
    Example:
      consilience report genes-run
    """  # noqa: D301
    from ..exceptions import UsageError
    from ..report.load import load_result
    from ..report.render import write_report

    if run.is_file():
        raise UsageError(f"'{run}' is a file; give the directory of the run, '{run.parent}'.")
    page = out or run / "report.html"
    if (run / "comparison.json").exists():
        from ..evaluation import Comparison
        from ..report.comparison import write_comparison

        write_comparison(Comparison.load(run / "comparison.json"), page)
    else:
        write_report(load_result(run), page)
    if not quiet:
        typer.echo(f"Page: {page}")
