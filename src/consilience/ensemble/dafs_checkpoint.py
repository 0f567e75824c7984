"""Where DAFS keeps finished members, under a manifest of all that decides their answers."""

from functools import partial

from .. import __version__
from ..execution import Checkpoint, fingerprint, open_seeded
from ..learners.choose import as_learner
from ..results.plain import WITHOUT_EFFECT, clean


def open_run(dafs, seed: int, *data) -> Checkpoint | None:
    """The checkpoint as given, or a directory of our own under its manifest."""
    return open_seeded(dafs.checkpoint, dafs.random_state, partial(_manifest, dafs, seed, data))


def _manifest(dafs, seed, data) -> dict:
    given = dafs.get_params(deep=False)
    manifest = {key: value for key, value in given.items() if key not in WITHOUT_EFFECT}
    manifest |= {
        "consilience": __version__,
        "estimator": _described(as_learner(dafs.estimator)),
        "final_estimator": _described(as_learner(dafs.final())),
        "random_state": seed,
        "data": fingerprint(*data),
    }
    return clean(manifest)


def _described(learner):
    """A learner by its class and parameters."""
    return {"name": type(learner).__name__, "params": vars(learner)}
