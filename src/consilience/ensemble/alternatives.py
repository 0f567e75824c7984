"""Several panels from the same models: how alike they are, what each stands for, who replaces whom.

Everything is read from the fitted models, so a saved result can answer it again. Nothing here says
how accurate the panels are: that needs rows they have not seen (`evaluate_alternatives`).
"""

import inspect
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh
from sklearn.base import clone

from ..aggregation import AGGREGATORS
from ..exceptions import UsageError
from ..measures.similarity import jaccard
from ..models import FeatureModels
from ..selectors.validation import check_count
from .stand_ins import StandIn, stand_ins

DEFAULT_AGGREGATOR = "all-medoids"
LANDMARKS = 500  # models that span the map; more are placed among them


@dataclass(frozen=True)
class Alternatives:
    """Panels that the models offer beside each other.

    Attributes
    ----------
    panels : list of int arrays
        Column indices, best panel first, features in order of importance.
    feature_names : ndarray of str
        Names of all columns.
    similarity : float array of shape (n_panels, n_panels)
        Jaccard similarity of the panels: shared features over all features of the two.
    clusters : int array of shape (n_models,)
        For each model the panel that it is most like; of equally like ones the first.
    positions : float array of shape (n_models, 2)
        A map of the models: near each other where they chose the same features. Principal
        coordinates of the square root of the Jaccard distance, which is a Euclidean distance.
    panel_positions : float array of shape (n_panels, 2)
        The panels on the same map; a panel that is a model lies on it.
    explained : float
        Share of the differences between the models that the map shows.
    stand_ins : list of StandIn
        Which features can stand in for those of the first panel.
    """

    panels: list[np.ndarray]
    feature_names: np.ndarray
    similarity: np.ndarray
    clusters: np.ndarray
    positions: np.ndarray
    panel_positions: np.ndarray
    explained: float
    stand_ins: list[StandIn]

    @property
    def n_panels(self) -> int:
        """Number of panels, which may be fewer than were asked for."""
        return len(self.panels)

    @property
    def cluster_sizes(self) -> np.ndarray:
        """Number of models that are most like each panel, int[n_panels]."""
        return np.bincount(self.clusters, minlength=self.n_panels)

    @property
    def mean_similarity(self) -> float | None:
        """Mean similarity of all pairs of panels; None for a single panel."""
        first, second = np.triu_indices(self.n_panels, 1)
        return float(self.similarity[first, second].mean()) if first.size else None

    @property
    def table(self):
        """All panels as a pandas DataFrame: panel, rank, feature, index, in how many panels."""
        import pandas as pd

        held = np.bincount(np.concatenate(self.panels), minlength=len(self.feature_names))
        return pd.DataFrame(
            [
                (number, rank, self.feature_names[j], int(j), int(held[j]))
                for number, panel in enumerate(self.panels, 1)
                for rank, j in enumerate(panel, 1)
            ],
            columns=["panel", "rank", "feature", "index", "n_panels"],
        )

    def to_dict(self) -> dict:
        """Return the "alternatives" part of `result.json`, but for its evaluation."""
        return {
            "panels": [
                {
                    "number": number,
                    "features": [str(self.feature_names[j]) for j in panel],
                    "n_models": int(n_models),
                    "similarity_to_first": float(self.similarity[0, number - 1]),
                }
                for number, (panel, n_models) in enumerate(
                    zip(self.panels, self.cluster_sizes, strict=True), 1
                )
            ],
            "mean_similarity": self.mean_similarity,
            "similarity": np.round(self.similarity, 6).tolist(),
            "map": {
                "models": np.round(self.positions, 4).tolist(),
                "clusters": (self.clusters + 1).tolist(),
                "panels": np.round(self.panel_positions, 4).tolist(),
                "explained": round(self.explained, 6),
            },
            "stand_ins": [pair.to_dict(self.feature_names) for pair in self.stand_ins],
        }


