"""Slow twin of the networks: one fold after the other, weights as they are, no products shared."""

import numpy as np


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def forward(weights, X):
    first, first_bias, second, second_bias = weights
    hidden = sigmoid(X @ first + first_bias)
    return hidden, sigmoid(hidden @ second + second_bias)


def loss(weights, X, target):
    """Half the squared error of a row, on average."""
    return 0.5 * ((forward(weights, X)[1] - target) ** 2).sum(axis=1).mean()


def gradient(weights, X, target):
    """Of the loss, by the chain rule."""
    hidden, out = forward(weights, X)
    delta = (out - target) * out * (1 - out) / len(X)
    back = (delta @ weights[2].T) * hidden * (1 - hidden)
    return [X.T @ back, back.sum(axis=0), hidden.T @ delta, delta.sum(axis=0)]


def train_network(weights, X, y, n_classes, rates, momentum, tolerance, max_iter):
    """Backpropagation with momentum until the error is a share of that of a constant answer."""
    weights = [w.copy() for w in weights]
    steps = [np.zeros_like(w) for w in weights]
    target = (y[:, None] == np.arange(n_classes)).astype(float)
    shares = target.mean(axis=0)
    aim = max(tolerance * ((target - shares) ** 2).sum(axis=1).mean(), 1e-6)
    for _ in range(max_iter):
        if 2 * loss(weights, X, target) <= aim:
            break
        for w, step, slope, rate in zip(
            weights, steps, gradient(weights, X, target), rates, strict=True
        ):
            step[...] = momentum * step - rate * slope
            w += step
    return weights
