"""Where DAFS keeps finished members, under a manifest of all that decides their answers."""

from .. import __version__
from ..exceptions import UsageError
from ..execution import Checkpoint, fingerprint
from ..learners.choose import as_learner
from ..results.plain import clean

# Parameters that decide how the work is done and never what comes out.
WITHOUT_EFFECT = ("n_jobs", "backend", "checkpoint", "verbose")


def open_run(dafs, seed: int, *data) -> Checkpoint | None:
    """The checkpoint as given, or a directory of our own under its manifest."""
    if dafs.checkpoint is None or isinstance(dafs.checkpoint, Checkpoint):
        return dafs.checkpoint
    if dafs.random_state is None:
        raise UsageError(
            "checkpoint is given and random_state is None, so that every run would be another "
            "one; give random_state a number and the run can be resumed."
        )
    given = dafs.get_params(deep=False)
    manifest = {key: value for key, value in given.items() if key not in WITHOUT_EFFECT}
    manifest |= {
        "consilience": __version__,
        "estimator": _described(as_learner(dafs.estimator)),
        "final_estimator": _described(as_learner(dafs.final())),
        "random_state": seed,
        "data": fingerprint(*data),
    }
    return Checkpoint(dafs.checkpoint, clean(manifest))


def _described(learner):
    """A learner by its class and parameters."""
    return {"name": type(learner).__name__, "params": vars(learner)}
