import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

import naive
from consilience import FeatureModels
from consilience.report.agreement import MAX_MODELS, coselection, model_map, similar_order

memberships = arrays(
    bool, st.tuples(st.integers(1, 8), st.integers(1, 6)), elements=st.booleans()
).filter(lambda member: member.any(axis=1).all())


def models_of(member):
    return FeatureModels([np.flatnonzero(row) for row in member], member.shape[1])


@given(memberships)
def test_coselection_is_the_share_of_models_with_both(member):
    panel = np.arange(member.shape[1])
    found = coselection(models_of(member), panel)
    assert_allclose(found["matrix"], naive.selected_together(member), atol=1e-4)


@given(memberships)
def test_the_map_shows_every_model_once(member):
    columns = np.arange(member.shape[1])
    found = model_map(models_of(member), columns, columns)
    shown = sorted(zip(*found["rows"], strict=True))
    assert shown == sorted(tuple("01"[cell] for cell in row) for row in member.astype(int))
    assert sum(row["n_models"] for row in found["held"]) == len(member)
    assert {row["n_features"] for row in found["held"]} == set(member.sum(axis=1).tolist())


@given(memberships)
def test_similar_order_is_a_permutation(member):
    assert sorted(similar_order(member.astype(np.uint8)).tolist()) == list(range(len(member)))


def test_features_that_replace_each_other_are_found():
    rng = np.random.default_rng(0)
    member = rng.random((200, 6)) < 0.5
    member[:, 1] = ~member[:, 0]
    pair = coselection(models_of(member | [[0, 0, 0, 0, 0, 1]]), np.arange(6))["substitutes"][0]
    assert (pair["first"], pair["second"], pair["together"]) == (0, 1, 0.0)


def test_many_models_are_thinned():
    models = FeatureModels([[k % 3] for k in range(1000)], 3)
    found = model_map(models, np.arange(3), np.array([0]))
    assert found["n_shown"] == MAX_MODELS == len(found["rows"][0])
    assert found["n_models"] == 1000
