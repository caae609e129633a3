"""The chat model's one file: settings, vocabulary and float32 arrays.

The `gguf` package reads the file and unpacks its 4-bit and 8-bit numbers.
The file is compared with its sha256 first, so no other file is ever read.
"""

import hashlib
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
PATH = Path(sys.prefix, "share", "attention-measured", NAME)
SIZE = 98_362_432  # bytes
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


class Contents(NamedTuple):
    """What the file holds.

    settings: {name: value}, such as "block_count". vocabulary: V strings, a
    character for each byte. special: those that are no text. merges:
    pairs of strings, the first to be joined first. arrays: {name: float32},
    matrices (out, in).
    """

    settings: dict
    vocabulary: list
    special: list
    merges: list
    arrays: dict


def is_here(path=PATH):
    """Whether there is a file, whole or not."""
    return Path(path).is_file()


def sha256(path):
    """Return the sha256 of a file, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check(path):
    """Raise FileNotFoundError or ValueError unless this is the file."""
    repair = "`make model` (python -m helpers.chat_model.fetch) brings it"
    if not is_here(path):
        raise FileNotFoundError(f"{path}: no chat model here; {repair}")
    size = Path(path).stat().st_size
    if size < SIZE:
        raise ValueError(f"{path}: cut, {size:,} of {SIZE:,} bytes; {repair}")
    if size > SIZE or sha256(path) != SHA256:
        raise ValueError(f"{path}: damaged, or another file; {repair}")


def read(path=PATH):
    """Return the `Contents` of the file, after `check`."""
    check(path)
    from gguf import GGUFReader, dequantize

    class Reader(GGUFReader):
        def _get(self, *place, **order):
            self.data = np.asarray(self.data)  # a slice of a memmap is slow
            return super()._get(*place, **order)

    reader = Reader(path)
    fields = {name: field.contents() for name, field in reader.fields.items()}
    settings = {
        name.removeprefix("llama."): value
        for name, value in fields.items()
        if name.startswith("llama.")
    }
    arrays = {
        tensor.name.removesuffix(".weight"): np.array(
            dequantize(tensor.data, tensor.tensor_type)
        )
        for tensor in reader.tensors
    }
    tokens, kinds, merges = (
        fields[f"tokenizer.ggml.{name}"]
        for name in ("tokens", "token_type", "merges")
    )
    special = [t for t, k in zip(tokens, kinds, strict=True) if k == 3]
    pairs = [tuple(merge.split(" ")) for merge in merges]
    return Contents(settings, tokens, special, pairs, arrays)
