"""Notebook 01: the scores of all pairs of tokens in one matrix product."""

from helpers.checks.engine import Exercise, Probe
from helpers.checks.steps import finished, given, scale, scores, vectors
from helpers.checks.steps.tools import table

all_pairs_scores = Exercise(
    name="all_pairs_scores",
    call="all_pairs_scores(x)",
    results=("scores",),
    shape="one row and one column per token",
    steps=(
        vectors,
        *given("query", "key"),
        scores.but(without=("queries and keys have changed places",)),
        scale,
        finished,
    ),
    probes=(
        Probe("3 tokens of width 2", (table(11, 3, 2),)),
        Probe("2 tokens of width 4", (table(12, 2, 4),)),
        Probe("3 tokens of width 3", (table(13, 3, 3),)),
        Probe("a repeated token", (table(14, 2, 3)[[0, 1, 0, 1]],)),
        Probe("one token only", (table(15, 1, 3),), "edge"),
        Probe("large numbers", (1000 * table(17, 3, 2),), "edge"),
    ),
    praise="Row i, column j is token i times token j.",
    no_loop=(
        "It goes through the tokens in a loop. The exercise asks for one"
        " matrix product: it does all pairs at once."
    ),
)
