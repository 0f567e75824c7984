"""A summary as one self-contained HTML page."""

import base64
import datetime
import hashlib
import json
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from . import text
from .figures import figures

TEMPLATES = Path(__file__).parent / "templates"


def write_report(result, path) -> Path:
    """Write the report of a selection result as one HTML file that opens offline.

    Parameters
    ----------
    result : SelectionResult
        From `EnsembleSelector.result_` or `SelectionResult.load`.
    path : str or path-like
        File to write. It is replaced as a whole or not at all.

    Returns
    -------
    Path
        The file written.

    Examples
    --------
    >>> import tempfile
    >>> from consilience import EnsembleSelector, make_planted, write_report
    >>> made = make_planted(40, 50, random_state=0)
    >>> ensemble = EnsembleSelector(n_features_to_select=5, n_models=10, random_state=0)
    >>> result = ensemble.fit(made.X, made.y).result_
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(result, f"{folder}/report.html").name
    'report.html'
    """
    from ..execution.atomic import write_text
    from .summary import summarise

    path = Path(path)
    write_text(path, render(summarise(result)))
    return path


def render(summary: dict) -> str:
    """Return the page of a summary.

    The page loads nothing: style, script, plotly and data are inside, and a content security
    policy forbids every request and every script but those whose hash it names. Names from the
    data therefore stay text even where an escape were forgotten.

    Parameters
    ----------
    summary : dict
        What `summarise` returns.

    Returns
    -------
    str

    Examples
    --------
    >>> from consilience import EnsembleSelector, make_planted
    >>> from consilience.report.render import render
    >>> from consilience.report.summary import summarise
    >>> made = make_planted(40, 50, random_state=0)
    >>> ensemble = EnsembleSelector(n_features_to_select=5, n_models=10, random_state=0)
    >>> render(summarise(ensemble.fit(made.X, made.y).result_))[:15]
    '<!DOCTYPE html>'
    """
    return render_page("page.html", summary, figures(summary))


def render_page(template: str, summary: dict, specifications: dict[str, dict]) -> str:
    """Return a page of any template, with style, scripts, figures and policy in it.

    Parameters
    ----------
    template : str
        File in the folder of templates.
    summary : dict
        What the template shows.
    specifications : dict of str to dict
        The figures by the names under which the template places them.
    """
    scripts = {name: _read(f"{name}.js") for name in ("early", "page")}
    scripts["plotly"] = _plotly()
    return (
        _environment()
        .get_template(template)
        .render(
            summary=summary,
            figures=specifications,
            figures_json=json_island(specifications),
            style=Markup(_read("style.css")),
            scripts={name: Markup(script) for name, script in scripts.items()},
            policy=policy(scripts.values()),
        )
    )


def json_island(value) -> Markup:
    r"""Return JSON that may stand inside a script element, whatever strings it holds.

    Examples
    --------
    >>> print(json_island({"name": "</script>"}))
    {"name":"\u003c/script\u003e"}
    """
    dumped = json.dumps(value, allow_nan=False, separators=(",", ":"))
    for letter in "<>&":
        dumped = dumped.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(dumped)


def policy(scripts) -> str:
    """Return the content security policy of a page with these scripts."""
    hashes = (
        "'sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() + "'"
        for script in scripts
    )
    return (
        f"default-src 'none'; script-src {' '.join(hashes)}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def moment(created: str) -> str:
    """Print an ISO time as people write it.

    Examples
    --------
    >>> moment("2026-11-15T23:40:00+00:00")
    '15 November 2026, 23:40 UTC'
    """
    when = datetime.datetime.fromisoformat(created)
    if when.tzinfo is not None:
        when = when.astimezone(datetime.UTC)
    month = MONTHS[when.month - 1]  # strftime would follow the locale
    return f"{when.day} {month} {when.year}, {when:%H:%M}" + (" UTC" if when.tzinfo else "")


MONTHS = (
    "January February March April May June July August September October November December".split()
)


def _read(name: str) -> str:
    # Hashes are taken after line ends are normalised, as a browser does it.
    return (TEMPLATES / name).read_text(encoding="utf-8")


@cache
def _plotly() -> str:
    from plotly.offline import get_plotlyjs

    script = get_plotlyjs().replace("\r\n", "\n")
    if "</script" in script.lower():  # would end the element early
        raise RuntimeError("plotly.js holds a closing script tag; use another version of plotly.")
    return script


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES, encoding="utf-8"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "count": text.count,
        "difference": text.difference,
        "figures": text.figures,
        "interval": text.interval,
        "moment": moment,
        "number": text.number,
        "p_value": text.p_value,
        "shorten": text.shorten,
        "signed": text.signed,
    }
    return environment
