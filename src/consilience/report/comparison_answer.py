"""What a comparison says, in sentences."""

from .text import clean_name, counted, listing, number

PLAIN = "nobagg"


def comparison_answer(document: dict) -> dict:
    """Return headline, sentences, figures at a glance and cautions of a comparison.

    Parameters
    ----------
    document : dict
        From `Comparison.to_dict`.
    """
    classifier = next(iter(document["settings"]["classifiers"]))
    label = document["settings"]["classifiers"][classifier]
    methods = document["methods"][classifier]
    best = min(methods, key=lambda m: (m["error"], -m["jaccard"]))
    steadiest = max(methods, key=lambda m: (m["jaccard"], -m["error"]))
    front = [m for m in methods if m["on_front"]]
    n_data = len(document["data"])
    over = "" if n_data == 1 else f", in the mean of {n_data} data sets"
    if best is steadiest:
        headline = f"Fewest errors and most stable: {name_of(best)}"
    else:
        headline = f"Fewest errors: {name_of(best)}; most stable: {name_of(steadiest)}"
    sentences = [
        f"Judged by a {label} on unseen rows{over}, {name_of(best)} errs in "
        f"{number(best['error'], 3)} of the cases with a stability of {number(best['jaccard'])}."
    ]
    if best is not steadiest:
        sentences.append(
            f"The most stable, {name_of(steadiest)} ({number(steadiest['jaccard'])}), errs in "
            f"{number(steadiest['error'], 3)}."
        )
    sentences.append(_front_sentence(front, methods))
    sentences.append(_gain_sentence(document, classifier))
    return {
        "headline": headline,
        "sentences": sentences,
        "glance": [
            _glance("Lowest mean error", number(best["error"], 3), name_of(best)),
            _glance("Highest mean stability", number(steadiest["jaccard"]), name_of(steadiest)),
            _glance("On the front", f"{len(front)} of {len(methods)}", "methods nobody beats"),
        ],
        "cautions": _cautions(document, classifier),
    }


def name_of(method: dict) -> str:
    """A method as a reader would say it."""
    selector = clean_name(method["selector"])
    if method["aggregator"] == PLAIN:
        return f"{selector} used once"
    return f"{selector} with {clean_name(method['aggregator'])}"


def _glance(label, value, note):
    return {"label": label, "value": value, "note": note}


def _front_sentence(front, methods):
    if len(front) == 1:
        return "No other method is better in either respect."
    shown = [name_of(m) for m in sorted(front, key=lambda m: m["error"])]
    if len(shown) > 4:
        return (
            f"{len(front)} of {len(methods)} methods are on the front: nobody beats them in both."
        )
    return f"Between error and stability one has to choose: {listing(shown)} are beaten by nobody."


def _gain_sentence(document, classifier):
    """Whether resampling was worth it: significant differences to one selection."""
    rows = [
        row
        for row in document["figures"]
        if row["classifier"] == classifier and row["aggregator"] != PLAIN
    ]
    counts = {
        (figure, verdict): sum(row[f"{figure}_verdict"] == verdict for row in rows)
        for figure in ("error", "stability")
        for verdict in ("better", "worse")
    }
    return (
        f"Of {counted(len(rows), 'comparison')} with one selection without resampling, "
        f"{counts['error', 'better']} found significantly fewer errors and "
        f"{counts['error', 'worse']} more; {counts['stability', 'better']} found the panel "
        f"significantly more stable and {counts['stability', 'worse']} less."
    )


def _cautions(document, classifier):
    cautions = []
    smallest = min(document["data"], key=lambda facts: len(facts["y"]))
    n_samples = len(smallest["y"])
    if n_samples < 100:
        cautions.append(
            f"{clean_name(smallest['name'])} has {n_samples} samples, so that one sample is "
            f"{number(1 / n_samples, 3)} of error: small differences there are chance."
        )
    if len(document["data"]) < 5:
        cautions.append(
            f"{counted(len(document['data']), 'data set')} cannot tell which method is best "
            "elsewhere."
        )
    rows = [row for row in document["figures"] if row["classifier"] == classifier]
    n_tests = sum(row["aggregator"] != PLAIN for row in rows)
    if n_tests > 10:
        cautions.append(
            f"Of {n_tests} tests at the 5 % level about {number(0.05 * n_tests, 0)} would find a "
            "difference where there is none; they are not corrected for their number."
        )
    cautions.append(
        "The test of stability takes the pairs of folds as independent, as the paper did; they are "
        "not, so it finds differences too easily."
    )
    return cautions
