"""Rows left out one after the other, in blocks that are the tasks of a run."""

from typing import NamedTuple

import numpy as np

from ...execution import run_tasks
from ...heard import all_but

TOGETHER = 6  # rows of one block
# What DAFS says of each of hundreds of fits, and the figures say once.
EXPECTED = (
    r".*features \(.*\) (are|is) in none of the",
    "Features with more accurate members score",
)


class Block(NamedTuple):
    """Some rows to be left out.

    Attributes
    ----------
    kind : str
        What they are left out of: a data set, or a setting.
    rows : int array
        The rows.
    key : str
        Name of the task in a checkpoint.
    """

    kind: str
    rows: np.ndarray
    key: str


def make_blocks(kind: str, key: str, y, most: int | None = None) -> list[Block]:
    """Cut the rows into blocks in which the classes are mixed, so that none takes a whole class.

    Parameters
    ----------
    kind, key : str
        What the rows are left out of, and how the names of its tasks begin.
    y : int array of shape (n_samples,)
        Class of each row.
    most : int, default=None
        Number of rows, spread over the classes; None is all.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.evaluation.reproduce.dafs_blocks import make_blocks
    >>> [block.rows for block in make_blocks("colon", "c", np.repeat([0, 1], 4))]
    [array([0, 2, 4, 6]), array([1, 3, 5, 7])]
    """
    order = np.argsort(y, kind="stable")
    if most is not None and most < order.size:
        order = order[np.linspace(0, order.size - 1, most).round().astype(int)]
    n_blocks = -(-order.size // TOGETHER)
    return [Block(kind, np.sort(order[b::n_blocks]), f"{key}.{b:03d}") for b in range(n_blocks)]


def row_seed(random_state: int, row: int) -> int:
    """A seed that depends on the row and not on which others are left out.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.dafs_blocks import row_seed
    >>> row_seed(0, 3) == row_seed(0, 3) != row_seed(1, 3)
    True
    """
    seed = np.random.SeedSequence(random_state, spawn_key=(int(row),))
    return int(seed.generate_state(1)[0] % 2**31)


def run_blocks(function, blocks: list[Block], shared: tuple, tell=None, **how) -> list[dict]:
    """Run the first block of each kind, tell what the whole will cost, then run the others.

    Parameters
    ----------
    function : callable
        As in `run_tasks`; its result has `spent`, the CPU seconds of each row.
    blocks : list of Block
        The tasks.
    shared : tuple
        As in `run_tasks`.
    tell : callable, default=None
        Gets the CPU seconds of the whole, estimated from the first blocks.
    **how
        Options of `run_tasks`.

    Returns
    -------
    list of dict
        In the order of the blocks.
    """
    kinds = [block.kind for block in blocks]
    first = [i for i, kind in enumerate(kinds) if kind not in kinds[:i]]
    rest = [i for i in range(len(blocks)) if i not in first]
    found = {}
    for part in (first, rest):
        chosen = [blocks[i] for i in part]
        keys = [block.key for block in chosen]
        results = run_tasks(run_quietly, chosen, shared=(function, shared), keys=keys, **how)
        found |= dict(zip(part, results, strict=True))
        if part is first and tell is not None:
            tell(_whole_cost(blocks, {kinds[i]: found[i]["spent"] for i in first}))
    return [found[i] for i in range(len(blocks))]


def run_quietly(function, shared, block) -> dict:
    """Run one block, and say nothing of what is expected."""
    with all_but(EXPECTED):
        return function(*shared, block)


def _whole_cost(blocks, spent) -> float:
    """Seconds of all blocks; the first row of the first block may have had to compile."""
    each = {kind: float(np.mean(own[1:] if own.size > 1 else own)) for kind, own in spent.items()}
    return sum(each[block.kind] * block.rows.size for block in blocks)
