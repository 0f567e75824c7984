"""The paper's whole comparison on leukemia_golub: 7 selectors, 9 ways to a panel, 3 classifiers.

Ten folds of 150 bootstraps each. The peer is the same protocol as one writes it today with
scikit-learn, skrebate, pyfim and kmedoids: copied rows, one bootstrap after the other. It would
take hours, so that of each selector two bootstraps of one fold are measured and scaled to 1,500;
aggregators and classifiers are measured on one fold of one selector and scaled to 70. In favour of
the peer, information gain and symmetrical uncertainty share one pass over the columns (equal-width
bins instead of cut points by entropy), SVM-RFE is a loop over SVC on what remains instead of the
slower `RFE`, itemsets are mined at a threshold that is known to do, and CFS, which none of the
libraries has, costs the peer nothing.

Nearly all of the peer's time is two Python loops, over columns in mutual information and over rows
in skrebate. The second line is what a skilled user has to expect: those two selectors and CFS left
out, and the counts of all columns at once in NumPy.
"""

import sys
import time
import warnings

import numpy as np
from sklearn.feature_selection import chi2
from sklearn.metrics import mutual_info_score, silhouette_score
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, MinMaxScaler, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from consilience import Table, compare
from real_data import real
from svm_rfe import refits
from timing import Line

SELECTORS = (
    "information-gain", "chi-square", "symmetrical-uncertainty", "relieff", "svm-one", "svm-rfe",
    "cfs",
)  # fmt: skip
AGGREGATORS = (
    "average-rank", "most-frequent", "closed-itemsets", "maximal-itemsets", "most-representative",
    "largest-cluster-medoid", "closed-itemset-medoid", "maximal-itemset-medoid",
)  # fmt: skip
N_FOLDS, N_MODELS, SIZE = 10, 150, 20
PART = 2  # bootstraps that the peer is timed on


def run():
    if (data := real("leukemia_golub")) is None:
        return []
    try:
        import fim  # noqa: F401
        import kmedoids  # noqa: F401
        import skrebate  # noqa: F401
    except ImportError as error:
        print(f"left out: a peer of the comparison is not installed ({error})", file=sys.stderr)
        return []
    X, y = data[0], np.unique(data[1], return_inverse=True)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = {name: our_seconds(X, y, name) for name in SELECTORS}
        theirs = peer_selection(X, y)
        rest = peer_rest(X, y)
    n_fits = N_FOLDS * N_MODELS / PART
    per_selector = N_FOLDS * sum(rest.values())
    quick = theirs.pop("both filters by NumPy")
    whole = n_fits * sum(theirs.values()) + 7 * per_selector
    skilled = quick + sum(theirs[name] for name in ("chi-square", "svm-one", "svm-rfe"))
    told = ", ".join(f"{name} {n_fits * seconds:,.0f} s" for name, seconds in theirs.items())
    told += ", " + ", ".join(f"{k} {7 * N_FOLDS * seconds:,.0f} s" for k, seconds in rest.items())
    mine = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in ours.items())
    print(f"comparison, the peer's parts scaled: {told}; ours: {mine}", file=sys.stderr)
    title = f"10 folds x {N_MODELS} bootstraps x 9 ways to a panel x 3 classifiers, leukemia_golub"
    scaled = f"scaled from {PART} bootstraps of one fold"
    return [
        Line(f"compare, 7 selectors x {title}",
             f"scikit-learn, skrebate, pyfim, kmedoids ({scaled}; no CFS)", whole,
             sum(ours.values()), 30),
        Line(f"compare, 5 selectors (not ReliefF, not CFS) x {title}",
             f"the same, filters by NumPy ({scaled})", n_fits * skilled + 5 * per_selector,
             sum(ours.values()) - ours["relieff"] - ours["cfs"], 10),
    ]  # fmt: skip


def our_seconds(X, y, selector):
    """CPU seconds of one selector's part of the comparison; they share only the data."""
    table = Table(X, y, source="leukemia_golub")
    settings = {"n_features_to_select": SIZE, "random_state": 0}
    compare(table, [selector], AGGREGATORS, n_models=10, n_splits=2, **settings)  # compiles
    started = time.process_time()
    found = compare(table, [selector], AGGREGATORS, n_models=N_MODELS, n_splits=N_FOLDS, **settings)
    found.to_dict()  # figures, tests and points
    return time.process_time() - started


def training_part(X, y):
    train, test = next(StratifiedKFold(N_FOLDS, shuffle=True, random_state=0).split(X, y))
    return X[train], y[train], X[test]


def bootstraps(y, n_models):
    rng = np.random.default_rng(0)
    classes = [np.flatnonzero(y == label) for label in np.unique(y)]
    for _ in range(n_models):
        yield np.concatenate([rng.choice(rows, rows.size) for rows in classes])


