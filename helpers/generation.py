"""From a model that predicts the next word to text, word by word.

A model, as `generate` sees it, has a ``vocabulary``, ``ids(words)``,
``logits(tokens)`` and ``max_length`` (None: no limit); with a cache,
``logits(tokens, cache=cache)``, ``is_causal`` and ``num_layers``.
"""

import numpy as np

from helpers import validation
from helpers.attention import softmax

START = "."  # what every text begins after


def next_word_probabilities(
    logits, *, temperature=1.0, top_k=None, top_p=None
):
    """Turn logits into probabilities of the next word.

    Parameters
    ----------
    logits : array (..., V)
    temperature : float
        What the logits are divided by: below 1 the best words gain, above
        1 the others.
    top_k : int, optional
        Only the k best words keep a probability; of equal ones the first.
    top_p : float, optional
        Only the most likely words that together have at least this
        probability keep one: Holtzman et al. (2020), section 3.1.

    Returns
    -------
    probabilities : array (..., V)

    Raises
    ------
    TypeError, ValueError
        For a temperature of 0 or less, a top_k out of 1 to V, or a top_p
        out of 0 (not included) to 1.
    """
    logits = validation.float_array("logits", logits)
    temperature = _temperature(temperature)
    if top_k is not None:
        top_k = _top_k(top_k, logits.shape[-1])
        order = np.argsort(-logits, axis=-1, kind="stable")  # best first
        logits = logits.copy()
        np.put_along_axis(logits, order[..., top_k:], -np.inf, axis=-1)
    highest = logits.max(axis=-1, keepdims=True)  # (..., 1)
    # subtracted first: a low temperature then gives -inf at most
    with np.errstate(over="ignore"):
        scores = (logits - highest) / temperature
    chances = softmax(scores)
    return chances if top_p is None else _most_likely(chances, _top_p(top_p))


def _temperature(value):
    value = validation.real_number("temperature", value)
    if value <= 0:
        raise ValueError(
            f"temperature: expected more than 0, got {value}; near 0 the best"
            " word is all but certain, top_k=1 makes it so"
        )
    return value


def _top_k(value, num_words):
    value = validation.positive_integer("top_k", value)
    if value > num_words:
        raise ValueError(
            f"top_k: expected 1 to {num_words}, the words, got {value}"
        )
    return value


def _top_p(value):
    value = validation.real_number("top_p", value, above=0)
    if value > 1:
        raise ValueError(f"top_p: expected at most 1, got {value}")
    return value


def _most_likely(chances, top_p):
    """Return the chances (..., V) of those that together reach top_p."""
    order = np.argsort(-chances, axis=-1, kind="stable")  # best first
    ranked = np.take_along_axis(chances, order, axis=-1)
    before = np.cumsum(ranked, axis=-1) - ranked
    ranked[before >= top_p] = 0
    kept = np.empty_like(chances)
    np.put_along_axis(kept, order, ranked, axis=-1)
    return kept / kept.sum(axis=-1, keepdims=True)


class KeyValueCache:
    """The keys and values of a text so far, for one model.

    A word's keys and values depend on the words before it alone, if the
    model has a causal mask: when a word is added, they stay.

    keys, values: lists with one array (..., H, T, d_k) per layer; None
    before the first words. len(cache): how many words it holds.
    """

    def __init__(self, model):
        if not getattr(model, "is_causal", False):
            raise ValueError(
                "model: without a causal mask every new word changes the keys"
                " and values of all others; nothing can be kept"
            )
        self.model = validation.having(
            "model", model, "num_layers", such_as="a models.LanguageModel"
        )
        self.keys = [None] * model.num_layers
        self.values = [None] * model.num_layers
        self.length = 0

    def __len__(self):
        return self.length

    def layer(self, i):
        """Return what adds the keys and values of new words to layer i.

        ``add(keys, values)``, each (..., H, T_new, d_k), returns those of
        all words so far.
        """

        def add(key, value):
            if self.keys[i] is not None:
                # (..., H, T, d_k) and (..., H, T_new, d_k) along T
                key = np.concatenate([self.keys[i], key], axis=-2)
                value = np.concatenate([self.values[i], value], axis=-2)
            self.keys[i], self.values[i] = key, value
            return key, value

        return add


