"""What causal_mask.txt takes from Python."""

import sys


def tensor(array):
    """Return an array as a tensor, if PyTorch is loaded at all."""
    torch = sys.modules.get("torch")
    return torch.from_numpy(array) if torch else array


def no_mask(outcome, function):
    """Refuse zeros and ones, and what SDPA does not take as a mask."""
    if outcome.kinds[0] != "b":
        return (
            "the zeros and ones are right, but the mask is not boolean.",
            "SDPA would *add* these numbers to the scores, and hide nothing."
            " `.bool()` turns them into True and False.",
        )
    if outcome.types[0] not in ("Tensor", "Parameter"):
        return (
            "the mask is right, but it is not a tensor.",
            "The task asks for a boolean tensor, because SDPA takes only"
            " tensors. torch.tensor(mask) turns an array or a list into one.",
        )
    return None
