"""k-medoids of 150 models for k = 2..20, the best k by silhouette, against kmedoids.fasterpam.

The peer is put together as one would: SciPy's Jaccard distances, fasterpam from a greedy start, and
scikit-learn's silhouette, for every k. Both start from the models' membership.
"""

import sys

import numpy as np
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics import silhouette_score

from consilience import FeatureModels
from consilience.measures.medoids import best_clustering, jaccard_distances
from timing import Line, best_times

MOST = 20


def make_models(n_models, n_features=1000, size=20, n_groups=6):
    """Models in groups: 14 of the features from 25 that a group shares, the others from all."""
    rng = np.random.default_rng(0)
    members = np.zeros((n_models, n_features), dtype=bool)
    cores = [rng.choice(n_features, 25, replace=False) for _ in range(n_groups)]
    for i, row in enumerate(members):
        row[rng.choice(cores[i % n_groups], 14, replace=False)] = True
        row[rng.choice(n_features, size - 14, replace=False)] = True
    return members, FeatureModels([np.flatnonzero(row) for row in members], n_features)


def peer(kmedoids, members):
    distances = squareform(pdist(members, "jaccard"))
    best = (-1.0, None)
    for k in range(2, MOST + 1):
        found = kmedoids.fasterpam(distances, k, init="build", random_state=0)
        value = silhouette_score(distances, found.labels, metric="precomputed")
        best = max(best, (value, k))
    return best


def ours(models):
    found = best_clustering(jaccard_distances(models), max_clusters=MOST)
    return found.silhouette, found.medoids.size


def run():
    try:
        import kmedoids
    except ImportError:
        print("left out: kmedoids, the peer of the medoids, is not installed", file=sys.stderr)
        return []
    lines = []
    for n_models, rounds, promised in ((150, 10, 8), (2000, 1, 8)):
        members, models = make_models(n_models)
        theirs, own = peer(kmedoids, members), ours(models)
        if own[1] != theirs[1] or abs(own[0] - theirs[0]) > 1e-3:
            print(f"medoids: best k and silhouette {own}, the peer's {theirs}", file=sys.stderr)
        best = best_times(
            {
                "peer": lambda members=members: peer(kmedoids, members),
                "ours": lambda models=models: ours(models),
            },
            rounds,
        )
        lines.append(
            Line(f"k-medoids of {n_models:,} models, k = 2..{MOST}, best by silhouette",
                 "SciPy Jaccard + kmedoids.fasterpam + scikit-learn silhouette",
                 best["peer"], best["ours"], promised)
        )  # fmt: skip
    return lines
