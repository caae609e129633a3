"""Checkpoints: a model and its optimizer in a file, to go on from later."""

import io
from pathlib import Path

import torch

from helpers.models.files import replace_file


def save_checkpoint(path, model, optimizer, **more):
    """Write a checkpoint whole or not at all.

    more: tensors, numbers, strings, lists and dicts, to be kept beside.
    """
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
    file = io.BytesIO()
    torch.save(state | {"more": more}, file)
    replace_file(Path(path), file.getvalue())


def load_checkpoint(path, model, optimizer):
    """Give both what a checkpoint holds; return what was kept beside.

    Raises ValueError if it is damaged or of another model.
    """
    try:
        state = torch.load(path, weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        return state["more"]
    except FileNotFoundError:
        raise
    except Exception:  # torch.load raises nearly everything
        raise ValueError(
            f"{path}: damaged, or of another model; move it away to begin"
            " anew, or choose another folder"
        ) from None
