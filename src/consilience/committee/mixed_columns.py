"""Tables with gaps and categories, which naive Bayes takes as they are and other members do not."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..data.bits import BitMatrix
from ..exceptions import DataError, UsageError
from ..learners.frame_codes import check_mixed_X
from ..selectors.validation import check_X, feature_names, refuse_not_finite
from .search_options import is_bayes


class MixedColumnsMixin:
    """For committees with the parameters `estimator` and `categorical_features`.

    Examples
    --------
    >>> import pandas as pd
    >>> from consilience import RandomSubspaceClassifier
    >>> frame = pd.DataFrame({"age": [1.0, None, 7.0, 8.0], "sex": list("fmfm")})
    >>> frame = frame.astype({"sex": "category"})
    >>> committee = RandomSubspaceClassifier("bayes", n_estimators=3, random_state=0)
    >>> committee.fit(frame, [0, 0, 1, 1]).predict(frame).shape
    (4,)
    """

    def _check_table(self, X):
        """The X of `fit` as numbers, and its mask of nominal columns."""
        if is_bayes(self.estimator):
            check_told(self.estimator)
            return check_mixed_X(self, X, self.categorical_features, reset=True)
        X, nominal = check_X(
            self, X, reset=True, allow_missing=True, categorical=self.categorical_features
        )
        if nominal.any():
            name = str(feature_names(self)[np.argmax(nominal)])
            raise DataError(
                f"Column {name!r} is nominal, and members other than estimator='bayes' need "
                "numbers; encode it first, for example with OneHotEncoder."
            )
        if not isinstance(X, BitMatrix):
            refuse_not_finite(X, self, allow_missing=False)
        return X, nominal

    def _check_rows(self, X):
        check_is_fitted(self)
        if is_bayes(self.estimator):
            return check_mixed_X(self, X, self.categorical_features, reset=False)[0]
        return check_X(self, X, reset=False, allow_missing=False)[0]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = is_bayes(self.estimator)
        return tags


def check_told(estimator) -> None:
    """Refuse a naive Bayes that has nominal columns of its own: a member sees some columns only."""
    given = getattr(estimator, "categorical_features", None)
    if given is not None and not (isinstance(given, str) and given == "from_dtype"):
        raise UsageError(
            "A DiscreteNB inside a committee has the nominal columns of the committee; give "
            "categorical_features to the committee instead."
        )
