"""Backpropagation row by row: weights change after every row, as in WEKA's perceptron."""

import numpy as np

from ._numba import jit


@jit
def train_by_rows(X, y, order, hidden, output, rate, momentum, n_epochs):
    """Train one hidden layer of sigmoid units on squared error, in place.

    X float64[n, p], y int64[n] with classes 0 and 1, order int64[n] in which rows are met in every
    epoch; weights hidden float64[h, p + 1] and output float64[2, h + 1], the constant last. Each
    step is `rate` times the gradient plus `momentum` times the step before.
    """
    n, p = X.shape
    n_hidden = hidden.shape[0]
    hidden_step, output_step = np.zeros_like(hidden), np.zeros_like(output)
    value, error = np.empty(n_hidden), np.empty(2)
    for _ in range(n_epochs):
        for place in range(n):
            row = order[place]
            for k in range(n_hidden):
                total = hidden[k, p]
                for j in range(p):
                    total += hidden[k, j] * X[row, j]
                value[k] = 1.0 / (1.0 + np.exp(-total))
            for c in range(2):
                total = output[c, n_hidden]
                for k in range(n_hidden):
                    total += output[c, k] * value[k]
                answer = 1.0 / (1.0 + np.exp(-total))
                wanted = 1.0 if y[row] == c else 0.0
                error[c] = (wanted - answer) * answer * (1.0 - answer)
            for k in range(n_hidden):
                # By the weights of the output layer as they were, so before they change.
                own = error[0] * output[0, k] + error[1] * output[1, k]
                own *= rate * value[k] * (1.0 - value[k])
                for c in range(2):
                    output_step[c, k] = rate * error[c] * value[k] + momentum * output_step[c, k]
                    output[c, k] += output_step[c, k]
                for j in range(p):
                    hidden_step[k, j] = own * X[row, j] + momentum * hidden_step[k, j]
                    hidden[k, j] += hidden_step[k, j]
                hidden_step[k, p] = own + momentum * hidden_step[k, p]
                hidden[k, p] += hidden_step[k, p]
            for c in range(2):
                output_step[c, n_hidden] = rate * error[c] + momentum * output_step[c, n_hidden]
                output[c, n_hidden] += output_step[c, n_hidden]
