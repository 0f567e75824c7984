import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

import naive
from consilience.measures.effects import class_effects

tables = st.tuples(st.integers(1, 12), st.integers(1, 3)).flatmap(
    lambda shape: st.tuples(
        arrays(np.float64, shape, elements=st.one_of(st.integers(-3, 3), st.just(np.nan))),
        arrays(np.int64, shape[0], elements=st.integers(0, 2)),
    )
)


@given(tables)
def test_effects_agree_with_the_definition(table):
    values, codes = table
    effects = class_effects(values, codes, 3)
    for code, found in enumerate(effects):
        for j, column in enumerate(values.T.tolist()):
            mean, sd, effect = naive.class_effect(column, codes.tolist(), code)
            own = [found["mean"][j], found["sd"][j], found["effect"][j]]
            assert_allclose(own, [mean, sd, effect], rtol=1e-10, atol=1e-10)


def test_effects_of_two_classes_mirror_each_other():
    rng = np.random.default_rng(0)
    values, codes = rng.normal(size=(20, 4)), np.arange(20) % 2
    first, second = class_effects(values, codes, 2)
    assert_allclose(first["effect"], -second["effect"])


def test_a_constant_column_has_no_effect():
    (first, _) = class_effects([[1.0], [1.0], [1.0], [1.0]], [0, 0, 1, 1], 2)
    assert math.isnan(first["effect"][0])
    assert first["sd"][0] == 0
