"""How small may a key be, if every verb needs a noun of its own?

Trial room 02: ten minutes. In "which_noun" a verb needs one of three kinds of
nouns. Here each verb has one noun, drawn at random, which must be learned by
heart. So the test has new sentences of the same words. The settings were
chosen for d_k = 16, on the seeds 1000 to 1002.
"""

import numpy as np

from helpers import tasks
from helpers.experiments.evaluation import evaluate
from helpers.experiments.runs import train
from helpers.experiments.stored import by_measure
from helpers.models import AttentionClassifier
from helpers.tasks.sentences import Examples, Sentences

SEEDS = 7000, 7001, 7002, 7003, 7004
TRAINED_ON, TESTED_ON = 4000, 1500
GAIN, RATE, EPOCHS = 0.25, 0.006, 30  # with a larger gain, some runs stall
ROWS = {  # d_k, epochs
    "d_k = 1": (1, EPOCHS),
    "d_k = 2": (2, EPOCHS),
    "d_k = 4": (4, EPOCHS),
    "d_k = 16": (16, EPOCHS),
    "d_k = 2, longer": (2, 2 * EPOCHS),
}


def own_nouns(seed):
    """Return {verb: (singular, plural)}: a noun for each verb, at random."""
    lexicon = tasks.load_lexicon()
    verbs = [verb for group in lexicon.verbs.values() for verb in group]
    pairs = [pair for group in lexicon.nouns.values() for pair in group]
    rng = np.random.default_rng((seed, 6))
    drawn = rng.permutation(len(pairs))[: len(verbs)]
    return {v: pairs[i] for v, i in zip(verbs, drawn, strict=True)}


def examples(own, table, count, rng):
    """Draw "the NOUN … near the NOUN will VERB": is its own noun plural?

    Four nouns, each the own one of a verb, two of them plural, in any order.
    """
    verbs = list(own)
    asks = np.array([rng.permutation(len(verbs))[:4] for _ in range(count)])
    numbers = rng.permuted(np.tile([0, 0, 1, 1], (count, 1)), axis=1)
    right = rng.integers(4, size=count)
    rows = np.arange(count)
    words = []
    for of, number, place in zip(asks, numbers, right, strict=True):
        nouns = [own[verbs[v]][n] for v, n in zip(of, number, strict=True)]
        middle = " near the ".join(nouns)
        words.append(f"the {middle} will {verbs[of[place]]}".split())
    places = np.tile([1, 4, 7, 10], (count, 1))
    part = Sentences(
        words=words,
        position=np.full(count, 12),
        evidence=places[rows, right][:, None],
        labels=numbers[rows, right][:, None],
        nouns=places,
        numbers=numbers,
    )
    x = np.stack([table.vectors(each) for each in words])
    return Examples(part, x, np.ones(x.shape[:2], bool))


def train_once(name, seed):
    """Train one model of `ROWS`; its accuracy and its weight on the noun."""
    d_k, epochs = ROWS[name]
    table = tasks.load("which_noun", seed).table
    own, rng = own_nouns(seed), np.random.default_rng((seed, 7))
    model = AttentionClassifier(d_k=d_k, gain=GAIN, seed=seed)
    train(
        model,
        examples(own, table, TRAINED_ON, rng),
        seed=seed,
        epochs=epochs,
        learning_rate=RATE,
    )
    found = evaluate(model, examples(own, table, TESTED_ON, rng))
    accuracy, mass = found.accuracy[0], found.mass[0, 0]
    return dict(accuracy=round(float(accuracy), 6), mass=round(float(mass), 6))


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew: `train_once` of each seed, by measure."""
    return by_measure(train_once, name, seeds=seeds)
