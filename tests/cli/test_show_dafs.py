"""What is printed of a run of DAFS beside its panel."""

import pytest

from consilience.cli.show_dafs import stability
from report.standin_dafs import make_dafs


@pytest.mark.parametrize(
    ("evaluation", "rows"), [("oof", "held out"), ("loo", "held out"), ("train", "trained on")]
)
def test_the_print_says_which_rows_judged(evaluation, rows):
    said = stability(make_dafs(evaluation=evaluation, missed=2).to_dict()).plain
    assert f"of the rows {rows}, the vote of all in 95 %." in said
    assert ("judged on the very rows" in said) == (evaluation == "train")
    assert "2 features of 300 were in no subspace" in said


def test_one_feature_never_sampled_is_told_in_the_singular():
    said = stability(make_dafs(missed=1).to_dict()).plain
    assert "1 feature of 300 was in no subspace" in said
    assert said.endswith("More subspaces would reach it.")
