"""Notebook 04: put the heads side by side, then one product with w_o."""

from helpers.checks.engine import Exercise, Probe, Step
from helpers.checks.steps.heads import merged, ordered, output
from helpers.checks.steps.tools import table


def _joined(seed, heads, length, width, d_model):
    contexts = table(seed, heads, length, width)
    return contexts, table(seed + 1, heads * width, d_model)


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
    praise="Every output number may use every head.",
)
