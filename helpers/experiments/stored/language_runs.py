"""The language models of notebook 06: some minutes."""

from helpers import validation
from helpers.experiments import language
from helpers.experiments.runs import SEEDS
from helpers.experiments.stored import by_measure
from helpers.models.block_variants import (
    ModelWithoutPositions,
    ModelWithoutSums,
)

SLOW = dict(epochs=16, learning_rate=2e-3)  # chosen on seed 0, no residual
TEMPERATURES = (0.25, 1.0, 2.0)
# Built part by part, with one head; each has all parts of the one before.
BARE = dict(num_heads=1, feed_forward=False, norm=False)
STAIRS = {
    "a word's own vector": BARE
    | dict(kind=ModelWithoutPositions, attention=False),
    "+ attention": BARE | dict(kind=ModelWithoutPositions),
    "+ positions": BARE | dict(kind=ModelWithoutSums),
    "+ sum and norm": dict(num_heads=1, feed_forward=False),
    "+ feed-forward": dict(num_heads=1),
}
OTHER_ORDER = "+ feed-forward, no sum and norm"  # after "+ positions"
ROWS = {  # options of `language.train_on`; None: only counted
    "bigram": None,
    "no attention": dict(attention=False),
    "one layer": {},
    "two layers": dict(layers=2),
    "no feed-forward": dict(feed_forward=False),
    "neither": dict(attention=False, feed_forward=False),
    "no layer norm": dict(norm=False),
    "no residual": dict(kind=ModelWithoutSums),
    "two, no residual": dict(layers=2, kind=ModelWithoutSums),
    "two layers, slow": dict(layers=2, **SLOW),
    "two, no residual, slow": dict(layers=2, kind=ModelWithoutSums, **SLOW),
    "without the mask": dict(is_causal=False),
    **STAIRS,
    OTHER_ORDER: dict(num_heads=1, norm=False, kind=ModelWithoutSums),
}


def train(kind, seed):
    """Train one of `ROWS`; return the model."""
    options = ROWS[validation.choice("kind", kind, ROWS)]
    grammar, _, vocabulary, sentences = language.material(seed)
    if options is None:
        return language.Bigram(sentences, vocabulary)
    return language.train_on(sentences, grammar, seed, **options)


def run(kind, seed):
    """Train and measure one kind on one seed: {measure: number}."""
    model = train(kind, seed)
    measures = language.measure(model, seed)
    for temperature in TEMPERATURES:
        share = language.grammatical_share(
            model, seed=seed, temperature=temperature
        )
        measures[f"grammatical at {temperature}"] = share
    return {name: round(value, 4) for name, value in measures.items()}


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew: `run` of all seeds, {measure: list}."""
    return by_measure(run, name, seeds=seeds)