def explore(models, panels, feature_names, profiled=(), values=None, nominal=None) -> Alternatives:
    """Work out what several panels of the same models have to do with each other.

    Parameters
    ----------
    models : FeatureModels
        The selections that the panels come from.
    panels : list of int arrays
        The panels, best first.
    feature_names : ndarray of str
        Names of all columns.
    profiled, values, nominal
        Columns whose values are known, as in `SelectionResult`.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience import FeatureModels
    >>> from consilience.ensemble.alternatives import explore
    >>> models = FeatureModels([[0, 1], [0, 2], [0, 1], [3, 4]], n_features=5)
    >>> found = explore(models, [np.array([0, 1]), np.array([3, 4])], np.array(list("abcde")))
    >>> found.cluster_sizes, found.mean_similarity
    (array([3, 1]), 0.0)
    """
    held = models.membership().astype(np.float64)
    marks = FeatureModels(panels, models.n_features).membership().astype(np.float64)
    to_panels = jaccard(held, marks)
    # Sums of equal shares may differ in their last bit; ties go to the better panel.
    clusters = np.round(to_panels, 9).argmax(axis=1)
    spanned = np.unique(np.linspace(0, models.n_models - 1, LANDMARKS).round().astype(int))
    positions, panel_positions, explained = embed(held[spanned], held, marks)
    return Alternatives(
        panels=list(panels),
        feature_names=np.asarray(feature_names),
        similarity=jaccard(marks, marks),
        clusters=clusters,
        positions=positions,
        panel_positions=panel_positions,
        explained=explained,
        stand_ins=stand_ins(models, panels[0], profiled, values, nominal),
    )


def several_panels(aggregator=None, n_panels: int | None = None):
    """Return an aggregator that gives several panels; None is `AllMedoids`.

    Parameters
    ----------
    aggregator : aggregator or None, default=None
        Checked and copied.
    n_panels : int or None, default=None
        How many panels to ask it for; None leaves what it has.
    """
    if n_panels is not None:
        check_count("n_panels", n_panels)
    given = AGGREGATORS[DEFAULT_AGGREGATOR].cls() if aggregator is None else aggregator
    if not hasattr(given, "get_params") or "n_panels" not in given.get_params(deep=False):
        raise UsageError(
            f"{AGGREGATORS.name_of(type(given))} gives one panel and not several; choose one of "
            f"{', '.join(multi_panel_names())}."
        )
    given = clone(given)
    return given if n_panels is None else given.set_params(n_panels=int(n_panels))


def multi_panel_names() -> list[str]:
    """Names of the registered aggregators that give several panels."""
    return [e.name for e in AGGREGATORS if "n_panels" in inspect.signature(e.cls).parameters]


def embed(landmarks, models, panels):
    """Place models and panels in the plane by classical scaling (principal coordinates).

    With distances d = sqrt(1 - Jaccard), which are Euclidean, the inner products around the mean
    of the landmarks are J / 2, centred; their two largest eigenvectors span the map. Everything
    else is placed where its distances to the landmarks put it (Gower), which for a landmark is
    its own place. The map is turned so that the first panel lies right and up of the middle.

    References
    ----------
    Gower: Adding a point to vector diagrams in multivariate analysis. Biometrika 1968. Gower,
    Legendre: Metric and Euclidean properties of dissimilarity coefficients. J. Classification 1986.

    Returns
    -------
    positions : float array of shape (n_models, 2)
    panel_positions : float array of shape (n_panels, 2)
    explained : float
        Share of the sum of squared distances; 1 where all landmarks are equal.
    """
    similarity = jaccard(landmarks, landmarks)
    column_means, mean = similarity.mean(axis=0), similarity.mean()
    products = (similarity - column_means - column_means[:, None] + mean) / 2
    size = len(products)
    total = np.trace(products)
    axes = min(2, size - 1)
    if axes < 1 or total <= 1e-12:
        return np.zeros((models.shape[0], 2)), np.zeros((panels.shape[0], 2)), 1.0
    values, vectors = eigh(products, subset_by_index=[size - axes, size - 1])
    values, vectors = values[::-1], vectors[:, ::-1]
    used = values > 1e-9 * total
    scaled = np.zeros((size, 2))
    scaled[:, :axes][:, used] = vectors[:, used] / np.sqrt(values[used])

    def place(rows):
        # Around the mean of the landmarks: x_i . l_j = (J_ij - mean_j J_ij - column mean + mean)/2.
        near = jaccard(rows, landmarks)
        near = (near - near.mean(axis=1, keepdims=True) - column_means + mean) / 2
        return near @ scaled

    positions, panel_positions = place(models), place(panels)
    turn = np.where(panel_positions[0] < 0, -1.0, 1.0)
    explained = float(values[used].sum() / total)
    return positions * turn + 0.0, panel_positions * turn + 0.0, explained  # no -0.0
