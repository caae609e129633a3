"""Notebook 04: put the heads side by side, then one product with w_o."""

import re

from helpers.checks.engine import Exercise, Probe, Step
from helpers.checks.steps.heads import merged, ordered, output
from helpers.checks.steps.tools import table


def _joined(seed, heads, length, width, d_model):
    contexts = table(seed, heads, length, width)
    return contexts, table(seed + 1, heads * width, d_model)


def _one_head_wide(exercise, trials):
    """Say what a table with d columns in place of H*d may be."""
    first = trials[0]
    sizes = re.findall(r"size (\d+) is different from (\d+)", first.got.error)
    contexts, w_o = first.probe.args
    wanted = [(str(len(w_o)), str(contexts.shape[-1]))]
    if sizes != wanted:
        return None
    return (
        "only d numbers of each word meet w_o.",
        "w_o has H*d rows, d of them for each head. Are the heads averaged or"
        " added up, is only one used, or is the reshape missing that puts"
        " them side by side?",
    )


join_heads = Exercise(
    name="join_heads",
    call="join_heads(contexts, w_o)",
    results=("output",),
    shape="one row per word, d_model columns",
    steps=(Step("context", lambda c: c.contexts), ordered, merged, output),
    probes=(
        Probe("2 heads, 3 words, d = 2", _joined(411, 2, 3, 2, 4)),
        Probe("3 heads, 2 words, d = 2", _joined(413, 3, 2, 2, 6)),
        Probe("2 heads, 4 words, d = 3", _joined(415, 2, 4, 3, 5)),
        Probe("2 heads, 2 words, d = 2", _joined(417, 2, 2, 2, 4)),
        Probe("4 heads, 4 words, d = 2", _joined(425, 4, 4, 2, 8)),
        Probe("one head", _joined(419, 1, 3, 2, 3), "edge"),
        Probe("one word", _joined(421, 2, 1, 3, 4), "edge"),
    ),
    recognize=_one_head_wide,
    praise="Every output number may use every head.",
)
