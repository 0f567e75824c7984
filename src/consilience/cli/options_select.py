"""Options of `consilience select` that belong to one method; what is not given is its default."""

from typing import Annotated

import typer

from .names import (
    AGGREGATOR,
    SELECTOR,
    SHARE,
    complete_aggregator,
    complete_criterion,
    complete_diversity,
    complete_evaluation,
    complete_learner,
    complete_selector,
)

Features = Annotated[
    int | None,
    typer.Option(
        "--features",
        "-n",
        metavar="N",
        help="Size of the panel to find; for dafs the most that it may have.",
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
        help="Dafs: what is trained on each subspace: svm, knn, ridge or mlp.",
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
