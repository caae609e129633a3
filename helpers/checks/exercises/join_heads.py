"""What join_heads.txt takes from Python."""

import re


def one_head_wide(exercise, trials):
    """Say what a table with d columns in place of H*d may be."""
    first = trials[0]
    sizes = re.findall(r"size (\d+) is different from (\d+)", first.got.error)
    contexts, w_o = first.probe.args
    wanted = [(str(len(w_o)), str(contexts.shape[-1]))]
    if sizes != wanted:
        return None
    return (
        "it stops: only d numbers of each word meet w_o.",
        "w_o has H*d rows, d of them for each head. Are the heads averaged or"
        " added up? Is only one head used? Or is the reshape missing that puts"
        " them side by side?",
    )
