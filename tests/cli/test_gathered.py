"""What is said of a part of the rows does not pass for the whole."""

import pytest

from consilience.cli.errors import gathered
from consilience.heard import remark


@pytest.mark.filterwarnings("always::consilience.exceptions.ConsilienceWarning")
def test_sentences_of_one_kind_are_counted(recwarn):
    with gathered(["A rank"]) as said:
        remark("A rank of -0.2, (x-0.2): odd.")
        remark("A rank of -0.6, (x-0.6): odd.")
        remark("Another matter.")
    assert said == [
        "While it was evaluated on parts of the rows, 2 times: A rank of -0.2, (x-0.2): odd.",
    ]
    assert [str(warning.message) for warning in recwarn] == ["Another matter."]


def test_silence_says_nothing():
    with gathered(["A rank"]) as said:
        pass
    assert said == []


@pytest.mark.filterwarnings("always::consilience.exceptions.ConsilienceWarning")
def test_work_that_fails_has_told_the_rest(recwarn):
    def stopped():
        remark("Another matter.")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), gathered(["A rank"]):
        stopped()
    assert [str(warning.message) for warning in recwarn] == ["Another matter."]
