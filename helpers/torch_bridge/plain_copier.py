"""A second network that copies, of another make than `Induction`: claim C44.

Two layers of one head, with layer norms, learned positions, and an output
matrix of its own. Its 50 words are only numbers, whose vectors are learned;
no noise is added. A text is a few words, a block of 8 to 20 different words,
and this block again, so that nothing but the first block tells what comes in
the second one.
"""

import torch
import torch.nn.functional as F
from torch import nn

WORDS, WIDTH, TEXTS, WARM_UP = 50, 64, 32, 50
BEFORE, BLOCK = 6, (8, 20)  # words: at most; at least and at most
LONGEST = BEFORE + 2 * BLOCK[1]


class AddedAttention(nn.Module):
    """One causal head that reads a normalized copy of x and adds to x."""

    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.projections = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.output = nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x):
        """x (B, T, 64) -> (B, T, 64)."""
        query, key, value = self.projections(self.norm(x)).chunk(3, -1)
        context = F.scaled_dot_product_attention(
            query, key, value, is_causal=True
        )
        return x + self.output(context)


class PlainCopier(nn.Module):
    """Word vectors and positions, two layers, logits.

    start: standard deviation of the numbers in the first word vectors.
    """

    def __init__(self, start):
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.positions = nn.Embedding(LONGEST, WIDTH)
        nn.init.normal_(self.words.weight, std=start)
        nn.init.normal_(self.positions.weight, std=0.3)
        self.layers = nn.Sequential(AddedAttention(), AddedAttention())
        self.logits = nn.Linear(WIDTH, WORDS)

    def forward(self, ids):
        """ids (B, T) -> (B, T, 50)."""
        x = self.words(ids) + self.positions.weight[: ids.shape[1]]
        return self.logits(self.layers(x))


def texts(generator):
    """Draw texts of one length (B, T); return them and their block's length.

    The last words of a text, as many as this length, are the second block.
    """
    before, block = (
        int(torch.randint(low, high + 1, (1,), generator=generator))
        for low, high in ((0, BEFORE), BLOCK)
    )
    start = torch.randint(WORDS, (TEXTS, before), generator=generator)
    order = torch.rand(TEXTS, WORDS, generator=generator).argsort(dim=1)
    again = order[:, :block]
    return torch.cat([start, again, again], dim=1), block


def accuracy_curve(start, seed, *, steps, every, learning_rate):
    """Train a `PlainCopier`; return its mean accuracy of every `every` steps.

    It is trained on the next word at every position. The accuracy is that in
    the second block, but for its first word, which nothing predicts; it is
    measured on each batch before it is trained on.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = PlainCopier(start)
    adam = torch.optim.Adam(
        network.parameters(), learning_rate, betas=(0.9, 0.98)
    )
    generator, right = torch.Generator().manual_seed(seed), []
    for step in range(steps):
        for group in adam.param_groups:
            group["lr"] = learning_rate * min(1, (step + 1) / WARM_UP)
        ids, block = texts(generator)
        logits, targets = network(ids[:, :-1]), ids[:, 1:]
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        adam.zero_grad()
        loss.backward()
        adam.step()
        found = logits.argmax(-1) == targets
        right.append(found[:, 1 - block :].float().mean())
    return torch.stack(right).view(-1, every).mean(1).tolist()
