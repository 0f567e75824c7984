"""Members that a user hands over by name, and their parameters, as scikit-learn has them."""

from collections import Counter

from sklearn.base import BaseEstimator

from ..exceptions import UsageError

DROPPED = "drop"  # a member that was set to this is left out, as in VotingClassifier


class NamedMembers(BaseEstimator):
    """Base of estimators with a parameter `estimators`: members, or pairs of name and member.

    `get_params` and `set_params` reach into the members: ``tree__max_depth`` is a parameter of the
    member called tree, and ``tree`` the member itself. Members without a name are called by their
    class, in small letters, and numbered where it occurs more than once.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from consilience import DynamicIntegrationClassifier
    >>> trees = [DecisionTreeClassifier(max_depth=1), DecisionTreeClassifier()]
    >>> model = DynamicIntegrationClassifier(trees)
    >>> model.get_params()["decisiontreeclassifier-1__max_depth"]
    1
    >>> model = model.set_params(estimators=[("stump", trees[0]), ("tree", trees[1])])
    >>> model.set_params(tree="drop", stump__max_depth=2).estimators
    [('stump', DecisionTreeClassifier(max_depth=2)), ('tree', 'drop')]
    """

    def get_params(self, deep=True):
        """Parameters, those of the members included.

        Parameters
        ----------
        deep : bool, default=True
            Whether the members and their parameters are among them.

        Returns
        -------
        dict
        """
        params = super().get_params(deep=False)
        if not deep:
            return params
        for name, value in list(params.items()):  # such as a splitter
            if hasattr(value, "get_params") and not isinstance(value, type):
                params |= {f"{name}__{key}": part for key, part in value.get_params().items()}
        try:
            members = self._named()
        except UsageError:  # is said in fit
            return params
        for name, member in members:
            params[name] = member
            if hasattr(member, "get_params"):
                params |= {f"{name}__{key}": part for key, part in member.get_params().items()}
        return params

    def set_params(self, **params):
        """Set parameters of this estimator, of a member, or exchange a member.

        Parameters
        ----------
        **params : dict
            By name, as `get_params` has them.

        Returns
        -------
        self : object
        """
        if "estimators" in params:
            self.estimators = params.pop("estimators")
        names = self._member_names()
        for name in [key for key in params if key in names]:
            self._exchange(names.index(name), params.pop(name))
        return super().set_params(**params)

    def _member_names(self):
        try:
            return [name for name, _ in self._named()]
        except UsageError:
            return []

    def _named(self):
        """Pairs of name and member; names that are parameters, too, would be ambiguous."""
        members = name_members(self.estimators)
        taken = super().get_params(deep=False)
        wrong = next((name for name, _ in members if name in taken), None)
        if wrong is not None:
            raise UsageError(
                f"A member is called {wrong!r}, as is a parameter of {type(self).__name__}; give "
                "it another name."
            )
        return members

    def _exchange(self, place, member):
        """Put a member in the place of another, in a list of its own: the old one is the user's."""
        members = list(self.estimators)
        pair = isinstance(members[place], tuple)
        members[place] = (members[place][0], member) if pair else member
        self.estimators = members


def name_members(estimators) -> list[tuple[str, object]]:
    """Pairs of name and member, names made up where the user gave none.

    Parameters
    ----------
    estimators : list of estimators, or of (str, estimator) tuples
        At least one.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from consilience.committee.named_members import name_members
    >>> name_members([GaussianNB(), "knn", GaussianNB()])
    [('gaussiannb-1', GaussianNB()), ('knn', 'knn'), ('gaussiannb-2', GaussianNB())]
    """
    if isinstance(estimators, (str, bytes)) or not hasattr(estimators, "__iter__"):
        raise UsageError(
            f"estimators is {estimators!r}; give a list of classifiers, or of (name, classifier)."
        )
    members = list(estimators)
    if not members:
        raise UsageError("estimators is empty; give at least one classifier.")
    paired = [isinstance(member, tuple) and len(member) == 2 for member in members]
    if any(paired) and not all(paired):
        raise UsageError("estimators mixes classifiers with and without names; name all or none.")
    if all(paired):
        return _check_names(members)
    kinds = [m if isinstance(m, str) else type(m).__name__.lower() for m in members]
    often, seen, named = Counter(kinds), Counter(), []
    for kind, member in zip(kinds, members, strict=True):
        seen[kind] += 1
        named.append((f"{kind}-{seen[kind]}" if often[kind] > 1 else kind, member))
    return named


def _check_names(pairs):
    names = [name for name, _ in pairs]
    wrong = next((name for name in names if not isinstance(name, str) or "__" in name), None)
    if wrong is not None:
        raise UsageError(f"A member is called {wrong!r}; give it a text without '__' as its name.")
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise UsageError(f"Two members are called {twice!r}; give each a name of its own.")
    return [(name, member) for name, member in pairs]
