"""Named mistakes planted in copies of helpers; a named test must fail.

One entry a mistake. To add one: its name, the module, the old text (exactly
once in that file), the new text, and the tests that must notice, as
"test_file.py::test_name" (the file may be left out where it is the group's),
or "test_name[case]" where the first cases would notice nothing. Name fast
tests: a mutant costs little more. tests/test_mutants.py runs them all.
"""

from typing import NamedTuple

import mutants_comparison
import mutants_heads
from mutants_training import (
    GRADIENTS,
    OPTIMIZERS,
    READOUT,
    SHARES,
    TRAINING,
    VARIANTS,
)


class Mutant(NamedTuple):
    name: str
    file: str
    old: str
    new: str
    tests: str  # separated by spaces


def mutants_of(file, test_file, entries):
    """Complete entries (name, old, new, tests) of one module."""

    def complete(test):
        return test if "::" in test else f"{test_file}::{test}"

    return [
        Mutant(name, file, old, new, " ".join(map(complete, tests.split())))
        for name, old, new, tests in entries
    ]


ATTENTION = mutants_of(
    "helpers/attention.py",
    "test_attention.py",
    [
        (
            "no scale",
            "scale = 1 / math.sqrt(key.shape[-1])",
            "scale = 1.0",
            "test_scale_is_one_over_the_root_of_d_k",
        ),
        (
            "d_k for its root",
            "scale = 1 / math.sqrt(key.shape[-1])",
            "scale = 1 / key.shape[-1]",
            "test_scale_is_one_over_the_root_of_d_k",
        ),
        (
            "root of the number of keys",
            "math.sqrt(key.shape[-1])",
            "math.sqrt(key.shape[-2])",
            "test_scale_is_one_over_the_root_of_d_k",
        ),
        (
            "times the root",
            "scale = 1 / math.sqrt(key.shape[-1])",
            "scale = math.sqrt(key.shape[-1])",
            "test_scale_is_one_over_the_root_of_d_k",
        ),
        (
            "scale argument ignored",
            "    if scale is None:\n",
            "    if True:\n",
            "test_scale_is_used_as_given",
        ),
        (
            "scale 0 taken for None",
            "    if scale is None:\n",
            "    if not scale:\n",
            "test_scale_is_used_as_given",
        ),
        (
            "softmax over queries",
            "        _shares_in_place(rows)",
            "        _shares_in_place(rows, -2)",
            "test_rows_are_queries test_worked_example",
        ),
        (
            "softmax over everything",
            'total = np.einsum("...k->...", last, dtype=wide)',
            "total = np.full(last.shape[:-1], last.sum(), wide)",
            "test_softmax_shares_along_the_last_axis",
        ),
        (
            "no maximum subtracted",
            "    scores -= highest  #",
            "    #",
            "test_softmax_of_huge_scores",
        ),
        (
            "one maximum for all rows",
            "highest = scores.max(axis=axis, keepdims=True)",
            "highest = np.full_like(scores[..., :1], scores.max())",
            "test_softmax_of_rows_of_different_height",
        ),
        (
            "minimum subtracted",
            "highest = scores.max(axis=axis, keepdims=True)",
            "highest = scores.min(axis=axis, keepdims=True)",
            "test_softmax_of_huge_scores",
        ),
        (
            "base 2 for e",
            "weights = np.exp(scores, out=scores)",
            "weights = np.exp2(scores, out=scores)",
            "test_softmax_of_two_scores",
        ),
        (
            "axis ignored",
            "return _softmax_in_place(scores.copy(), axis)",
            "return _softmax_in_place(scores.copy())",
            "test_softmax_axis",
        ),
        (
            "float16 counted in float16",
            "last, dtype=wide)",
            "last)",
            "test_softmax_counts_far_in_float16",
        ),
        (
            "softmax overwrites its argument",
            "_softmax_in_place(scores.copy(), axis)",
            "_softmax_in_place(scores, axis)",
            "test_arguments_are_not_changed",
        ),
        (
            "query scaled in place",
            "scaled = query * query.dtype.type(scale)",
            "scaled = np.multiply(query, scale, out=query)",
            "test_arguments_are_not_changed",
        ),
        (
            "no key left gives NaN",
            "    highest[highest == -np.inf] = 0",
            "    # highest[highest == -np.inf] = 0",
            "test_softmax_of_nothing_is_zero",
        ),
        (
            "no key left divides by zero",
            "    total[total == 0] = 1",
            "    # total[total == 0] = 1",
            "test_softmax_of_nothing_is_zero",
        ),
        (
            "mask inverted",
            "np.copyto(scores, -np.inf, where=~mask)",
            "np.copyto(scores, -np.inf, where=mask)",
            "test_true_means_may_attend",
        ),
        (
            "masked scores are 0",
            "np.copyto(scores, -np.inf, where=~mask)",
            "np.copyto(scores, 0, where=~mask)",
            "test_true_means_may_attend",
        ),
        (
            "masked scores are only low",
            "np.copyto(scores, -np.inf, where=~mask)",
            "np.copyto(scores, -30.0, where=~mask)",
            "test_a_query_with_no_key_gets_zeros",
        ),
        (
            "float mask multiplied",
            "scores += mask.astype",
            "scores *= mask.astype",
            "test_float_mask_is_added_after_scaling",
        ),
        (
            "mask ignored when causal",
            "    if mask is not None:\n",
            "    if mask is not None and not is_causal:\n",
            "test_mask_and_causal_combine",
        ),
        (
            "causal ignored when masked",
            "    if is_causal:\n",
            "    if is_causal and mask is None:\n",
            "test_mask_and_causal_combine",
        ),
        (
            "causal hides the present",
            "~np.tri(*scores.shape[-2:], dtype=bool)",
            "~np.tri(*scores.shape[-2:], k=-1, dtype=bool)",
            "test_causal_is_aligned_at_the_top_left",
        ),
        (
            "causal shows the next",
            "~np.tri(*scores.shape[-2:], dtype=bool)",
            "~np.tri(*scores.shape[-2:], k=1, dtype=bool)",
            "test_causal_is_aligned_at_the_top_left",
        ),
        (
            "causal aligned bottom-right",
            "~np.tri(*scores.shape[-2:], dtype=bool)",
            "~np.tri(*scores.shape[-2:], np.subtract(*scores.shape[:-3:-1]),"
            " dtype=bool)",
            "test_causal_is_aligned_at_the_top_left",
        ),
        (
            "causal sees the future only",
            "later = ~np.tri(",
            "later = np.tri(",
            "test_causal_is_aligned_at_the_top_left",
        ),
        (
            "weights transposed in the mix",
            "context = weights @ value",
            "context = weights.swapaxes(-1, -2) @ value",
            "test_rows_are_queries",
        ),
        (
            "keys mixed for values",
            "context = weights @ value",
            "context = weights @ key",
            "test_worked_example",
        ),
        (
            "overflow unnoticed",
            "validation.score_bound(scores, scaled, key)",
            "np.inf",
            "test_bad_input.py::test_scores_that_overflow",
        ),
        (
            "large scores not shifted",
            "if not bound <= _SMALL:",
            "if bound < 0:",
            "test_large_scores_stay_finite",
        ),
        (
            "large enough to overflow a sum is called small",
            "_SMALL = 40.0",
            "_SMALL = 85.0",
            "test_scores_of_every_size_in_float32",
        ),
        (
            "an unknown bound is called small",
            "if not bound <= _SMALL:",
            "if bound > _SMALL:",
            "test_a_low_mask_where_the_bound_is_unknown",
        ),
        (
            "a low mask is called small",
            "sizes = np.abs(mask)",
            "sizes = mask",
            "test_a_mask_as_high_for_every_key_changes_nothing",
        ),
        (
            "no step through rows longer than a block",
            "step = max(1, _CACHED // rows.shape[1])",
            "step = _CACHED // rows.shape[1]",
            "test_a_row_longer_than_a_block",
        ),
        (
            "mask left out of the bound",
            "bound += _apply_mask(",
            "_apply_mask(",
            "test_a_mask_as_high_for_every_key_changes_nothing",
        ),
        (
            "rows after the first block forgotten",
            "for start in range(0, len(rows), step):",
            "for start in range(0, min(step, len(rows)), step):",
            "test_many_rows_are_shared_block_by_block",
        ),
        (
            "caller's numeric alarms go off",
            '_quiet = np.errstate(all="ignore")',
            "_quiet = np.errstate()",
            "test_callers_numeric_alarms_stay_silent",
        ),
        (
            "heads by reshape alone",
            "heads = x.reshape(*x.shape[:-1], num_heads, size)",
            "heads = x.reshape(*x.shape[:-2], num_heads, x.shape[-2], -1)"
            ".swapaxes(-2, -3)",
            "test_split_heads_gives_neighboring_columns_to_a_head",
        ),
        (
            "heads interleaved",
            "heads = x.reshape(*x.shape[:-1], num_heads, size)",
            "heads = x.reshape(*x.shape[:-1], -1, num_heads).swapaxes(-1, -2)",
            "test_split_heads_gives_neighboring_columns_to_a_head",
        ),
        (
            "split heads share memory",
            "return heads.swapaxes(-2, -3).copy()",
            "return heads.swapaxes(-2, -3)",
            "test_results_share_no_memory_with_arguments",
        ),
        (
            "merge without transposing back",
            "heads = x.swapaxes(-2, -3).copy()",
            "heads = x",
            "test_merge_heads_puts_heads_side_by_side",
        ),
        (
            "W_O missing",
            'return _project("o", merged, w_o, b_o), weights',
            "return merged, weights",
            "test_multi_head_attention_head_by_head",
        ),
        (
            "bias dropped",
            "    y = y if bias is None else y + bias\n",
            "",
            "test_every_bias_counts",
        ),
        (
            "keys projected by W_Q",
            '_project("k", x, w_k, b_k)',
            '_project("k", x, w_q, b_q)',
            "test_multi_head_attention_head_by_head",
        ),
        (
            "values projected by W_K",
            '_project("v", x, w_v, b_v)',
            '_project("v", x, w_k, b_v)',
            "test_multi_head_attention_head_by_head",
        ),
        (
            "causal not passed to the heads",
            "        is_causal=is_causal,\n",
            "",
            "test_multi_head_attention_head_by_head",
        ),
        (
            "mask not passed to the heads",
            "        mask=mask,\n",
            "",
            "test_multi_head_mask_per_sentence",
        ),
    ],
)

