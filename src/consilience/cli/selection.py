"""One run from a table to its page: select, evaluate, write; shared by `select` and `demo`."""

import json
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sklearn.base import clone

from .. import __version__
from ..data.table import Table
from ..data.unchanged import check_unchanged
from ..evaluation.folds import most_folds
from ..execution import Checkpoint, fingerprint, progress_bar
from ..execution.local import resolve_jobs
from ..execution.memory import affordable_jobs
from ..heard import remark
from ..report.facts import PARTS
from ..report.load import load_result
from ..report.render import write_report
from ..results import Result
from .alternatives_file import write_alternatives
from .errors import Stopped, gathered, notes, say
from .panel_file import write_panel
from .plan import command_line
from .plan_base import BasePlan
from .reading import DemoReading, Reading
from .run_directory import RunDirectory
from .show import print_json, print_result, print_table
from .show_alternatives import print_alternatives
from .spread import spread

NOTABLE = 0.1  # seconds of compiling that are told


def carry_out(
    reading: Reading | DemoReading,
    plan: BasePlan,
    out: Path | None,
    *,
    resume: bool,
    quiet: bool,
    as_json: bool,
    split: str | None = None,
) -> None:
    """Read, select, evaluate, write and print; on Ctrl-C say how to go on."""
    directory = RunDirectory(out or reading.default_out, reading.files)
    directory.refuse_strangers()
    talk = not quiet and not as_json
    try:
        with notes(show=not quiet, but=plan.told_elsewhere):
            started = time.perf_counter()
            table = reading.read()
            seconds = time.perf_counter() - started
            plan = plan.for_table(table)
            plan.check(table)
            if talk:
                print_table(table, plan.with_missing)
            table = spread(table, plan, split, show=not quiet)
            command = command_line(reading.words(plan))
            job = Job(table, plan, directory, reading.kind, command, seconds, verbose=not quiet)
            document = run(job, resume=resume)
    except KeyboardInterrupt:
        raise Stopped.run(directory.path) from None
    if as_json:
        print_json(document)
    elif talk:
        show = print_alternatives if reading.kind == "alternatives" else print_result
        show(document, directory.path)


@dataclass(frozen=True)
class Job:
    """All that one run needs."""

    table: Table
    plan: BasePlan
    directory: RunDirectory
    kind: str
    command: str
    seconds_reading: float
    verbose: bool

    def manifest(self) -> dict[str, Any]:
        """Return what decides the result: data, settings, and the version that computes it."""
        table = self.table
        content = (table.X, table.y, table.feature_names, table.categorical_features, table.groups)
        return {
            "consilience": __version__,
            "kind": self.kind,
            **self.plan.decisions(),
            "fingerprint of the data": fingerprint(*content),
        }


def run(job: Job, *, resume: bool) -> dict[str, Any]:
    """Select and evaluate, keep everything in the directory, and return the document."""
    directory = job.directory
    try:
        checkpoint = directory.open(job.manifest(), resume=resume)
        if directory.finished:
            load_result(directory.path)  # refuses what is damaged
            return _document(directory.path)
        result = _compute(job, checkpoint)
        with directory.staged() as stage:
            result.save(stage)
            if job.kind == "alternatives":
                write_alternatives(_document(stage), stage / "alternatives.csv")
            else:
                write_panel(_document(stage), stage / "panel.csv")
            write_report(result, stage / "report.html")
        checkpoint.clear()
    finally:
        directory.discard_if_unused()
    return _document(directory.path)


def _document(folder: Path) -> dict[str, Any]:
    """Read result.json again: on a wide table that is quicker than to work it out again."""
    return json.loads((folder / "result.json").read_text(encoding="utf-8"))


def _compute(job: Job, checkpoint: Checkpoint) -> Result:
    table, plan = job.table, job.plan
    begun = time.perf_counter()
    plan.warm_up(table)
    started = time.perf_counter()
    compiled = {"compile": round(started - begun, 3)} if started - begun > NOTABLE else {}
    ensemble = plan.build(table, checkpoint.scope("select"), verbose=int(job.verbose))
    if job.verbose and plan.method != "ensemble" and plan.folds:
        n_folds = most_folds(table.y, table.groups, plan.folds)
        say(f"The selection is run once on all rows, then {n_folds} times to evaluate it.")
    with gathered(plan.told_in_result) as said_in_fit:
        result = ensemble.fit(table.X, table.y, groups=table.groups).result_
    if said_in_fit:
        for sentence in result.warnings:
            remark(sentence, stacklevel=2)
    selected = time.perf_counter()
    with gathered(plan.of_training_sets) as said_of_folds:
        evaluation, alternatives = _evaluate(job, checkpoint) if plan.folds else (None, None)
    for pattern, words in plan.plain_words.items():
        said_of_folds = [re.sub(pattern, words, sentence) for sentence in said_of_folds]
    for sentence in said_of_folds:
        remark(sentence, stacklevel=2)
    ended = time.perf_counter()
    check_unchanged(table.X)
    # What the page tells by the names in the file, `fit` could only tell by numbers.
    warnings = [
        said for said in result.warnings if not any(re.match(p, said) for p in plan.told_elsewhere)
    ]
    warnings += said_of_folds
    if evaluation and evaluation["protocol"]["n_splits"] < plan.folds:
        warnings.append(
            f"The rarest class is too small for {plan.folds} folds, so the error is from "
            f"{evaluation['protocol']['n_splits']} folds."
        )
    if alternatives:
        warnings += alternatives["remarks"]
    parts = {step: round(result.seconds[step], 3) for step in PARTS if step in result.seconds}
    return result.may_have(
        feature_names=table.feature_names,
        categories=dict(table.categories),
        data={**result.data, "source": table.source, "target": table.target},
        evaluation=evaluation,
        alternatives_evaluation=alternatives,
        warnings=warnings,
        command=job.command,
        seconds={
            "read": round(job.seconds_reading, 3),
            **compiled,
            **parts,
            "select": round(selected - started, 3),
            "evaluate": round(ended - selected, 3),
            "total": round(job.seconds_reading + ended - begun, 3),
        },
    )


def _evaluate(job: Job, checkpoint: Checkpoint) -> tuple[dict, dict | None]:
    """Evaluate the first panel, and where there are several each of them, on the same folds."""
    plan, X = job.plan, job.table.X
    ensemble = plan.build(job.table, None, verbose=0)
    each = clone(ensemble).set_params(n_jobs=1).estimate_memory(X)  # beside X, for one fold
    bar = progress_bar("Evaluating", show=job.verbose)
    with bar as progress:
        found = plan.evaluator()(
            ensemble,
            X,
            job.table.y,
            groups=job.table.groups,
            n_splits=plan.folds,
            backend=plan.backend,
            classifier=plan.classifier,
            random_state=plan.seed,
            n_jobs=affordable_jobs(resolve_jobs(plan.jobs), each),
            checkpoint=checkpoint.scope("evaluate"),
            progress=progress,
        )
    if plan.several:
        return found.evaluation.to_dict(), found.to_dict()
    return found.to_dict(), None
