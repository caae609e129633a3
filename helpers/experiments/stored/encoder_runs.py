"""Long runs of the pretrained encoder, for notebook 09: some minutes.

Heads are switched off, and a linear probe reads the number of a noun. Heads
are chosen by what they do on the sentences of two words, and measured on
those of the six others.
"""

from functools import cache, partial

import numpy as np

from helpers import tasks
from helpers.attention import scaled_dot_product_attention
from helpers.experiments.encoder_measures import (
    attend_by,
    same_sense,
    sentence_vectors,
    word_rows,
)
from helpers.experiments.stored import by_measure, by_seed, load
from helpers.models import LinearProbe, load_encoder
from helpers.models.encoder import HEADS, LAYERS

COUNTS = 12, 24, 36, 48  # heads that are switched off
PARTS = np.arange(128) // 32  # two words choose heads, the other six measure
TRAIN, TEST = (300, 1200), 400  # sentences for the probe
TEXT, WORD = 0, 1  # which of its measures chooses heads
ASKED = 240, 9100  # of `tasks.rewordings`: sentences, seed
MOST, DRAWS = 37, 20  # just over half of the heads; draws of so many


@cache
def without_each_head():
    """Switch off one head at a time: cosines (2, 128, 6, 12).

    How alike two rows of each of the 128 sentences stay, 1 is no change:
    the text's vector, and the asked word's row after the last block.
    """
    whole = _whole()
    alike = np.zeros((*whole.shape[:2], LAYERS, HEADS))
    for layer, head in np.ndindex(LAYERS, HEADS):
        rows = _two_rows(layer * HEADS + head)
        alike[..., layer, head] = (rows * whole).sum(axis=-1)
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


def with_means(heads):
    """The same as `without`, with heads replaced by their mean context.

    The mean is taken over all tokens of the 128 sentences.
    """
    words, senses, texts = zip(*tasks.senses(), strict=True)
    vectors, _ = _whole()
    off = np.isin(np.arange(LAYERS * HEADS), heads).reshape(LAYERS, HEADS)
    steps = iter(off)  # one for each block

    def mix(*rows, mask):  # query, key, value
        context, weights = scaled_dot_product_attention(*rows, mask=mask)
        tokens = mask.mT.astype(context.dtype)  # (128, 1, T, 1): 0 or 1
        mean = (context * tokens).sum(axis=(0, 2)) / tokens.sum()  # (12, 32)
        is_off = next(steps)[:, None, None]
        return np.where(is_off, mean[:, None], context), weights

    output = load_encoder().read(texts, attend=attend_by(mix))
    alike = (sentence_vectors(output) * vectors).sum(axis=-1)
    rows = word_rows(output, words)[-1]
    return np.stack([alike, same_sense(rows, words, senses)])


@cache
def _whole():
    return _two_rows([])


def _two_rows(heads):
    """The text's vector and the word's row, without heads: (2, 128, 384)."""
    words, _, texts = zip(*tasks.senses(), strict=True)
    kept = np.ones(LAYERS * HEADS)
    kept[np.array(heads, int)] = 0
    output = load_encoder().read(texts, head_mask=kept.reshape(LAYERS, HEADS))
    word = word_rows(output, words)[-1]
    word = word / np.linalg.norm(word, axis=1, keepdims=True)
    return np.stack([sentence_vectors(output), word])


def random_heads(count, seed, layers=LAYERS):
    """Draw heads of the first layers: `count` numbers from 0 up."""
    return np.random.default_rng(seed).permutation(layers * HEADS)[:count]


@cache
def reworded():
    """Read `tasks.rewordings` with all heads: {version: EncoderOutput}.

    240 sentences; of their rows only the last are kept.
    """
    outputs = {
        version: load_encoder().read(texts)
        for version, texts in tasks.rewordings(*ASKED).items()
    }
    return {
        version: output._replace(hidden=output.hidden[-1:], weights=None)
        for version, output in outputs.items()
    }


def answers(heads):
    """Ask for an object and a doer without heads: {question: right (240,)}.

    heads: numbers 0 to 71. Is "said" nearer to "reworded" than to the
    sentence with another object, or another doer? See `tasks.rewordings`.
    """
    said, same, thing, doer = (
        sentence_vectors(_without(heads, version))
        for version in ("said", "reworded", "other object", "other doer")
    )
    near = (said * same).sum(axis=1)
    return {
        question: near > (said * other).sum(axis=1)
        for question, other in (("object", thing), ("doer", doer))
    }


def _without(heads, version):
    if not len(heads):
        return reworded()[version]
    kept = 1.0 - np.isin(np.arange(LAYERS * HEADS), heads)
    texts = tasks.rewordings(*ASKED)[version]
    return load_encoder().read(texts, head_mask=kept.reshape(LAYERS, HEADS))


def _asked_without_the_least():
    """Right answers with 48 and 72 heads off: {heads: {question: 0, 1 …}}.

    The least important ones go first, by the row "alone".
    """
    ranked = np.argsort(-np.ravel(load("encoder_runs")["alone"]))
    return {
        count: {
            question: right.astype(int).tolist()
            for question, right in answers(ranked[:count]).items()
        }
        for count in (48, 72)
    }


def _asked_at_random():
    """Part of the answers that are right, by draw: {question: (DRAWS,)}."""
    draws = [answers(random_heads(MOST, 2000 + draw)) for draw in range(DRAWS)]
    return {
        question: [round(float(right[question].mean()), 4) for right in draws]
        for question in draws[0]
    }


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


def probe(count, seed):
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
    predicted = LinearProbe().fit(rows, answers).predict(new_rows)
    return float((predicted == new_answers).mean())


def _chosen(by):
    """Two words choose heads, the others measure: four times each count."""

    def measured(count, part):
        alike = without_each_head()[by, PARTS == part].mean(axis=0)
        order = np.argsort(-alike, axis=None, kind="stable")  # useless first
        return _means(without(order[:count])[:, PARTS != part])

    return {n: [measured(n, part) for part in range(4)] for n in COUNTS}


def _random(layers):
    def measured(count, seed):
        heads = random_heads(count, seed, layers)
        return _means(without(heads))

    return {count: by_seed(measured, count) for count in COUNTS}


def _means(measures):
    return measures.mean(axis=1, dtype=float).round(4).tolist()


ROWS = {  # {name of a row: function that makes it}
    "alone": lambda: without_each_head()[TEXT].mean(axis=0).round(4).tolist(),
    "none": lambda: _means(without([])),
    "chosen by text": partial(_chosen, TEXT),
    "chosen by word": partial(_chosen, WORD),
    "random": partial(_random, LAYERS),
    "random, blocks 1 to 5": partial(_random, LAYERS - 1),
    "most at random, asked": _asked_at_random,
    "least important, asked": _asked_without_the_least,
} | {
    f"probe, {count} sentences": partial(by_measure, partial(probe, count))
    for count in TRAIN
}


def train_row(name):
    """Make one of `ROWS` anew.

    "alone": how alike a text's vector stays without each head, (6, 12).
    "none": the two means of `without` with all heads. Other rows of heads:
    {how many are off: these two means, one pair for each draw}. "most at
    random, asked": {question: fraction right by draw}. "least important,
    asked": {how many are off: {question: 1 where the answer is right}}.
    "probe, …": `probe` of all seeds.
    """
    return ROWS[name]()
