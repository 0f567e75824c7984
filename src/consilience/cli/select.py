"""`consilience select`: read a table, find a panel, write the result and its page."""

from . import options as o
from . import options_select as s
from . import options_wrapper as w


def select(
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
    method: o.Method = "ensemble",
    features: s.Features = None,
    selector: s.Selector = None,
    aggregator: s.Aggregator = None,
    models: s.Models = None,
    share: s.Share = None,
    panels: s.Panels = None,
    learner: s.Learner = None,
    criterion: s.Criterion = None,
    diversity: s.Diversity = None,
    subspace_size: s.SubspaceSize = None,
    subspaces: s.Subspaces = None,
    evaluation: s.Evaluation = None,
    rounds: s.Rounds = None,
    subset_size: s.SubsetSize = None,
    discretize: s.Discretize = None,
    instances: s.Instances = None,
    normalize: s.Normalize = None,
    votes: s.Votes = None,
    threshold: s.Threshold = None,
    members: s.Members = None,
    alpha: s.Alpha = None,
    integration: s.Integration = None,
    neighbors: s.Neighbors = None,
    generations: s.Generations = None,
    population: s.Population = None,
    patience: s.Patience = None,
    elitism: s.Elitism = None,
    candidates: s.Candidates = None,
    direction: s.Direction = None,
    choose: s.Choose = None,
    rivals: s.Rivals = None,
    search: w.Search = None,
    balance: w.Balance = None,
    stop: w.Stop = None,
    choice: w.Choice = None,
    inner_folds: w.InnerFolds = None,
    fitness: w.Fitness = None,
    multiclass: w.Multiclass = None,
    space: w.Space = None,
    folds: o.Folds = 10,
    classifier: s.Classifier = None,
    seed: o.Seed = 0,
    out: o.Out = None,
    resume: o.Resume = False,
    jobs: o.Jobs = -1,
    backend: o.Backend = "threads",
    cluster: o.Cluster = None,
    split_into: s.Split = None,
    quiet: o.Quiet = False,
    as_json: o.AsJson = False,
) -> None:
    """Select the features of TABLE that hold up, and say how surely.

    Writes into one directory: the panel (panel.csv), a page for the browser (report.html) and
    the whole result (result.json, models.npz). A run that was stopped goes on with --resume and
    gives the same answer.

    \b
    Examples:
      consilience select genes.csv -t diagnosis
      consilience select counts.tsv.gz --transpose -t class -n 30
      consilience select genes.csv -t diagnosis --method dafs
      consilience select compounds.npz --method qifs --rounds 50
      consilience select vehicles.csv -t kind --method gas-sefs --alpha auto
      consilience select slicks.csv -t oil --method balanced-wrapper
    """  # noqa: D301
    from .cluster import on_cluster
    from .plans import make_plan
    from .reading import Reading, split
    from .selection import carry_out

    plan = make_plan(
        method,
        features=features,
        selector=selector,
        aggregator=aggregator,
        models=models,
        share=share,
        panels=panels,
        learner=learner,
        criterion=criterion,
        diversity=diversity,
        subspace_size=subspace_size,
        subspaces=subspaces,
        evaluation=evaluation,
        rounds=rounds,
        subset_size=subset_size,
        discretize=discretize,
        instances=instances,
        normalize=normalize,
        votes=votes,
        threshold=threshold,
        members=members,
        alpha=alpha,
        integration=integration,
        neighbors=neighbors,
        generations=generations,
        population=population,
        patience=patience,
        elitism=elitism,
        candidates=candidates,
        direction=direction,
        choose=choose,
        rivals=rivals,
        search=search,
        balance=balance,
        stop=stop,
        choice=choice,
        inner_folds=inner_folds,
        fitness=fitness,
        multiclass=multiclass,
        space=space,
        seed=seed,
        folds=folds,
        classifier=classifier,
        jobs=jobs,
        backend=backend,
    )
    reading = Reading(
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
        how = {"resume": resume, "quiet": quiet, "as_json": as_json}
        carry_out(reading, plan, out, split=split_into, **how)
