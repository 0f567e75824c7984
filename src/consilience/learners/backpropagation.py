"""Backpropagation with momentum for many small networks at once, as products of matrices.

The networks of one member, one for each of a few folds, stand side by side: hidden unit h of fold
f is column f * n_hidden + h. The second layer is one matrix with a block for each fold and zeros
elsewhere, so that all folds of a member are one product per layer and direction.
"""

from copy import copy
from dataclasses import dataclass

import numpy as np

# Steps between two looks for members that have learned enough.
LOOK = 20


@dataclass(frozen=True)
class Rule:
    """How to train: rates, of the first layer one for each member, momentum, and when to stop."""

    first_rate: np.ndarray
    rate: float
    momentum: float
    tolerance: float
    max_iter: int


def train(columns, weights, y, taught, rule: Rule, ended=None) -> np.ndarray:
    """Train one network for each member and fold; returns what each says of all rows.

    Parameters
    ----------
    columns : float array of shape (n_members, n_columns, n_samples)
        The inputs, one to a row. Their type is that of all that is computed.
    weights : tuple of float arrays
        Initial weights, the same for all folds: of shapes (n_members, n_columns, n_hidden),
        (n_members, n_hidden), (n_members, n_hidden, n_classes) and (n_members, n_classes), those
        of the first layer, its biases, those of the second layer, its biases.
    y : int64 array of shape (n_samples,)
        Class codes.
    taught : bool array of shape (n_folds, n_samples)
        Rows that each fold trains on.
    rule : Rule
        How.
    ended : callable or None, default=None
        Called as `ended(members, networks)` with members (indices) whose training has ended and
        their networks, to ask these for more than is returned.

    Returns
    -------
    float array of shape (n_members, n_folds, n_samples, n_classes)
    """
    networks = _Networks(columns, weights, y, taught, rule)
    answers = np.empty((len(columns), *taught.shape, networks.n_classes), dtype=columns.dtype)
    members = np.arange(len(columns))

    def end(members, networks):
        answers[members] = networks.answers()
        if ended is not None:
            ended(members, networks)

    for step in range(rule.max_iter):
        learning = networks.step()
        if not learning.any():
            break
        if step % LOOK == LOOK - 1 and 2 * learning.sum() < members.size:
            end(members[~learning], networks.part(~learning))
            networks, members = networks.part(learning), members[learning]
    end(members, networks)
    return answers


