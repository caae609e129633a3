"""The same numbers as NumPy arrays and as torch tensors."""

import numpy as np
import torch
from torch import nn

from helpers import validation

# torch's name for each of our biases and projections in nn.MultiheadAttention
TORCH_NAMES = {
    "in_proj_weight": ("w_q", "w_k", "w_v"),
    "in_proj_bias": ("b_q", "b_k", "b_v"),
    "out_proj.weight": ("w_o",),
    "out_proj.bias": ("b_o",),
}
# torch's name for the rest of a block, in nn.TransformerEncoderLayer
LAYER_NAMES = {
    "norm1.weight": "gain_1",
    "norm1.bias": "bias_1",
    "linear1.weight": "w_1",
    "linear1.bias": "b_1",
    "linear2.weight": "w_2",
    "linear2.bias": "b_2",
    "norm2.weight": "gain_2",
    "norm2.bias": "bias_2",
}


def tensors(*arrays):
    """Return each array as a tensor that shares its memory."""
    return [torch.from_numpy(np.ascontiguousarray(a)) for a in arrays]


def leaf_tensors(*arrays):
    """Return each array as a new tensor that collects its gradient."""
    return [torch.tensor(array, requires_grad=True) for array in arrays]


def to_numpy(a):
    """Return an array or a tensor, in any precision, as a float64 array."""
    if isinstance(a, torch.Tensor):
        a = a.detach().double().numpy()
    return np.asarray(a, dtype=np.float64)


def load_parameters(module, arrays):
    """Copy {name: array} into the parameters of the same names.

    Raises ValueError if names or shapes differ.
    """
    parameters = dict(module.named_parameters())
    have = {name: tuple(p.shape) for name, p in parameters.items()}
    want = {name: array.shape for name, array in arrays.items()}
    if have != want:
        raise ValueError(f"module: has {have}, the arrays are {want}")
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(torch.from_numpy(arrays[name]))


def to_multihead_attention(num_heads, arrays):
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
        `TORCH_NAMES` says of which of ours each is made.

    Raises
    ------
    TypeError, ValueError
        If an array is missing, its shape does not fit w_q, or num_heads
        does not divide d_model.
    """
    validation.array_dict("arrays", arrays)
    names = [name for names in TORCH_NAMES.values() for name in names]
    if missing := sorted(set(names) - arrays.keys()):
        raise ValueError(f"arrays: {missing} are missing")
    w_q = validation.float_array("w_q", arrays["w_q"], ndim=2)
    d_model = len(w_q)
    num_heads = validation.head_count("w_q", w_q, num_heads)
    for name in names:
        shape = (d_model,) * (2 if name.startswith("w") else 1)
        validation.of_shape(name, arrays[name], shape)
    module = nn.MultiheadAttention(d_model, num_heads, batch_first=True)
    state = {
        torch_name: torch.tensor(np.concatenate([arrays[n].T for n in names]))
        for torch_name, names in TORCH_NAMES.items()
    }
    module.to(state["in_proj_weight"].dtype).load_state_dict(state)
    return module


def to_encoder_layer(num_heads, parameters):
    """Build an `nn.TransformerEncoderLayer` that computes what our block does.

    Parameters
    ----------
    num_heads : int
    parameters : dict
        Of `models.transformer_block`, with both of its parts.

    Returns
    -------
    torch.nn.TransformerEncoderLayer
        With norm_first=True and batch_first=True, without dropout, in the
        arrays' precision.

    Raises
    ------
    TypeError, ValueError
        If an array is missing, or its shape does not fit.
    """
    validation.array_dict("parameters", parameters)
    names = set(LAYER_NAMES.values()).union(*TORCH_NAMES.values())
    if missing := sorted(names - parameters.keys()):
        raise ValueError(f"parameters: {missing} are missing")
    attention = to_multihead_attention(num_heads, parameters)
    d_model, hidden = parameters["w_1"].shape
    module = nn.TransformerEncoderLayer(
        d_model,
        num_heads,
        hidden,
        dropout=0,
        batch_first=True,
        norm_first=True,
    )
    state = {f"self_attn.{n}": a for n, a in attention.state_dict().items()}
    state |= {
        torch_name: torch.tensor(parameters[name].T)
        for torch_name, name in LAYER_NAMES.items()
    }
    module.to(state["linear1.weight"].dtype).load_state_dict(state)
    return module
