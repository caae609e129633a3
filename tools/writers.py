"""What the language models of 06 and 09 need to write on the web page.

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

MODELS = "06", "09"
SECTION = "## Let it write"  # of their notebooks
LEVELS = 127  # of the 8 bits of a number
SEED, SENTENCES = 1000, 300  # of 06
CONTEXTS = 16  # of 256 characters each: the part of the last tenth of 09


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

    Returns the model's loss and the small one's, in nats a word or a
    character; the largest difference of a probability; how many were asked.
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


FIELD = """<label>{label} <input name="{name}" value="{value}"
 autocomplete="off" inputmode="decimal"></label>"""
PANEL = """\
<form class="writer" data-writer="{number}" data-static="{up}_static/"
 aria-label="The model writes">
<p class="title">Let it write on this page</p>
<label class="wide">The text begins with <textarea name="prompt" rows="{rows}"
 maxlength="2000" spellcheck="false" autocomplete="off"
 autocapitalize="off">{prompt}</textarea></label>
{fields}
<button name="write">Write</button>
<button name="another" type="button">Another text</button>
<button name="stop" type="button">Stop</button>
<p class="reply" role="status"></p>
<div class="written" role="region" aria-label="What the model wrote"></div>
<p class="close">{close}</p>
</form>"""
CLOSE = (
    "The button loads the model ({size:.1f} MB). To keep it small, the page"
    " stores every number of a matrix in 8 bits. On {count:,} {unit}s that"
    " were not used for training, the page's model has a loss of {small:.4f}"
    " nats a {unit}, and the original one has {own:.4f} nats. No probability"
    " differs by more than {gap:.3f}. The page draws its own random numbers:"
    " a seed always gives the same text here, but not the text that it gives"
    " in the notebook."
)
PROMPTS = {"06": "the", "09": "MACHINE:&#10;I am"}
LOOKS = {
    "06": {"temperature": 1, "top_k": 426},
    "09": {"temperature": 0.8, "top_p": 0.9},
}


def panel(number, up):
    """A form in a page; `up` leads to the top."""
    fields = "\n".join(
        FIELD.format(
            label=name.replace("_", "-").capitalize(), name=name, value=value
        )
        for name, value in (LOOKS[number] | {"seed": 1}).items()
    )
    own, other, gap, count = closeness(number)
    gap = np.ceil(1000 * gap) / 1000  # a bound is rounded up
    close = CLOSE.format(
        size=len(json.dumps(data(number))) / 1e6,
        count=count,
        unit="word" if number == "06" else "character",
        own=own,
        small=other,
        gap=gap,
    )
    prompt = PROMPTS[number]
    rows = 1 + prompt.count("&#10;")
    return PANEL.format(
        number=number, up=up, prompt=prompt, rows=rows, fields=fields,
        close=close,
    )  # fmt: skip


def place(cells):
    """After which of a notebook's cells the panel is: the last code cell of
    the section in which the model writes."""
    inside, last = False, None
    for i, cell in enumerate(cells):
        source = "".join(cell["source"])
        if inside and cell["cell_type"] == "code":
            last = i
        elif inside and "\n## " in f"\n{source}":
            break
        inside = inside or SECTION in source
    return last
