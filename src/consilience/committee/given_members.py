"""Members that a user hands over: to be fitted or fitted already, and which of them get weights."""

from sklearn import get_config
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from ..exceptions import UsageError
from .members import as_classifier
from .named_members import DROPPED, NamedMembers


class GivenMembers(NamedMembers):
    """Base of estimators with the parameters `estimators` and `cv`, which may be "prefit".

    Examples
    --------
    >>> from sklearn import config_context
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from consilience import DynamicIntegrationClassifier
    >>> with config_context(enable_metadata_routing=True):
    ...     member = GaussianNB().set_fit_request(sample_weight=True)
    ...     model = DynamicIntegrationClassifier([member])
    >>> model.get_metadata_routing().consumes("fit", {"sample_weight", "groups"})
    {'sample_weight'}
    """

    def get_metadata_routing(self):
        """Which member asks for which metadata, as in scikit-learn's user guide on routing.

        Returns
        -------
        MetadataRouter
            Of the members; fitted ones are not fitted again, so that with ``cv="prefit"`` weights
            are a request of this classifier alone.
        """
        router = MetadataRouter(owner=self)
        if not self._fits():
            return router.add_self_request(self)
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return router.add(method_mapping=mapping, **dict(zip(*self._check_members(), strict=True)))

    def _weighed(self, names, members, sample_weight):
        """Whether each member gets the weights: all or, with metadata routing, who asks."""
        if sample_weight is None or not self._fits():
            return [False] * len(members)
        if get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", sample_weight=sample_weight)
            return ["sample_weight" in routed[name].fit for name in names]
        _check_weights_taken(names, members)
        return [True] * len(members)

    def _fits(self):
        return not (isinstance(self.cv, str) and self.cv == "prefit")

    def _check_members(self):
        named = [pair for pair in self._named() if not _is_dropped(pair[1])]
        if not named:
            raise UsageError("All estimators are dropped; give at least one classifier.")
        names = [name for name, _ in named]
        if self._fits():
            return names, [as_classifier(member) for _, member in named]
        for name, member in named:
            if isinstance(member, str):
                raise UsageError(f"cv is 'prefit' and {name!r} is no fitted classifier; fit it.")
            check_is_fitted(member)
        return names, [member for _, member in named]


def _is_dropped(member):
    return isinstance(member, str) and member == DROPPED


def _check_weights_taken(names, members):
    for name, member in zip(names, members, strict=True):
        if not has_fit_parameter(member, "sample_weight"):
            raise UsageError(
                f"The member {name!r} takes no sample weights; leave it out or fit without weights."
            )
