"""What `consilience pack` does: look at the table, say what it takes, pack it, say what came."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import typer

from ..data.pack import Packing, check_out, plan_packing
from ..exceptions import UsageError
from ..execution import Progress, available_memory, format_bytes, progress_bar
from .errors import INTERRUPTED, say
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
    if out is not None and out.suffix == ".blocks":
        return _write_blocks(path, reading, how, out, quiet=quiet)
    out = out or Path(f"{Path(path.name.removesuffix('.gz')).stem}.bits")
    if how.memory <= 0:
        raise UsageError(f"--memory is a number of gigabytes above 0, and not {how.memory:g}.")
    check_out(out)
    if out.exists() and how.append is None:
        raise UsageError(
            f"'{out}' exists already; choose another name with --out, add to it with --append, or "
            "remove it first."
        )
    free = available_memory()
    memory = how.memory * 1e9 if free is None else min(how.memory * 1e9, free / 2)
    started = time.perf_counter()
    with progress_bar("Looking", show=not quiet) as progress:
        packing = plan_packing(
            path,
            out,
            **reading,
            threshold=how.threshold,
            append=how.append,
            classes=how.classes,
            memory=memory,
            tell=_percents(progress),
        )
    if not quiet:
        typer.echo(_told(path, packing, how))
    try:
        with progress_bar("Packing", show=not quiet) as progress:
            n_ones = packing.run(_percents(progress))
    except KeyboardInterrupt:
        say(f"Stopped; '{out}' is as it was before.")
        raise typer.Exit(INTERRUPTED) from None
    if not quiet:
        share = _percent(n_ones / (packing.n_samples * packing.n_features))
        size, seconds = format_bytes(out.stat().st_size), time.perf_counter() - started
        typer.echo(f"Packed: {out} ({size}, {share} ones, {seconds:.1f} s)")
    return out


def _write_blocks(path: Path, reading: dict, how: Packed, out: Path, *, quiet: bool) -> Path:
    """Write a table of numbers as blocks of columns."""
    from ..data.block_matrix import BlockMatrix
    from ..data.readers import read_table

    if how.append is not None or how.threshold is not None or not how.classes:
        raise UsageError(
            "Blocks of numbers are written as they are; leave out --append, --threshold and "
            "--no-classes, or give --out a name that ends in .bits."
        )
    if out.exists():
        raise UsageError(f"'{out}' exists already; choose another name with --out, or remove it.")
    started = time.perf_counter()
    table = read_table(path, **reading)
    if table.categorical_features is not None:
        name = table.feature_names[np.argmax(table.categorical_features)]
        raise UsageError(
            f"'{path}': column '{name}' holds categories, and blocks hold numbers; leave it out "
            "with --drop, or code it as numbers."
        )
    X = table.X.toarray() if hasattr(table.X, "toarray") else table.X
    blocks = BlockMatrix.split(X)
    labels = {"feature_names": table.feature_names, "sample_names": table.sample_names}
    blocks.save(out, y=table.y, groups=table.groups, target=table.target, **labels)
    if not quiet:
        many, seconds = len(blocks.blocks), time.perf_counter() - started
        shape = f"{table.n_samples:,} samples, {table.n_features:,} features"
        typer.echo(f"{path}: {shape}")
        typer.echo(f"Written: {out} ({many} block{'' if many == 1 else 's'}, {seconds:.1f} s)")
    return out


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


def _told(path: Path, packing: Packing, how: Packed) -> str:
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
