"""Blocks whose norm or sum is in another place; language models for runs."""

import numpy as np

from helpers.models.block import Block
from helpers.models.language_model import LanguageModel


class PostNormBlock(Block):
    """Each norm comes after its sum, as in Vaswani et al. (2017)."""

    def forward(self, x, mask=None, cache=None):
        """As in `Block`."""
        x = self._norm("1", x + self._attend(x, mask, cache))
        return self._norm("2", x + self._feed(x))

    def backward(self, grad):
        """As in `Block`."""
        grads = {}
        grad = self._norm_back("2", grad, grads)
        grad = grad + self._feed_back(grad, grads)
        grad = self._norm_back("1", grad, grads)
        return grad + self._attend_back(grad, grads), grads


class BlockWithoutSums(Block):
    """No residual connection: each part replaces x."""

    def forward(self, x, mask=None, cache=None):
        """As in `Block`."""
        if "w_q" in self.p:
            x = self._attend(self._norm("1", x), mask, cache)
        if "w_1" in self.p:
            x = self._feed(self._norm("2", x))
        return x

    def backward(self, grad):
        """As in `Block`."""
        grads = {}
        if "w_1" in self.p:
            inside = self._feed_back(grad, grads)
            grad = self._norm_back("2", inside, grads)
        if "w_q" in self.p:
            inside = self._attend_back(grad, grads)
            grad = self._norm_back("1", inside, grads)
        return grad, grads


class PostNormModel(LanguageModel):
    """A language model of `PostNormBlock`, without a norm after the last."""

    block_class = PostNormBlock

    def __init__(self, vocabulary, vectors, **options):
        super().__init__(vocabulary, vectors, **options)
        for name in ("gain", "bias"):
            self.parameters.pop(name, None)


class ModelWithoutSums(LanguageModel):
    """A language model of `BlockWithoutSums`."""

    block_class = BlockWithoutSums


class ModelWithoutPositions(ModelWithoutSums):
    """The same, and no word knows its position: these vectors stay 0."""

    def __init__(self, vocabulary, vectors, **options):
        super().__init__(vocabulary, vectors, **options)
        self.parameters["positions"][:] = 0

    def loss_and_gradients(self, tokens, noise=0):
        """As in `LanguageModel`."""
        loss, gradients = super().loss_and_gradients(tokens, noise)
        gradients["positions"][:] = 0
        return loss, gradients


class LastWordModel(LanguageModel):
    """A language model that learns the last word of each text alone."""

    def asked_words(self, there):
        """As in `LanguageModel`; the texts are equally long."""
        last = np.zeros_like(there)
        last[:, -1] = True
        return last
