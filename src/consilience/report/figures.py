"""All figures of the page, by the names under which the templates place them."""

from .figures_alternatives import alternatives_figures
from .figures_evidence import performance_figures, size_figure, stability_figure
from .figures_profiles import heat_figure, profile_figures
from .figures_selection import coselection_figure, frequency_figure, models_figure


def figures(summary: dict) -> dict[str, dict]:
    """Return the plotly specification of every figure, keyed by its name.

    Parameters
    ----------
    summary : dict
        What `summarise` returns.
    """
    found = {
        "frequencies": frequency_figure(summary),
        "models": models_figure(summary),
    }
    if summary["stability"]:
        found["stability"] = stability_figure(summary["stability"])
    if len(summary["coselection"]["matrix"]) > 1:
        found["coselection"] = coselection_figure(summary)
    if len(summary["sizes"]) > 1:
        found["sizes"] = size_figure(summary["sizes"], len(summary["panel"]))
    if summary["performance"] is not None:
        found |= performance_figures(summary["performance"])
    if summary["alternatives"] is not None:
        found |= alternatives_figures(summary["alternatives"])
    if summary["profiles"]["heat"] is not None:
        found["heat"] = heat_figure(summary["profiles"])
    return found | profile_figures(summary["profiles"])
