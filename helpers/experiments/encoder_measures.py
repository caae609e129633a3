"""What notebook 09 asks of the pretrained encoder's rows and weights."""

import copy

import numpy as np

from helpers import tasks
from helpers.attention import merge_heads, split_heads
from helpers.embeddings import cosine, data_file

TEN = (  # to be searched
    "an international bank transfer takes two days",
    "the river flooded the fields last night",
    "bread needs flour, water, salt and time",
    "the train to the airport leaves every hour",
    "a doctor can tell you which pills to take",
    "bees make honey from the nectar of flowers",
    "our team lost the final by a single goal",
    "the moon moves the water of the oceans",
    "he tuned the strings of his old guitar",
    "new laws must pass both houses of parliament",
)


def attend_by(mix):
    """Multi-head attention that mixes values in its own way: an `attend`.

    mix: called as `scaled_dot_product_attention` is, with arrays (B, H, T,
    d) and a mask; returns what it does: context and weights.
    """

    def attend(
        x, w_q, w_k, w_v, w_o, num_heads, *, b_q, b_k, b_v, b_o, mask=None
    ):
        rows = x.reshape(-1, x.shape[-1])  # (B*T, 384): faster at once
        query, key, value = (
            split_heads((rows @ w + b).reshape(x.shape), num_heads)
            for w, b in ((w_q, b_q), (w_k, b_k), (w_v, b_v))
        )
        context, weights = mix(query, key, value, mask=mask)
        rows = merge_heads(context).reshape(rows.shape)
        return (rows @ w_o + b_o).reshape(x.shape), weights

    return attend


def sentence_vectors(output):
    """The mean row of each text's tokens, made length 1: (B, 384)."""
    there = output.mask[..., None]  # (B, T, 1)
    total = (output.hidden[-1] * there).sum(axis=1)  # (B, 384)
    return total / np.linalg.norm(total, axis=1, keepdims=True)


def text_cosine(changed, untouched):
    """Mean cosine of the texts' vectors in two outputs of the model."""
    pair = sentence_vectors(changed), sentence_vectors(untouched)
    return np.multiply(*pair).sum(axis=1).mean()


def word_rows(output, words):
    """The row of one word of each text, in all layers: (7, B, 384).

    The word's first place counts. Raises ValueError if a text lacks it.
    """
    at = word_places(output, words)  # (B,)
    return output.hidden[:, np.arange(len(at)), at]


def word_places(output, words):
    """The position of one word in each text, [CLS] counted: (B,).

    The word's first place counts. Raises ValueError if a text lacks it.
    """
    pairs = zip(output.tokens, words, strict=True)
    return np.array([_place(word, tokens) for tokens, word in pairs])


def _place(word, tokens):
    if word not in tokens:
        raise ValueError(f"no token {word!r} in {' '.join(tokens[1:-1])!r}")
    return tokens.index(word)


def between_words(output):
    """Weights between words alone: (6, B, 12, T-1, T-1).

    Cut off: [CLS]. Weight 0, in place of what they get: [SEP] and padding.
    The rows sum to less than 1.
    """
    weights = output.weights[..., 1:, 1:]  # a view
    words = output.mask[:, 1:].copy()
    words[np.arange(len(words)), words.sum(axis=1) - 1] = False  # [SEP]
    return weights * words[:, None, None]


def weight_on(weights, pairs):
    """Mean weight on the right word, and on no word: two numbers.

    weights (B, T, T): of one head, cut as by `between_words`, so that a row
    sums to 1 less what [CLS] and [SEP] get; pairs (n, 3): the numbers of
    sentence, query and key.
    """
    i, q, k = pairs.T
    rows = weights[i, q]  # (n, T)
    return rows[np.arange(len(k)), k].mean(), 1 - rows.sum(axis=1).mean()


def nearest_sense(rows, words, known):
    """The sense of the nearest known row of the same word: (n,).

    rows (n, d), words (n,); known: rows (m, d), words (m,) and senses (m,).
    Nearest is by cosine. Raises ValueError if a word is not known.
    """
    known_rows, known_words, senses = map(np.asarray, known)
    words = np.asarray(words)
    if missing := sorted({*words.tolist()} - {*known_words.tolist()}):
        raise ValueError(f"words: no row of {missing} is known")
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    known_rows = known_rows / np.linalg.norm(known_rows, axis=1, keepdims=True)
    same = words[:, None] == known_words  # (n, m)
    return senses[np.where(same, unit @ known_rows.T, -2).argmax(axis=1)]


def same_sense(rows, words, senses, nearest=None):
    """Whether the nearest row of the same word has the same sense: (n,).

    rows (n, d), words and senses (n,). Nearest is by cosine, and no row is
    its own neighbor. nearest: what finds it in its place, rows (m, d) ->
    indices (m,); it gets the rows of one word at a time.
    """
    words, senses = np.array(words), np.array(senses)
    found = np.empty(len(words), dtype=int)
    for word in np.unique(words):
        at = np.flatnonzero(words == word)
        found[at] = at[(nearest or _nearest)(rows[at])]
    return senses[found] == senses


def _nearest(rows):
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    alike = rows @ rows.T
    np.fill_diagonal(alike, -2)
    return alike.argmax(axis=1)


def banks(model, text, rows):
    """The known sentences with *bank*, nearest first: (cosine, side, text).

    text: has the word; rows (n, d): of the words of `tasks.senses()`.
    """
    (own,) = word_rows(model.read([text]), ["bank"])[-1]
    found = [
        (cosine(own, row), ("river", "money")[sense], sentence)
        for row, (word, sense, sentence) in zip(
            rows, tasks.senses(), strict=True
        )
        if word == "bank"
    ]
    return sorted(found, reverse=True)


def with_scores_times(model, factor):
    """The same model, whose scores are all multiplied by a factor."""
    changed = copy.copy(model)
    changed.blocks = [
        p | {name: p[name] * np.float32(factor) for name in ("w_q", "b_q")}
        for p in model.blocks
    ]
    return changed


def relation_weights(model, seed):
    """Weights between words in 150 sentences, and their pairs of words.

    Returns what `between_words` does, and the pairs of `tasks.relations`.
    """
    sentences, pairs = tasks.relations(150, seed)
    return between_words(model.read(sentences)), pairs


def gap_to_reference(hidden):
    """The largest difference from the rows that another library computed.

    hidden: 7 arrays (11, 384), of the first text of
    tools/author/write_encoder_reference.py.
    """
    from safetensors.numpy import load_file

    theirs = load_file(data_file("encoder_reference.safetensors"))
    return np.abs(np.array(hidden) - theirs["0.hidden"]).max()


def asking(model, block):
    """What `attention_view` asks: sentence -> scores (12, T, T), tokens.

    block: from 1 on. The scores are logarithms of the block's weights.
    """

    def ask(sentence):
        found = model.read(sentence)
        weights = found.weights[block - 1].round(3)  # (12, T, T)
        return np.log(weights + 1e-9), found.tokens

    return ask
