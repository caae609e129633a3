"""An attention layer of ours beside PyTorch's: differences, and faults."""

import numpy as np
import torch
import torch.nn.functional as F

from helpers import attention, gradients
from helpers.experiments.measures import error_bound
from helpers.torch_bridge.convert import (
    tensors,
    to_multihead_attention,
    to_numpy,
)
from helpers.torch_bridge.positional_network import rotated

ROTARY_BASE = 10_000.0  # as in Su et al. (2021)
FAULTS = {
    1: "the value matrix is transposed",
    2: "the query and key matrices are swapped",
    3: "the output bias is missing",
    4: "there are two heads instead of four",
    5: "batch_first is not set",
}


def largest_difference(a, b):
    """Return max |a - b| of two arrays or tensors, a float; NaN if any.

    Raises ValueError if their shapes differ.
    """
    a, b = to_numpy(a), to_numpy(b)
    if a.shape != b.shape:
        raise ValueError(f"a, b: expected one shape, got {a.shape}, {b.shape}")
    return float(np.abs(a - b).max())


def layer_differences(num_heads, arrays, x, ours, theirs, need_weights):
    """Compare our multi-head attention with PyTorch's, there and back.

    Parameters
    ----------
    num_heads : int
    arrays : dict
        The layer, as `to_multihead_attention` takes it.
    x : array (B, T, d_model)
    ours, theirs : dict
        The masks, as `attention.multi_head_attention` and a call of
        `nn.MultiheadAttention` take them.
    need_weights : bool
        PyTorch stores the weights; otherwise it may use its fused kernel.

    Returns
    -------
    list of float
        The largest differences between the outputs, the gradients of x, and
        those of PyTorch's parameters. The gradient of the output is random.
    """
    grad = np.random.default_rng(1).standard_normal(x.shape)
    settings = dict(**arrays, num_heads=num_heads, **ours)
    output, _ = attention.multi_head_attention(x, **settings)
    back = gradients.multi_head_attention_backward(grad, x, **settings)
    # our gradients are transposed and stacked in the same way as the matrices
    stacked = to_multihead_attention(num_heads, back).parameters()
    module = to_multihead_attention(num_heads, arrays)
    leaf = torch.tensor(x, requires_grad=True)
    found, _ = module(leaf, leaf, leaf, need_weights=need_weights, **theirs)
    found.backward(torch.tensor(grad))
    slopes = [leaf.grad, *(p.grad for p in module.parameters())]
    pairs = zip([output, back["x"], *stacked], [found, *slopes], strict=True)
    return [largest_difference(*pair) for pair in pairs]


def planted_fault(kind, arrays):
    """Build an `nn.MultiheadAttention` of four heads with one of `FAULTS`.

    Raises ValueError if there is no such kind.
    """
    if kind not in FAULTS:
        raise ValueError(f"kind: expected one of {[*FAULTS]}, got {kind!r}")
    faulty = dict(arrays)
    if kind == 1:
        faulty["w_v"] = arrays["w_v"].T
    if kind == 2:
        faulty |= {"w_q": arrays["w_k"], "w_k": arrays["w_q"]}
    if kind == 3:
        faulty["b_o"] = np.zeros_like(arrays["b_o"])
    module = to_multihead_attention(2 if kind == 4 else 4, faulty)
    module.batch_first = kind != 5
    return module


def stages(ours, theirs):
    """Pair {name: array} with {name: tensor}, for `plots.show_beside`.

    Returns a list of (name, ours, theirs, largest difference in words).
    Raises ValueError if names or shapes differ.
    """
    if ours.keys() != theirs.keys():
        raise ValueError(f"ours has {[*ours]}, theirs has {[*theirs]}")
    return [
        (
            name,
            array,
            to_numpy(theirs[name]),
            error_bound(largest_difference(array, theirs[name])),
        )
        for name, array in ours.items()
    ]


def rotary(num_heads, arrays, x):
    """Compute multi-head attention with rotary positions; x (B, T, d_model).

    Queries and keys are rotated after their biases have been added. Returns
    an array like x.
    """
    context, _ = attention.scaled_dot_product_attention(
        *(_turned(_heads(num_heads, arrays, x, n)) for n in "qk"),
        _heads(num_heads, arrays, x, "v"),
    )
    return attention.merge_heads(context) @ arrays["w_o"] + arrays["b_o"]


def _heads(num_heads, arrays, x, n):
    """Return queries, keys or values (B, H, T, d), their bias added."""
    rows = x @ arrays[f"w_{n}"] + arrays[f"b_{n}"]
    return attention.split_heads(rows, num_heads)


def _turned(rows):
    places = torch.arange(rows.shape[-2])
    return rotated(torch.tensor(rows), places, ROTARY_BASE).numpy()


