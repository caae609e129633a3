"""How many pairs a network remembers: with a state that grows, or a fixed one.

A text has P pairs of a key and a value, drawn anew, and then asks for the
values of some of its keys. Each pair is one step, so no network has to find
out which value belongs to which key: only the memory is tested. Attention
keeps every step. The others keep a state of one size, however long the text
is: linear attention and the delta rule a matrix (width, width), a GRU a
vector (width,).
"""

import torch
import torch.nn.functional as F
from torch import nn

from helpers import validation
from helpers.torch_bridge.normalizers import FEATURES

KEYS, VALUES = 64, 4  # words that there are; guessing is right in 1 of 4
PAIRS = 4, 8, 16, 32, 64
ASKED = 4  # questions at the end of a text, each from the same state
D_MODEL, BATCH_SIZE, MAX_NORM = 32, 32, 1.0
TEST_TEXTS = 500


class RecallNetwork(nn.Module):
    """Read pairs, and answer questions from what was kept of them.

    width: of queries, keys and values, or of the state. kind: a name of
    `KINDS`. vocabulary: the words that can be a key.
    """

    def __init__(self, kind, width, vocabulary=KEYS):
        super().__init__()
        self.kind = validation.choice("kind", kind, KINDS)
        width = validation.positive_integer("width", width)
        self.keys = nn.Embedding(vocabulary, D_MODEL)
        self.values = nn.Embedding(VALUES, D_MODEL)
        self.memory = KINDS[kind](width)
        self.answer = nn.Linear(width, VALUES)

    def forward(self, keys, values, asked):
        """Keys, values (B, P), asked (B, N) -> logits (B, N, VALUES)."""
        pairs = torch.cat([self.keys(keys), self.values(values)], dim=-1)
        question = self.keys(asked)  # (B, N, D_MODEL), without a value
        question = torch.cat([question, torch.zeros_like(question)], dim=-1)
        return self.answer(self.memory(pairs, question))


class Attention(nn.Module):
    """One head, softmax weights: it keeps all P keys and values."""

    def __init__(self, width):
        super().__init__()
        self.query, self.key, self.value = (
            nn.Linear(2 * D_MODEL, width, bias=False) for _ in range(3)
        )

    def forward(self, pairs, question):
        """Pairs (B, P, d), question (B, N, d) -> (B, N, width)."""
        return F.scaled_dot_product_attention(
            self.query(question), self.key(pairs), self.value(pairs)
        )


class LinearAttention(Attention):
    """The state is the sum of all f(key) value^T, divided as in a mean."""

    def forward(self, pairs, question):
        """Pairs (B, P, d), question (B, N, d) -> (B, N, width)."""
        feature = FEATURES["linear, elu + 1"]
        query, key = feature(self.query(question)), feature(self.key(pairs))
        state = key.mT @ self.value(pairs)  # (B, width, width)
        return query @ state / (query @ key.sum(1)[..., None])


class DeltaRule(Attention):
    """Before a value is added, what its key now gives is taken away.

    Schlag et al. (2021), *Linear Transformers Are Secretly Fast Weight
    Programmers*; keys and queries have the norm 1.
    """

    def __init__(self, width):
        super().__init__(width)
        self.step = nn.Linear(2 * D_MODEL, 1)

    def forward(self, pairs, question):
        """Pairs (B, P, d), question (B, N, d) -> (B, N, width)."""
        query, key = (
            F.normalize(x, dim=-1)
            for x in (self.query(question), self.key(pairs))
        )
        value, step = self.value(pairs), self.step(pairs).sigmoid()
        before = (step * key @ key.mT).tril(-1)  # (B, P, P)
        added = torch.linalg.solve_triangular(
            before + torch.eye(key.shape[1]), step * value, upper=False
        )
        state = key.mT @ added  # (B, width, width)
        return query @ state


class Recurrent(nn.Module):
    """A GRU: it reads the pairs, and then each question by itself."""

    def __init__(self, width):
        super().__init__()
        self.network = nn.GRU(2 * D_MODEL, width, batch_first=True)

    def forward(self, pairs, question):
        """Pairs (B, P, d), question (B, N, d) -> (B, N, width)."""
        batch, count, d = question.shape
        _, state = self.network(pairs)  # (1, B, width)
        state = state.repeat_interleave(count, dim=1)
        _, last = self.network(question.reshape(-1, 1, d), state)
        return last[0].view(batch, count, -1)


KINDS = {
    "softmax": Attention,
    "linear attention": LinearAttention,
    "delta rule": DeltaRule,
    "GRU": Recurrent,
}


def texts(count, pairs, draw, vocabulary=KEYS):
    """Draw texts: keys, values (B, P), asked and answers (B, ASKED)."""
    keys = torch.rand(count, vocabulary, generator=draw)
    keys = keys.argsort(1)[:, :pairs]
    values = torch.randint(VALUES, (count, pairs), generator=draw)
    places = torch.rand(count, pairs, generator=draw).argsort(1)[:, :ASKED]
    return keys, values, keys.gather(1, places), values.gather(1, places)


def recall(kind, width, steps, rate, seed, vocabulary=KEYS):
    """Train on texts of all `PAIRS`, and measure each number by itself.

    Adam, whose learning rate falls on a straight line to 0. Returns a list:
    the accuracy at each of `PAIRS`, on new texts.
    """
    torch.manual_seed(seed)
    network = RecallNetwork(kind, width, vocabulary)
    draw = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(network.parameters(), rate, fused=True)
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = rate * (1 - step / steps)
        pairs = PAIRS[step % len(PAIRS)]
        *text, answers = texts(BATCH_SIZE, pairs, draw, vocabulary)
        loss = F.cross_entropy(network(*text).mT, answers)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), MAX_NORM)
        optimizer.step()
    return [
        round(accuracy(network, pairs, draw, vocabulary), 4) for pairs in PAIRS
    ]


@torch.no_grad()
def accuracy(network, pairs, draw, vocabulary=KEYS):
    """Return the fraction of right answers on `TEST_TEXTS` new texts."""
    *text, answers = texts(TEST_TEXTS, pairs, draw, vocabulary)
    return float((network(*text).argmax(-1) == answers).float().mean())
