"""How much the stored model of running text copies: some minutes.

A row holds for each seed, of `LENGTH` characters that were written or taken
from the last tenth of the text, how long the longest passage is that is in
the text that was trained on ("longest"), and which part of the passages of
20 characters is in it ("of 20").
"""

from functools import cache

import numpy as np

from helpers.experiments import text_baselines, text_copying
from helpers.experiments.stored import by_measure
from helpers.generation import write_text
from helpers.models import text_language_model
from helpers.tasks import running_text

SEEDS = range(1000, 1005)
LENGTH, PROMPT = 2000, 50
TEMPERATURES = (0.3, 0.8, 1.0)
REAL, LOOKUP = "unseen plays", "lookup, 8 characters"
COUNTING, CONTEXT = "counting, temperature 0.8", 6  # Kneser-Ney
ROWS = {
    REAL: None,
    LOOKUP: None,
    COUNTING: 0.8,
    **{f"temperature {heat}": heat for heat in TEMPERATURES},
}


def texts():
    """Return the text that was trained on, and the last tenth."""
    return running_text.split(running_text.shakespeare())


def start(seed):
    """Return where the prompt of a seed begins in the last tenth."""
    rng = np.random.default_rng(seed)
    return int(rng.integers(len(texts()[1]) - LENGTH - PROMPT))


def prompt(seed):
    """Return `PROMPT` characters of the last tenth."""
    return texts()[1][start(seed) :][:PROMPT]


@cache
def counting():
    """Return a `KneserNey` of the text, and its characters."""
    characters = running_text.Characters(running_text.shakespeare())
    ids = characters.ids(texts()[0])
    return text_baselines.KneserNey(
        ids, len(characters), longest=CONTEXT
    ), characters


def written(name, seed, length=LENGTH):
    """Return the first characters that a seed wrote, without its prompt."""
    trained, unseen = texts()
    if name == REAL:
        return unseen[start(seed) + PROMPT :][:length]
    if name == LOOKUP:
        text = text_copying.write_by_lookup(
            trained, prompt(seed), length, seed=seed
        )
    elif name == COUNTING:
        counter, characters = counting()
        more = text_baselines.write_by_counting(
            counter,
            characters.ids(prompt(seed)),
            length,
            temperature=ROWS[name],
            seed=seed,
        )
        return characters.text(more)
    else:
        model = text_language_model()
        look = dict(temperature=ROWS[name], seed=seed)
        text = write_text(model, prompt(seed), length, **look)
    return text[PROMPT:]


def measure(name, seed):
    """Return the measures of the text of one seed."""
    text, (trained, _) = written(name, seed), texts()
    return {
        "longest": len(text_copying.longest_copy(text, trained)),
        "of 20": round(text_copying.copied_part(text, trained), 4),
    }


def train_row(name, seeds=SEEDS):
    """Measure one of `ROWS` anew."""
    return by_measure(measure, name, seeds=seeds)
