"""All figures of the page, by the names under which the templates place them."""

from .figures_alternatives import alternatives_figures
from .figures_committee import committee_figures
from .figures_dafs import curve_figure, scores_figure, time_figure
from .figures_evidence import performance_figures, size_figure, stability_figure
from .figures_members import bars_figure, coverage_figure
from .figures_profiles import heat_figure, profile_figures
from .figures_search import search_figures
from .figures_selection import coselection_figure, frequency_figure, models_figure
from .figures_wrapper import wrapper_figures
from .search_words import NAMES as SEARCHED
from .summary_committee import NAMES


def figures(summary: dict) -> dict[str, dict]:
    """Return the plotly specification of every figure, keyed by its name.

    Parameters
    ----------
    summary : dict
        What `summarise` returns.
    """
    found = METHODS[summary["method"]](summary)
    if summary["performance"] is not None:
        found |= performance_figures(summary["performance"])
        if "committee" in summary:  # whose stability would be that of two methods out of seven
            found.pop("performance-fold-stability", None)
        if "wrapper" in summary:  # an error proves little where a class is rare
            found.pop("performance-error", None)
        if summary["method"] in SEARCHED:  # whose classes are any number, and seldom rare
            found.pop("performance-average-precision", None)
    if summary["profiles"]["heat"] is not None:
        found["heat"] = heat_figure(summary["profiles"])
    return found | profile_figures(summary["profiles"])


def ensemble_figures(summary: dict) -> dict[str, dict]:
    """Return the figures of many selections."""
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
    if summary["alternatives"] is not None:
        found |= alternatives_figures(summary["alternatives"])
    return found


def dafs_figures(summary: dict) -> dict[str, dict]:
    """Return the figures of scores, subspaces and their classifiers."""
    members = summary["members"]
    found = {
        "scores": scores_figure(summary["scores"], summary["scoring"]),
        "accuracies": bars_figure(
            members["accuracy_bars"],
            f"accuracy on {summary['judged']}",
            {"mean": members["accuracy"]["mean"], "vote": members["ensemble_accuracy"]},
        ),
        "diversities": bars_figure(
            members["diversity_bars"],
            summary["scoring"]["measure"]
            if summary["scoring"]["raw"]
            else f"diversity ({summary['scoring']['measure']})",
            {"mean": members["diversity"]["mean"]},
        ),
        "coverage": coverage_figure(summary["coverage"]),
        "time": time_figure(summary["time"]),
    }
    if summary["curve"]["points"]:
        found["curve"] = curve_figure(summary["curve"], summary["judged"])
    return found


METHODS = {
    "ensemble": ensemble_figures,
    "dafs": dafs_figures,
    "balanced-wrapper": wrapper_figures,
}
METHODS |= dict.fromkeys(NAMES, committee_figures) | dict.fromkeys(SEARCHED, search_figures)
