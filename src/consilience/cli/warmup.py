"""`consilience warmup`: compile everything now, so that later runs start at once."""

import time
from typing import Annotated

import typer


def warmup(
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
) -> None:
    """Compile all kernels now, so that runs start at once."""
    from ..execution import progress_bar
    from ..ensemble.warmup import warmup as compile_kernels

    started = time.perf_counter()
    with progress_bar("Compiling", total=None, show=not quiet) as progress:
        compile_kernels(lambda done, total: _advance(progress, done, total))
    if not quiet:
        typer.echo(f"All kernels are compiled ({time.perf_counter() - started:.1f} s).")


def _advance(progress, done, total):
    if done == 1:
        progress.start(total)
    progress.advance()
