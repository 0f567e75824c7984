"""All rules of integration from one pass over the members."""

from functools import cache

import numpy as np

from ..exceptions import UsageError
from ..integration.dynamic import DYNAMIC
from ..integration.static import vote_shares
from .base import static_shares, without_ties


class RulesMixin:
    """For committees that know the accuracy and the competence of their members.

    These are `_accuracies` and, for the dynamic rules, `_competence` and `_errors_near`; all may be
    learned when they are first asked for.

    Examples
    --------
    >>> from consilience import RandomSubspaceClassifier, load_demo
    >>> demo = load_demo()
    >>> committee = RandomSubspaceClassifier(n_estimators=20, subspace_size=50, random_state=0)
    >>> said = committee.fit(demo.X, demo.y).integrated(demo.X, ["vote", "dynamic_selection"])
    >>> {rule: labels.shape for rule, labels in said.items()} == dict.fromkeys(said, demo.y.shape)
    True
    """

    # Whether ties go to the larger sum of scores, before the priors.
    _scores_decide = True

    def integrated(self, X, rules=None) -> dict[str, np.ndarray]:
        """What each rule of integration predicts, all from one pass over the members.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or BitMatrix of shape (n_samples, n_features)
            The rows.
        rules : sequence of str, default=None
            As `integration`; None is all.

        Returns
        -------
        dict of str to ndarray of shape (n_samples,)
            Labels by each rule.
        """
        X = self._check_rows(X)
        if isinstance(rules, str):
            raise UsageError(f"rules is {rules!r}; give a list of rules, such as [{rules!r}].")
        rules = list(self._integrations) if rules is None else list(rules)
        for rule in rules:
            self._check_rule(rule)
        local, start = self._errors_near(X, [rule for rule in rules if rule in DYNAMIC]), 0
        parts = {rule: [] for rule in rules}
        for Z in self._members.blocks(X):
            near = {rule: errors[start : start + len(Z)] for rule, errors in local.items()}
            for rule, codes in self._by_rules(Z, rules, near):
                parts[rule].append(codes)
            start += len(Z)
        return {rule: self.classes_[np.concatenate(codes)] for rule, codes in parts.items()}

    def _by_rules(self, Z, rules, local):
        """Class codes of a block of rows by each rule."""
        answers = self._members.predicted(Z, self.n_jobs)
        scores = cache(lambda: self._members.scores(Z, self.n_jobs).sum(axis=0))
        for rule in rules:
            shares = self._rule_shares(rule, Z, answers, local.get(rule))
            score = (lambda rows: scores()[rows]) if self._scores_decide else None
            decided = without_ties(shares, score, self.class_prior_)
            yield rule, decided.argmax(axis=1)

    def _rule_shares(self, rule, Z, answers, local):
        if rule in DYNAMIC:
            weights = self._competence.weigh(rule, local)
            return vote_shares(answers, self.classes_.size, weights)
        if rule == "average":
            return self._members.probabilities(Z, self.n_jobs).mean(axis=0)
        accuracies = None if rule == "vote" else self._accuracies
        return static_shares(rule, answers, self.classes_.size, accuracies)

    def _check_rule(self, rule):
        if not isinstance(rule, str) or rule not in self._integrations:
            known = ", ".join(self._integrations)
            raise UsageError(f"Unknown integration {rule!r}; known are {known}.")
