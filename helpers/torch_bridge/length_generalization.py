"""Trained on short sentences, tested on long ones: which noun is asked for?

Sentences of the task "distance_early", with three questions about the number
of one noun, each asked at the last word: the *first* noun, at place 1 from
the start; the noun *five back* from the last word; the *last* noun, two back.
Or the sentence is one of "distance_late", and the noun that *fits* its verb
counts: in the test it is *near* the verb, or as *far* away as can be.
"""

import numpy as np
import torch
import torch.nn.functional as F

from helpers import tasks, validation
from helpers.embeddings import WordTable
from helpers.torch_bridge.distance_race import noisy_batches
from helpers.torch_bridge.positional_network import PositionalNetwork

QUESTIONS = {"first": 0, "five back": -2, "last": -1}  # which noun phrase
FITTING = {  # of so many noun phrases, those after the noun that fits
    "fitting, near": lambda phrases: 1,
    "fitting, far": lambda phrases: phrases - 1,
}
TRAINED = range(2, 7)  # noun phrases
PHRASES = (4, 6, 8, 12, 22, 34)
LENGTHS = tuple(3 * phrases + 1 for phrases in PHRASES)  # in words


def order_data(
    question, seed, *, train_count=600, test_count=300, balanced=True
):
    """Return lists of (x (B, T, 64), labels (B,)): train, test.

    One item a length: `TRAINED` for training, but none of 2 phrases with a
    noun that fits, and `PHRASES` for the test, which has other nouns.
    balanced: in each sentence of the test half of them are plural; if not,
    each noun's number is drawn on its own, as in training.
    """
    validation.choice("question", question, QUESTIONS | FITTING)
    cue, fits = ("late", 1) if question in FITTING else ("early", 0)
    between = FITTING.get(question, lambda phrases: None)
    parts = tasks.load_lexicon().split(seed)
    table = WordTable([*parts[0].words(), "be"])
    rng = np.random.default_rng([seed, 5])

    def draw(lexicon, count, phrases, **options):
        drawn = tasks.noun_phrases(
            lexicon, count, rng, cue=cue, phrases=phrases, **options
        )
        x, _ = table.batch(drawn.words)
        asked = drawn.numbers[:, QUESTIONS.get(question, 0)]
        labels = drawn.labels[:, 0] if fits else asked
        return torch.tensor(x), torch.tensor(labels)

    train = [draw(parts[0], train_count, n) for n in TRAINED[fits:]]
    test = [
        draw(parts[1], test_count, n, between=between(n), balanced=balanced)
        for n in PHRASES
    ]
    return train, test


def train_order(question, seed, *, steps=500, learning_rate=8e-3, **options):
    """Train one network; return it and its accuracy at each of `LENGTHS`.

    options: of `PositionalNetwork`.
    """
    train, test = order_data(question, seed)
    torch.manual_seed(seed)
    module = PositionalNetwork(**options).double()
    optimizer = torch.optim.Adam(
        module.parameters(), learning_rate, fused=True
    )
    batches = enumerate(noisy_batches(train, steps, seed))
    for step, (words, labels) in batches:
        optimizer.param_groups[0]["lr"] = learning_rate * (1 - step / steps)
        logits, _ = module(words, asked=-1)
        loss = F.cross_entropy(logits[:, -1], labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return module, accuracy_by_length(module, test)


@torch.no_grad()
def accuracy_by_length(module, test, last=0, back=None):
    """Return the fraction of right answers on each part of the test.

    last: of each sentence only so many words at its end are read; 0: all.
    back: a function of the number T of words in the whole sentence; it
    returns how far from the last word each of those that are read is said to
    stand, as in `PositionalNetwork.forward`.
    """
    right = []
    for x, labels in test:
        distances = None if back is None else back(x.shape[1])
        logits, _ = module(x[:, -last:], asked=-1, back=distances)
        right.append(logits[:, -1].argmax(1) == labels)
    return [round(part.double().mean().item(), 4) for part in right]


@torch.no_grad()
def weight_beyond(module, test, words):
    """Return the last word's weight on those `words` or more before it.

    A number for each part of the test: the mean over sentences and heads.
    """
    maps = [module(x, asked=-1)[1][-1] for x, _ in test]  # (B, H, 1, T)
    return [weights[..., :-words].sum(-1).mean().item() for weights in maps]
