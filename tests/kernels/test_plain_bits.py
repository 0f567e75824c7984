"""Counting and learning on packed columns give the same as plain Python."""

from plain_kernels import assert_prints_the_same

SCRIPT = """
import numpy as np
from scipy import sparse
from consilience import BitMatrix
from consilience.data.discrete import as_discrete
from consilience.kernels.top_features import binary_gaps, top_features
from consilience.learners import BitBernoulliNB, BitLinearSVC, BitTreeClassifier

rng = np.random.default_rng(0)
y, three = np.arange(12) % 2, np.arange(12) % 3
bits = rng.integers(0, 2, (12, 30), dtype=np.uint8)
rare = sparse.random_array((200, 9), density=0.02, rng=rng)
rare.data[:] = 1
for table in (bits, rare, BitMatrix.from_array(bits)):
    columns = as_discrete(table)
    some = np.arange(columns.n_samples) % 3 == 0
    ones, chosen = columns.counts(), columns.counts(some)
    gaps = np.empty(ones.size, np.int64)
    binary_gaps(ones, chosen, some.size, int(some.sum()), gaps)
    best = top_features(gaps, 4, np.arange(ones.size))
    print(columns.storage, ones, chosen, best, columns.take(best).words.tolist())
print(top_features(np.arange(400), 2, np.arange(400)))
packed = BitMatrix.from_array(bits)
print(packed.take(rows=y == 1).words.tolist(), packed.take(rows=three[::-1]).words.tolist())
for labels in (y, three):
    for model in (BitTreeClassifier(random_state=0),
                  BitTreeClassifier("gini", pruning=None, random_state=0),
                  BitTreeClassifier("entropy", random_state=0)):
        print(model.fit(packed, labels, sample_weight=1 + three).predict_proba(packed).tolist())
    model = BitBernoulliNB().fit(packed, labels, sample_weight=1 + three)
    print(model.predict_proba(packed).round(9).tolist())
    model = BitLinearSVC(random_state=0).fit(packed, labels)
    print((model.coef_.round(6) + 0.0).tolist())
"""


def test_compiled_and_plain_kernels_print_the_same():
    assert_prints_the_same(SCRIPT)
