"""What the language models of 06 and 07 need to write on the web page.

A matrix goes there in 8 bits for each number, with a scale for each row, and
as PyTorch keeps it: one row for each number of the result. What the rounding
costs is measured when the page is built.
"""

import base64
import copy
import json
from functools import cache

import numpy as np

from helpers import models
from helpers.attention import softmax
from helpers.experiments import language
from helpers.experiments.stored import language_runs
from helpers.tasks import agreement, running_text

MODELS = "06", "07"
LEVELS = 127  # of the 8 bits of a number
SEED, SENTENCES = 1000, 300  # of 06
CONTEXTS = 16  # of 256 characters each: the part of the last tenth of 07


def packed(array, kind):
    """An array as text: its bytes in base64, row by row."""
    data = np.ascontiguousarray(array, kind).tobytes()
    return base64.b64encode(data).decode("ascii")


def script(path, name, data):
    """A script works where a page is opened as a file, and fetch does not."""
    text = json.dumps(data, separators=(",", ":"))
    line = f"(globalThis.attentionData ??= {{}})[{name!r}] = {text};\n"
    path.write_text(line, encoding="utf-8")


def rounded(matrix):
    """8-bit numbers (rows, columns) of a matrix, and a scale (rows, 1)."""
    scale = np.abs(matrix).max(axis=1, keepdims=True) / LEVELS
    scale = np.maximum(scale, 1e-30).astype(np.float32)  # a row of zeros
    return np.round(matrix / scale).astype(np.int8), scale


@cache
def model(number):
    """The model of a notebook, as it is there."""
    if number == "06":
        return language_runs.train("one layer", SEED)
    return models.text_language_model()


@cache
def small(number):
    """The same model with the numbers that the page has."""
    own = copy.copy(model(number))
    own.vectors = _back(own.vectors)
    own.parameters = {
        name: _back(a) if name == "positions"
        else _back(a.T).T if a.ndim == 2
        else a.astype(np.float32).astype(float)
        for name, a in own.parameters.items()
    }  # fmt: skip
    return own


def _back(matrix):
    numbers, scale = rounded(matrix)
    return numbers * scale.astype(float)


@cache
def closeness(number):
    """What rounding costs, on text that no training has seen.

    Returns the model's loss and the small one's, in nats per word or
    per character; the largest difference of a probability; how many were
    asked.
    """
    tokens = held_out(number)  # (B, 1 + T), -1 where there is none
    read, asked = np.maximum(tokens[:, :-1], 0), tokens[:, 1:] >= 0
    right = tokens[:, 1:][asked]
    pair = [
        softmax(own.logits(read))[asked]  # (n, V)
        for own in (model(number), small(number))
    ]
    losses = [-np.log(p[np.arange(len(right)), right]).mean() for p in pair]
    return *losses, np.abs(pair[0] - pair[1]).max(), len(right)


def held_out(number):
    """Text to measure on, as rows of numbers."""
    if number == "06":
        known, _, vocabulary, _ = language.material(SEED)
        return agreement.token_array(
            known.sentences(SENTENCES, (SEED, 1)), vocabulary
        )
    text = running_text.shakespeare()
    _, ids = running_text.split(running_text.Characters(text).ids(text))
    width = model(number).max_length
    starts = width * np.arange(CONTEXTS)[:, None]
    return ids[starts + np.arange(width + 1)]


def data(number):
    """What the page loads: the model, and what its words may be."""
    own, words = model(number), number == "06"
    return {
        "vocabulary": own.vocabulary,
        "heads": own.num_heads,
        "layers": own.num_layers,
        "length": own.max_length,
        "reads": own.max_length // (1 if words else 2),
        "gelu": isinstance(own, models.TextLanguageModel),
        "words": words,
        "right": grammar() if words else "",
        "arrays": {"vectors": _matrix(own.vectors)}
        | {
            name: packed(a, np.float32) if a.ndim == 1
            else _matrix(a if name == "positions" else a.T)
            for name, a in own.parameters.items()
        },
    }  # fmt: skip


def _matrix(matrix):
    numbers, scale = rounded(matrix)
    return {
        "numbers": packed(numbers, np.int8),
        "scale": packed(scale, np.float32),
    }


def grammar():
    """A regular expression of all sentences of `agreement.whole`."""
    known = agreement.whole()

    def group(pairs, numbers=(0, 1)):
        return "|".join(pair[n] for pair in pairs for n in numbers)

    every = "|".join(group(pairs) for pairs in known.nouns.values())
    prepositions = "|".join(known.prepositions)
    fits = "|".join(
        f"the (?:{group(nouns, [n])}) (?:.* )?"
        f"(?:{group(known.verbs[kind], [n])})"
        for kind, nouns in known.nouns.items()
        for n in (0, 1)
    )
    noun = f"the (?:{every})"
    form = rf"{noun}(?: (?:{prepositions}) {noun}){{0,2}} \S+ \."
    return rf"^(?={form}$)(?:{fits}) \.$"
