"""What self_attention.txt takes from Python."""


def ready_made(exercise, function):
    """Remark that the course's own function was handed in."""
    code = getattr(function, "__code__", None)
    if code is None or "scaled_dot_product_attention" not in code.co_names:
        return ""
    return (
        "scaled_dot_product_attention is the ready-made function. Now write"
        " the three lines yourself."
    )
