"""What this model does differently from the block of notebook 06.

Touvron et al. (2023), *LLaMA*, section 2.2. Arrays are float32 and stay so:
factors are Python floats, because a NumPy float64 would widen what it meets.
The arguments are not checked: attention checks its own, the model the tokens.
"""

import numpy as np

from helpers.attention import merge_heads, scaled_dot_product_attention
from helpers.attention import split_heads as split


def times(x, w):
    """Return x @ w for x (..., d) and w (d, m), all rows at once.

    NumPy would multiply each text of a batch by itself, and move w each time.
    """
    return (x.reshape(-1, x.shape[-1]) @ w).reshape(*x.shape[:-1], -1)


def rms_norm(x, gain, eps=1e-5):
    """Divide each row (..., d) by its root mean square; times gain (d,).

    Zhang and Sennrich (2019), equation 4.
    """
    mean_square = (x * x).mean(axis=-1, keepdims=True)  # (..., 1)
    return x / np.sqrt(mean_square + eps) * gain


def swiglu(x, w_gate, w_up, w_down):
    """Feed forward with a gate: (..., d) -> (..., d).

    ``(silu(x @ w_gate) * (x @ w_up)) @ w_down`` with silu(g) = g times the
    logistic function of g: Shazeer (2020), equation 6. w_gate, w_up (d, m);
    w_down (m, d).
    """
    gate = times(x, w_gate)  # (..., m)
    with np.errstate(over="ignore"):  # exp of much is inf, and silu 0
        silu = gate / (1 + np.exp(-gate))
    return times(silu * times(x, w_up), w_down)


def rotation(positions, size, base):
    """Return cos and sin (T, size/2) of the angles of each position.

    Su et al. (2021), section 3.2: pair i of size/2 turns by base^(-2i/size)
    a position.
    """
    frequency = base ** (-2 * np.arange(size // 2) / size)  # (size/2,)
    angle = np.asarray(positions)[:, None] * frequency  # (T, size/2)
    return np.cos(angle, dtype=np.float32), np.sin(angle, dtype=np.float32)


def rotate(x, cos, sin):
    """Turn the pairs (i, i + d/2) of each row of x (..., T, d)."""
    half = x.shape[-1] // 2
    first, second = x[..., :half], x[..., half:]  # (..., T, d/2) each
    return np.concatenate(
        [first * cos - second * sin, second * cos + first * sin], axis=-1
    )


def attend(x, w, heads, groups, turn, mask, remember, change=None):
    """Attend with `heads` heads that share `groups` keys and values.

    Grouped queries: Ainslie et al. (2023), section 2.2. x (..., T, d); w:
    matrices w_q (d, d), w_k and w_v (d, groups * d_k), w_o (d, d); turn: cos
    and sin of `rotation`; mask (..., groups, heads/groups, T, T_k) or smaller;
    remember: takes the new keys and values (..., groups, T, d_k), returns all
    of them; change: takes the heads' contexts (..., heads, T, d_k) and weights
    (..., heads, T, T_k), returns the contexts to go on with. Returns the
    output (..., T, d).
    """
    query = rotate(split(times(x, w["w_q"]), heads), *turn)  # (..., H, T, d_k)
    key = rotate(split(times(x, w["w_k"]), groups), *turn)  # (..., G, T, d_k)
    key, value = remember(key, split(times(x, w["w_v"]), groups))
    *batch, _, tokens, size = query.shape
    query = query.reshape(*batch, groups, -1, tokens, size)
    context, weights = scaled_dot_product_attention(
        query, key[..., None, :, :], value[..., None, :, :], mask=mask
    )
    context = context.reshape(*batch, heads, tokens, size)
    if change:
        context = change(context, weights.reshape(*context.shape[:-1], -1))
    return times(merge_heads(context), w["w_o"])