def peer_selection(X, y):
    """CPU seconds of each selector on PART bootstraps of the training part of a fold."""
    X, y, _ = training_part(X, y)
    seconds = {}
    for rows in bootstraps(y, PART):
        for name, select in PEERS.items():
            started = time.process_time()
            select(X[rows], y[rows])
            seconds[name] = seconds.get(name, 0.0) + time.process_time() - started
    return seconds


def information(X, y):
    """Information gain and symmetrical uncertainty of every column, in one pass."""
    bins = KBinsDiscretizer(10, encode="ordinal", strategy="uniform").fit_transform(X)
    gain = np.array([mutual_info_score(y, column) for column in bins.T])
    entropy = np.array([_entropy(column) for column in bins.T])
    return np.argsort(-gain), np.argsort(-2 * gain / (entropy + _entropy(y)))


def information_by_counts(X, y):
    """The same, with the counts of all columns at once."""
    bins = KBinsDiscretizer(10, encode="ordinal", strategy="uniform").fit_transform(X)
    cells = (np.arange(X.shape[1]) * 10 + bins.astype(np.int64)) * 2 + y[:, None]
    counts = np.bincount(cells.ravel(), minlength=20 * X.shape[1]).reshape(-1, 10, 2) / y.size

    def entropy(share):
        logs = np.log(share, out=np.zeros(share.shape), where=share > 0)
        return -(share * logs).sum(axis=-1)

    column, labels = entropy(counts.sum(axis=2)), entropy(np.bincount(y) / y.size)
    gain = column + labels - entropy(counts.reshape(X.shape[1], -1))
    return np.argsort(-gain), np.argsort(-2 * gain / (column + labels))


def _entropy(values):
    share = np.unique(values, return_counts=True)[1] / len(values)
    return -(share * np.log(share)).sum()


def relieff(X, y):
    from skrebate import ReliefF

    return ReliefF(n_neighbors=10, n_features_to_select=SIZE, n_jobs=1).fit(X, y).top_features_


PEERS = {
    "information-gain and symmetrical-uncertainty": information,
    "both filters by NumPy": information_by_counts,
    "chi-square": lambda X, y: np.argsort(-chi2(MinMaxScaler().fit_transform(X), y)[0]),
    "relieff": relieff,
    "svm-one": lambda X, y: np.argsort(
        -(SVC(kernel="linear", C=0.5).fit(MinMaxScaler().fit_transform(X), y).coef_[0] ** 2)
    ),
    "svm-rfe": lambda X, y: refits(SVC(kernel="linear", C=0.5), X, y),
}


def peer_rest(X, y):
    """CPU seconds of all aggregators and of all classifiers, for one fold and selector."""
    X, y, test = training_part(X, y)
    rankings = [PEERS["svm-one"](X[rows], y[rows]) for rows in bootstraps(y, N_MODELS)]
    started = time.process_time()
    panels = peer_panels(np.array(rankings))
    aggregated = time.process_time()
    for panel in panels:
        for machine in (
            SVC(kernel="linear", C=0.5),
            KNeighborsClassifier(1),
            DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0),
        ):
            judge = make_pipeline(StandardScaler(), machine)
            judge.fit(X[:, panel], y).predict(test[:, panel])
    return {"aggregators": aggregated - started, "classifiers": time.process_time() - aggregated}


def peer_panels(orders):
    """Nine panels of 20 features from orders of all features, best first, one per bootstrap."""
    import fim
    import kmedoids

    n_models, n_features = orders.shape
    ranks = np.empty((n_models, n_features))
    np.put_along_axis(ranks, orders, np.arange(n_features)[None], axis=1)
    subsets = orders[:, :SIZE]
    membership = np.zeros((n_models, n_features))
    np.put_along_axis(membership, subsets, 1, axis=1)
    shared = membership @ membership.T
    distances = 1 - shared / (2 * SIZE - shared)
    panels = [orders[0, :SIZE], np.argsort(ranks.sum(axis=0))[:SIZE]]
    panels.append(np.argsort(-membership.sum(axis=0), kind="stable")[:SIZE])
    panels.append(subsets[distances.sum(axis=0).argmin()])
    best = (-2.0, None)
    for k in range(2, 11):
        found = kmedoids.fasterpam(distances, k, random_state=0)
        width = silhouette_score(distances, found.labels, metric="precomputed")
        best = max(best, (width, found), key=lambda pair: pair[0])
    largest = np.bincount(best[1].labels).argmax()
    panels.append(subsets[best[1].medoids[largest]])
    transactions = [row.tolist() for row in subsets]
    for target, least in (("c", -max(2, int(0.05 * n_models))), ("m", -int(0.1 * n_models))):
        itemsets = fim.fim(transactions, target=target, supp=least, report="a")
        itemsets.sort(key=lambda pair: -pair[1] * len(pair[0]))
        union = list(dict.fromkeys(j for items, _ in itemsets for j in items))[:SIZE]
        panels.append(np.array(union))
        holding = np.flatnonzero(membership[:, list(itemsets[0][0])].all(axis=1))
        inner = distances[np.ix_(holding, holding)].sum(axis=0).argmin()
        panels.append(subsets[holding[inner]])
    return panels
