"""What the models of notebook 07 copy: a seed takes up to three minutes.

A row of `text_runs` holds for each seed: "of 20", which part of the
passages of 20 characters that the model writes is in the text that it was
trained on (`copy_runs`, at a temperature of 0.8); and, for random letters
that are read twice, the highest weight of any head on the letter after
the first occurrence ("after") and on the letter before ("before"), and the
loss of both halves ("first", "second").
"""

import numpy as np

from helpers.experiments import text_copying
from helpers.experiments.stored import by_measure, copy_runs
from helpers.generation import write_text
from helpers.models.text_language_model import TextLanguageModel
from helpers.torch_bridge.stored import text_runs
from helpers.torch_bridge.text_model import text_arrays

SEEDS = text_runs.SEEDS
ROWS = [name for name in text_runs.ROWS if name != text_runs.STORED]


def letters_twice(seed, length, count=16):
    """Return random letters, the same ones twice: (count, 2 * length)."""
    letters = text_runs.alphabet().ids("abcdefghijklmnopqrstuvwxyz")
    once = np.random.default_rng(seed).choice(letters, (count, length))
    return np.hstack([once, once])


def measure(name, seed):
    """Return the measures of one model of `ROWS`."""
    trained, _ = text_runs.train_model(name, seed)
    settings, arrays = trained.settings, text_arrays(trained)
    vocabulary = text_runs.alphabet().vocabulary
    model = TextLanguageModel(vocabulary, arrays, settings["num_heads"])
    text, _ = copy_runs.texts()
    prompt = copy_runs.prompt(seed)
    look = dict(temperature=0.8, seed=seed)
    said = write_text(model, prompt, copy_runs.LENGTH, **look)[len(prompt) :]
    half = settings["context"] // 2
    ids = letters_twice(seed, half)
    first, second = text_copying.half_losses(model, ids)
    found = {
        "of 20": text_copying.copied_part(said, text),
        "after": text_copying.best_head(model, ids, half - 1),
        "before": text_copying.best_head(model, ids, 1),
        "first": first,
        "second": second,
    }
    return {measure: round(float(n), 4) for measure, n in found.items()}


def train_row(name, seeds=SEEDS):
    """Train and measure one of `ROWS` anew."""
    return by_measure(measure, name, seeds=seeds)
