"""The same numbers as NumPy arrays and as torch tensors."""

import numpy as np
import torch
from torch import nn

from helpers import validation

# torch's name for each of our biases and projections in nn.MultiheadAttention
MIRROR = {
    "in_proj_weight": ("w_q", "w_k", "w_v"),
    "in_proj_bias": ("b_q", "b_k", "b_v"),
    "out_proj.weight": ("w_o",),
    "out_proj.bias": ("b_o",),
}


def leaves(*arrays):
    """Return each array as a new tensor that collects its gradient."""
    return [torch.tensor(array, requires_grad=True) for array in arrays]


def largest_difference(*pairs):
    """Return max |a - b| over pairs of arrays or tensors, a float.

    Raises ValueError if the shapes of a pair differ; NaN if either has it.
    """
    gaps = []
    for a, b in pairs:
        a, b = to_numpy(a), to_numpy(b)
        if a.shape != b.shape:
            raise ValueError(f"expected one shape, got {a.shape}, {b.shape}")
        gaps.append(np.abs(a - b).max())
    return float(np.max(gaps))


def report_same(what, *pairs, bound=1e-12):
    """Print that no pair differs by more than `bound`; else raise.

    Raises AssertionError with the largest difference.
    """
    gap = largest_difference(*pairs)
    assert gap <= bound, f"{what}: {gap} apart"
    print(f"{what}: at most {bound:g} apart: {gap <= bound}")


def to_numpy(a):
    """Return an array or a tensor, in any precision, as a float64 array."""
    if isinstance(a, torch.Tensor):
        a = a.detach().double().numpy()
    return np.asarray(a, dtype=np.float64)


def multihead(num_heads, arrays):
    """Build an `nn.MultiheadAttention` that computes what ours does.

    Parameters
    ----------
    num_heads : int
    arrays : dict
        w_q, w_k, w_v, w_o (d_model, d_model) and b_q, b_k, b_v, b_o
        (d_model,), as `attention.multi_head_attention` takes them.

    Returns
    -------
    torch.nn.MultiheadAttention
        With batch_first=True, without dropout, in the arrays' precision.
        Its gradients come under torch's names, transposed and stacked:
        `MIRROR` tells which of ours each is made of.
    """
    d_model = len(validation.float_array("w_q", arrays["w_q"], ndim=2))
    for name in (name for names in MIRROR.values() for name in names):
        shape = (d_model,) * (2 if name.startswith("w") else 1)
        if arrays[name].shape != shape:
            raise ValueError(
                f"{name}: expected shape {shape}, got {arrays[name].shape}"
            )
    module = nn.MultiheadAttention(d_model, num_heads, batch_first=True)
    state = {
        torch_name: torch.tensor(stacked(arrays, names))
        for torch_name, names in MIRROR.items()
    }
    module.to(state["in_proj_weight"].dtype).load_state_dict(state)
    return module


def stacked(arrays, names):
    """Transpose the named arrays and stack them, as torch keeps them."""
    return np.concatenate([arrays[name].T for name in names])
