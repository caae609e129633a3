"""What notebook 07 asks of the pretrained encoder, and its long runs.

data/encoder_runs.json holds the runs that take minutes; it is written by
tools/write_encoder_runs.py.
"""

from functools import lru_cache

import numpy as np

from helpers import tasks
from helpers.embeddings import stored
from helpers.models import LinearProbe, load_encoder
from helpers.models.encoder import HEADS, LAYERS

COUNTS = 12, 24, 36, 48  # heads that are switched off
PARTS = np.arange(128) // 32  # two words choose heads, the other six measure
TRAIN, TEST = (300, 1200), 400  # sentences for the probe


def sentence_vectors(reading):
    """The mean row of each text's tokens, made length 1: (B, 384)."""
    there = reading.mask[..., None]  # (B, T, 1)
    total = (reading.hidden[-1] * there).sum(axis=1)  # (B, 384)
    return total / np.linalg.norm(total, axis=1, keepdims=True)


def word_rows(reading, words):
    """The row of one word of each text, in all layers: (7, B, 384).

    The word's first place counts. Raises ValueError if a text lacks it.
    """
    pairs = zip(reading.tokens, words, strict=True)
    at = [_place(word, tokens) for tokens, word in pairs]
    return reading.hidden[:, np.arange(len(at)), at]


def _place(word, tokens):
    if word not in tokens:
        raise ValueError(f"no token {word!r} in {' '.join(tokens[1:-1])!r}")
    return tokens.index(word)


def between_words(reading):
    """Weights between words alone: (6, B, 12, T-1, T-1).

    Cut off: [CLS]. Weight 0, in place of what they get: [SEP] and padding.
    The rows sum to less than 1.
    """
    weights = reading.weights[..., 1:, 1:]  # a view
    words = reading.mask[:, 1:].copy()
    words[np.arange(len(words)), words.sum(axis=1) - 1] = False  # [SEP]
    return weights * words[:, None, None]


def same_sense(rows, words, senses):
    """Whether the nearest row of the same word has the same sense: (n,).

    rows (n, d), words and senses (n,). Nearest is by cosine, and no row is
    its own neighbor.
    """
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    words, senses = np.array(words), np.array(senses)
    alike = np.where(words[:, None] == words, rows @ rows.T, -2)  # (n, n)
    np.fill_diagonal(alike, -2)
    return senses[alike.argmax(axis=1)] == senses


def without_each_head():
    """Switch off one head at a time: cosines (2, 128, 6, 12).

    How alike two rows of each of the 128 sentences stay, 1 is no change:
    the text's vector, and the asked word's row after the last block.
    """
    whole = _whole()
    alike = np.zeros((*whole.shape[:2], LAYERS, HEADS))
    for layer, head in np.ndindex(LAYERS, HEADS):
        found = _two_rows(layer * HEADS + head)
        alike[..., layer, head] = (found * whole).sum(axis=-1)
    return alike


def without(heads):
    """Switch off heads, numbered 0 to 71: (2, 128), one column a sentence.

    First the cosine of the text's vector with that of the whole model, then
    whether the word's row after the last block has the right sense.
    """
    words, senses, _ = zip(*tasks.senses(), strict=True)
    vectors, rows = _two_rows(heads)
    alike = (vectors * _whole()[0]).sum(axis=-1)
    return np.stack([alike, same_sense(rows, words, senses)])


@lru_cache
def _whole():
    return _two_rows([])


def _two_rows(heads):
    """The text's vector and the word's row, without heads: (2, 128, 384)."""
    words, _, texts = zip(*tasks.senses(), strict=True)
    kept = np.ones(LAYERS * HEADS)
    kept[np.array(heads, int)] = 0
    reading = load_encoder().read(texts, head_mask=kept.reshape(LAYERS, HEADS))
    word = word_rows(reading, words)[-1]
    word = word / np.linalg.norm(word, axis=1, keepdims=True)
    return np.stack([sentence_vectors(reading), word])


def random_heads(count, seed, layers=LAYERS):
    """Draw heads of the first layers: `count` numbers from 0 up."""
    return np.random.default_rng(seed).permutation(layers * HEADS)[:count]


def probe_rows(sentences):
    """Rows of the verb and of the noun it needs: 2 arrays (7, B, 384)."""
    verbs, nouns = [], []
    for start in range(0, len(sentences), 50):  # faster than all at once
        part = sentences[start : start + 50]
        texts = [" ".join(words) for words in part.words]
        hidden, each = load_encoder().read(texts).hidden, np.arange(len(part))
        verbs.append(hidden[:, each, part.position + 1])  # after [CLS]
        nouns.append(hidden[:, each, part.evidence[:, 0] + 1])
    return np.concatenate(verbs, axis=1), np.concatenate(nouns, axis=1)


def probe(seed, count=TRAIN[-1]):
    """Read off the verb's row whether a noun is singular or plural.

    Trained on `count` sentences, tested on 400 with other nouns. Returns
    {name: fraction right by layer (7,)}: "needed", the noun that the verb
    needs; "other", the first noun that another verb would fit; "noun", the
    needed one, read off its own row.
    """
    rng = np.random.default_rng(seed)
    train, test = (
        _questions(tasks.which_noun(half, size, rng, balanced=True))
        for half, size in zip(
            tasks.load_lexicon().split(seed), (count, TEST), strict=True
        )
    )
    return {
        name: [
            round(_right(*pair, train[name][1], test[name][1]), 4)
            for pair in zip(train[name][0], test[name][0], strict=True)
        ]
        for name in train
    }


def _questions(sentences):
    """{name: rows (7, B, 384), answers (B,)} of the three questions."""
    verbs, nouns = probe_rows(sentences)
    needed, other = sentences.labels[:, 0], _number_of_another(sentences)
    return dict(
        needed=(verbs, needed), other=(verbs, other), noun=(nouns, needed)
    )


def _number_of_another(sentences):
    """Singular or plural: the first noun that another verb would fit."""
    examples = tasks.Examples(sentences, None, None)
    unfit = tasks.ask_for_the_other_noun(examples).sentences.evidence  # (B, 1)
    needed = sentences.evidence  # (B, 1)
    rivals = (sentences.nouns != needed) & (sentences.nouns != unfit)
    first = rivals.argmax(axis=1)  # two rivals in each row
    return sentences.numbers[np.arange(len(first)), first]


def _right(rows, new_rows, answers, new_answers):
    found = LinearProbe().fit(rows, answers).predict(new_rows)
    return float((found == new_answers).mean())


def load_runs():
    """Return what data/encoder_runs.json holds, a dict.

    Raises FileNotFoundError or ValueError naming the file.
    """
    return stored("encoder_runs.json")
