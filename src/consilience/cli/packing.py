"""What `consilience pack` does: look at the table, say what it takes, pack it, say what came."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import typer

from ..data.pack import Packing, check_out, plan_packing
from ..data.pack_blocks import BlocksPacking, plan_blocks
from ..exceptions import UsageError
from ..execution import Progress, available_memory, format_bytes, progress_bar
from .errors import Stopped
from .reading import find_file
from .show import printable


@dataclass(frozen=True)
class Packed:
    """How a table is to be packed, in the words of the command."""

    threshold: float | None = None
    append: str | None = None
    classes: bool = True
    memory: float = 1.0


def carry_out(
    table: Path, reading: dict, how: Packed, out: Path | None, *, quiet: bool = False
) -> Path:
    """Pack a table into `out`, by default beside the working directory's other files."""
    path = find_file(table)
    as_blocks = out is not None and out.suffix.lower() == ".blocks"
    out = out or Path(f"{Path(path.name.removesuffix('.gz')).stem}.bits")
    _check(how, out, as_blocks)
    free = available_memory()
    memory = how.memory * 1e9 if free is None else min(how.memory * 1e9, free / 2)
    plan, write = (plan_blocks, _write_blocks) if as_blocks else (plan_packing, _write_bits)
    only_bits = {} if as_blocks else {"threshold": how.threshold, "append": how.append}
    started = time.perf_counter()
    with progress_bar("Looking", show=not quiet) as progress:
        packing = plan(
            path, out, **reading, **only_bits, classes=how.classes, memory=memory,
            tell=_percents(progress),
        )  # fmt: skip
    if not quiet:
        typer.echo(_told(path, packing, how))
    try:
        with progress_bar("Packing", show=not quiet) as progress:
            told = write(packing, _percents(progress))
    except KeyboardInterrupt:
        raise Stopped(f"Stopped; '{out}' is as it was before.") from None
    if not quiet:
        typer.echo(f"Packed: {out} ({told}, {time.perf_counter() - started:.1f} s)")
    return out


def _check(how: Packed, out: Path, as_blocks: bool) -> None:
    if how.memory <= 0:
        raise UsageError(f"--memory is a number of gigabytes above 0, and not {how.memory:g}.")
    if as_blocks and (how.append is not None or how.threshold is not None):
        raise UsageError(
            "Blocks of numbers are written as they are; leave out --append and --threshold, or "
            "give --out a name that ends in .bits."
        )
    if not as_blocks:
        check_out(out)
    if out.exists() and how.append is None:
        more = "" if as_blocks else " add to it with --append,"
        raise UsageError(
            f"'{out}' exists already; choose another name with --out,{more} or remove it first."
        )


def _write_bits(packing: Packing, tell: Callable[[float], None]) -> str:
    """Write the file, and say what is in it."""
    n_ones = packing.run(tell)
    share = _percent(n_ones / (packing.n_samples * packing.n_features))
    return f"{format_bytes(packing.out.stat().st_size)}, {share} ones"


def _write_blocks(packing: BlocksPacking, tell: Callable[[float], None]) -> str:
    """Write the directory, and say what is in it."""
    n_blocks = packing.run(tell)
    size = sum(file.stat().st_size for file in packing.out.iterdir())
    return f"{format_bytes(size)}, {packing.kind}, {n_blocks} block{'' if n_blocks == 1 else 's'}"


def _percents(progress: Progress) -> Callable[[float], None]:
    """Give what moves a bar of a hundred steps to a share."""
    progress.start(100)
    done = 0

    def tell(share: float) -> None:
        nonlocal done
        if int(100 * share) > done:
            progress.advance(int(100 * share) - done)
            done = int(100 * share)

    return tell


def _told(path: Path, packing: Packing | BlocksPacking, how: Packed) -> str:
    """What will be done, in two lines."""
    classes = packing.classes
    if classes is None:
        about = "no classes"
    else:
        names, counts = np.unique(classes, return_counts=True)
        shown = [
            f"{printable(str(name))} ({n})" for name, n in zip(names[:6], counts[:6], strict=True)
        ]
        about = "classes " + ", ".join(shown + ["..."] * (len(names) > 6))
    what = "the whole will be " if how.append else ""
    passes = "one pass" if packing.n_passes == 1 else f"{packing.n_passes} passes"
    return (
        f"{path}: {what}{packing.n_samples:,} samples, {packing.n_features:,} features; {about}\n"
        f"It will take {format_bytes(packing.n_bytes)} packed, and {passes} over the table with "
        f"at most {format_bytes(packing.memory)} of columns in memory"
    )


def _percent(share: float) -> str:
    """A share in per cent, without powers of ten: three digits, one where it is very small."""
    digits = 3 if share >= 1e-5 else 1
    return np.format_float_positional(100 * share, digits, fractional=False, trim="-") + " %"
