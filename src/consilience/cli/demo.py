"""`consilience demo`: the whole way on the embedded leukemia data."""

from pathlib import Path

from . import options as o


def demo(
    features: o.Features = 20,
    seed: o.Seed = 0,
    out: o.Out = Path("demo-run"),
    jobs: o.Jobs = -1,
    cluster: o.Cluster = None,
    quiet: o.Quiet = False,
    as_json: o.AsJson = False,
) -> None:
    """Run the whole way on data that come along: leukemia genes.

    Bone marrow of 38 patients, 5,000 genes, three diagnoses (Golub and others, 1999). An earlier
    demo in the same directory is replaced.
    """
    from .cluster import on_cluster
    from .plan import Plan
    from .reading import DemoReading
    from .selection import carry_out

    # As many folds as the rarest diagnosis has patients.
    plan = Plan(features=features, folds=8, seed=seed, jobs=jobs)
    with on_cluster(cluster, show=not quiet):
        carry_out(DemoReading(), plan, out, resume=False, quiet=quiet, as_json=as_json)
