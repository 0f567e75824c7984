"""`consilience alternatives`: several panels, how accurate and how alike they are."""

from . import options as o
from .names import SELECTOR, SHARE


def alternatives(
    table: o.TableFile,
    target: o.Target = None,
    sample_names: o.SampleNames = None,
    drop: o.Drop = None,
    nominal: o.Nominal = None,
    groups: o.Groups = None,
    transpose: o.Transpose = False,
    labels: o.Labels = None,
    feature_names: o.FeatureNames = None,
    separator: o.Separator = None,
    features: o.Features = 20,
    panels: o.Panels = None,
    selector: o.Selector = SELECTOR,
    aggregator: o.Aggregator = "all-medoids",
    models: o.Models = 150,
    share: o.Share = SHARE,
    folds: o.Folds = 10,
    classifier: o.Classifier = "svm",
    seed: o.Seed = 0,
    out: o.AlternativesOut = None,
    resume: o.Resume = False,
    jobs: o.Jobs = -1,
    backend: o.Backend = "threads",
    cluster: o.Cluster = None,
    quiet: o.Quiet = False,
    as_json: o.AsJson = False,
) -> None:
    """Find several panels in TABLE, and say which serve as well as the first.

    Where many features carry the same signal, there is more than one good panel. Tells for each
    its error on unseen samples, how alike they are, whether they predict alike, and which
    features can stand in for which. Writes alternatives.csv, report.html, result.json and
    models.npz into one directory; a run that was stopped goes on with --resume.

    TABLE may also be the directory of a finished `consilience select`: then the panels come from
    its models at once, and without errors, which only a new evaluation can tell.

    \b
    Examples:
      consilience alternatives genes.csv -t diagnosis
      consilience alternatives genes.csv -t diagnosis --selector svm-rfe --panels 5
      consilience alternatives genes-run
    """  # noqa: D301
    from .cluster import on_cluster
    from .plan import Plan
    from .reading import AlternativesReading, split
    from .selection import carry_out

    plan = Plan(
        selector=selector,
        aggregator=aggregator,
        features=features,
        models=models,
        share=share,
        panels=panels,
        seed=seed,
        folds=folds,
        classifier=classifier,
        jobs=jobs,
        backend=backend,
    )
    plan.require_several()
    if (table / "result.json").is_file():
        from .saved_alternatives import from_run

        from_run(table, plan, out, resume=resume, quiet=quiet, as_json=as_json)
        return
    reading = AlternativesReading(
        path=table,
        target=target,
        sample_names=sample_names,
        drop=tuple(drop or ()),
        nominal=split(nominal),
        groups=groups,
        transpose=transpose,
        labels=labels,
        features=feature_names,
        separator=separator,
    )
    with on_cluster(cluster, show=not quiet):
        carry_out(reading, plan, out, resume=resume, quiet=quiet, as_json=as_json)
