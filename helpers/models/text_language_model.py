"""The language model of 07 in NumPy: 06's, with a GELU in its blocks.

A model of running text is two files. NAME.safetensors holds the arrays
under PyTorch's names, NAME.json what it takes to build and to judge it:
"characters", the vocabulary as one string; "model", the settings of
`text_model.TextModel`; "training", those of its training; and "log", a
list of rows, one for each measurement.
"""

import json
from pathlib import Path

import numpy as np

from helpers import validation
from helpers.embeddings import data_file
from helpers.layers import gelu
from helpers.models.block import Block
from helpers.models.language_model import LanguageModel

# PyTorch's name in a block: ours of its matrix or gain, and of its bias
BLOCK_NAMES = {
    "norm_1": ("gain_1", "bias_1"),
    "query": ("w_q", "b_q"),
    "key": ("w_k", "b_k"),
    "value": ("w_v", "b_v"),
    "output": ("w_o", "b_o"),
    "norm_2": ("gain_2", "bias_2"),
    "feed_forward.0": ("w_1", "b_1"),
    "feed_forward.2": ("w_2", "b_2"),
}
OTHER_NAMES = {"norm": ("gain", "bias"), "logits": ("w_out", "b_out")}
STORED = "text_model"


class GeluBlock(Block):
    """A block that reads only: its feed-forward layer has a GELU."""

    def _feed(self, x):
        hidden = gelu(x @ self.p["w_1"] + self.p["b_1"])  # (..., T, hidden)
        return hidden @ self.p["w_2"] + self.p["b_2"]

    def backward(self, grad):
        """Not here: PyTorch trains this model."""
        raise NotImplementedError("backward: train this model with PyTorch")


class TextLanguageModel(LanguageModel):
    """`LanguageModel` of characters, with weights that PyTorch trained.

    Parameters
    ----------
    characters : sequence of V strings
    arrays : dict of arrays
        Under PyTorch's names, as in the file.
    num_heads : int

    Raises
    ------
    ValueError
        If an array is missing, or its shape does not fit.
    """

    block_class, unit = GeluBlock, "characters"

    def __init__(self, characters, arrays, num_heads):
        arrays = from_torch(arrays)
        layers = sum(name.endswith(".w_q") for name in arrays)
        super().__init__(
            characters,
            arrays.pop("vectors"),
            layers=layers,
            num_heads=num_heads,
            hidden=arrays["block0.w_1"].shape[1],
            max_length=len(arrays["positions"]),
        )
        self.parameters = {
            name: validation.of_shape(name, arrays.get(name, 0.0), like.shape)
            for name, like in self.parameters.items()
        }


def from_torch(arrays):
    """Return {our name: float64 array} of {PyTorch's name: array}.

    Matrices are transposed: PyTorch multiplies x by the transpose of what
    it keeps.
    """
    validation.array_dict("arrays", arrays)
    ours = {
        "vectors": arrays["characters.weight"],
        "positions": arrays["positions.weight"],
    }
    layers = sum(name.endswith(".query.weight") for name in arrays)
    parts = [("", "", OTHER_NAMES)]
    parts += [(f"blocks.{i}.", f"block{i}.", BLOCK_NAMES)
              for i in range(layers)]  # fmt: skip
    for theirs, our, names in parts:
        for name, (weight, bias) in names.items():
            ours[our + weight] = np.transpose(arrays[f"{theirs}{name}.weight"])
            ours[our + bias] = arrays[f"{theirs}{name}.bias"]
    return {n: np.array(a, dtype=np.float64, order="C")
            for n, a in ours.items()}  # fmt: skip


def read_text_model(path):
    """Return the arrays of PATH.safetensors and the dict of PATH.json.

    Raises FileNotFoundError if one of them is missing, and ValueError
    naming the file if it is damaged.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    weights, settings = _files(path)
    for file in (weights, settings):
        if not file.is_file():
            raise FileNotFoundError(f"{file}: there is no such file")
    try:
        arrays = load_file(weights)
    except (SafetensorError, OSError) as error:
        raise ValueError(f"{weights}: damaged ({error})") from None
    try:
        kept = json.loads(settings.read_text(encoding="utf-8"))
        kept["characters"], kept["model"]["num_heads"]
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{settings}: damaged ({error!r:.80})") from None
    return arrays, kept


def _files(path):
    path = Path(path)
    return [path.with_name(f"{path.name}{e}")
            for e in (".safetensors", ".json")]  # fmt: skip


def text_language_model(path=None):
    """Return a model of running text in NumPy; without a path the stored one.

    Raises FileNotFoundError or ValueError naming the file.
    """
    arrays, kept = read_text_model(path or stored_text_model())
    num_heads = kept["model"]["num_heads"]
    return TextLanguageModel([*kept["characters"]], arrays, num_heads)


def stored_text_model():
    """Return the path of the stored model without an ending; files compared.

    Raises FileNotFoundError or ValueError naming the file.
    """
    for ending in ("safetensors", "json"):
        path = data_file(f"{STORED}.{ending}")
    return path.with_suffix("")
