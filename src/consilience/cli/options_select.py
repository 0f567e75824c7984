"""Options of `consilience select` that belong to one method; what is not given is its default."""

from typing import Annotated

import typer

from .names import (
    AGGREGATOR,
    SELECTOR,
    SHARE,
    complete_aggregator,
    complete_choose,
    complete_classifier,
    complete_criterion,
    complete_direction,
    complete_discretize,
    complete_diversity,
    complete_evaluation,
    complete_integration,
    complete_learner,
    complete_selector,
    complete_votes,
)

Features = Annotated[
    int | None,
    typer.Option(
        "--features",
        "-n",
        metavar="N",
        help="Size of the panel to find; for dafs and balanced-wrapper the most, for committees "
        "the most used.",
        show_default="20, for dafs 30, for ga and the like what half of the members use",
    ),
]
Selector = Annotated[
    str | None,
    typer.Option(
        "--selector",
        metavar="NAME",
        help="Ensemble: how to select from one sample; see consilience methods.",
        show_default=SELECTOR,
        autocompletion=complete_selector,
    ),
]
Aggregator = Annotated[
    str | None,
    typer.Option(
        "--aggregator",
        metavar="NAME",
        help="Ensemble: how the selections become one panel; see consilience methods.",
        show_default=AGGREGATOR,
        autocompletion=complete_aggregator,
    ),
]
Models = Annotated[
    int | None,
    typer.Option(
        "--models",
        metavar="N",
        help="Ensemble: samples of the rows to select from.",
        show_default="150",
    ),
]
Share = Annotated[
    float | None,
    typer.Option(
        "--share",
        metavar="SHARE",
        help="Ensemble: share of the rows in each sample, without replacement; 0 draws bootstraps.",
        show_default=str(SHARE),
    ),
]
Panels = Annotated[
    int | None,
    typer.Option(
        "--panels",
        metavar="N",
        help="Ensemble: how many panels, of an aggregator that gives several.",
        show_default="10",
    ),
]
Learner = Annotated[
    str | None,
    typer.Option(
        "--learner",
        metavar="NAME",
        help="What is trained: svm, knn, ridge or mlp; in committees also tree and naive Bayes: nb "
        "(Gaussian) or bayes (ten intervals, categories, gaps).",
        show_default="svm; bayes for ga, gas-sefs and the like",
        autocompletion=complete_learner,
    ),
]
Criterion = Annotated[
    str | None,
    typer.Option(
        "--criterion",
        metavar="NAME",
        help="Dafs: what a feature is scored by: occlusion, da (the paper's) or accuracy.",
        show_default="occlusion; da with --diversity",
        autocompletion=complete_criterion,
    ),
]
Diversity = Annotated[
    str | None,
    typer.Option(
        "--diversity",
        metavar="NAME",
        help="Dafs, da: double-fault, q-statistic, correlation or disagreement; searches: "
        "these and kappa, label-disagreement, entropy, ambiguity and kappa-raw01 (which rewards "
        "agreement).",
        show_default="double-fault; disagreement for searches",
        autocompletion=complete_diversity,
    ),
]
SubspaceSize = Annotated[
    int | None,
    typer.Option(
        "--subspace-size",
        metavar="N",
        help="Dafs, random-subspace: features of each subspace.",
        show_default="planned",
    ),
]
Subspaces = Annotated[
    int | None,
    typer.Option(
        "--subspaces",
        metavar="N",
        help="Dafs: how many subspaces.",
        show_default="planned, so that no feature is left out",
    ),
]
Evaluation = Annotated[
    str | None,
    typer.Option(
        "--evaluation",
        metavar="NAME",
        help="Dafs: which rows judge: oof (folds), holdout, loo (one by one) or train.",
        show_default="oof",
        autocompletion=complete_evaluation,
    ),
]
Rounds = Annotated[
    int | None,
    typer.Option(
        "--rounds",
        metavar="N",
        help="Qifs, efs, eifs: how many rounds, at most.",
        show_default="50, for efs 10, for eifs 20",
    ),
]
SubsetSize = Annotated[
    int | None,
    typer.Option(
        "--subset-size",
        metavar="N",
        help="Qifs, efs, eifs: features of each member.",
        show_default="half of them, at most 500",
    ),
]
Discretize = Annotated[
    str | None,
    typer.Option(
        "--discretize",
        metavar="NAME",
        help="Qifs, efs, eifs: where columns of many values are cut: mixture or quantile.",
        show_default="mixture",
        autocompletion=complete_discretize,
    ),
]
Instances = Annotated[
    float | None,
    typer.Option(
        "--instances",
        metavar="SHARE",
        help="Qifs: share of the rows that a round asks about, those least sure.",
        show_default="0.5",
    ),
]
Normalize = Annotated[
    bool | None,
    typer.Option(
        "--normalize/--raw",
        help="Qifs: whether distances are divided by what chance gives each feature.",
        show_default="raw, as published",
    ),
]
Votes = Annotated[
    str | None,
    typer.Option(
        "--votes",
        metavar="NAME",
        help="Qifs: whose votes tell what is unsure: training (members) or oof (held out).",
        show_default="training",
        autocompletion=complete_votes,
    ),
]
Threshold = Annotated[
    str | None,
    typer.Option(
        "--threshold",
        metavar="SHARE",
        help="Qifs, efs, eifs: votes for the rarer class that decide; qifs tunes f1, "
        "balanced-accuracy.",
        show_default="the majority",
    ),
]
Members = Annotated[
    int | None,
    typer.Option(
        "--members",
        metavar="N",
        help="Searches: how many members; balanced-wrapper: samples, and trees, of an ensemble.",
        show_default="10, of random-subspace 100, of balanced-wrapper 20",
    ),
]
Alpha = Annotated[
    str | None,
    typer.Option(
        "--alpha",
        metavar="WEIGHT",
        help="Searches: what diversity counts beside accuracy; auto tries seven values.",
        show_default="1",
    ),
]
Integration = Annotated[
    str | None,
    typer.Option(
        "--integration",
        metavar="NAME",
        help="Searches: how members are joined: vote, weighted, static, dynamic-selection, "
        "dynamic-voting or dynamic-voting-selection.",
        show_default="dynamic-voting-selection",
        autocompletion=complete_integration,
    ),
]
Neighbors = Annotated[
    str | None,
    typer.Option(
        "--neighbors",
        metavar="N",
        help="Searches, dynamic rules: training rows near a new one that are looked at; auto "
        "tries seven numbers.",
        show_default="15",
    ),
]
Generations = Annotated[
    int | None,
    typer.Option(
        "--generations",
        metavar="N",
        help="Genetic searches, swarm: generations.",
        show_default="10, of balanced-wrapper 20",
    ),
]
Population = Annotated[
    int | None,
    typer.Option(
        "--population",
        metavar="N",
        help="Genetic searches, swarm: subsets of a generation.",
        show_default="10, of balanced-wrapper 20",
    ),
]
Patience = Annotated[
    int | None,
    typer.Option(
        "--patience",
        metavar="N",
        help="Genetic searches: stop after so many generations without a better best.",
        show_default="never",
    ),
]
Elitism = Annotated[
    int | None,
    typer.Option(
        "--elitism",
        metavar="N",
        help="Genetic searches but pareto: how many of the best are kept for sure.",
        show_default="0, as published",
    ),
]
Candidates = Annotated[
    str | None,
    typer.Option(
        "--candidates",
        metavar="N",
        help="Searches: how many features may be used, by information gain, of balanced-wrapper "
        "by chi-square; all, or auto.",
        show_default="auto: all up to 1,000, else 500; of balanced-wrapper 500, backward 50",
    ),
]
Direction = Annotated[
    str | None,
    typer.Option(
        "--direction",
        metavar="NAME",
        help="Sequential-selection: forward adds features, backward drops them.",
        show_default="forward",
        autocompletion=complete_direction,
    ),
]
Choose = Annotated[
    str | None,
    typer.Option(
        "--choose",
        metavar="NAME",
        help="Pareto: the knee of a front for each member, or one front as the committee.",
        show_default="knee",
        autocompletion=complete_choose,
    ),
]
Rivals = Annotated[
    str | None,
    typer.Option(
        "--rivals",
        metavar="NAMES",
        help="Committees: whom to compare with: all, none, or some of subspace,fss,efs,eifs; of "
        "searches some of subspace,one,forest.",
        show_default="all",
    ),
]
Classifier = Annotated[
    str | None,
    typer.Option(
        "--classifier",
        metavar="NAME",
        help="Whose error is told: svm, knn, tree, j48, or balanced-svm or balanced-forest, to "
        "which all classes weigh the same.",
        show_default="svm, for balanced-wrapper balanced-svm",
        autocompletion=complete_classifier,
    ),
]
Split = Annotated[
    str | None,
    typer.Option(
        "--split",
        metavar="WAY",
        help="How a table is split over the workers of a cluster, for filters, mrmr, "
        "markov-blanket and query committees: columns, rows (tall tables of few values) or none.",
        show_default="columns if it is too large for a worker",
    ),
]
