"""Several panels from the models of a finished run, without selecting anew."""

import json
import time
from pathlib import Path
from typing import Any

from .. import __version__
from ..aggregation import AGGREGATORS
from ..ensemble import SelectionResult
from ..ensemble.alternatives import several_panels
from ..exceptions import UsageError
from ..report.load import load_result
from ..report.render import write_report
from ..results.plain import clean
from .alternatives_file import write_alternatives
from .errors import notes
from .plan import Plan, command_line
from .reading import AlternativesReading
from .run_directory import RunDirectory
from .show import print_json
from .show_alternatives import print_alternatives

NOT_JUDGED = (
    "The panels come from the models of a finished run; how accurate they are was not measured. "
    "Run `consilience alternatives` on the data to learn it."
)


def from_run(
    run: Path, plan: Plan, out: Path | None, *, resume: bool, quiet: bool, as_json: bool
) -> None:
    """Find the panels in the models of a run, write them beside it, and print them."""
    directory = RunDirectory(
        out or Path(f"{run.resolve().name.removesuffix('-run')}-alternatives"),
        AlternativesReading.files,
    )
    directory.refuse_strangers()
    if directory.path.resolve() == run.resolve():
        raise UsageError(f"'{run}' holds the run itself; give another --out for its alternatives.")
    refuse_settings(run, plan)
    with notes(show=not quiet):
        result = load_result(run)
        if not isinstance(result, SelectionResult):
            raise UsageError(
                f"'{run}' is a run of {result.method}, which has no selections to find other "
                "panels in; give the data instead, or a run of --method ensemble."
            )
        manifest = {
            "consilience": __version__,
            "kind": "alternatives of a run",
            "aggregator": plan.aggregator,
            "panels": plan.panels,
            "run": {"data": result.data, "settings": clean(result.settings)},
        }
        try:
            checkpoint = directory.open(manifest, resume=resume)
            if not directory.finished:
                found = _with_panels(result, run, plan)
                with directory.staged() as stage:
                    document = _document(found.save(stage))
                    write_alternatives(document, stage / "alternatives.csv")
                    write_report(found, stage / "report.html")
                checkpoint.clear()
        finally:
            directory.discard_if_unused()
    document = _document(directory.path / "result.json")
    if as_json:
        print_json(document)
    elif not quiet:
        print_alternatives(document, directory.path)


def refuse_settings(run: Path, plan: Plan) -> None:
    """Refuse what was settled when the models were made."""
    usual = Plan(aggregator=plan.aggregator, panels=plan.panels)
    settled = ("selector", "features", "models", "share", "seed", "folds", "classifier")
    given = [f"--{name}" for name in settled if getattr(plan, name) != getattr(usual, name)]
    if given:
        raise UsageError(
            f"'{run}' is a finished run, whose models are taken as they are; leave out "
            f"{', '.join(given)}, or give the data instead."
        )


def _with_panels(result: SelectionResult, run: Path, plan: Plan) -> SelectionResult:
    """The result with other panels; what was said of the old ones is left out."""
    started = time.perf_counter()
    aggregator = several_panels(AGGREGATORS[plan.aggregator].cls(), plan.panels)
    panels = result.alternatives(aggregator=aggregator).panels
    chosen = type(aggregator)
    named = {
        "name": plan.aggregator,
        "class": f"{chosen.__module__}.{chosen.__qualname__}",
        "params": clean(aggregator.get_params(deep=False)),
    }
    words: list[Any] = ["alternatives", run, "--aggregator", plan.aggregator]
    if plan.panels is not None:
        words += ["--panels", plan.panels]
    return result.described(
        panels=panels,
        settings=result.settings | {"aggregator": named},
        evaluation=None,
        alternatives_evaluation=None,
        warnings=[*result.warnings, NOT_JUDGED],
        command=command_line(words),
        seconds={"select": round(time.perf_counter() - started, 3)},
        aggregator=aggregator,
    )


def _document(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))