VALIDATION = mutants_of(
    "helpers/validation.py",
    "test_bad_input.py",
    [
        (
            "integer mask accepted",
            'if mask.dtype.kind not in "bf":',
            'if mask.dtype.kind not in "bfiu":',
            "test_mask",
        ),
        (
            "mask may enlarge the scores",
            "np.broadcast_shapes(mask.shape, shape) == tuple(shape)",
            "bool(np.broadcast_shapes(mask.shape, shape))",
            "test_a_mask_must_not_enlarge_the_batch",
        ),
        (
            "NaN passes",
            "if finite and not np.isfinite(array).all():",
            "if finite and np.isinf(array).any():",
            "test_not_finite_or_empty",
        ),
        (
            "empty axes pass",
            "if 0 in array.shape[array.ndim - ndim :]:",
            "if 0 in array.shape[array.ndim :]:",
            "test_not_finite_or_empty",
        ),
        (
            "d_k may differ",
            "if query.shape[-1] != key.shape[-1]:",
            "if False:",
            "test_shapes_that_do_not_fit",
        ),
        (
            "booleans count as numbers",
            'if array.dtype.kind in "iu":',
            'if array.dtype.kind in "iub":',
            "test_not_an_array",
        ),
    ],
) + mutants_of(
    "helpers/validation.py",
    "test_attention.py",
    [
        (
            "everything becomes float64",
            'if array.dtype.kind in "iu":',
            'if array.dtype.kind in "iuf":',
            "test_floating_types_stay",
        ),
        (
            "integers become float32",
            "array = array.astype(np.float64)",
            "array = array.astype(np.float32)",
            "test_integers_become_float64",
        ),
    ],
)

