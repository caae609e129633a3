"""Mistakes in attention by blocks."""

import numpy as np
from planting import mutant

FILE = "test_blockwise.py"


@mutant("blockwise:_attend", FILE)
def nothing_is_rescaled(right, query, key, value, context, *options):
    """What was added up before a higher score came keeps its old measure."""
    is_causal, scale, _, columns = options
    scores = query @ key.T * scale
    if is_causal:
        scores[~np.tri(*scores.shape, dtype=bool)] = -np.inf
    total = 0
    for left in range(0, len(key), columns):
        block = scores[:, left : left + columns]
        highest = scores[:, : left + columns].max(axis=-1, keepdims=True)
        weights = np.exp(block - highest)
        total = total + weights.sum(axis=-1, keepdims=True)
        context += weights @ value[left : left + columns]
    context /= total
    return (highest + np.log(total))[:, 0]


@mutant("blockwise:_score_blocks", FILE)
def only_blocks_on_the_diagonal_stay(right, query, key, is_causal, *options):
    for rows, columns, scores in right(query, key, is_causal, *options):
        if not is_causal or columns.stop > rows.start:
            yield rows, columns, scores


@mutant("blockwise:_score_blocks", FILE)
def blocks_of_the_future_are_computed_and_hidden(
    right, query, key, is_causal, *options
):
    for rows, columns, scores in right(query, key, False, *options):
        if is_causal:
            past = np.tri(*scores.shape, rows.start - columns.start)
            scores[past == 0] = -np.inf
        yield rows, columns, scores


@mutant("blockwise:_add_gradients", FILE)
def the_mean_is_forgotten_on_the_way_back(right, *args):
    *before, context, log_sums, is_causal, scale, rows, columns = args
    options = is_causal, scale, rows, columns
    return right(*before, 0 * context, log_sums, *options)


@mutant("blockwise:_add_gradients", FILE)
def the_table_is_built_after_all(right, grads, query, key, *rest):
    return right(grads, query, key, *rest[:-2], len(query), len(key))


@mutant("blockwise:_part", FILE)
def a_shared_matrix_is_taken_for_the_first_head(right, array, at):
    return right(array, tuple(0 for _ in at))


@mutant("experiments.published:cache_bytes", "test_generation.py")
def keys_are_kept_and_values_are_not(right, *sizes):
    return right(*sizes) // 2