def generate(
    model,
    prompt,
    *,
    max_words=12,
    temperature=1.0,
    top_k=None,
    seed=0,
    use_cache=False,
    stop=".",
):
    """Draw one word after the other, each from what the model expects.

    Parameters
    ----------
    model
        See the top of this module.
    prompt : list of words, or one string of words between spaces
        How the text begins; START is put before it.
    max_words : int
        How many words to add at most.
    temperature, top_k
        As in `next_word_probabilities`.
    seed : int or numpy Generator
    use_cache : bool
        Keep keys and values instead of computing them at each word.
    stop : str or None
        The word after which the text ends; None: never.

    Returns
    -------
    words : list
        The prompt and the words added.

    Raises
    ------
    TypeError, ValueError
        For a prompt that is empty, holds unknown words, or leaves too few
        positions for max_words; for a bad temperature or top_k.
    """
    validation.having(
        "model", model, "vocabulary", "ids", "logits", "max_length",
        such_as="a model that writes",
    )  # fmt: skip
    words = _words(prompt, model.vocabulary)
    ids = [int(i) for i in model.ids([START, *words])]
    max_words = validation.positive_integer("max_words", max_words)
    _check_length(len(words), max_words, model.max_length)
    if stop is not None and stop not in model.vocabulary:
        raise ValueError(f"stop: the model knows no word {stop!r:.40}")
    rng = validation.seeded("seed", seed)
    use_cache = validation.flag("use_cache", use_cache)
    cache = KeyValueCache(model) if use_cache else None
    for _ in range(max_words):
        if cache is None:
            logits = model.logits(np.array(ids))[-1]  # (V,)
        else:
            new = np.array(ids[len(cache) :])  # what it has not seen
            logits = model.logits(new, cache=cache)[-1]
        chances = next_word_probabilities(
            logits, temperature=temperature, top_k=top_k
        )
        ids.append(int(rng.choice(len(chances), p=chances)))
        words.append(model.vocabulary[ids[-1]])
        if words[-1] == stop:
            break
    return words


def _words(prompt, vocabulary):
    if isinstance(prompt, str):
        prompt = prompt.split()
    if not len(
        validation.having("prompt", prompt, "__len__", such_as="words")
    ):
        raise ValueError("prompt: empty; give at least one word, such as the")
    words = validation.strings("prompt", prompt)
    if unknown := sorted(set(words) - set(vocabulary)):
        raise ValueError(f"prompt: words the model does not know: {unknown}")
    return words


def _check_length(given, max_words, max_length):
    if max_length is None:
        return
    if given + 1 > max_length:
        raise ValueError(
            f"prompt: {given} words after the start, the model has positions"
            f" for {max_length - 1}"
        )
    if given + max_words > max_length:  # the last word is never read
        raise ValueError(
            f"max_words: {max_words} after a prompt of {given} words, the"
            f" model has positions for {max_length - given}"
        )


def write_text(
    model,
    prompt,
    length,
    *,
    temperature=0.8,
    top_p=1.0,
    seed=0,
    cached=True,
):
    """Continue a text, character by character.

    When the cache is full, the model goes on from the later half of what it
    can read at once.

    Parameters
    ----------
    model : models.TextLanguageModel
    prompt : str
        At least one character, all of them in the model's vocabulary.
    length : int
        How many characters to add.
    temperature : float
        As in `next_word_probabilities`.
    top_p : float
        As in `next_word_probabilities`; with 1 all characters are drawn.
    seed : int or numpy Generator
    cached : bool
        False: everything is read anew for each character.

    Returns
    -------
    text : str
        The prompt and what was added.

    Raises
    ------
    TypeError, ValueError
        For a prompt that is empty or has characters that the model does not
        know, and for a bad length, temperature or top_p.
    """
    if not isinstance(prompt, str) or not prompt:
        raise ValueError(f"prompt: expected a text, got {prompt!r:.40}")
    ids = [int(i) for i in model.ids([*prompt])]
    length = validation.positive_integer("length", length)
    top_p = _top_p(top_p)
    rng, half = validation.seeded("seed", seed), model.max_length // 2
    cache, new = KeyValueCache(model), ids[-half:]
    for _ in range(length):
        if len(cache) + len(new) > model.max_length:
            cache, new = KeyValueCache(model), ids[-half:]
        if not cached:
            read = len(cache) + len(new)
            cache, new = KeyValueCache(model), ids[-read:]
        logits = model.logits(np.array(new), cache=cache)[-1]  # (V,)
        chances = next_word_probabilities(
            logits, temperature=temperature, top_p=top_p
        )
        new = [int(rng.choice(len(chances), p=chances))]
        ids += new
    return "".join(model.vocabulary[i] for i in ids)
