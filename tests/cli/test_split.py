"""Tables in blocks on the command line, without a cluster."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from consilience import BitMatrix, BlockMatrix, make_planted_bits, read_table
from consilience.cli.spread import split_evenly

pytestmark = pytest.mark.usefixtures("folder")
QUICK = ("--models", "10", "--folds", "3", "--features", "5")


@pytest.fixture
def compounds(folder):
    """Packed bits with classes, in the directory where the command runs."""
    made = {"density": 0.1, "n_informative": 20, "n_modes": 2, "effect": 0.5, "class_share": 0.4}
    make_planted_bits("compounds.bits", 150, 1300, **made, random_state=0)
    return "compounds.bits"


@pytest.fixture
def numbers(folder):
    """Blocks of numbers."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 1100)) + 2 * y[:, None] * (np.arange(1100) < 6)
    names = [f"cg{i}" for i in range(1100)]
    BlockMatrix.split(X, n_columns=512).save("m.blocks", y=y, feature_names=names, target="status")
    return X, y


def result_of(directory):
    document = json.loads(Path(directory, "result.json").read_text(encoding="utf-8"))
    for name in ("created", "seconds"):
        del document[name]
    return document


@pytest.mark.parametrize("way", ["columns", "rows"])
def test_the_panel_is_that_of_the_table_in_one_piece(compounds, run, way):
    command = ("select", compounds, "--selector", "information-gain", *QUICK)
    run(*command, "-o", "whole")
    code, _, err = run(*command, "-o", "split", "--split", way)
    assert code == 0
    assert any(" is in " in line and "blocks of up to" in line for line in err)
    whole, split = result_of("whole"), result_of("split")
    assert [m["key"] for m in split["evaluation"]["methods"]] == ["ensemble", "plain", "majority"]
    del whole["evaluation"], split["evaluation"]
    assert whole == split


def test_a_run_in_one_piece_is_finished_in_blocks(compounds, run):
    """The way it is held decides nothing: it is the same run."""
    command = ("select", compounds, "--method", "efs", "--rounds", "2", "--subset-size", "20",
               "--folds", "2")  # fmt: skip
    run(*command, "-o", "a")
    code, _, err = run(*command, "-o", "a", "--split", "columns")
    assert code == 2
    assert "already holds the result of this very run" in err[-1]


