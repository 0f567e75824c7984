"""The program `consilience`: its commands, and the way out when something goes wrong."""

import shutil
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from .. import __version__
from .alternatives import alternatives
from .compare import compare
from .demo import demo
from .errors import INTERRUPTED, explain
from .methods import methods
from .pack import pack
from .report import report
from .reproduce import reproduce
from .select import select
from .warmup import warmup

app = typer.Typer(
    name="consilience",
    rich_markup_mode=None,  # plain help: in a narrow terminal boxes leave no room for words
    pretty_exceptions_enable=False,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "terminal_width": min(max(shutil.get_terminal_size().columns - 2, 30), 88),
    },
)
for command in (select, alternatives, compare, demo, methods, pack, report, reproduce, warmup):
    app.command()(command)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"consilience {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def consilience(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Find the few features that hold up, in data with far more columns than rows.

    \b
    Examples:
      consilience demo
      consilience select genes.csv --target diagnosis
    """  # noqa: D301
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Parameters
    ----------
    arguments : sequence of str, default=None
        Words after `consilience`; None takes those of the process.

    Returns
    -------
    int
        Exit code: 0, or 2 after one plain sentence on standard error, or 130 after Ctrl-C.

    Examples
    --------
    >>> from consilience.cli import main
    >>> main(["--version"])
    consilience 0...
    0
    """
    # A name that the terminal cannot show is no reason to die.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        words = None if arguments is None else list(arguments)
        code = app(args=words, prog_name="consilience", standalone_mode=False)
        if code == INTERRUPTED:  # how newer versions of typer say it; nobody has heard of it yet
            raise KeyboardInterrupt
    except (Exception, KeyboardInterrupt) as error:
        code = explain(error)
    return code if isinstance(code, int) else 0
