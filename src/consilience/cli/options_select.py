"""Options of `consilience select` that belong to one method; what is not given is its default."""

from typing import Annotated

import typer

from .names import (
    AGGREGATOR,
    SELECTOR,
    SHARE,
    complete_aggregator,
    complete_criterion,
    complete_discretize,
    complete_diversity,
    complete_evaluation,
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
        help="Size of the panel to find; for dafs the most, for committees the most used.",
        show_default="20, for dafs 30",
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
        help="What is trained: svm, knn, ridge or mlp; in committees also tree and nb.",
        show_default="svm",
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
        help="Dafs, da: double-fault, q-statistic, correlation or disagreement.",
        show_default="double-fault",
        autocompletion=complete_diversity,
    ),
]
SubspaceSize = Annotated[
    int | None,
    typer.Option(
        "--subspace-size",
        metavar="N",
        help="Dafs: features of each subspace.",
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
        help="Committees: how many rounds, at most.",
        show_default="50, for efs 10, for eifs 20",
    ),
]
SubsetSize = Annotated[
    int | None,
    typer.Option(
        "--subset-size",
        metavar="N",
        help="Committees: features of each member.",
        show_default="half of them, at most 500",
    ),
]
Discretize = Annotated[
    str | None,
    typer.Option(
        "--discretize",
        metavar="NAME",
        help="Committees: where columns of many values are cut: mixture (Gaussians) or quantile.",
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
        help="Committees: votes for the rarer class that decide; qifs tunes f1, balanced-accuracy.",
        show_default="the majority",
    ),
]
Rivals = Annotated[
    str | None,
    typer.Option(
        "--rivals",
        metavar="NAMES",
        help="Committees: whom to compare with: all, none, or some of subspace,fss,efs,eifs.",
        show_default="all",
    ),
]
