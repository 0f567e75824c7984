"""Options of `consilience select --method balanced-wrapper`; what is not given is its default."""

from typing import Annotated

import typer

from .names import completing

Search = Annotated[
    str | None,
    typer.Option(
        "--search",
        metavar="NAME",
        help="Balanced-wrapper: forward, backward, floating, genetic or swarm.",
        show_default="forward",
        autocompletion=completing("search"),
    ),
]
Balance = Annotated[
    str | None,
    typer.Option(
        "--balance",
        metavar="NAME",
        help="Balanced-wrapper: how samples are balanced: hybrid (SMOTE and fewer of the "
        "majority), rus, ros, smote, cost (class weights) or none.",
        show_default="hybrid",
        autocompletion=completing("balance"),
    ),
]
Stop = Annotated[
    str | None,
    typer.Option(
        "--stop",
        metavar="NAME",
        help="Balanced-wrapper: where to end: permutation (before a further feature that is no "
        "better than shuffled ones), one-se (smallest within one standard error of the fittest) "
        "or none.",
        show_default="permutation for forward and floating, else one-se",
        autocompletion=completing("stop"),
    ),
]
Choice = Annotated[
    str | None,
    typer.Option(
        "--choice",
        metavar="NAME",
        help="Balanced-wrapper: race (leaders are judged again) or plain (one draw decides).",
        show_default="race",
        autocompletion=completing("choice"),
    ),
]
InnerFolds = Annotated[
    int | None,
    typer.Option(
        "--inner-folds",
        metavar="N",
        help="Balanced-wrapper: folds inside the search, by which subsets are judged.",
        show_default="5",
    ),
]
Fitness = Annotated[
    str | None,
    typer.Option(
        "--fitness",
        metavar="NAME",
        help="Balanced-wrapper: what subsets are judged by: auc or average-precision.",
        show_default="auc",
        autocompletion=completing("fitness"),
    ),
]
Multiclass = Annotated[
    str | None,
    typer.Option(
        "--multiclass",
        metavar="NAME",
        help="Balanced-wrapper, several classes: smallest (against all others) or ovr (each).",
        show_default="smallest",
        autocompletion=completing("multiclass"),
    ),
]
Space = Annotated[
    str | None,
    typer.Option(
        "--space",
        metavar="NAME",
        help="Balanced-wrapper: where SMOTE looks for neighbours: subset, or full (quicker).",
        show_default="subset",
        autocompletion=completing("space"),
    ),
]
