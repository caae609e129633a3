"""What temperature and top-k do to the texts of small models: some minutes.

Trial room 06b, claim C65: five models of one layer write 200 texts each, and
ten others at three of the temperatures.
"""

from functools import lru_cache

from helpers.experiments import language
from helpers.experiments.runs import SEEDS
from helpers.experiments.stored import by_measure, language_runs
from helpers.tasks import agreement

TEXTS = 200
ALIKE = 50  # right texts; only the bigram writes fewer
ALIKE_USED = f"words in {ALIKE} right texts"
ROWS = {  # which model; options of `language.samples`
    f"temperature {t:g}": ("one layer", dict(temperature=t))
    for t in (0.05, 0.25, 0.5, 1.0, 1.5, 2.0)
} | {
    "temperature 2, top 20": ("one layer", dict(temperature=2.0, top_k=20)),
    "temperature 2, top 5": ("one layer", dict(temperature=2.0, top_k=5)),
    "bigram, temperature 1": ("bigram", {}),
}
# Five models cannot tell whether more texts are right and new: ten others.
MORE_SEEDS = range(1005, 1015)
for row in ("temperature 0.05", "temperature 0.25", "temperature 1"):
    ROWS[f"{row}, more models"] = ROWS[row]

model_of = lru_cache(maxsize=None)(language_runs.train)


def run(name, seed):
    """Let one model write; return what fraction of its texts is how.

    right: the grammar accepts them. right and new: they are in no training
    text, either, and each is counted once. words used: of all words, those in
    its texts. `ALIKE_USED`: those in the first of its right texts.
    """
    kind, options = ROWS[name]
    texts = language.samples(model_of(kind, seed), TEXTS, seed=seed, **options)
    grammar = agreement.whole()
    right = [tuple(text) for text in texts if grammar.is_grammatical(text)]
    new = set(right) - set(map(tuple, language.material(seed)[3]))
    words = len(grammar.words())
    shares = {
        "right": len(right) / TEXTS,
        "right and new": len(new) / TEXTS,
        "words used": len(set().union(*texts)) / words,
        ALIKE_USED: len(set().union(*right[:ALIKE])) / words,
    }
    return {what: round(share, 4) for what, share in shares.items()}


def train_row(name, seeds=None):
    """Train and ask one of `ROWS` anew: {measure: list}."""
    if seeds is None:
        seeds = MORE_SEEDS if name.endswith("more models") else SEEDS
    return by_measure(run, name, seeds=seeds)
