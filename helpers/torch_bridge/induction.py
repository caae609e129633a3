"""Copying from the context: trained on some words, tested on others.

A `PositionalNetwork` reads texts of `tasks.repeated_texts` and points, with a
vector of 64 numbers, at the word it expects next; the word whose vector has
the largest dot product with it is the answer. With ready-made word vectors
nothing in the network belongs to one word, so it can answer with words that
it was never trained on.
"""

import numpy as np
import torch
import torch.nn.functional as F

from helpers import tasks, validation
from helpers.embeddings import WordTable
from helpers.torch_bridge.positional_network import PositionalNetwork

BATCH_SIZE, NOISE_STD, WARM_UP = 64, 0.3, 50
TEST_TEXTS = 200


class Induction:
    """Words, a network, its steps of training and its measures, of one seed.

    Parameters
    ----------
    seed : int
    fixed_gap : bool
        Of the texts, see `tasks.repeated_texts`.
    learning_rate : float
        Of Adam.
    warm_up : int
        For so many steps the learning rate rises; then it stays.
    test_part : int
        Whose nouns the texts of the test are made of: 1, those that are
        never trained on, or 0, those of the training.
    word_std : float, optional
        The word vectors are parameters, too, which begin as random numbers
        of this size: then the test needs ``test_part=0``. None: they are
        ready made and stay as they are.
    shape
        Goes to `PositionalNetwork`: layers, heads, …
    """

    def __init__(
        self,
        seed,
        *,
        fixed_gap=False,
        learning_rate=4e-3,
        warm_up=WARM_UP,
        test_part=1,
        word_std=None,
        **shape,
    ):
        if word_std is not None and test_part != 0:
            raise ValueError(
                "test_part: 0 where the word vectors are learned, got"
                f" {test_part!r}"
            )
        self.seed, self.test_part = seed, test_part
        parts = tasks.load_lexicon().split(seed)
        self.names = [nouns(part) for part in parts]  # train, test
        table = WordTable([*self.names[0], *parts[0].prepositions])
        self.vectors = [torch.tensor(table.vectors(n)) for n in self.names]
        torch.manual_seed(seed)
        options = dict(
            code="sinusoids", causal=True, outputs=64, heads=1, d=64
        )
        self.network = PositionalNetwork(**options | shape).double()
        with torch.no_grad():
            self.network.answer.weight /= 8
        trained = [*self.network.parameters()]
        if word_std is not None:
            start = torch.randn(self.vectors[0].shape, dtype=torch.float64)
            self.vectors[0] = torch.nn.Parameter(word_std * start)
            trained.append(self.vectors[0])
        self.optimizer = torch.optim.Adam(trained, learning_rate, fused=True)
        self.rate, self.fixed_gap, self.steps = learning_rate, fixed_gap, 0
        self.warm_up = validation.positive_integer("warm_up", warm_up)
        self.rng = np.random.default_rng([seed, 9])
        self.draw = torch.Generator().manual_seed(seed)
        self.test = self.texts(
            test_part, TEST_TEXTS, np.random.default_rng([seed, 10])
        )

    def texts(self, part, count, rng, fixed_gap=None):
        """Draw texts of the training words (part 0) or the others (1)."""
        fixed = self.fixed_gap if fixed_gap is None else fixed_gap
        return tasks.repeated_texts(
            len(self.names[part]), count, rng, fixed_gap=fixed
        )

    def step(self):
        """Train on `BATCH_SIZE` new texts; return the loss."""
        self.steps += 1
        self.optimizer.param_groups[0]["lr"] = self.rate * min(
            1, self.steps / self.warm_up
        )
        texts = self.texts(0, BATCH_SIZE, self.rng)
        rows, places = texts.asked
        x = self.vectors[0][texts.words]  # (B, T, 64)
        noise = torch.randn(x.shape, generator=self.draw, dtype=x.dtype)
        out, _ = self.network(x + NOISE_STD * noise)
        logits = out[rows, places] @ self.vectors[0].T
        wanted = torch.tensor(texts.words[rows, places + 1])
        loss = F.cross_entropy(logits, wanted)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def answers(self, texts, part=None):
        """Return the words answered at `texts.asked`, and all weights.

        part: whose words the texts are made of; None: those of the test.
        """
        part = self.test_part if part is None else part
        out, maps = self.network(self.vectors[part][texts.words])
        scores = out[texts.asked] @ self.vectors[part].T
        return scores.argmax(-1).numpy(), [w.numpy() for w in maps]

    def measure(self, texts=None, part=None):
        """Return accuracy, prefix-matching score, previous-word score.

        texts: of words of this part; None: the test.

        The scores are of the best head: of the last layer, the weight on
        the word after the first occurrence; of the first layer, the weight
        on the word before.
        """
        texts = texts or self.test
        found, maps = self.answers(texts, part)
        rows, places = texts.asked
        right = (found == texts.words[rows, places + 1]).mean()
        after = texts.source[rows, places] + 1
        prefix = maps[-1][rows, :, places, after].mean(0).max()
        back = np.arange(1, maps[0].shape[-1])
        previous = maps[0][:, :, back, back - 1].mean((0, 2)).max()
        return [round(float(n), 4) for n in (right, prefix, previous)]

    def accuracy(self, x):
        """Return the fraction right of the test.

        x (n, 64): rows after the last layer, at `self.test.asked`.
        """
        rows, places = self.test.asked
        scores = self.network.answer(x) @ self.vectors[1].T  # (n, words)
        found = scores.argmax(-1).numpy()
        return (found == self.test.words[rows, places + 1]).mean()


def nouns(lexicon):
    """Return all nouns of a lexicon, singular and plural in pairs."""
    return [f for pairs in lexicon.nouns.values() for p in pairs for f in p]
