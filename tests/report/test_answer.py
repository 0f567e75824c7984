import pytest

from consilience.report.answer import answer, prediction_level
from consilience.report.steadiness import steady
from report.real import planted_result
from report.standin import make_result


def answered(**settings):
    return answer(make_result(**settings).to_dict())


def test_a_stable_panel_that_predicts_holds_up():
    found = answered()
    assert found["verdict"] == "holds"
    assert found["features"][0] == "gene_00000"
    assert len(found["features"]) + found["more"] == 20
    text = " ".join(found["sentences"])
    assert "0.61 (0.56 to 0.66)" in text
    assert "0.06 (0.01 to 0.11)" in text
    assert "0.08 (0.03 to 0.13) for one selection without resampling" in text
    assert "0.05 (0.00 to 0.10) for all features" in text


def test_an_error_not_below_the_largest_class_is_called_noise():
    found = answered(errors={"error": 0.5}, stability=0.9)
    assert found["headline"] == "This is only noise."
    assert "is not below" in found["cautions"][0]


def test_chance_that_cannot_be_ruled_out_is_said():
    result = make_result(errors={"error": 0.36})
    document = result.to_dict()
    for method in document["evaluation"]["methods"]:
        method["balanced_accuracy"] = {"value": 0.52, "low": 0.4, "high": 0.6}
    document["evaluation"]["differences"][2]["error"]["p"] = 0.4
    assert prediction_level(document) == "unclear"
    found = answer(document)
    assert found["headline"] == "This may be no more than noise."
    assert "chance cannot be ruled out" in found["cautions"][0]


def test_real_noise_is_never_said_to_hold_up():
    found = answer(planted_result(effect=0.0).to_dict())
    assert found["verdict"] in ("noise", "nothing")
    assert "noise" in found["headline"]


def test_a_real_effect_is_found_to_predict():
    assert prediction_level(planted_result(effect=2.0).to_dict()) == "better"


def test_a_large_class_does_not_hide_that_classes_are_told_apart():
    document = make_result(errors={"error": 0.12}).to_dict()
    panel, *_, largest = document["evaluation"]["methods"]
    largest["error"]["value"] = 0.1
    panel["balanced_accuracy"] = {"value": 0.8, "low": 0.7, "high": 0.9}
    assert prediction_level(document) == "balanced"
    assert "balanced accuracy, 0.80 (0.70 to 0.90)" in answer(document)["cautions"][0]
    panel["balanced_accuracy"]["low"] = 0.5
    assert prediction_level(document) == "no better"


def test_the_largest_class_is_never_said_to_err_more_than_it_must():
    """In grouped folds of even classes it may have another name every time, and err in 0.59."""
    document = make_result(n_samples=100, errors={"error": 0.53}, stability=0.9).to_dict()
    counts = [c["count"] for c in document["data"]["classes"]]
    document["evaluation"]["methods"][-1]["error"]["value"] = 0.59
    found = answer(document)
    share = f"{1 - max(counts) / sum(counts):.2f}"
    assert found["verdict"] == "noise"
    assert f"{share} for always naming the largest class" in " ".join(found["sentences"])
    assert found["glance"][-1]["note"].endswith(f"largest class {share}")
    assert not any("0.59" in text for text in found["sentences"] + found["cautions"])
    # Nor is beating that figure, however clearly, evidence of anything.
    document["evaluation"]["methods"][0]["error"] = {"value": 0.35, "low": 0.25, "high": 0.45}
    assert document["evaluation"]["differences"][-1]["error"]["p"] < 0.01
    assert prediction_level(document) == "unclear"


def test_low_stability_is_a_caution():
    found = answered(stability=0.2)
    assert found["verdict"] == "unsettled"
    assert found["cautions"][0].startswith("Stability is low")


def test_stability_of_chance_is_a_caution():
    found = answered(stability=0.01, evaluate=False)
    assert found["verdict"] == "doubtful"
    assert "no more than random ones" in found["cautions"][0]


def test_without_evaluation_nothing_is_claimed_about_accuracy():
    found = answered(evaluate=False)
    assert found["verdict"] == "unchecked"
    assert found["sentences"][-1] == "No accuracy on unseen rows was measured in this run."
    assert [key["label"] for key in found["glance"]] == ["Panel", "Stability"]


def test_a_rival_that_is_better_is_named():
    document = make_result().to_dict()
    document["evaluation"]["differences"][1]["error"] = {
        "value": 0.1,
        "low": 0.04,
        "high": 0.16,
        "p": 0.002,
    }
    assert any("less accurate than all features" in text for text in answer(document)["cautions"])


