"""The kernels also run as plain Python, for coverage and legible tracebacks."""

from plain_kernels import assert_prints_the_same

SCRIPT = """
import numpy as np
from scipy import sparse
from consilience import BitMatrix, BlockMatrix, FeatureModels, InformationGain
from consilience.aggregation import AGGREGATORS
from consilience.data.mixture import fit_cuts
from consilience.data.noise import flip_cells
from consilience.sampling import bootstrap_weights
from consilience.sampling.content_keys import content_keys
from consilience.sampling.row_keys import row_keys
from consilience import DAFS, SVMRFE, MulticlassSVM, RidgeRFE
from consilience.selectors import SELECTORS, cut_points, univariate_scores

rng = np.random.default_rng(0)
y = np.arange(12) % 2
X = rng.integers(-1, 3, size=(12, 3)) + 2.0 * y[:, None] * [1, 0, 0]
ones = (X > 1).astype(np.uint8)
weights = bootstrap_weights(y, np.random.SeedSequence(0).spawn(5))
for table in (X, sparse.csr_array(X), ones, sparse.csr_array(ones), BitMatrix.from_array(ones)):
    for scores in univariate_scores(table, y).values():
        print(scores.tolist())
    print([cuts.tolist() for cuts in cut_points(table, y)])
    selector = InformationGain(1)
    rngs = [np.random.default_rng(m) for m in range(5)]
    models = selector.fit_models(selector.prepare(table, y), weights, rngs)
    print(models.rankings.tolist(), [s.tolist() for s in models.subsets])
    print(row_keys(table).tolist(), [keys.tolist() for keys in content_keys(table, y)])
    for entry in SELECTORS:
        fitted = entry.cls(n_features_to_select=2, random_state=0).fit(table, y)
        print(entry.name, fitted.ranking_.tolist())
for table in (X, sparse.csr_array(X)):
    tall = BlockMatrix.split(table[np.arange(84) % 12], n_rows=64)
    print([scores.tolist() for scores in univariate_scores(tall, np.arange(84) % 2).values()])
sets = [rng.permutation(9)[:4] for _ in range(14)]
models = FeatureModels(sets, 9, weights=np.ones(14))
for entry in AGGREGATORS:
    print(entry.name, [p.tolist() for p in entry.cls().aggregate(models, 4, random_state=0)])
print(SVMRFE(1).fit(np.tile(X, (40, 1)), np.tile(y, 40)).ranking_)  # tall
wide = rng.integers(-2, 3, size=(12, 30)) * rng.random(30)
for table in (wide, sparse.csr_array(wide), BitMatrix.from_array((wide > 0).astype(np.uint8))):
    print(RidgeRFE(1, random_state=0).fit(table, y).ranking_.tolist())
smooth = rng.normal(size=(12, 30))  # no equal distances, which rounding would decide
for method in ("mixture", "quantile"):
    print(fit_cuts(smooth, method).round(6).tolist(), fit_cuts(X, method).round(6).tolist())
print(flip_cells(ones, 0.3, 0).words.tolist(), flip_cells(ones, 0.9, 0).words.tolist())
for estimator in ("knn", "ridge", "svm"):
    dafs = DAFS(estimator, subspace_size=4, n_subspaces=60, max_features=3, random_state=0)
    print(dafs.fit(smooth, y).subspaces_.tolist(), dafs.ranking_.tolist())
three = np.arange(12) % 3
for strategy in ("ovr", "ovo", "dag", "weston_watkins", "crammer_singer"):
    scores = MulticlassSVM(strategy).fit(smooth, three).decision_function(smooth)
    print((scores.round(4) + 0.0).tolist())
from consilience import make_planted_bits
planted = make_planted_bits(n_samples=70, n_features=12, n_informative=4, random_state=0)
print(planted.X.words.tolist())
from consilience.data.pack_block import CellRule, PackedBlock
block = PackedBlock(0, 12, 70, CellRule("plain"))
entries = planted.X.tocsc().tocoo()
block.put_entries(entries.row, entries.col, entries.data)
print(block.words.tolist())
"""


def test_compiled_and_plain_kernels_print_the_same():
    assert_prints_the_same(SCRIPT)
