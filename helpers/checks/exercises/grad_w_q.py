"""What grad_w_q.txt takes from Python."""

import re


def table_of_the_toy(exercise, trials):
    """Say that a table (4, 4) of the notebook meets other lengths."""
    basic = [t for t in trials if t.probe.level == "basic"]
    others = [t for t in basic if not any(4 in a.shape for a in t.probe.args)]
    texts = [f"{t.got.error} {t.got.shapes}" for t in others]
    tables = (re.search(r"\(4, ?4\)", text) for text in texts)
    if not texts or not all(tables):
        return None
    return (
        "it uses a (4, 4) matrix of the notebook.",
        "Is it the weights, because you differentiate the softmax? "
        + exercise.sentences["BEHIND"],
    )
