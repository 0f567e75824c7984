import json
from pathlib import Path

import numpy as np
import pytest

from consilience.report.summary import summarise
from report.real import demo_result, planted_result
from report.standin import make_result

GOLDEN = Path(__file__).parent / "golden" / "summary.json"

CASES = {
    "two classes": {},
    "ten classes": {"classes": [f"class {k}" for k in range(10)], "n_samples": 200},
    "binary features": {"binary": True},
    "one feature": {"m": 1},
    "no evaluation": {"evaluate": False},
    "no rankings": {"rankings": False},
    "several panels": {"n_panels": 3},
    "one model": {"n_models": 1},
    "many samples": {"n_samples": 2000},
    "wide panel": {"m": 60, "n_features": 300},
    "missing values": {"missing": True},
    "hardly more features than the panel": {"n_features": 21},
    "from Python": {"command": None},
}


@pytest.mark.parametrize("settings", CASES.values(), ids=CASES)
def test_the_summary_is_plain_json(settings):
    summary = summarise(make_result(**settings))
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary


@pytest.mark.parametrize("result", [demo_result, planted_result])
def test_real_results_give_plain_json(result):
    summary = summarise(result())
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    assert summary["performance"] is not None
    assert len(summary["panel"]) == 8


def test_the_stand_in_follows_the_schema_of_real_results():
    """Otherwise the odd cases tested with it would prove nothing."""

    def shape(value):
        if isinstance(value, dict):
            return {key: shape(item) for key, item in value.items() if key not in OPEN}
        return [shape(value[0])] if isinstance(value, list) and value else None

    OPEN = ("params", "versions", "seconds", "random_state")
    made, real = make_result().to_dict(), demo_result().to_dict()
    assert shape(made) == shape(real)


def test_the_summary_stays_as_reviewed(request):
    """Renew with `CONSILIENCE_RENEW_GOLDEN=1 pytest tests/report` and read the difference."""
    import os

    summary = json.loads(json.dumps(summarise(make_result(m=3, n_features=40, n_samples=12))))
    if os.environ.get("CONSILIENCE_RENEW_GOLDEN"):
        text = json.dumps(summary, indent=1, ensure_ascii=False) + "\n"
        GOLDEN.write_text(text, encoding="utf-8", newline="\n")
    assert_close(summary, json.loads(GOLDEN.read_text(encoding="utf-8")), "summary")


def assert_close(found, expected, path):
    assert type(found) is type(expected), path
    if isinstance(found, dict):
        assert found.keys() == expected.keys(), path
        for key in found:
            assert_close(found[key], expected[key], f"{path}.{key}")
    elif isinstance(found, list):
        assert len(found) == len(expected), path
        for k, (a, b) in enumerate(zip(found, expected, strict=True)):
            assert_close(a, b, f"{path}[{k}]")
    elif isinstance(found, float):
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9, err_msg=path)
    else:
        assert found == expected, path


def test_stability_intervals_end_at_one():
    result = make_result(stability=0.98)
    row = summarise(result)["stability"][0]
    assert row["estimate"]["high"] == 1.0


def test_names_that_no_page_can_show_are_replaced():
    summary = summarise(make_result(names=["a\x00b\ud800c"]))
    assert summary["panel"][0]["feature"] == "a\ufffdb\ufffdc"
