"""What top_p.txt takes from Python."""


def sums_to_one(args, kept):
    """Say what the probabilities sum to."""
    if abs(kept.sum() - 1) < 1e-5:
        return ""
    return f"the result sums to {kept.sum():.3f}. Probabilities sum to 1."
