"""What temperature and top-k do to the texts of small models: some minutes.

Trial room 06b, claim C65: five models of one layer write 200 texts each.
"""

from functools import lru_cache

from helpers.experiments import language
from helpers.experiments.runs import SEEDS
from helpers.experiments.stored import by_measure, language_runs
from helpers.tasks import agreement

TEXTS = 200
ROWS = {  # which model; options of `language.samples`
    f"temperature {t:g}": ("one layer", dict(temperature=t))
    for t in (0.25, 0.5, 1.0, 1.5, 2.0)
} | {
    "temperature 2, top 20": ("one layer", dict(temperature=2.0, top_k=20)),
    "temperature 2, top 5": ("one layer", dict(temperature=2.0, top_k=5)),
    "bigram, temperature 1": ("bigram", {}),
}

model_of = lru_cache(maxsize=None)(language_runs.train)


def run(name, seed):
    """Let one model write; return what fraction of its texts is how.

    right: the grammar accepts them. long, right and new: of the texts with
    a phrase, those that are right and in no training text, each counted
    once. words used: of all words, those in right texts.
    """
    kind, options = ROWS[name]
    texts = language.samples(model_of(kind, seed), TEXTS, seed=seed, **options)
    grammar = agreement.whole()
    right = [tuple(text) for text in texts if grammar.is_grammatical(text)]
    new = set(right) - set(map(tuple, language.material(seed)[3]))
    long, long_new = (
        sum(len(text) > 4 for text in each) for each in (texts, new)
    )
    shares = {
        "right": len(right) / TEXTS,
        "long, right and new": long_new / max(1, long),
        "words used": len(set().union(*right)) / len(grammar.words()),
    }
    return {what: round(share, 4) for what, share in shares.items()}


def train_row(name, seeds=SEEDS):
    """Train and ask one of `ROWS` anew: {measure: list}."""
    return by_measure(run, name, seeds=seeds)
