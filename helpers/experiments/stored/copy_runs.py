"""How much the stored model of running text copies: some minutes.

A row holds for each seed, of `LENGTH` characters that were written or taken
from the last tenth of the text, how long the longest passage is that is in
the text that was trained on ("longest"), and which part of the passages of
20 characters is in it ("of 20").
"""

import numpy as np

from helpers.experiments import copying
from helpers.experiments.stored import by_measure
from helpers.generation import write_text
from helpers.models import text_language_model
from helpers.tasks import running_text

SEEDS = range(1000, 1005)
LENGTH = 2000
TEMPERATURES = (0.3, 0.8, 1.0)
REAL, LOOKUP = "unseen plays", "lookup, 8 characters"
ROWS = {
    REAL: None,
    LOOKUP: None,
    **{f"temperature {heat}": heat for heat in TEMPERATURES},
}


def texts():
    """Return the text that was trained on, and the last tenth."""
    return running_text.split(running_text.shakespeare())


def written(name, seed):
    """Return the text of a seed, and where its prompt ends."""
    trained, unseen = texts()
    start = np.random.default_rng(seed).integers(len(unseen) - LENGTH - 50)
    prompt = unseen[start : start + 50]
    if name == REAL:
        return unseen[start + 50 : start + 50 + LENGTH]
    if name == LOOKUP:
        text = copying.write_by_lookup(trained, prompt, LENGTH, seed=seed)
    else:
        model = text_language_model()
        look = dict(temperature=ROWS[name], seed=seed)
        text = write_text(model, prompt, LENGTH, **look)
    return text[50:]


def measure(name, seed):
    """Return the measures of the text of one seed."""
    text, (trained, _) = written(name, seed), texts()
    return {
        "longest": len(copying.longest_copy(text, trained)),
        "of 20": round(copying.copied_part(text, trained), 4),
    }


def train_row(name, seeds=SEEDS):
    """Measure one of `ROWS` anew."""
    return by_measure(measure, name, seeds=seeds)