def test_overlapping_stabilities_are_a_caution():
    document = make_result().to_dict()
    document["evaluation"]["methods"][1]["stability"]["nogueira"]["high"] = 0.9
    assert any("not shown to be steadier" in text for text in answer(document)["cautions"])


def test_a_single_model_has_no_stability():
    document = make_result(evaluate=False).to_dict()
    document["stability"] = {"chance": {}}
    assert "cannot be told from a single model" in answer(document)["sentences"][0]


@pytest.mark.parametrize("m", [1, 2, 6, 7])
def test_panels_of_few_features_are_named_in_full(m):
    found = answered(m=m)
    assert len(found["features"]) + found["more"] == m
    assert ("1 feature on which" in found["opening"]) == (m == 1)


def chosen(document, *frequencies, chance=0.71):
    """Give the features of a panel these frequencies, and shuffled classes that level."""
    features = document["panels"][0]["features"][: len(frequencies)]
    document["panels"][0]["features"] = [
        feature | {"frequency": f} for feature, f in zip(features, frequencies, strict=True)
    ]
    document["evaluation"]["chance"]["frequency"] = chance
    return document


def test_what_is_chosen_no_more_often_than_with_shuffled_classes_does_not_hold_up():
    found = answer(chosen(make_result().to_dict(), 0.9, 0.71, 0.6, 0.3))
    assert found["headline"] == "Of this panel, 1 of 4 features holds up."
    assert (
        "3 of the 4 features were selected no more often than features are when the classes are "
        "shuffled (0.71); take them as suggestions."
    ) in found["cautions"]
    assert not any("fewer than half" in text for text in found["cautions"])


def test_a_low_level_of_chance_leaves_half_of_the_samples_as_the_measure():
    found = answer(chosen(make_result().to_dict(), 0.9, 0.5, 0.4, chance=0.3))
    assert found["headline"] == "Of this panel, 2 of 3 features hold up."
    assert (
        "1 of the 3 features was selected in fewer than half of the resamplings; take it as a "
        "suggestion."
    ) in found["cautions"]


def test_a_panel_of_which_nothing_is_above_chance_does_not_hold_up():
    found = answer(chosen(make_result().to_dict(), 0.7, 0.6, 0.6))
    assert found["verdict"] == "unsettled"
    assert any(
        text.startswith("All 3 features were selected no more") for text in found["cautions"]
    )


def test_results_without_the_level_are_read_as_before():
    document = chosen(make_result().to_dict(), 0.9, 0.6, 0.3)
    del document["evaluation"]["chance"]
    found = answer(document)
    assert found["headline"] == "Of this panel, 2 of 3 features hold up."
    assert any("in fewer than half of the resamplings" in text for text in found["cautions"])
    document["evaluation"]["chance"] = None
    assert answer(document) == found


def test_of_real_noise_hardly_a_feature_holds_up_and_of_a_real_effect_most_do():
    noise, effect = (steady(planted_result(effect=e).to_dict()) for e in (0.0, 2.0))
    assert sum(noise) <= 1
    assert sum(effect) >= 0.75 * len(effect)


def over_training_sets(value, width=0.05, **settings):
    """A result whose panels have this stability over the training sets."""
    document = make_result(**settings).to_dict()
    known = {"value": value, "low": value - width, "high": value + width}
    document["evaluation"]["methods"][0]["stability"]["nogueira"] = known
    return document


def test_the_verdict_rests_on_training_sets_where_panels_agree_less_than_samples():
    found = answer(over_training_sets(0.3, stability=0.9))
    assert found["verdict"] == "unsettled"
    assert found["cautions"][0].startswith("Stability is low over training sets, 0.30 (0.25 to")
    text = " ".join(found["sentences"])
    assert "agree closely: their stability is 0.90" in text
    assert "have a stability of 0.30 (0.25 to 0.35)" in text


def test_panels_like_random_ones_are_said_to_be_so_once():
    found = answer(over_training_sets(0.04, stability=0.9))
    assert found["verdict"] == "unsettled"
    told = [text for text in found["cautions"] if "no more in common than random ones" in text]
    assert len(told) == 1


def test_panels_that_agree_more_than_samples_do_not_raise_the_verdict():
    assert answer(over_training_sets(0.9, stability=0.2))["verdict"] == "unsettled"


def test_the_figure_at_a_glance_is_that_over_training_sets():
    glance = {key["label"]: key for key in answer(over_training_sets(0.45))["glance"]}
    assert glance["Stability"]["value"] == "0.45"
    assert glance["Stability"]["note"] == "0.40 to 0.50 · over training sets, chance 0"
    glance = {key["label"]: key for key in answered(evaluate=False)["glance"]}
    assert glance["Stability"]["value"] == "0.61"
    assert glance["Stability"]["note"].endswith("· chance 0")
