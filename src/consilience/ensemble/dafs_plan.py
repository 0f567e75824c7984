"""What DAFS says of the work before it does it."""

import sys

from ..execution import Progress, format_bytes


def tell_plan(work, sampling: str, memory: int, seconds: float | None) -> None:
    """Print how many members of which size there will be, and what they will cost."""
    plan, n_rows = work.plan, work.y_held.size
    cost = f"about {format_bytes(memory)} of memory"
    if seconds is not None:
        cost += f" and about {format_seconds(seconds)} with one worker"
    print(  # noqa: T201
        f"DAFS: {plan.n_subspaces:,} {sampling} subspaces of {plan.subspace_size:,} of "
        f"{plan.n_features:,} features, judged on {n_rows} rows.\n"
        f"A feature is in {plan.expected_hits:.3g} of them on average; {_missed(plan)}.\n"
        f"The members need {cost}.",
        file=sys.stderr,
    )


def _missed(plan) -> str:
    """How many features to expect in no subspace, in words."""
    covered = f"P_cov {plan.coverage:.6g}"
    if plan.expected_uncovered < 0.5:
        return f"hardly any will be in none ({covered})"
    return f"about {plan.expected_uncovered:,.0f} will be in none and cannot be chosen ({covered})"


def format_seconds(seconds: float) -> str:
    """A length of time in the unit that suits it.

    Examples
    --------
    >>> from consilience.ensemble.dafs_plan import format_seconds
    >>> format_seconds(0.2), format_seconds(95), format_seconds(9000)
    ('1 second', '95 seconds', '2.5 hours')
    """
    if seconds < 1.5:
        return "1 second"
    if seconds < 120:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:.1f} hours"


class After(Progress):
    """Progress of the tasks that follow some finished ones, told as one run.

    Parameters
    ----------
    progress : Progress
        Who is told.
    done : int
        How many were finished before.
    """

    def __init__(self, progress: Progress, done: int):
        self._progress = progress
        self._done = done

    def start(self, total: int, done: int = 0) -> None:
        """Begin, the earlier tasks counted as finished."""
        self._progress.start(total + self._done, done + self._done)

    def advance(self, n: int = 1) -> None:
        """Count finished tasks."""
        self._progress.advance(n)

    def finish(self) -> None:
        """End."""
        self._progress.finish()
