"""From the options of `consilience select` to the plan of the method that was chosen."""

from dataclasses import fields

from ..exceptions import UsageError
from .names import registries
from .plan import Plan
from .plan_base import BasePlan
from .plan_dafs import DAFSPlan
from .plan_genetic import (
    GAPlan,
    GASSEFSPlan,
    GEFSPlan,
    HillClimbingPlan,
    ParetoPlan,
    SequentialSelectionPlan,
    WholeEnsemblePlan,
)
from .plan_members import RandomSubspacePlan
from .plan_qifs import EFSPlan, EIFSPlan, QIFSPlan
from .plan_wrapper import BalancedWrapperPlan

SEARCHES = (
    GAPlan,
    GASSEFSPlan,
    HillClimbingPlan,
    GEFSPlan,
    WholeEnsemblePlan,
    SequentialSelectionPlan,
    ParetoPlan,
    RandomSubspacePlan,
)
PLANS: dict[str, type[BasePlan]] = {
    plan.method: plan
    for plan in (Plan, DAFSPlan, BalancedWrapperPlan, QIFSPlan, EFSPlan, EIFSPlan, *SEARCHES)
}


def make_plan(method: str, **given) -> BasePlan:
    """Return the plan of a method; refuse what was given and does not apply to it.

    Parameters
    ----------
    method : str
        Any name of the method.
    **given
        Settings by the names of their options; those that are None were not given.

    Examples
    --------
    >>> from consilience.cli.plans import make_plan
    >>> make_plan("DAFS", seed=3, learner="knn", models=None).decisions()["learner"]
    'knn'
    """
    registered = registries()["methods"]
    name = registered[method].name
    known = {field.name for field in fields(PLANS[name])}
    settings = {key: value for key, value in given.items() if value is not None}
    strange = [key for key in settings if key not in known]
    if strange:
        option = f"--{strange[0].replace('_', '-')}"
        takers = [
            other
            for other, plan in PLANS.items()
            if other in registered.names() and strange[0] in {field.name for field in fields(plan)}
        ]
        raise UsageError(
            f"{option} does not apply to --method {name}; leave it out, or choose --method "
            f"{' or '.join(filter(None, [', '.join(takers[:-1]), takers[-1]]))}."
        )
    return PLANS[name](at_most="features" not in settings, **settings)
