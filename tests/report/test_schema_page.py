import re
from pathlib import Path

import pytest

from report.real import (
    alternatives_result,
    committee_result,
    dafs_result,
    demo_result,
    search_result,
    wrapper_result,
)

PAGE = Path(__file__).resolve().parents[2] / "docs" / "result-schema.md"
# Their keys are the user's or the machine's, or the page explains them in prose.
OPEN = ("params", "versions", "seconds")
RESULTS = [demo_result, dafs_result, committee_result, search_result, wrapper_result]


def keys_of(value):
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            if key not in OPEN:
                yield from keys_of(item)
    elif isinstance(value, list) and value:
        yield from keys_of(value[0])


@pytest.mark.parametrize(
    "result",
    [
        demo_result,
        alternatives_result,
        dafs_result,
        committee_result,
        search_result,
        lambda: search_result(alpha="auto", n_neighbors="auto"),
        lambda: search_result("gefs", evaluated=False),
        lambda: wrapper_result(stop="permutation"),
        lambda: wrapper_result(n_classes=3, multiclass="ovr"),
    ],
)
def test_every_key_of_the_document_is_described(result):
    described = set(re.findall(r"[`\"]([a-z_]+)[`\"]", PAGE.read_text(encoding="utf-8")))
    document = result().to_dict()
    if document["method"] != "ensemble":  # the parameters of the class, which documents them
        document = document | {"settings": None}
    assert set(keys_of(document)) <= described


@pytest.mark.parametrize("result", RESULTS)
def test_every_array_of_the_archive_is_described(tmp_path, result):
    import numpy as np

    result().save(tmp_path)
    described = set(re.findall(r"`([a-z_]+)`", PAGE.read_text(encoding="utf-8")))
    with np.load(tmp_path / "models.npz", allow_pickle=False) as arrays:
        assert set(arrays.files) <= described
