"""Trained on short sentences, tested on long ones: which noun is asked for?

Sentences of the task "distance_early", with three questions about the number
of one noun, each asked at the last word: the *first* noun, at place 1 from
the start; the noun *five back* from the last word; the *last* noun, two back.
"""

import numpy as np
import torch
import torch.nn.functional as F

from helpers import tasks
from helpers.embeddings import WordTable, stored
from helpers.torch_bridge.ordered import OrderedNetwork

QUESTIONS = {"first": 0, "five back": -2, "last": -1}  # which noun phrase
TRAINED = range(2, 7)  # noun phrases
PHRASES = (4, 6, 8, 12, 22, 34)
LENGTHS = tuple(3 * phrases + 1 for phrases in PHRASES)  # in words
BATCH_SIZE, NOISE_STD, POOL = 64, 0.5, 1 << 20
LONG = {"steps": 2000}
EIGHT = {"heads": 8, "d": 4}
FROM_END = {"code": "sinusoids", "from_end": True}
DEEP = {"layers": 2, "causal": True}
# {question | network: what differs from one layer of two heads}
ROWS = {
    "first | none, 1 layer": {},
    "first | none, 2 layers": {"layers": 2},
    "first | none, 1 causal layer": {"causal": True},
    "first | none, 2 causal layers": DEEP,
    "first | learned": {"code": "learned"},
    "first | sinusoids": {"code": "sinusoids"},
    "first | sinusoids, base 10,000": {"code": "sinusoids", "base": 1e4},
    "first | sinusoids, from the end": FROM_END,
    "first | rotary": {"code": "rotary"},
    "first | ALiBi": {"code": "ALiBi"},
    "five back | learned": {"code": "learned"},
    "five back | sinusoids": {"code": "sinusoids"},
    "five back | sinusoids, base 10,000": {"code": "sinusoids", "base": 1e4},
    "five back | sinusoids, from the end": FROM_END,
    "five back | sinusoids, 2 causal layers": {"code": "sinusoids"} | DEEP,
    "five back | rotary": {"code": "rotary"},
    "five back | rotary, base 10,000": {"code": "rotary", "base": 1e4},
    "five back | rotary, 2,000 steps": {"code": "rotary"} | LONG,
    "five back | rotary, 2 causal layers": {"code": "rotary"} | DEEP,
    "five back | ALiBi": {"code": "ALiBi"},
    "five back | ALiBi, 8 heads": {"code": "ALiBi"} | EIGHT,
    "five back | ALiBi, 2,000 steps": {"code": "ALiBi"} | LONG,
    "five back | none, 2 causal layers": DEEP,
    "five back | ALiBi, 2 causal layers": {"code": "ALiBi"} | EIGHT | DEEP,
    "last | rotary": {"code": "rotary"},
    "last | ALiBi": {"code": "ALiBi"},
    "last | ALiBi, slopes times 8": {"code": "ALiBi", "slope": 8.0},
    "last | ALiBi, 8 heads": {"code": "ALiBi"} | EIGHT,
    "last | ALiBi, 2,000 steps": {"code": "ALiBi"} | LONG,
}


def order_data(question, seed, *, train_count=600, test_count=300):
    """Return lists of (x (B, T, 64), labels (B,)): train, test.

    One item a length: `TRAINED` for training, `PHRASES` for the test, which
    has other nouns, half of them plural.
    """
    if question not in QUESTIONS:
        raise ValueError(
            f"question: expected one of {[*QUESTIONS]}, got {question!r}"
        )
    parts = tasks.load_lexicon().split(seed)
    table = WordTable([*parts[0].words(), "be"])
    rng = np.random.default_rng([seed, 5])

    def draw(lexicon, count, phrases, balanced):
        drawn = tasks.noun_phrases(
            lexicon, count, rng, cue="early", phrases=phrases,
            balanced=balanced,
        )  # fmt: skip
        x, _ = table.batch(drawn.words)
        labels = drawn.numbers[:, QUESTIONS[question]]
        return torch.tensor(x), torch.tensor(labels)

    train = [draw(parts[0], train_count, n, False) for n in TRAINED]
    test = [draw(parts[1], test_count, n, True) for n in PHRASES]
    return train, test


def train_order(question, seed, *, steps=500, learning_rate=8e-3, **options):
    """Train one network; return it and its accuracy at each of `LENGTHS`.

    options: of `OrderedNetwork`.
    """
    train, test = order_data(question, seed)
    torch.manual_seed(seed)
    module = OrderedNetwork(**options).double()
    optimizer = torch.optim.Adam(
        module.parameters(), learning_rate, fused=True
    )
    draw = torch.Generator().manual_seed(seed)
    # A long list of normal numbers, as in training.Batches
    pool = NOISE_STD * torch.randn(POOL, generator=draw, dtype=torch.float64)
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = learning_rate * (1 - step / steps)
        x, labels = train[int(torch.randint(len(train), (), generator=draw))]
        rows = torch.randint(len(x), (BATCH_SIZE,), generator=draw)
        words = x[rows]  # (BATCH_SIZE, T, 64): a copy
        begin = int(torch.randint(POOL - words.numel(), (), generator=draw))
        words += pool[begin : begin + words.numel()].view(words.shape)
        logits, _ = module(words, asked=-1)
        loss = F.cross_entropy(logits[:, -1], labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return module, accuracy_by_length(module, test)


def train_row(name, seed):
    """Train the network of one of `ROWS`; as `train_order`."""
    if name not in ROWS:
        raise ValueError(f"name: expected one of {[*ROWS]}, got {name!r}")
    return train_order(name.split(" | ")[0], seed, **ROWS[name])


def load_order_runs():
    """Return {name of `ROWS`: accuracy (seeds, lengths)} of the stored runs.

    Raises FileNotFoundError or ValueError naming the file.
    """
    runs = stored("position_runs.json")
    return {name: np.array(row) for name, row in runs.items()}


@torch.no_grad()
def accuracy_by_length(module, test, last=0):
    """Return the fraction of right answers on each part of the test.

    last: of each sentence only so many words at its end are read; 0: all.
    """
    right = [
        module(x[:, -last:], asked=-1)[0][:, -1].argmax(1) == labels
        for x, labels in test
    ]
    return [round(part.double().mean().item(), 4) for part in right]


@torch.no_grad()
def weight_beyond(module, test, words):
    """Return the last word's weight on those `words` or more before it.

    A number for each part of the test: the mean over sentences and heads.
    """
    maps = [module(x, asked=-1)[1][-1] for x, _ in test]  # (B, H, 1, T)
    return [weights[..., :-words].sum(-1).mean().item() for weights in maps]
