"""How small may a key be, if every verb needs a noun of its own?

Trial room 02: eleven minutes. In "which_noun" a verb needs one of three kinds
of nouns. Here each verb has one noun, drawn at random, which must be learned
by heart. So the test has new sentences of the same words. The settings were
chosen for d_k = 16, on the seeds 1000 to 1002.

A small model may fail because its keys have no room for so many nouns, or
because training does not find what would fit. In the rows "placed", W_Q and
W_K are first trained by themselves, on the scores of the words, and stay as
they are while the rest learns to answer: what they reach fits.
"""

import numpy as np

from helpers import tasks
from helpers.attention import softmax
from helpers.experiments.evaluation import evaluate
from helpers.experiments.runs import train
from helpers.experiments.stored import BRIEF, by_measure
from helpers.models import AttentionClassifier
from helpers.tasks.sentences import Examples, Sentences
from helpers.training import Adam

SEEDS = 7000, 7001, 7002, 7003, 7004
PLACED = range(7100, 7110)  # of the rows "placed"
TRAINED_ON, TESTED_ON = 4000, 1500
GAIN, RATE, EPOCHS = 0.25, 0.006, 30  # with a larger gain, some runs stall
STEPS, PLACING_RATE = 12_000, 0.01  # of Adam; chosen for d_k = 2, as above
ANSWERING = 5  # epochs of the rest
ROWS = {  # d_k, epochs
    "d_k = 1": (1, EPOCHS),
    "d_k = 2": (2, EPOCHS),
    "d_k = 4": (4, EPOCHS),
    "d_k = 16": (16, EPOCHS),
    "d_k = 2, longer": (2, 2 * EPOCHS),
    "d_k = 1, placed": (1, ANSWERING),
    "d_k = 2, placed": (2, ANSWERING),
    "d_k = 4, placed": (4, ANSWERING),
    "d_k = 16, placed": (16, ANSWERING),
    f"{BRIEF} | d_k = 16": (16, 3),
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


def place(model, table, own, steps=STEPS):
    """Train W_Q and W_K by themselves: each verb's own nouns score highest.

    The loss is the surprise at a verb's own noun among all the words but its
    noun's other number, for both numbers.
    """
    verbs, words = [*own], ["the", "near", "will"]
    x_verbs = table.vectors(verbs)  # (V, d_model)
    nouns = [noun for pair in own.values() for noun in pair]
    x_nouns = table.vectors(nouns).reshape(len(verbs), 2, -1)
    x_rest = table.vectors(words)
    placed = {name: model.parameters[name] for name in ("w_q", "w_k")}
    w_q, w_k = placed.values()
    x_keys = np.concatenate([x_nouns[:, 0], x_nouns[:, 1], x_rest, x_verbs])
    count, rows = len(verbs), np.arange(len(verbs))
    seen = np.ones((2, count, len(x_keys)), bool)  # of which words at once?
    for number in (0, 1):
        seen[number, rows, (1 - number) * count + rows] = False
    seen[..., 2 * count + len(words) :] = np.eye(count, dtype=bool)
    optimizer = Adam(placed, PLACING_RATE)
    for step in range(steps):
        optimizer.learning_rate = PLACING_RATE * (1 - step / steps)
        q, k = x_verbs @ w_q, x_keys @ w_k
        scores = np.where(seen, q @ k.T / np.sqrt(q.shape[1]), -np.inf)
        slope = softmax(scores)  # (2, V, keys)
        for number in (0, 1):
            slope[number, rows, number * count + rows] -= 1
        slope = slope.sum(axis=0) / (2 * count * np.sqrt(q.shape[1]))
        optimizer.step(
            {"w_q": x_verbs.T @ (slope @ k), "w_k": x_keys.T @ (slope.T @ q)}
        )


def train_once(name, seed):
    """Train one model of `ROWS`; its accuracy and its weight on the noun."""
    d_k, epochs = ROWS[name]
    table = tasks.load("which_noun", seed).table
    own, rng = own_nouns(seed), np.random.default_rng((seed, 7))
    scoring = "frozen" if "placed" in name else "learned"
    model = AttentionClassifier(d_k=d_k, gain=GAIN, scoring=scoring, seed=seed)
    if scoring == "frozen":
        place(model, table, own)
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


def train_row(name, seeds=None):
    """Train one of `ROWS` anew: `train_once` of each seed, by measure."""
    if seeds is None:
        seeds = PLACED if name.endswith("placed") else SEEDS
    return by_measure(train_once, name, seeds=seeds)
