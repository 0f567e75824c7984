import json
from pathlib import Path

import numpy as np
import pytest

from consilience.exceptions import DataError
from consilience.measures.significance import Significance, mcnemar

ORACLE = json.loads(Path(__file__).with_name("oracle.json").read_text(encoding="utf-8"))["mcnemar"]


@pytest.mark.parametrize("case", ORACLE, ids=lambda case: case["name"])
def test_mcnemar_equals_the_reference(case):
    counts = [case[key] for key in ("both", "only_a", "only_b", "neither")]
    right_a = np.repeat([True, True, False, False], counts)
    right_b = np.repeat([True, False, True, False], counts)
    found = mcnemar(right_a, right_b)
    assert found.statistic == pytest.approx(case["statistic"], abs=1e-12)
    assert found.p_value == pytest.approx(case["p_value"], rel=1e-9, abs=1e-12)
    assert mcnemar(right_b, right_a) == found


def test_equal_classifiers_do_not_differ():
    assert mcnemar([True, False], [True, False]) == Significance(0.0, 1.0)


def test_cases_must_be_paired():
    with pytest.raises(DataError, match="3 of the first classifier and 2 of the second"):
        mcnemar([True, True, False], [True, False])
