"""The numbers of the pretrained encoder, by our names."""

import numpy as np

from helpers.embeddings import model_arrays

_NAMES = {  # ours: theirs; each has a bias, too
    "w_q": "attention.self.query",
    "w_k": "attention.self.key",
    "w_v": "attention.self.value",
    "w_o": "attention.output.dense",
    "w_1": "intermediate.dense",
    "w_2": "output.dense",
    "gain_1": "attention.output.LayerNorm",
    "gain_2": "output.LayerNorm",
}


def load_encoder_arrays(layers):
    """Return rows and blocks, all float32.

    rows: words (V, d), positions (512, d), kind (d,), and gain and bias
    (d,) of their norm. blocks: a dict for each layer, {name: array}, with
    matrices (in, out). Raises FileNotFoundError or ValueError naming a
    damaged file.
    """
    arrays = {
        name: array.astype(np.float32)
        for name, array in model_arrays().items()
        if array.dtype.kind == "f"
    }
    words, positions, kinds = (
        arrays[f"embeddings.{name}_embeddings.weight"]
        for name in ("word", "position", "token_type")
    )
    kind = kinds[0]  # the second is for a second sentence
    norm = (arrays[f"embeddings.LayerNorm.{n}"] for n in ("weight", "bias"))
    blocks = [_block(arrays, layer) for layer in range(layers)]
    return (words, positions, kind, *norm), blocks


def _block(arrays, layer):
    renamed = {}
    for ours, theirs in _NAMES.items():
        name = f"encoder.layer.{layer}.{theirs}"
        kind, _, which = ours.partition("_")
        renamed[ours] = np.ascontiguousarray(arrays[f"{name}.weight"].T)
        other = "b" if kind == "w" else "bias"
        renamed[f"{other}_{which}"] = arrays[f"{name}.bias"]
    return renamed
