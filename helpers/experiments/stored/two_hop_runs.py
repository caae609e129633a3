"""One hop or two: what blocks need to say of the noun that a verb needs.

"red ferries by green nurse with white fern will land": the sentences of
notebook 04, each followed by the number of that noun, which is one hop
away, or by its color, which is two. Trial room 06b takes parts of the
blocks away. Ten minutes or more.
"""

import numpy as np

from helpers.embeddings import WordTable
from helpers.experiments.runs import SEEDS
from helpers.experiments.stored import by_seed
from helpers.models import LanguageBatches
from helpers.models.block_variants import BlockWithoutSums, LastWordModel
from helpers.tasks import agreement, load_lexicon
from helpers.tasks.two_answers import COLORS, two_hop
from helpers.training import fit

NUMBERS = ("one", "many")
TRAINED_ON, MEASURED_ON = 4000, 1000  # sentences
TRAINING = dict(epochs=6, learning_rate=4e-3)  # chosen on seed 0
SLOW = dict(epochs=24, learning_rate=1e-3)


class HopModel(LastWordModel):
    """Positions begin nearly as large as words; no norm after the blocks."""

    def __init__(self, vocabulary, vectors, **options):
        super().__init__(vocabulary, vectors, **options)
        self.parameters["positions"] *= 3
        for name in ("gain", "bias"):
            self.parameters.pop(name, None)


class HopModelWithoutSums(HopModel):
    """The same without the residual connection."""

    block_class = BlockWithoutSums


ROWS = {  # options of `HopModel`, or of another kind; of `TRAINING`
    "two blocks": {},
    "two blocks, slow": SLOW,
    "one block": dict(layers=1),
    "one block, slow": dict(layers=1, **SLOW),
    "no attention": dict(attention=False),
    "no feed-forward": dict(feed_forward=False),
    "no layer norm": dict(norm=False),
    "no layer norm, slow": dict(norm=False, **SLOW),
    "no residual": dict(kind=HopModelWithoutSums),
    "no residual, slow": dict(kind=HopModelWithoutSums, **SLOW),
}


def draw(lexicon, count, seed):
    """Return texts, lists of words, and labels (count, 2): number, color."""
    rng = np.random.default_rng(seed)
    drawn = two_hop(lexicon, count, rng)
    texts = []
    for words, (number, color) in zip(drawn.words, drawn.labels, strict=True):
        answers = NUMBERS[number], COLORS[color]
        texts.append([*words, answers[rng.integers(2)]])
    return texts, drawn.labels


def train(kind, seed):
    """Train one of `ROWS`; return the model."""
    known, new = load_lexicon().split(seed)
    own = sorted({*COLORS, *NUMBERS, *known.words()})
    others = sorted(set(new.words()) - set(own))
    vocabulary = (agreement.START, *own, *others)
    vectors = WordTable(own).vectors(vocabulary)  # (V, 64)
    options = dict(layers=2, hidden=64, seed=seed) | TRAINING | ROWS[kind]
    training = {name: options.pop(name) for name in TRAINING}
    made_by = options.pop("kind", HopModel)
    model = made_by(vocabulary, vectors, **options)
    texts, _ = draw(known, TRAINED_ON, (seed, 0))
    batches = LanguageBatches(
        agreement.token_array(texts, vocabulary),
        vectors.shape[1],
        seed=seed,
        batch_size=32,
    )
    fit(model, batches, show=False, **training)
    return model


def run(kind, seed):
    """Train one kind on one seed: the right numbers and the right colors.

    Two fractions, on nouns never seen: of all numbers the right one has the
    largest logit, and of all colors.
    """
    model = train(kind, seed)
    _, new = load_lexicon().split(seed)
    texts, labels = draw(new, MEASURED_ON, (seed, 1))
    tokens = agreement.token_array(texts, model.vocabulary)[:, :-1]
    logits = model.logits(tokens)[:, -1]  # (B, V)
    return [
        float((logits[:, model.ids(words)].argmax(axis=1) == label).mean())
        for words, label in zip((NUMBERS, COLORS), labels.T, strict=True)
    ]


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew: `run` of each seed."""
    return by_seed(run, name, seeds=seeds)
