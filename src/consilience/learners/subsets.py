"""What answers for many feature subsets: a classifier for each, trained on the same rows."""

from abc import ABC, abstractmethod

import numpy as np


class SubsetPredictor(ABC):
    """Classes of some rows by classifiers on feature subsets, all trained on the same other rows.

    A child sets the attributes and writes `predict`; what is faster another way it writes too. A
    subset is a row of a bool array `masks`; an empty one is answered by the most frequent class.

    Attributes
    ----------
    n_features : int
        Length of a mask.
    n_asked : int
        Rows that are predicted.
    n_classes : int
        Number of classes.
    """

    n_features: int
    n_asked: int
    n_classes: int

    @abstractmethod
    def predict(self, masks) -> np.ndarray:
        """Class codes of the asked rows by a classifier on each subset.

        Parameters
        ----------
        masks : bool array of shape (n_masks, n_features)
            The subsets.

        Returns
        -------
        int16 array of shape (n_masks, n_asked)
        """

    def correct(self, masks, y_asked) -> np.ndarray:
        """Whether the asked rows, which have the classes `y_asked`, are predicted rightly.

        Parameters
        ----------
        masks : bool array of shape (n_masks, n_features)
            The subsets.
        y_asked : int array of shape (n_asked,)
            Class codes.

        Returns
        -------
        bool array of shape (n_masks, n_asked)
        """
        return self.predict(masks) == np.asarray(y_asked)

    def accuracies(self, masks, y_asked) -> np.ndarray:
        """Share of the asked rows that each subset predicts rightly.

        Parameters
        ----------
        masks : bool array of shape (n_masks, n_features)
            The subsets.
        y_asked : int array of shape (n_asked,)
            Class codes.

        Returns
        -------
        float64 array of shape (n_masks,)
        """
        return np.count_nonzero(self.correct(masks, y_asked), axis=1) / self.n_asked

    def predict_flips(self, mask, features) -> np.ndarray:
        """Class codes by classifiers on a subset with one feature more, or one less.

        Parameters
        ----------
        mask : bool array of shape (n_features,)
            The subset.
        features : int array
            The features that are flipped, one at a time.

        Returns
        -------
        int16 array of shape (len(features), n_asked)
        """
        return self.predict(flipped(mask, features))

    def correct_flips(self, mask, features, y_asked) -> np.ndarray:
        """The same as whether they are right, bool[len(features), n_asked].

        Parameters
        ----------
        mask, features
            As in `predict_flips`.
        y_asked : int array of shape (n_asked,)
            Class codes.
        """
        return self.predict_flips(mask, features) == np.asarray(y_asked)


def flipped(mask, features) -> np.ndarray:
    """A mask with one feature flipped in each row.

    Examples
    --------
    >>> import numpy as np
    >>> from consilience.learners.subsets import flipped
    >>> flipped(np.array([True, False, False]), [0, 2])
    array([[False, False, False],
           [ True, False,  True]])
    """
    features = np.asarray(features, dtype=np.intp)
    masks = np.tile(np.asarray(mask, dtype=bool), (features.size, 1))
    masks[np.arange(features.size), features] ^= True
    return masks
