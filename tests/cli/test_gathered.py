"""What is said of a part of the rows does not pass for the whole."""

import warnings

import pytest

from consilience.cli.errors import gathered
from consilience.exceptions import ConsilienceWarning


def say(sentence):
    warnings.warn(sentence, ConsilienceWarning, stacklevel=1)


@pytest.mark.filterwarnings("always::consilience.exceptions.ConsilienceWarning")
def test_sentences_of_one_kind_are_counted(recwarn):
    with gathered(["A rank"]) as said:
        say("A rank of -0.2, (x-0.2): odd.")
        say("A rank of -0.6, (x-0.6): odd.")
        say("Another matter.")
    assert said == [
        "While it was evaluated on parts of the rows, 2 times: A rank of -0.2, (x-0.2): odd.",
    ]
    assert [str(warning.message) for warning in recwarn] == ["Another matter."]


def test_silence_says_nothing():
    with gathered(["A rank"]) as said:
        pass
    assert said == []
