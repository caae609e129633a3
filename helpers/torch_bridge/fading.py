"""Whether the weight on the needed noun fades in a longer text.

The network is "attention" of `distance_race`, asked late: one head, and no
positions. A sentence stays as it is, and further words are put in front of
it. Since the network does not see where a word is, only their number counts
and what they are.
"""

import numpy as np
import torch

from helpers import tasks
from helpers.tasks.distance import noun_phrases
from helpers.tasks.lexicon import NO_VERB_FITS, load_lexicon
from helpers.torch_bridge.distance_race import (
    LEARNING_RATES,
    as_tensors,
    fit,
)
from helpers.torch_bridge.networks import AttentionNetwork

PHRASES, COUNT = 6, 300  # the longest sentences of training, 19 words
WORDS = 19, 70, 280, 1000, 2002  # in all
FURTHER = "new nouns", "nouns of training", "no nouns"
SCALES = {  # what the scores are multiplied by, among so many words
    "as they are": lambda words: 1.0,
    "x 1.5": lambda words: 1.5,
    "x log n": lambda words: np.log(words) / np.log(WORDS[0]),
}
HARD = "highest only"  # all weight to the highest score: no softmax
MEASURES = "weight", "right"


def fading(steps, seed):
    """Train one network, and measure it with more and more words.

    steps: of the training, 300, 1,200, or more, with the learning rate that is
    best for 1,200. Returns {further words: {way from
    scores to weights: {"weight": list, "right": list}}}, a number for each
    of `WORDS`: the mean weight on the needed noun, and the fraction of right
    answers. No noun of the sentences was in training.
    """
    task = tasks.load("distance_late", seed, between=(1,))
    torch.manual_seed(seed)
    network = AttentionNetwork().double()
    rate = LEARNING_RATES["late", "attention", min(steps, 1200)]
    fit(network, as_tensors(task.train), rate, steps, seed)
    known, new = load_lexicon().split(seed)
    rng = np.random.default_rng([seed, 79])
    asked = noun_phrases(
        new, COUNT, rng, cue="late", phrases=PHRASES, balanced=True
    )
    pools = dict(zip(FURTHER, (new, known, None), strict=True))
    return {
        name: _measured(network, task.table, asked, front(pool, new, rng))
        for name, pool in pools.items()
    }


def front(pool, lexicon, rng):
    """Draw what comes in front of each of `COUNT` sentences: lists of words.

    pool: the `Lexicon` of the nouns, which fit no verb; None for sentences
    without any, made of "the" and prepositions.
    """
    count = WORDS[-1] - WORDS[0]
    before = np.array(lexicon.prepositions)
    if pool is None:
        words = rng.choice(before, (COUNT, count))
        return np.where(rng.random(words.shape) < 0.5, "the", words)
    nouns = np.array(
        [
            form
            for kind in NO_VERB_FITS
            for pair in pool.nouns[kind]
            for form in pair
        ]
    )
    drawn = rng.choice(nouns, (COUNT, count // 3))
    ties = rng.choice(before, drawn.shape)
    return np.stack([np.full_like(ties, "the"), drawn, ties], 2).reshape(
        COUNT, -1
    )


@torch.no_grad()
def _measured(network, table, asked, words):
    texts = np.concatenate([words, np.array(asked.words)], axis=1)
    names, ids = np.unique(texts, return_inverse=True)
    ids = torch.tensor(ids.reshape(texts.shape))
    x = torch.tensor(table.vectors(names.tolist()))  # (V, 64)
    key, value = network.key(x), network.value(x)  # (V, d)
    query = network.query(x[ids[:, -1]])  # (B, d)
    scores = (query @ key.T).gather(1, ids) / key.shape[1] ** 0.5  # (B, T)
    noun = asked.evidence[:, 0] - PHRASES * 3 - 1  # from the end, negative
    labels = torch.tensor(asked.labels[:, 0])
    found = {name: {m: [] for m in MEASURES} for name in (*SCALES, HARD)}
    for count in WORDS:
        last = scores[:, -count:]
        ways = {n: (last * f(count)).softmax(1) for n, f in SCALES.items()}
        highest = last.argmax(1, keepdim=True)
        ways[HARD] = torch.zeros_like(last).scatter_(1, highest, 1)
        for name, weights in ways.items():
            answers = _answers(network, weights, ids[:, -count:], value)
            on_noun = weights[torch.arange(COUNT), noun + count]
            means = on_noun.mean(), (answers == labels).double().mean()
            for measure, mean in zip(MEASURES, means, strict=True):
                found[name][measure].append(round(float(mean), 4))
    return found


def _answers(network, weights, ids, value):
    """Weights, ids (B, T), values of the vocabulary (V, d) -> answers (B,)."""
    by_word = torch.zeros(len(ids), len(value), dtype=weights.dtype)
    by_word.scatter_add_(1, ids, weights)  # a word may come several times
    return network.answer(by_word @ value).argmax(1)
