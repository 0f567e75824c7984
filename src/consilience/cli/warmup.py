"""`consilience warmup`: compile everything now, so that later runs start at once."""

import time
from typing import Annotated

import typer


def warmup(
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
) -> None:
    """Compile all kernels now, so that runs start at once."""
    from ..execution import progress_bar
    from ..kernels.warmup import warmup as compile_kernels

    started = time.perf_counter()
    with progress_bar("Compiling", total=None, show=not quiet) as progress:
        progress.start(1)
        compile_kernels()
        progress.advance()
    if not quiet:
        typer.echo(f"All kernels are compiled ({time.perf_counter() - started:.1f} s).")
