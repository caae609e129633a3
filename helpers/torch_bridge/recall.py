"""Recall: which color had this thing, of N things that a text has named?

A text is N pairs of a noun and a color, each pair one token, and a question,
the noun of one pair. Any pair may be asked for, so weights that are summed
into a state of a fixed size must keep all of them. The multi-query recall of
Arora et al. (2023), *Zoology*, with one question.
"""

import torch
import torch.nn.functional as F

from helpers import tasks, validation
from helpers.embeddings import WordTable
from helpers.torch_bridge.distance_race import BATCH_SIZE, chosen_rate
from helpers.torch_bridge.normalizers import NormalizerNetwork

COLORS = 8
TEST_TEXTS = 2000
PAIRS = (1, 8, 64)
STEPS = 1200
# {(weights, pairs): learning rate}, the best of five on seeds 0 to 2; see
# tools/author/learning_rates.py.
RECALL_RATES = {}


def texts(vectors, pairs, count, draw):
    """Draw texts of different nouns.

    Parameters
    ----------
    vectors : tensor (N, d)
        Of the nouns, at least as many as `pairs`.
    pairs, count : int
    draw : torch.Generator

    Returns
    -------
    x : tensor (count, pairs + 1, d + COLORS)
        Each pair with its color as one number of the last; then the question.
    color : tensor (count,)
        The answers.
    """
    if not 1 <= pairs <= len(vectors):
        raise ValueError(f"pairs: 1 to {len(vectors)}, got {pairs!r}")
    order = torch.rand(count, len(vectors), generator=draw).argsort(1)
    nouns = vectors[order[:, :pairs]]  # (count, pairs, d)
    colors = torch.randint(COLORS, (count, pairs), generator=draw)
    asked = torch.randint(pairs, (count,), generator=draw)
    rows = torch.arange(count)
    named = torch.cat([nouns, 4 * F.one_hot(colors, COLORS)], dim=-1)
    question = F.pad(nouns[rows, asked], (0, COLORS))
    x = torch.cat([named, question[:, None]], dim=1)
    return x, colors[rows, asked]


def race_recall(kind, pairs, seed, *, learning_rate=None):
    """Train one kind of weights on texts of `pairs` pairs, and ask it.

    learning_rate: of the first step, the one of `RECALL_RATES` if None.
    Returns the accuracy on nouns that were not in training, as a list of one.
    Raises ValueError without a rate.
    """
    rate = chosen_rate(learning_rate, RECALL_RATES, (kind, pairs))
    train, test = noun_vectors(seed)
    torch.manual_seed(seed)
    width = train.shape[1] + COLORS
    module = NormalizerNetwork(kind, d_model=width, classes=COLORS).double()
    optimizer = torch.optim.Adam(module.parameters(), lr=rate, fused=True)
    draw = torch.Generator().manual_seed(seed)
    for step in range(STEPS):
        optimizer.param_groups[0]["lr"] = rate * (1 - step / STEPS)
        x, color = texts(train, pairs, BATCH_SIZE, draw)
        loss = F.cross_entropy(answer(module, x), color)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(module.parameters(), 1.0)
        optimizer.step()
    x, color = texts(test, pairs, TEST_TEXTS, draw)
    with torch.no_grad():
        right = answer(module, x).argmax(1) == color
    return [round(float(right.double().mean()), 4)]


def noun_vectors(seed):
    """Vectors (N, 64) of the nouns for training, and of those for the test."""
    validation.integer("seed", seed, least=0)
    parts = tasks.load_lexicon().split(seed)
    names = [
        [noun for pairs in part.nouns.values() for p in pairs for noun in p]
        for part in parts
    ]
    table = WordTable(names[0])
    return [torch.tensor(table.vectors(each)) for each in names]


def answer(module, x):
    """Logits (B, COLORS): the last token asks, and is no key."""
    weights = module.weigh(module.query(x[:, -1:]), module.key(x[:, :-1]))
    return module.answer((weights @ module.value(x[:, :-1]))[:, 0])
