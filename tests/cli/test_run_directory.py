"""One directory, one run: continued, repeated, refused, never mixed and never half-written."""

import errno
import json
import os
from pathlib import Path

import pytest

from consilience.cli import run_directory, selection
from consilience.exceptions import ConsilienceError

from .conftest import QUICK


@pytest.fixture
def select(genes, run):
    return lambda *words: run("select", genes, "-t", "diagnosis", *QUICK, *words)


def snapshot(directory):
    return {p: p.read_bytes() for p in Path(directory).rglob("*") if p.is_file()}


def test_a_finished_run_is_not_overwritten(select):
    select()
    before = snapshot("genes-run")
    code, out, err = select()
    assert (code, out[1:]) == (2, [])
    assert len(err) == 1
    assert "already holds the result of this very run" in err[0]
    assert snapshot("genes-run") == before


def test_a_finished_run_is_shown_again_by_resume(select):
    first = select()
    before = snapshot("genes-run")
    second = select("--resume")
    assert second[:2] == first[:2]
    assert snapshot("genes-run") == before


def test_resume_without_a_run_begins_one(select):
    assert select("--resume")[0] == 0


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        (["--models", "13"], "its models is 12, this run's is 13"),
        (["--seed", "5"], "its seed is 0, this run's is 5"),
        (["--selector", "CHI"], 'its selector is "ridge-rfe", this run\'s is "chi-'),
        (["--drop", "g3"], "its fingerprint of the data is"),
    ],
)
@pytest.mark.parametrize("resume", [[], ["--resume"]])
def test_another_run_is_refused(select, change, difference, resume):
    select()
    before = snapshot("genes-run")
    code, _, err = select(*change, *resume)
    assert code == 2
    assert len(err) == 1
    assert err[0].startswith("Directory 'genes-run' holds another run: ")
    assert difference in err[0]
    assert "--out" in err[0]
    assert snapshot("genes-run") == before


@pytest.mark.parametrize("change", [[], ["--models", "13"], ["--models", "13", "--resume"]])
def test_a_refused_run_leaves_alone_one_that_has_just_begun(select, monkeypatch, change):
    compute, seen = selection._compute, []

    def meanwhile(*arguments):
        if not seen:  # no task has ended yet
            seen.append(snapshot("genes-run"))
            seen.append(select(*change))
            seen.append(snapshot("genes-run"))
        return compute(*arguments)

    monkeypatch.setattr(selection, "_compute", meanwhile)
    assert select()[0] == 0
    before, (code, _, _), after = seen
    assert code == 2
    assert len(before) == 1
    assert after == before
    assert Path("genes-run/checkpoint/manifest.json").exists()
    assert select("--resume")[0] == 0


def test_a_directory_of_somebody_else_is_refused_before_reading(select, genes):
    Path("genes-run").mkdir()
    Path("genes-run/thesis.docx").write_text("ten years")
    genes.unlink()  # not even missed: the directory is looked at first
    code, out, err = select()
    assert (code, out) == (2, [])
    assert "holds other files, such as 'thesis.docx'" in err[0]
    assert [p.name for p in Path("genes-run").iterdir()] == ["thesis.docx"]


def test_a_file_is_no_directory(select):
    code, _, err = select("--out", "genes.csv")
    assert code == 2
    assert err == ["'genes.csv' is a file; give a directory as --out."]


def test_an_empty_directory_is_used_and_stays_after_a_failure(select):
    Path("genes-run").mkdir()
    code, _, _ = select("--features", "99")
    assert code == 2
    assert list(Path("genes-run").iterdir()) == []
    assert select()[0] == 0


def test_a_failure_takes_all_its_new_directories_away(select, monkeypatch):
    monkeypatch.setattr(selection, "_compute", full_disk)
    assert select("--out", "deep/er/run")[0] == 2
    assert not Path("deep").exists()


def full_disk(*_args, **_kwargs):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_disk_that_is_full_from_the_start_leaves_nothing(select, monkeypatch):
    monkeypatch.setattr(os, "fsync", full_disk)
    code, _, err = select()
    assert code == 2
    assert "No space left on device" in err[-1]
    assert not Path("genes-run").exists()


@pytest.mark.parametrize("file", ["save", "write_panel", "write_report"])
def test_a_disk_that_fills_at_the_end_leaves_no_file_and_resumes(select, monkeypatch, file):
    select("--out", "whole")
    with monkeypatch.context() as patch:
        if file == "save":
            patch.setattr(selection.Result, "save", full_disk)
        else:
            patch.setattr(selection, file, full_disk)
        code, _, err = select()
    assert code == 2
    assert err[-1].startswith("Cannot write the result into 'genes-run' (No space left on device)")
    assert [p.name for p in Path("genes-run").iterdir()] == ["checkpoint"]

    code, _, err = select()
    assert code == 2
    assert "holds this very run, unfinished; add --resume" in err[0]
    with monkeypatch.context() as patch:  # everything was computed: nothing is again
        patch.setattr("consilience.ensemble.selector.fit_batch", full_disk)
        patch.setattr("consilience.evaluation.protocol._run_fold", full_disk)
        assert select("--resume")[0] == 0
    a, b = (json.loads(Path(d, "result.json").read_text()) for d in ("whole", "genes-run"))
    for document in (a, b):
        del document["created"], document["seconds"]
    assert a == b


def test_the_files_are_on_the_disk_before_the_checkpoint_goes(select, monkeypatch):
    order = []

    def note(path):
        order.append({file.name for file in path.iterdir()})

    monkeypatch.setattr(run_directory, "sync_directory", note)
    monkeypatch.setattr(selection.Checkpoint, "clear", lambda self: order.append("clear"))
    assert select()[0] == 0
    assert set(run_directory.FILES) <= order[0]
    assert order[1:] == ["clear"]


def test_a_bug_is_one_sentence_too(select, monkeypatch):
    def bug(*_):
        raise ZeroDivisionError("float division")

    monkeypatch.setattr(selection, "_compute", bug)
    code, _, err = select()
    assert code == 1
    assert "ZeroDivisionError: float division" in err[-1]
    assert "Traceback" not in "\n".join(err)
    assert not Path("genes-run").exists()
    monkeypatch.setenv("CONSILIENCE_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        select()


def test_a_damaged_manifest_is_refused(select):
    select()
    Path("genes-run/checkpoint/manifest.json").write_text("{")
    code, _, err = select("--resume")
    assert code == 2
    assert "is not the manifest of a run" in err[-1]


def test_out_of_memory_is_one_sentence(select, monkeypatch):
    def refuse(*_):
        raise MemoryError

    monkeypatch.setattr(selection, "_compute", refuse)
    code, _, err = select()
    assert code == 2
    assert err[-1].startswith("The memory of this machine is used up")


def test_errors_of_consilience_are_said_as_they_are(select, monkeypatch):
    def refuse(*_):
        raise ConsilienceError("Two words.\nAnd \x1b[31mmore.")

    monkeypatch.setattr(selection, "_compute", refuse)
    code, _, err = select()
    assert code == 2
    assert err[-1] == "Two words. And \\x1b[31mmore."