def lost_without(num_heads, arrays, x, rotary=False):
    """Tell what a layer loses without b_q, b_k or b_v, if others may change.

    Parameters
    ----------
    num_heads : int
    arrays : dict
        The layer, as `layer_differences` takes it.
    x : array (B, T, d_model)
        Fewer rows than a head has columns, so that each context tells the
        weights; otherwise, other scores might have the same output.
    rotary : bool
        Queries and keys are rotated.

    Returns
    -------
    dict
        "b_q" and "b_k": how far the scores stay from what they were, with
        the best other one of the two. (What a softmax cancels is left out.)
        "b_v": how far the output moves for a text of one word, in which the
        other two change nothing.
    """
    without_value = arrays | {"b_v": np.zeros_like(arrays["b_v"])}
    alone = [
        attention.multi_head_attention(x[:, :1], **each, num_heads=num_heads)
        for each in (arrays, without_value)
    ]  # one word: positions change nothing
    options = num_heads, arrays, x, rotary
    return {
        "b_q": _scores_apart("b_q", "b_k", *options),
        "b_k": _scores_apart("b_k", "b_q", *options),
        "b_v": largest_difference(alone[0][0], alone[1][0]),
    }


def _scores_apart(missing, other, num_heads, arrays, x, rotary):
    """Return the largest difference that the best `other` leaves."""

    def seen(**biases):
        nothing = {missing: np.zeros_like(arrays[missing])}
        changed = arrays | nothing | biases
        return _seen_scores(num_heads, changed, x, rotary).ravel()

    # without `missing`, the scores grow linearly with `other`
    start = seen(**{other: np.zeros_like(arrays[other])})
    entries = np.eye(len(arrays[other]))
    gained = [seen(**{other: entry}) - start for entry in entries]
    wanted = seen(**{missing: arrays[missing]}) - start
    best, *_ = np.linalg.lstsq(np.transpose(gained), wanted, rcond=None)
    return float(np.abs(wanted - best @ gained).max())


def _seen_scores(num_heads, arrays, x, rotary):
    """Return scores (B, H, T, T), less what a softmax cancels: each mean."""
    query, key = (_heads(num_heads, arrays, x, n) for n in "qk")
    if rotary:
        query, key = _turned(query), _turned(key)
    scores = query @ key.swapaxes(-1, -2) / query.shape[-1] ** 0.5
    return scores - scores.mean(axis=-1, keepdims=True)


@torch.no_grad()
def correct(module, examples):
    """Return which answers are right: booleans (B, G), for `tasks.Examples`.

    module: ``forward(x, position, mask) -> logits (B, G, classes)``.
    """
    part = examples.sentences
    inputs = tensors(examples.x, part.position, examples.mask)
    return module(*inputs).argmax(-1).numpy() == part.labels


def steps_beside(query, key, value):
    """Pair our scores, weights and context with PyTorch's: `stages`.

    query (T_q, d_k), key (T_k, d_k), value (T_k, d_v): arrays.
    """
    scale = query.shape[-1] ** 0.5
    context, weights = attention.scaled_dot_product_attention(
        query, key, value
    )
    q, k, v = tensors(query, key, value)
    scores = q @ k.T / scale
    theirs = {"scores": scores, "weights": torch.softmax(scores, dim=-1)}
    theirs["context"] = theirs["weights"] @ v
    ours = {"scores": query @ key.T / scale, "weights": weights}
    return stages(ours | {"context": context}, theirs)


def differences_with_masks(num_heads, arrays, x, may_attend, is_padding):
    """Return all `layer_differences`: three masks, two ways to compute.

    No mask, the padding hidden, and later words hidden; with PyTorch's four
    steps, and with its fused kernel. arrays, x (B, T, d_model) as there.
    may_attend (B, 1, 1, T), is_padding (B, T): arrays or tensors.
    """
    later = ~torch.ones(x.shape[1], x.shape[1]).tril().bool()
    ours = {"mask": np.asarray(may_attend)}, {"is_causal": True}
    theirs = (
        {"key_padding_mask": torch.as_tensor(is_padding)},
        {"attn_mask": later},
    )
    return [
        gap
        for masks in [({}, {}), *zip(ours, theirs, strict=True)]
        for need_weights in (True, False)
        for gap in layer_differences(
            num_heads, arrays, x, *masks, need_weights
        )
    ]


def with_an_empty_row(module, x):
    """Return what four calls give for a word that may look at nothing.

    module: an `nn.MultiheadAttention`; x (1, 3, d_model), whose second word
    has every key hidden. Returns {call: array (d_model,)}.
    """
    hide = torch.tensor([[0, 0, 1], [1, 1, 1], [0, 1, 1]]).bool()
    found = {"SDPA": F.scaled_dot_product_attention(x, x, x, ~hide)}
    fused = dict(attn_mask=hide, need_weights=False)
    found["layer, with weights"], _ = module(x, x, x, attn_mask=hide)
    found["layer, without"], _ = module(x, x, x, **fused)
    training = module.training
    with torch.no_grad():
        found["eval(), no_grad()"], _ = module.eval()(x, x, x, **fused)
    module.train(training)
    return {name: rows[0, 1].detach().numpy() for name, rows in found.items()}


@torch.no_grad()
def layer_gap(num_heads, arrays, x, module):
    """Return the largest difference of our layer's output and a module's.

    arrays: of `attention.multi_head_attention`; x (B, T, d_model).
    """
    ours, _ = attention.multi_head_attention(x, **arrays, num_heads=num_heads)
    whole = torch.as_tensor(x)
    theirs, _ = module(whole, whole, whole)
    return largest_difference(ours, theirs)