def test_blocks_of_numbers(numbers, run):
    code, out, err = run("select", "m.blocks", "--selector", "symmetrical-uncertainty", *QUICK)
    assert code == 0, err
    assert out[0] == "m.blocks: 40 samples, 1,100 features; classes 0 (20), 1 (20)"
    assert "cg" in "\n".join(out)
    assert Path("m-run/report.html").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["m.blocks"], "'m.blocks' is in blocks of columns, and ridge-rfe looks at all of them"),
        (["m.blocks", "--method", "dafs"], "in blocks of columns, and dafs looks at all of them"),
        (["m.blocks", "--selector", "mrmr", "--split", "rows"], "is in blocks of columns already"),
        (["m.blocks", "--drop", "cg3"], "The option drop has no meaning for .blocks files"),
        (["compounds.bits", "--split", "diagonal"], "Unknown --split 'diagonal'; known are"),
        (["compounds.bits", "--split", "columns"], "methods that scan columns, and ridge-rfe is"),
        (["t.csv", "-t", "y", "--selector", "mrmr", "--split", "rows"],
         "--split rows is for packed bits, and 't.csv' is none"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_a_sentence(numbers, compounds, run, options, said):
    Path("t.csv").write_text("a,b,y\n" + "1,2,u\n3,5,v\n" * 6)
    code, _, err = run("select", *options)
    assert code == 2
    assert len(err) == 1
    assert said in err[0]
    assert not list(Path().glob("*-run"))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_cells_that_cannot_be_used_are_named_as_in_the_file(run, value):
    X = np.random.default_rng(0).normal(size=(20, 700))
    X[4, 600] = value
    names = [f"cg{i}" for i in range(700)]
    BlockMatrix.split(X).save("m.blocks", y=np.arange(20) % 2, feature_names=names)
    code, _, err = run("select", "m.blocks", "--selector", "mrmr", *QUICK)
    assert code == 2
    assert "Column 'cg600' holds" in err[-1]


def test_tables_of_few_values_are_split_by_rows(run):
    """Such as genotypes, of which a filter needs counts alone."""
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = rng.binomial(2, 0.2 + 0.3 * y[:, None] * (np.arange(700) < 6))
    np.savez("snps.npz", X=X, y=y, feature_names=[f"rs{i}" for i in range(700)])
    command = ("select", "snps.npz", "--selector", "information-gain", *QUICK)
    assert run(*command, "-o", "whole")[0] == 0
    code, _, err = run(*command, "-o", "split", "--split", "rows")
    assert code == 0, err
    found = [json.loads(Path(name, "result.json").read_text()) for name in ("whole", "split")]
    assert found[0]["panels"] == found[1]["panels"]


def test_pack_writes_blocks(run):
    rows = ["a,b,y", *(f"{i},{i * i % 7},{'uv'[i % 2]}" for i in range(12))]
    Path("t.csv").write_text("\n".join(rows))
    code, out, _ = run("pack", "t.csv", "-t", "y", "--out", "t.blocks")
    assert code == 0
    assert out[0] == "t.csv: 12 samples, 2 features; classes u (6), v (6)"
    assert out[1].startswith(
        "It will take 192 B packed, and one pass over the table with at most 192 B"
    )
    assert out[2].startswith("Packed: t.blocks (")
    assert "dense, 1 block, " in out[2]
    again = BlockMatrix.open("t.blocks")
    assert again.toarray()[:, 0].tolist() == list(range(12))
    code, _, err = run("pack", "t.csv", "-t", "y", "--out", "t.blocks")
    assert code == 2
    assert "'t.blocks' exists already" in err[0]
    code, _, err = run("pack", "t.csv", "-t", "y", "--out", "u.blocks", "--threshold", "1")
    assert code == 2
    assert "leave out --append and --threshold" in err[0]


def test_pack_refuses_categories(run):
    Path("t.csv").write_text("a,b,y\n" + "1,red,u\n3,blue,v\n" * 6)
    code, _, err = run("pack", "t.csv", "-t", "y", "--out", "t.blocks")
    assert code == 2
    assert "column 'b' holds 'red' twice, which names no sample and is no number; drop" in err[0]
    Path("t.csv").write_text("id,a,b,y\n" + "".join(f"s{i},1,red,{i % 2}\n" for i in range(6)))
    code, _, err = run("pack", "t.csv", "-t", "y", "--out", "t.blocks")
    assert code == 2
    assert err[0] == (
        "'t.csv': column 'b' holds the text 'red' in row 1 ('s0'), and blocks hold numbers; leave "
        "it out with --drop, or code it as numbers."
    )
    assert not Path("t.blocks").exists()


def test_pack_takes_a_sparse_table_as_it_is(run):
    cells = sparse.random(30, 900, density=0.05, format="csr", random_state=0)
    parts = {"data": cells.data, "indices": cells.indices, "indptr": cells.indptr}
    np.savez("s.npz", **parts, shape=np.array(cells.shape), y=np.arange(30) % 2)
    code, out, _ = run("pack", "s.npz", "--out", "s.blocks")
    assert code == 0
    assert "sparse, 2 blocks, " in out[2]
    again = read_table("s.blocks")
    assert again.X.kind == "sparse"
    np.testing.assert_array_equal(again.X.toarray(), cells.toarray())
    code, _, err = run("pack", "s.blocks", "--out", "t.blocks")
    assert code == 2
    assert err[0] == "'s.blocks' is a directory of blocks already; use it as it is."


def test_pack_leaves_classes_for_later(run):
    np.savez("x.npz", X=np.arange(12.0).reshape(4, 3))
    assert run("pack", "x.npz", "--no-classes", "--out", "x.blocks")[0] == 0
    Path("y.txt").write_text("a\nb\na\nb\n")
    assert read_table("x.blocks", labels="y.txt").y.tolist() == list("abab")


def test_blocks_are_enough_for_all_workers():
    X = BitMatrix.from_array(np.zeros((64, 8 * 512)))
    assert len(split_evenly(X, by_rows=False).blocks) == 4
    tall = split_evenly(BitMatrix.from_array(np.zeros((640, 512))), by_rows=True)
    assert tall.is_tall
