"""How figures and tables of a reproduction are written."""

from .verdicts import mean_interval


def percent(value: float, low: float, high: float, digits: int = 1) -> str:
    """Write a difference of shares and its interval in percent.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.wording import percent
    >>> percent(0.012, -0.03, 0.05)
    '+1.2 (-3.0 to +5.0)'
    """
    return plain(100 * value, 100 * low, 100 * high, digits)


def plain(value: float, low: float, high: float, digits: int = 2) -> str:
    """Write a difference and its interval."""
    return f"{value:+.{digits}f} ({low:+.{digits}f} to {high:+.{digits}f})"


def each(rows, digits: int = 1, interval=mean_interval) -> str:
    """Mean and interval of differences of shares by name, in percent.

    Examples
    --------
    >>> from consilience.evaluation.reproduce.wording import each
    >>> each({"GA": [0.1, 0.2], "HC": [0.3, 0.3]}, digits=0)
    'GA +15 (-49 to +79); HC +30 (+30 to +30)'
    """
    return "; ".join(f"{name} {percent(*interval(row), digits)}" for name, row in rows.items())


def table_row(cells) -> str:
    """A row of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


def table_rule(n_columns: int) -> str:
    """The line below its head."""
    return "|" + "---|" * n_columns
