"""The answer in a few sentences: what was found, how surely, and what to be careful about.

What any method's answer has is in `levels` and `sentences`; the words of one method are in a
module of its own, with `opening`, `sentences`, `cautions`, `steady` and `decisive_stability`.
"""

from . import answer_committee, answer_dafs, answer_ensemble, answer_search, answer_wrapper
from .levels import agreement_level, panel_stability, prediction_level
from .search_words import NAMES as SEARCHED
from .sentences import glance
from .summary_committee import NAMES
from .text import clean_name, shorten

__all__ = ["answer", "headline", "panel_stability", "prediction_level"]

N_NAMED = 6  # features named in the paragraph; the table beneath has all
WORDS = {
    "ensemble": answer_ensemble,
    "dafs": answer_dafs,
    "balanced-wrapper": answer_wrapper,
}
WORDS |= dict.fromkeys(NAMES, answer_committee) | dict.fromkeys(SEARCHED, answer_search)

HEADLINES = {
    "holds": "This panel holds up.",
    "unsettled": "The classes are predicted better than by chance, but the list is not settled.",
    "unclear": "This may be no more than noise.",
    "nothing": "This panel cannot be told from noise.",
    "noise": "This is only noise.",
    "unchecked": "These features are selected steadily; their accuracy was not checked.",
    "doubtful": "The selections hardly agree, and their accuracy was not checked.",
    "untested": "Neither the accuracy nor the steadiness of this panel was checked.",
}
VERDICTS = {
    # Level of prediction -> verdict where the selections agree, and where they hardly do.
    "better": ("holds", "unsettled"),
    "balanced": ("holds", "unsettled"),
    "unclear": ("unclear", "nothing"),
    "no better": ("noise", "noise"),
    "unchecked": ("unchecked", "doubtful"),
}


def answer(document: dict) -> dict:
    """Put a result into words.

    Parameters
    ----------
    document : dict
        A result as documented in docs/result-schema.md.

    Returns
    -------
    dict
        `verdict` (a key of HEADLINES), `headline`, `opening`, `features` (the first names of the
        panel), `more` (how many are not named), `sentences`, `glance` (the figures that matter
        most, each with a label and a note) and `cautions`.
    """
    words = WORDS[document.get("method", "ensemble")]
    features = document["panels"][0]["features"]
    # The answer of a committee is whether it predicts, that of a selection whether its panel holds.
    predicts = words in (answer_committee, answer_search)
    verdict, line = words.judge(document) if predicts else judge_panel(words, document)
    return {
        "verdict": verdict,
        "headline": line,
        "opening": words.opening(document),
        "features": [shorten(clean_name(f["feature"]), 40) for f in features[:N_NAMED]],
        "more": max(len(features) - N_NAMED, 0),
        "sentences": words.sentences(document),
        "glance": getattr(words, "glance", glance)(document),
        "cautions": (
            words.cautions(document)
            if predicts
            else words.cautions(
                document,
                agreement_level(words.decisive_stability(document)),
                level_of(words)(document),
            )
        ),
    }


def level_of(words):
    """The function that says whether a panel predicts: a method may have one of its own."""
    return getattr(words, "prediction_level", prediction_level)


def judge_panel(words, document: dict) -> tuple[str, str]:
    """Return the verdict on a panel, a key of HEADLINES, and its sentence."""
    agreed = agreement_level(words.decisive_stability(document))
    predicted = level_of(words)(document)
    verdict = VERDICTS[predicted][agreed not in ("high", "moderate")]
    if predicted == "unchecked" and agreed == "unknown":
        verdict = "untested"
    holding = words.steady(document)
    if verdict == "holds" and not any(holding):
        verdict = "unsettled"
    return verdict, headline(verdict, holding)


def headline(verdict: str, holding: list[bool]) -> str:
    """The verdict in one sentence; a panel holds up only as far as its features do.

    Examples
    --------
    >>> from consilience.report.answer import headline
    >>> headline("holds", [True, True, False])
    'Of this panel, 2 of 3 features hold up.'
    """
    if verdict == "holds" and not all(holding):
        n_steady = sum(holding)
        verb = "holds" if n_steady == 1 else "hold"
        return f"Of this panel, {n_steady} of {len(holding)} features {verb} up."
    return HEADLINES[verdict]
