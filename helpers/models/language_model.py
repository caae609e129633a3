"""A causal language model: frozen word vectors, blocks, the next word."""

import math

import numpy as np

from helpers import validation
from helpers.generation import KeyValueCache
from helpers.layers import layer_norm, layer_norm_backward
from helpers.models.block import Block, block_parameters
from helpers.training import cross_entropy


class LanguageModel:
    """Predict the next word at every place of a text.

    ``x = vectors[tokens] + positions``, blocks, a layer norm, and
    ``logits = x @ w_out + b_out``: the decoder of Radford et al. (2019),
    *Language Models are Unsupervised Multitask Learners*, section 2.3, on
    word vectors that stay as they are.

    Parameters
    ----------
    vocabulary : sequence of V words
    vectors : array (V, d)
        Frozen: a word never seen in training has its vector, too.
    layers, num_heads, hidden : int
        Blocks, heads in each, and width of the feed-forward layers.
    attention, feed_forward, norm : bool
        Leave one part out of all blocks; without `norm`, the last one, too.
    is_causal : bool
        A word sees no later word. Without it, training shows the answer.
    max_length : int
        How many positions there are; the start counts.
    seed : int

    Attributes
    ----------
    parameters : dict of arrays
        positions (max_length, d), block0.w_q, ..., gain, bias (d,), w_out
        (d, V), b_out (V,).
    num_parameters : int
    weights : list
        Of the last call, one per block: (..., H, T, T), None without
        attention.

    A model made of this one may replace `block_class` and `asked_words`.
    The random numbers are drawn in the order of `parameters`: stored runs
    rest on it.
    """

    block_class, unit = Block, "words"

    def __init__(
        self,
        vocabulary,
        vectors,
        *,
        layers=1,
        num_heads=4,
        hidden=128,
        attention=True,
        feed_forward=True,
        norm=True,
        is_causal=True,
        max_length=16,
        seed=0,
    ):
        self.vocabulary = tuple(validation.strings("vocabulary", vocabulary))
        self.place = {word: i for i, word in enumerate(self.vocabulary)}
        self.vectors = validation.float_array("vectors", vectors, ndim=2)
        if self.vectors.shape[0] != len(self.place):
            raise ValueError(
                f"vectors: {self.vectors.shape}, one row for each of"
                f" {len(self.place)} different words in vocabulary"
            )
        self.num_layers = validation.positive_integer("layers", layers)
        self.num_heads = validation.head_count("vectors", vectors, num_heads)
        self.max_length = validation.positive_integer("max_length", max_length)
        self.is_causal = validation.flag("is_causal", is_causal)
        parts = dict(attention=attention, feed_forward=feed_forward)
        drawn = self._draw(hidden, parts, seed)
        if not validation.flag("norm", norm):
            kept = [n for n in drawn if "gain" not in n and "bias" not in n]
            drawn = {name: drawn[name] for name in kept}
        self.parameters = drawn
        self.weights = []

    def _draw(self, hidden, parts, seed):
        rng = validation.seeded("seed", seed)
        num_words, d = self.vectors.shape
        drawn = {"positions": 0.3 * rng.standard_normal((self.max_length, d))}
        for i in range(self.num_layers):
            block = block_parameters(d, hidden, **parts, seed=rng)
            drawn |= {f"block{i}.{name}": a for name, a in block.items()}
        drawn |= {"gain": np.ones(d), "bias": np.zeros(d)}
        w_out = rng.standard_normal((d, num_words)) / math.sqrt(d)
        return drawn | {"w_out": w_out, "b_out": np.zeros(num_words)}

    @property
    def num_parameters(self):
        """How many numbers training changes."""
        return sum(array.size for array in self.parameters.values())

    def ids(self, words):
        """Return the numbers of words; ValueError names unknown ones."""
        words = validation.strings("words", words)
        if unknown := sorted(set(words) - self.place.keys()):
            what = self.unit
            raise ValueError(f"{what}: not in the vocabulary: {unknown}")
        return np.array([self.place[word] for word in words])

    def logits(self, tokens, *, cache=None):
        """Return the logits of the next word after each word.

        Parameters
        ----------
        tokens : array (..., T) of int
            Numbers of words; a text begins with that of the start.
        cache : generation.KeyValueCache, optional
            Holds the words before these, and takes these in.

        Returns
        -------
        logits : array (..., T, V)

        Raises
        ------
        TypeError, ValueError
            For numbers of no word, more words than positions, or the cache
            of another model.
        """
        tokens = validation.tokens("tokens", tokens, len(self.vocabulary))
        if not tokens.ndim or not tokens.size:
            raise ValueError(f"tokens: empty, shape {tokens.shape}")
        before = 0 if cache is None else self._check_cache(cache, tokens)
        self._check_length(before + tokens.shape[-1])
        x = self._forward(tokens, cache=cache)  # (..., T, d)
        return x @ self.parameters["w_out"] + self.parameters["b_out"]

    def _check_length(self, length):
        if length > self.max_length:
            raise ValueError(
                f"tokens: {length} words, the model has positions for"
                f" {self.max_length} (max_length)"
            )

    def _check_cache(self, cache, tokens):
        """Return how many words it holds, of as many texts as `tokens`."""
        if not isinstance(cache, KeyValueCache):
            raise TypeError(
                f"cache: expected a KeyValueCache, got {type(cache).__name__}"
            )
        if cache.model is not self:
            raise ValueError("cache: it belongs to another model")
        for keys in cache.keys:  # (..., H, T, d_k)
            if keys is not None and keys.shape[:-3] != tokens.shape[:-1]:
                raise ValueError(
                    f"tokens: shape {tokens.shape}, the cache holds texts of"
                    f" shape {keys.shape[:-3]}"
                )
        return len(cache)

    def _forward(self, tokens, noise=0, mask=None, cache=None):
        p, before = self.parameters, 0 if cache is None else len(cache)
        self.length = tokens.shape[-1]
        x = self.vectors[tokens] + noise  # (..., T, d)
        x = x + p["positions"][before : before + self.length]
        self._blocks = [self._block(i) for i in range(self.num_layers)]
        for i, block in enumerate(self._blocks):
            x = block.forward(
                x, mask, None if cache is None else cache.layer(i)
            )
        self.weights = [block.weights for block in self._blocks]
        if cache is not None:
            cache.length += self.length
        self._last = x
        return layer_norm(x, p["gain"], p["bias"]) if "gain" in p else x

    def _block(self, i):
        start = f"block{i}."
        own = {
            name.removeprefix(start): array
            for name, array in self.parameters.items()
            if name.startswith(start)
        }
        return self.block_class(own, self.num_heads, is_causal=self.is_causal)

    def loss_and_gradients(self, tokens, noise=0):
        """Return the loss in nats per word, and {name: gradient}, for `fit`.

        tokens (B, 1 + T): the start and T words, -1 where there is none;
        noise (B, T, d): added to the word vectors.
        """
        loss, grad, x, asked = self._loss(tokens, noise)  # grad (N, V)
        grads = {"b_out": grad.sum(axis=0), "w_out": x[asked].T @ grad}
        grad_x = np.zeros_like(x)  # (B, T, d)
        grad_x[asked] = grad @ self.parameters["w_out"].T  # (N, d)
        if "gain" in self.parameters:
            grad_x, grads["gain"], grads["bias"] = layer_norm_backward(
                grad_x, self._last, self.parameters["gain"]
            )
        for i in reversed(range(self.num_layers)):
            grad_x, inside = self._blocks[i].backward(grad_x)
            grads |= {f"block{i}.{name}": g for name, g in inside.items()}
        grads["positions"] = np.zeros_like(self.parameters["positions"])
        grads["positions"][: self.length] = grad_x.sum(axis=0)
        return loss, grads

    def loss(self, tokens):
        """Return the mean loss in nats per word; tokens as for training."""
        return self._loss(tokens)[0]

    def _loss(self, tokens, noise=0):
        """Return loss, grad_logits (N, V), x (B, T, d), asked (B, T).

        N is how many words are asked for, x what the logits are made of.
        """
        tokens = self._checked(tokens)
        words, targets = tokens[:, :-1], tokens[:, 1:]  # (B, T) each
        there = targets >= 0
        # a causal word never sees the filler, which comes after
        mask = None if self.is_causal else there[:, None, None]
        x = self._forward(np.where(there, words, 0), noise, mask)
        asked = self.asked_words(there)
        logits = x[asked] @ self.parameters["w_out"]  # (N, V)
        logits += self.parameters["b_out"]  # in place: it is the largest
        loss, grad = cross_entropy(logits, targets[asked])
        return loss, grad, x, asked

    def _checked(self, tokens):
        """Return tokens (B, 1 + T), or raise naming what is wrong."""
        tokens = validation.tokens(
            "tokens", tokens, len(self.vocabulary), least=-1
        )
        if tokens.ndim != 2 or tokens.shape[1] < 2 or not tokens.size:
            raise ValueError(
                "tokens: expected (B, 1 + T), the start and T words, got"
                f" shape {tokens.shape}"
            )
        there = tokens >= 0
        if not there[:, :2].all() or (there[:, 1:] & ~there[:, :-1]).any():
            raise ValueError(
                "tokens: expected the start and words, then -1 to the end, in"
                f" each row of {tokens.shape}"
            )
        self._check_length(tokens.shape[1] - 1)
        return tokens

    def asked_words(self, there):
        """Return which words the loss is of: (B, T) of bool, here all.

        For models made of this one. there (B, T): True where there is a
        word; not to be changed.
        """
        return there


