"""What softmax_backward.txt takes from Python."""


def rows_sum_to_zero(args, *arrays):
    """Say which row of the gradients does not sum to 0."""
    for row, sum_ in enumerate(arrays[-1].sum(axis=-1).ravel()):
        if not abs(sum_) < 1e-6:
            return (
                f"row {row} sums to {sum_:.3f}. Adding one number to all"
                " scores of a row changes no weight, so the gradients of a row"
                " must sum to 0."
            )
    return ""
