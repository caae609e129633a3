"""What a model learns if the mask comes after the softmax, not before.

Trial room 06b: some minutes.
"""

import math

import numpy as np

from helpers.attention import softmax
from helpers.experiments import language
from helpers.experiments.runs import SEEDS
from helpers.experiments.stored import by_seed
from helpers.gradients import softmax_backward
from helpers.models import LanguageModel
from helpers.models.block import Block

EPOCHS = 2


class MaskAfterSoftmaxBlock(Block):
    """Weights of later words become 0 *after* the softmax; nothing more.

    What is left of a row then sums to less than 1, and its size depends on
    the words that were hidden. The filler behind a short sentence is hidden
    before the softmax: it would tell where the sentence ends.
    """

    def attend(self, query, key, value, mask, is_causal):
        """As in `Block`; mask: of the filler. The late one is always there."""
        scores = query @ key.mT / math.sqrt(key.shape[-1])  # (..., T, T)
        if mask is not None:
            scores = np.where(mask, scores, -np.inf)
        self.before = softmax(scores)
        weights = self.before * np.tri(scores.shape[-1])
        return weights @ value, weights

    def attend_backward(self, grad_context):
        """As in `Block`; the softmax had all words."""
        query, key, value = self.heads
        grad_value = self.weights.mT @ grad_context
        grad = (grad_context @ value.mT) * np.tri(query.shape[-2])
        grad = softmax_backward(grad, self.before) / math.sqrt(key.shape[-1])
        return grad @ key, grad.mT @ query, grad_value


class MaskAfterSoftmaxModel(LanguageModel):
    """A language model whose blocks mask later words too late."""

    block_class = MaskAfterSoftmaxBlock

    def __init__(self, vocabulary, vectors, **options):
        """As `LanguageModel`; not causal: its blocks then get the filler."""
        super().__init__(vocabulary, vectors, is_causal=False, **options)


ROWS = {"late mask": MaskAfterSoftmaxModel, "mask before": LanguageModel}


def train(seed, *, kind=MaskAfterSoftmaxModel, epochs=EPOCHS):
    """Train one layer as `language_runs.train` does, but for two epochs."""
    grammar, _, _, sentences = language.material(seed)
    return language.train_on(
        sentences, grammar, seed, kind=kind, epochs=epochs
    )


def run(name, seed):
    """Train one of `ROWS` on one seed; return its loss and causal loss."""
    measures = language.measure(train(seed, kind=ROWS[name]), seed)
    return [round(float(measures[n]), 4) for n in ("loss", "causal_loss")]


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew: loss and causal loss, for each seed."""
    return by_seed(run, name, seeds=seeds)
