"""`consilience warmup`: compile everything now, so that later runs start at once."""

import time
from typing import Annotated

import typer


def warmup(
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
) -> None:
    """Compile all kernels now, so that runs start at once."""
    from ..committee.warmup import warm_committees
    from ..ensemble.warmup import warmup as compile_kernels
    from ..ensemble.wrapper_warmup import warm_wrapper
    from ..execution import progress_bar
    from ..integration.warmup import warm_integration
    from ..learners.warmup import warm_bayes, warm_bits, warm_trees

    started = time.perf_counter()
    with progress_bar("Compiling", total=1, show=not quiet) as progress:

        def tell(done: int, total: int) -> None:
            if done == 1:  # now the number of steps is known
                progress.start(total)
            progress.advance()

        compile_kernels(tell)
        warm_bits()
        warm_bayes()
        warm_trees()
        warm_integration()
        warm_committees()
        warm_wrapper()
    if not quiet:
        typer.echo(f"All kernels are compiled ({time.perf_counter() - started:.1f} s).")
