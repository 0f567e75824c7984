"""Slow twins of the pieces of a protocol: precision at a recall."""


def precision_at_recall(positive, scores, recall):
    """Walk down the thresholds one by one and meet the recall on the way."""
    n_positive = sum(positive)
    wanted = recall * n_positive
    hits, misses = 0.0, 0.0
    for threshold in sorted(set(scores), reverse=True):
        new = [p for p, s in zip(positive, scores, strict=True) if s == threshold]
        new_hits, new_misses = sum(new), len(new) - sum(new)
        if hits + new_hits >= wanted - 1e-9:
            share = (wanted - hits) / new_hits
            return wanted / (wanted + misses + share * new_misses)
        hits, misses = hits + new_hits, misses + new_misses
    raise AssertionError("recall above 1")