class LanguageBatches:
    """Batches of sentences for `training.fit`, each with new noise.

    Yields (tokens (B, 1 + T), noise (B, T, d_model)), in a new order each
    epoch. Drawn are the order and then the noise of each batch: stored runs
    rest on it.

    Parameters
    ----------
    tokens : array (n, 1 + T)
        Of `tasks.agreement.token_array`.
    d_model, seed, batch_size : int
    noise_std : float
        Of the normal noise on the word vectors: a word then represents its
        neighborhood, and words never seen are read better.
    """

    def __init__(self, tokens, d_model, *, seed, batch_size=64, noise_std=0.5):
        self.tokens = np.asarray(tokens)
        if self.tokens.ndim != 2 or self.tokens.dtype.kind not in "iu":
            raise TypeError(
                "tokens: expected integers (n, 1 + T), got dtype"
                f" {self.tokens.dtype}, shape {self.tokens.shape}"
            )
        self.d_model = validation.positive_integer("d_model", d_model)
        self.batch_size = validation.positive_integer("batch_size", batch_size)
        self.noise_std = validation.real_number(
            "noise_std", noise_std, least=0
        )
        self.rng = validation.seeded("seed", seed)

    def __iter__(self):
        order = self.rng.permutation(len(self.tokens))
        for start in range(0, len(order), self.batch_size):
            tokens = self.tokens[order[start : start + self.batch_size]]
            shape = (len(tokens), tokens.shape[1] - 1, self.d_model)
            yield tokens, self.noise_std * self.rng.standard_normal(shape)
