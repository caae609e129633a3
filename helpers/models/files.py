"""Arrays in a file, without pickle: a file can hold numbers, not code."""

import json
import os
from pathlib import Path

import numpy as np


def save_arrays(path, arrays, options):
    """Write {name: array} and a dict of options as safetensors."""
    from safetensors.numpy import save

    arrays = {n: np.ascontiguousarray(a) for n, a in arrays.items()}
    metadata = {"options": json.dumps(options)}
    replace_file(Path(path), save(arrays, metadata))


def load_arrays(path):
    """Read what `save_arrays` wrote: {name: array}, options.

    Raises FileNotFoundError if there is no file, ValueError if it is
    damaged, has no options, or holds anything but finite float64 numbers.
    """
    from safetensors import SafetensorError, safe_open

    if not Path(path).is_file():
        raise FileNotFoundError(f"{path}: no such file")
    try:
        with safe_open(Path(path), framework="numpy") as file:
            metadata = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError) as error:
        raise ValueError(
            f"{path}: damaged, or no safetensors file ({error})"
        ) from None
    try:
        options = dict(json.loads(metadata["options"]))
    except (KeyError, TypeError, ValueError):
        raise ValueError(
            f"{path}: holds arrays, but no options of a model"
        ) from None
    for name, array in arrays.items():
        if array.dtype != np.float64 or not np.isfinite(array).all():
            raise ValueError(
                f"{path}: {name} must hold finite float64 numbers, not"
                f" {array.dtype} {array.shape}"
            )
    return arrays, options


def check_shapes(path, arrays, shapes):
    """Raise ValueError unless arrays have exactly these {name: shape}."""
    if arrays.keys() != shapes.keys():
        raise ValueError(
            f"{path}: holds the arrays {sorted(arrays)}, its options ask for"
            f" {sorted(shapes)}"
        )
    for name, shape in shapes.items():
        if arrays[name].shape != shape:
            raise ValueError(
                f"{path}: {name} has shape {arrays[name].shape}, its options"
                f" ask for {shape}"
            )


def replace_file(path, data):
    """Write bytes whole or not at all: a full disk leaves the old file."""
    draft = path.with_name(f"{path.name}.part")
    try:
        with open(draft, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