LEARNING = (
    mutants_of("helpers/gradients.py", "test_gradients.py", GRADIENTS)
    + mutants_of("helpers/optimizers.py", "test_training.py", OPTIMIZERS)
    + mutants_of("helpers/training.py", "test_training.py", TRAINING)
    + mutants_of("helpers/models/readout.py", "test_models.py", READOUT)
    + mutants_of("helpers/models/shares.py", "test_models.py", SHARES)
    + mutants_of("helpers/models/variants.py", "test_models.py", VARIANTS)
)

HEADS = (
    mutants_of(
        "helpers/gradients.py", "test_heads.py", mutants_heads.GRADIENTS
    )
    + mutants_of(
        "helpers/positions.py", "test_heads.py", mutants_heads.POSITIONS
    )
    + mutants_of(
        "helpers/models/stack.py", "test_heads.py", mutants_heads.STACK
    )
    + mutants_of(
        "helpers/head_experiments.py",
        "test_heads.py",
        mutants_heads.EXPERIMENTS,
    )
    + mutants_of(
        "helpers/head_probes.py", "test_heads.py", mutants_heads.PROBES
    )
    + mutants_of(
        "helpers/grammars.py", "test_relations.py", mutants_heads.GRAMMARS
    )
    + mutants_of(
        "helpers/relations.py", "test_relations.py", mutants_heads.RELATIONS
    )
)

COMPARISON = [
    mutant
    for file, entries in mutants_comparison.BY_FILE.items()
    for mutant in mutants_of(file, "test_comparison.py", entries)
] + mutants_of(
    "helpers/distance.py", "test_distance.py", mutants_comparison.DISTANCE
)

MUTANTS = [*ATTENTION, *VALIDATION, *LEARNING, *HEADS, *COMPARISON]
