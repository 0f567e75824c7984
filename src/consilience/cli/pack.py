"""`consilience pack`: a table of zeros and ones becomes one file of packed columns."""

from pathlib import Path
from typing import Annotated

import typer

from . import options as o


def pack(
    table: o.TableFile,
    target: o.Target = None,
    sample_names: o.SampleNames = None,
    drop: o.Drop = None,
    groups: o.Groups = None,
    transpose: o.Transpose = False,
    labels: o.Labels = None,
    feature_names: o.FeatureNames = None,
    separator: o.Separator = None,
    threshold: Annotated[
        float | None,
        typer.Option(metavar="VALUE", help="Values above it are 1, all others 0."),
    ] = None,
    append: Annotated[
        str | None,
        typer.Option(metavar="WHAT", help="Add the rows or the columns of TABLE to those in FILE."),
    ] = None,
    no_classes: Annotated[
        bool, typer.Option("--no-classes", help="TABLE has no classes; give them when it is used.")
    ] = False,
    memory: Annotated[
        float,
        typer.Option(metavar="GB", help="Columns to hold at a time; less means more passes."),
    ] = 1.0,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="The packed file; its name ends in .bits, or in .blocks for blocks of numbers.",
            show_default="name of TABLE and .bits",
        ),
    ] = None,
    quiet: o.Quiet = False,
) -> None:
    """Pack a TABLE of zeros and ones into one file, a bit for each cell.

    The file holds the classes and names as well, and every command reads it as a table, mapped
    from disk. The table is read in pieces, as often as --memory asks for, and is never in memory
    as a whole. The file appears whole or not at all.

    With a name that ends in .blocks, a table of any numbers becomes a directory of Parquet files,
    each with some columns, of which the workers of a cluster open their own. Sparse tables stay
    sparse.

    \b
    Examples:
      consilience pack fingerprints.svmlight --out compounds.bits
      consilience pack words.csv.gz -t topic
      consilience pack new.csv -t topic --append rows --out words.bits
      consilience pack methylation.csv.gz -t status --out methylation.blocks
    """  # noqa: D301
    from .packing import Packed, carry_out

    reading = {
        "target": target,
        "sample_names": sample_names,
        "drop": tuple(drop or ()),
        "groups": groups,
        "transpose": transpose,
        "labels": labels,
        "features": feature_names,
        "separator": separator,
    }
    how = Packed(threshold=threshold, append=append, classes=not no_classes, memory=memory)
    carry_out(table, reading, how, out, quiet=quiet)
