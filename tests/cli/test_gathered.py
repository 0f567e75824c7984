"""What is said of a part of the rows does not pass for the whole."""

import warnings

import pytest

from consilience.cli.errors import gathered
from consilience.exceptions import ConsilienceWarning


@pytest.mark.filterwarnings("always::consilience.exceptions.ConsilienceWarning")
def test_sentences_of_one_kind_are_counted():
    with pytest.warns(ConsilienceWarning, match="Another matter"), gathered(["A rank"]) as said:
        for value in (-0.2, -0.6):
            warnings.warn(f"A rank of {value}, (x{value}): odd.", ConsilienceWarning, stacklevel=1)
        warnings.warn("Another matter.", ConsilienceWarning, stacklevel=1)
    assert said == [
        "While it was evaluated on parts of the rows, 2 times: A rank of -0.2, (x-0.2): odd.",
    ]


def test_silence_says_nothing():
    with gathered(["A rank"]) as said:
        pass
    assert said == []
