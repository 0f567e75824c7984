"""A run directory as the result that wrote it."""

from ..committee.result import CommitteeResult
from ..committee.search_result import SearchCommitteeResult
from ..ensemble import ENSEMBLES
from ..results import Result

# Their modules define the classes of the results that can be read; importing them is what counts.
KNOWN = (ENSEMBLES, CommitteeResult, SearchCommitteeResult)


def load_result(directory) -> Result:
    """Read the result of any method from a run directory; nothing in the files is executed.

    Parameters
    ----------
    directory : str or Path
        The directory, or its `result.json`.

    Returns
    -------
    Result
        `SelectionResult`, `DAFSResult`, `BalancedWrapperResult`, `CommitteeResult` or whichever
        class the method has.

    Examples
    --------
    >>> import tempfile
    >>> from consilience import EnsembleSelector, load_result, make_planted
    >>> made = make_planted(40, 50, random_state=0)
    >>> ensemble = EnsembleSelector(n_features_to_select=5, n_models=10, random_state=0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = ensemble.fit(made.X, made.y).result_.save(folder)
    ...     type(load_result(folder)).__name__
    'SelectionResult'
    """
    return Result.load(directory)
