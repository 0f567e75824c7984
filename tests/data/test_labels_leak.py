"""The class must not come in among the features when a labels file gives it."""

import pytest

from consilience import read_table
from consilience.exceptions import DataError


@pytest.fixture
def files(tmp_path):
    rows = [f"s{i},{i * 0.5},{'ab'[i % 2]}" for i in range(6)]
    table = tmp_path / "table.csv"
    table.write_text("\n".join(["sample,gene,diagnosis", *rows]) + "\n", encoding="utf-8")
    labels = tmp_path / "labels.csv"
    lines = [f"s{i},{'ab'[i % 2]}" for i in range(6)]
    labels.write_text("\n".join(["sample,diagnosis", *lines]) + "\n", encoding="utf-8")
    return table, labels


@pytest.mark.parametrize("target", [None, "diagnosis"])
def test_a_column_that_is_the_class_itself_is_refused(files, target):
    table, labels = files
    with pytest.raises(DataError, match="column 'diagnosis' holds the class as well as the file"):
        read_table(table, target=target, labels=labels)


def test_it_may_be_dropped(files):
    table, labels = files
    assert read_table(table, labels=labels, drop=["diagnosis"]).feature_names.tolist() == ["gene"]
