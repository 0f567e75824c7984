"""Where the features of the panel come from: agreement of all selections, or one of them."""

from .text import count

# Their panel is one real selection, chosen because others are like it.
ONE_SELECTION = {
    "most-representative",
    "largest-cluster-medoid",
    "closed-itemset-medoid",
    "maximal-itemset-medoid",
    "all-medoids",
    "closed-itemset-medoids",
}
# Their panels are sets of features that selections hold together.
TOGETHER = {"all-closed-itemsets", "all-maximal-itemsets"}


def origin(settings: dict) -> str:
    """Say which features these are, to follow "the 20 features".

    Parameters
    ----------
    settings : dict
        The part of this name of `result.json`.

    Examples
    --------
    >>> origin({"aggregator": {"name": "average-rank"}, "n_models": 150})
    'on which 150 selections from resampled data agree most'
    >>> origin({"aggregator": {"name": "all-medoids"}, "n_models": 150})
    'of the selection that is nearest to the others, among 150 from resampled data'
    """
    name, models = settings["aggregator"]["name"], count(settings["n_models"])
    if name in ONE_SELECTION:
        return f"of the selection that is nearest to the others, among {models} from resampled data"
    if name in TOGETHER:
        return f"that are often chosen together in {models} selections from resampled data"
    return f"on which {models} selections from resampled data agree most"