class _Networks:
    """The state of the networks: what moves, how it moved last, and what stays."""

    def __init__(self, columns, weights, y, taught, rule):
        first, first_bias, second, second_bias = weights
        self.n_folds, self.n_classes, self.rule = len(taught), second.shape[2], rule
        dtype = columns.dtype
        self.by_rows = 2 * columns.shape[1] > y.size
        self.columns, self.first = columns, first
        self.lever = columns.transpose(0, 2, 1)
        tiled = np.tile(first, self.n_folds)
        if self.by_rows:  # weights = initial ones + rows times what moves: their products suffice
            self.base, moving = self.lever @ tiled, np.zeros((len(first), y.size, tiled.shape[2]))
            self.lever = self.lever @ columns
        else:
            self.base, moving = np.zeros((len(first), 1, 1), dtype), tiled
        self.blocks = np.kron(np.eye(self.n_folds), np.ones(second.shape[1:])).astype(dtype)
        self.parts = [
            moving.astype(dtype),
            np.tile(first_bias, self.n_folds)[:, None].astype(dtype),
            (np.tile(second, (1, self.n_folds, self.n_folds)) * self.blocks).astype(dtype),
            np.tile(second_bias, self.n_folds)[:, None].astype(dtype),
        ]
        self.steps = [np.zeros_like(part) for part in self.parts]
        self.first_rate = rule.first_rate.astype(dtype)[:, None, None]
        self.target = np.tile(y[:, None] == np.arange(self.n_classes), self.n_folds).astype(dtype)
        share = (taught / taught.sum(axis=1, keepdims=True)).T  # of a row in the mean
        self.share = np.repeat(share, self.n_classes, axis=1).astype(dtype)
        means = (self.target * self.share).sum(axis=0)
        # Squared error of the shares of the classes as an answer; 0 where there is but one class.
        constant = (means * (1 - means)).reshape(self.n_folds, -1).sum(axis=1)
        self.aim = np.maximum(rule.tolerance * constant, 1e-6)
        self.learning = np.ones((len(columns), self.n_folds), dtype=bool)

    def sums(self):
        """What the hidden units are given by all rows."""
        sums = self.lever @ self.parts[0]
        sums += self.base
        sums += self.parts[1]
        return sums

    def forward(self):
        """What the hidden units and the outputs say of all rows."""
        hidden = _sigmoid(self.sums())
        out = hidden @ self.parts[2]
        out += self.parts[3]
        return hidden, _sigmoid(out)

    def step(self):
        """One step of all networks that are not near enough; returns which members have some."""
        hidden, out = self.forward()
        error = out - self.target
        delta = error * self.share
        off = (delta * error).sum(axis=1).reshape(-1, self.n_folds, self.n_classes).sum(axis=2)
        self._rest(self.learning & (off <= self.aim))
        if not self.learning.all():
            delta *= np.repeat(self.learning, self.n_classes, axis=1)[:, None]
        delta *= out
        delta *= 1.0 - out
        back = delta @ self.parts[2].transpose(0, 2, 1)
        back *= hidden
        third = hidden.transpose(0, 2, 1) @ delta
        third *= self.blocks
        np.subtract(1.0, hidden, out=hidden)
        back *= hidden
        first = back if self.by_rows else self.lever.transpose(0, 2, 1) @ back
        slopes = [first, back.sum(axis=1, keepdims=True), third, delta.sum(axis=1, keepdims=True)]
        rates = [self.first_rate, self.first_rate, self.rule.rate, self.rule.rate]
        for part, step, slope, rate in zip(self.parts, self.steps, slopes, rates, strict=True):
            slope *= rate
            step *= self.rule.momentum
            step -= slope
            part += step
        return self.learning.any(axis=1)

    def _rest(self, arrived):
        """Take the momentum from networks that are near enough: they stay as they are."""
        if arrived.any():
            self.learning &= ~arrived
            for step in self.steps:
                width = step.shape[2] // self.n_folds
                step *= np.repeat(self.learning, width, axis=1)[:, None]

    def part(self, members):
        """The networks of some of the members."""
        part = copy(self)
        for name in ("columns", "first", "lever", "base", "first_rate", "learning"):
            setattr(part, name, getattr(self, name)[members])
        part.parts = [values[members] for values in self.parts]
        part.steps = [values[members] for values in self.steps]
        return part

    def answers(self):
        """Outputs, float[n_members, n_folds, n_samples, n_classes]."""
        out = self.forward()[1]
        return out.reshape(*out.shape[:2], self.n_folds, -1).transpose(0, 2, 1, 3)

    def answers_without(self, fold, rows, by, most):
        """What the networks of one fold say of rows in which one feature has changed.

        `by` float[n_members, n_columns, n_rows] is taken from each feature in turn. Yields some
        features, a slice, with the outputs, float[n_members, n_features, n_rows, n_classes]; about
        `most` cells at a time.
        """
        n_hidden = self.first.shape[2]
        units = np.s_[fold * n_hidden : (fold + 1) * n_hidden]
        outputs = np.s_[fold * self.n_classes : (fold + 1) * self.n_classes]
        weights = self.parts[0][:, :, units]
        if self.by_rows:
            weights = self.first + self.columns @ weights
        sums = self.sums()[:, None, rows, units]
        second = self.parts[2][:, None, units, outputs]
        bias = self.parts[3][:, None, :, outputs]
        some = max(1, most // max(1, sums.size))
        for start in range(0, weights.shape[1], some):
            features = np.s_[start : start + some]
            change = by[:, features, :, None] * weights[:, features, None]
            hidden = _sigmoid(sums - change)
            yield features, _sigmoid(hidden @ second + bias)


def _sigmoid(z):
    """One over one plus exp(-z), in place; by tanh, which cannot overflow."""
    z *= 0.5
    np.tanh(z, out=z)
    z += 1.0
    z *= 0.5
    return z
