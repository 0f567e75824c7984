"""Slow twins of dynamic integration: plain loops from the formulas of the specification."""

import math

TIE = 1e-9  # what sums of floats may differ by, as a part of the larger


def is_missing(value):
    return value != value


def heom(rows, new, nominal):
    """HEOM distance of each new row to each row: lists of lists of numbers."""
    spans = []
    for j in range(len(rows[0])):
        known = [row[j] for row in rows if not is_missing(row[j])]
        spans.append(max(known) - min(known) if known else 0.0)
    found = []
    for a in new:
        found.append([])
        for b in rows:
            total = 0.0
            for j, span in enumerate(spans):
                if is_missing(a[j]) or is_missing(b[j]):
                    part = 1.0
                elif nominal[j] or span == 0:
                    part = 0.0 if a[j] == b[j] else 1.0
                else:
                    part = abs(a[j] - b[j]) / span
                total += part**2
            found[-1].append(math.sqrt(total))
    return found


def local_error(distances, errors, k, weights):
    """Local error of one member near one row: `distances` and `errors` of all training rows.

    Rows at the distance of the k-th neighbour share the places that the nearer ones leave.
    """
    rows = [j for j in range(len(distances)) if math.isfinite(distances[j])]
    if not rows:
        return sum(errors) / len(errors)
    k = min(k, len(rows))
    last = sorted(distances[j] for j in rows)[k - 1]
    nearer = [j for j in rows if distances[j] < last - TIE * last]
    tied = [j for j in rows if abs(distances[j] - last) <= TIE * last]
    share = {j: 1.0 for j in nearer} | {j: (k - len(nearer)) / len(tied) for j in tied}
    mean = sum(distances[j] for j in rows) / len(rows)
    first = min(distances[j] for j in rows)
    spread = last - first > TIE * last
    total = weighted = 0.0
    for j, part in share.items():
        if weights == "inverse" and mean > 0:
            part /= distances[j] + 1e-6 * mean
        elif weights == "linear" and spread:
            part *= max(last - distances[j], 0.0) / (last - first)
        total += part
        weighted += part * errors[j]
    return weighted / total


def dynamic_vote(rule, predicted, local, n_classes, accuracies, priors):
    """Class of one row: codes of the members, their local errors, accuracies for ties."""
    members = range(len(predicted))
    least, most = min(local), max(local)
    if rule == "dynamic_selection":
        best = [s for s in members if local[s] - least <= TIE]
        return predicted[max(best, key=lambda s: (accuracies[s], -s))]
    kept = list(members)
    if rule == "dynamic_voting_selection":
        kept = [s for s in members if local[s] <= (least + most) / 2 + TIE]
    votes = [0.0] * n_classes
    for s in kept:
        votes[predicted[s]] += 1 - local[s]
    if max(votes) <= TIE:
        votes = [0.0] * n_classes
        for s in members:
            votes[predicted[s]] += 1
    tied = [c for c in range(n_classes) if votes[c] >= max(votes) - TIE]
    return max(tied, key=lambda c: (priors[c], -c))
