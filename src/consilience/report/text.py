"""Numbers and names as people read them: rounding, intervals, counts, shortened labels."""

import math
import unicodedata

MISSING = "–"
MINUS = "\N{MINUS SIGN}"
TIE = "\N{NO-BREAK SPACE}"  # keeps a number and its unit on one line


def clean_name(name) -> str:
    r"""Return a name from the data as text that can be shown and encoded.

    Control characters and lone surrogates, which no page can show, become the replacement
    character; everything else stays, markup included (escaping is the template's business).

    Examples
    --------
    >>> clean_name("a\tb <i>")
    'a�b <i>'
    """
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(letter) in ("Cc", "Cs") else letter
        for letter in str(name)
    )


def shorten(name: str, width: int) -> str:
    """Cut the middle out of a long name: probes and ions differ at both ends.

    Examples
    --------
    >>> shorten("AFFX-HUMGAPDH/M33197_5_at", 16)
    'AFFX-HUM…97_5_at'
    """
    if len(name) <= width:
        return name
    head = width // 2
    return name[:head] + "…" + name[len(name) - (width - head - 1) :]


def is_number(value) -> bool:
    """Tell whether there is something to print: neither None nor NaN nor infinite."""
    return value is not None and math.isfinite(value)


def number(value, digits: int = 2) -> str:
    """Print a number to `digits` decimals.

    Examples
    --------
    >>> number(0.614), number(-0.2), number(-0.001), number(None)
    ('0.61', '−0.20', '0.00', '–')
    """
    if not is_number(value):
        return MISSING
    text = f"{value:,.{digits}f}"
    if not text.strip("-0.,"):
        text = text.lstrip("-")  # nothing is left to have a sign
    return text.replace("-", MINUS)


def signed(value, digits: int = 2) -> str:
    """Print a number with its sign, as effects and differences are read.

    Examples
    --------
    >>> signed(1.9), signed(-1.9), signed(0.0016)
    ('+1.90', '−1.90', '0.00')
    """
    text = number(value, digits)
    return "+" + text if is_number(value) and value > 0 and text.strip("0.,") else text


def figures(value, n_figures: int = 3) -> str:
    """Print a value of unknown scale to `n_figures` significant figures.

    Examples
    --------
    >>> figures(12345.6), figures(1.2345), figures(0.000123), figures(0)
    ('12,346', '1.23', '0.000123', '0')
    """
    if not is_number(value):
        return MISSING
    if value == 0:
        return "0"
    digits = n_figures - 1 - math.floor(math.log10(abs(value)))
    return number(value, min(max(digits, 0), 8))


def count(value) -> str:
    """Print a whole number with separated thousands.

    Examples
    --------
    >>> count(7129)
    '7,129'
    """
    return MISSING if value is None else f"{round(value):,}"


def counted(value: int, noun: str, plural: str | None = None) -> str:
    """Print a count with its noun in the right number.

    Examples
    --------
    >>> counted(1, "feature"), counted(20, "feature"), counted(2, "class", "classes")
    ('1 feature', '20 features', '2 classes')
    """
    return f"{count(value)} {noun if value == 1 else plural or noun + 's'}"


def decimals(*estimates) -> int:
    """Return how many decimals tell these estimates from each other: 2, or 3 for narrow ones.

    Examples
    --------
    >>> decimals({"value": 0.6, "low": 0.5, "high": 0.7})
    2
    >>> decimals({"value": 1.0, "low": 1.0 - 2e-16, "high": 1.0})
    2
    >>> decimals({"value": 0.017, "low": 0.012, "high": 0.024}, None)
    3
    """
    tiny = 1e-9  # the rounding of an interval without width
    for estimate in filter(None, estimates):
        value, low, high = (estimate.get(key) for key in ("value", "low", "high"))
        narrow = is_number(low) and is_number(high) and tiny < high - low < 0.02
        if narrow or (is_number(value) and 0 < abs(value) < 0.01):
            return 3
    return 2


def interval(estimate, digits: int | None = None) -> str:
    """Print an estimate with its 95 % interval where there is one.

    Examples
    --------
    >>> interval({"value": 0.612, "low": 0.55, "high": 0.66})
    '0.61 (0.55 to 0.66)'
    >>> interval({"value": 0.45, "low": None, "high": None})
    '0.45'
    >>> interval({"value": 0.33, "low": 0.33, "high": 0.33})  # too little to tell how sure it is
    '0.33'
    >>> interval({"value": 0.0012, "low": 0.0004, "high": 0.0035})
    '0.001 (0.000 to 0.004)'
    """
    if estimate is None:
        return MISSING
    digits = decimals(estimate) if digits is None else digits
    text = number(estimate["value"], digits)
    low, high = estimate.get("low"), estimate.get("high")
    if is_number(low) and is_number(high) and low < high:
        text += f" ({number(low, digits)} to {number(high, digits)})"
    return text


def difference(estimate) -> str:
    """Print a difference with its 95 % interval, signs throughout.

    Examples
    --------
    >>> difference({"value": -0.02, "low": -0.06, "high": 0.02})
    '−0.02 (−0.06 to +0.02)'
    """
    digits = decimals({**estimate, "value": None})  # a difference of nothing is no small figure
    text = signed(estimate["value"], digits)
    if is_number(estimate["low"]) and is_number(estimate["high"]):
        text += f" ({signed(estimate['low'], digits)} to {signed(estimate['high'], digits)})"
    return text


def p_value(value) -> str:
    """Print a p-value without its letter.

    Examples
    --------
    >>> p_value(0.6), p_value(0.0123), p_value(0.0001)
    ('0.60', '0.012', '< 0.001')
    """
    if not is_number(value):
        return MISSING
    if value < 0.001:
        return "< 0.001"
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}"


def listing(words: list[str]) -> str:
    """Join words as a sentence does.

    Examples
    --------
    >>> listing(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
