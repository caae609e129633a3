"""What the models of notebook 07 copy: a seed takes up to three minutes.

A row of `text_runs` holds for each seed: "of 20", which part of the
passages of 20 characters that the model writes is in the text that it was
trained on (`copy_runs`, at a temperature of 0.8); and, for random letters
that are read twice, the highest weight of any head on the letter after
the first occurrence ("after") and on the letter before ("before"), and the
loss of both halves ("first", "second").

`OFTEN` and `SELDOM` are a small model that has read a 64th of the text for
2,000 and for 250 steps, and `COUNTED` is Kneser-Ney on the same texts. For
each it holds what is copied from this 64th ("of 20", "longest").

`WORDS` is about the stored model, and about words of the last tenth that the
training text lacks and that come again soon. For each, it holds the mean
surprise of its letters, from the third on: one time ("first"), the next time
("second"), and then if another word stands wherever it came before
("replaced").
"""

import numpy as np
import torch

from helpers.experiments import text_baselines, text_copying, text_words
from helpers.experiments.stored import BRIEF, by_measure, copy_runs
from helpers.generation import write_text
from helpers.models.text_language_model import TextLanguageModel
from helpers.torch_bridge.stored import text_runs, text_size_runs
from helpers.torch_bridge.text_model import load_text_model, text_arrays
from helpers.torch_bridge.text_training import text_surprises

SEEDS = text_runs.SEEDS
WORDS = "new words that come again"
SMALL_SEEDS, WIDTH, PART = range(2000, 2003), 64, 64
OFTEN = "a 64th of the text, 2,000 steps"
SELDOM = "a 64th of the text, 250 steps"
COUNTED = "a 64th of the text, counting"
SMALL = {OFTEN: 2000, SELDOM: 250, COUNTED: None}
ROWS = ["five seconds", "two minutes", *SMALL, WORDS, f"{BRIEF} | a second"]


def letters_twice(seed, length, count=16):
    """Return random letters, the same ones twice: (count, 2 * length)."""
    letters = text_runs.alphabet().ids("abcdefghijklmnopqrstuvwxyz")
    once = np.random.default_rng(seed).choice(letters, (count, length))
    return np.hstack([once, once])


def measure(name, seed):
    """Return the measures of one model of `ROWS`."""
    trained, _ = text_runs.train_model(name, seed)
    model, (text, _) = in_numpy(trained), copy_runs.texts()
    half = trained.context // 2
    ids = letters_twice(seed, half)
    first, second = text_copying.half_losses(model, ids)
    found = {
        "of 20": text_copying.copied_part(said_by(model, seed), text),
        "after": text_copying.best_head(model, ids, half - 1),
        "before": text_copying.best_head(model, ids, 1),
        "first": first,
        "second": second,
    }
    return {measure: round(float(n), 4) for measure, n in found.items()}


def in_numpy(trained):
    """Return the `TextLanguageModel` of a trained `TextModel`."""
    vocabulary = text_runs.alphabet().vocabulary
    heads = trained.settings["num_heads"]
    return TextLanguageModel(vocabulary, text_arrays(trained), heads)


def said_by(model, seed):
    """Return what a model writes after the prompt of a seed."""
    prompt = copy_runs.prompt(seed)
    look = dict(temperature=0.8, seed=seed)
    return write_text(model, prompt, copy_runs.LENGTH, **look)[len(prompt) :]


def times_read():
    """Return how often the small and the stored model have read their text."""
    model, kept = load_text_model()
    training, sizes = kept["training"], text_size_runs
    context = sizes.build(WIDTH).context
    length = len(sizes.spread(PART, SMALL_SEEDS[0]))
    small = {"often": OFTEN, "seldom": SELDOM}
    times = {
        name: SMALL[row] * sizes.BATCH * context / length
        for name, row in small.items()
    }
    seen = training["steps"] * training["batch_size"] * model.context
    return times | {"all": seen / len(text_runs.tokens()[0])}


def measure_small(name, seed):
    """Return what one of `SMALL` copies from its 64th of the text."""
    if name == COUNTED:
        ids = text_size_runs.spread(PART, seed).numpy()
        said = counted(ids, seed)
    else:
        settings = WIDTH, PART, SMALL[name], seed
        trained, ids = text_size_runs.train_model(*settings)
        said = said_by(in_numpy(trained), seed)
    text = text_runs.alphabet().text(np.asarray(ids))
    return {
        "of 20": round(text_copying.copied_part(said, text), 4),
        "longest": len(text_copying.longest_copy(said, text)),
    }


def counted(ids, seed):
    """Return what Kneser-Ney on a text writes after the prompt of a seed."""
    alphabet = text_runs.alphabet()
    counter = text_baselines.KneserNey(
        ids, len(alphabet), longest=copy_runs.CONTEXT
    )
    prompt = alphabet.ids(copy_runs.prompt(seed))
    look = dict(temperature=0.8, seed=seed)
    more = text_baselines.write_by_counting(
        counter, prompt, copy_runs.LENGTH, **look
    )
    return alphabet.text(np.array(more))


def _ids(text):
    return torch.from_numpy(text_runs.alphabet().ids(text))


def words_again():
    """Return the row of `WORDS`."""
    model, _ = load_text_model()
    known, text = copy_runs.texts()
    pairs = text_words.new_words_twice(known, text)
    *passages, places = text_words.windows(text, pairs, model.context + 1)
    found = {"first": [], "second": [], "replaced": []}
    for pair, original, control, (first, second) in zip(
        pairs, *passages, places, strict=True
    ):
        size = len(pair.word)
        surprises = {
            passage: text_surprises(model, _ids(passage))
            for passage in (original, control)
        }  # of all characters but the first
        for name, passage, place in (
            ("first", original, first),
            ("second", original, second),
            ("replaced", control, second),
        ):
            losses = surprises[passage]
            mean = losses[place + 1 : place + size - 1].mean()
            found[name].append(round(mean.item(), 3))
    return found


def train_row(name, seeds=None):
    """Train and measure one of `ROWS` anew."""
    if name == WORDS:
        return words_again()
    if name in SMALL:
        return by_measure(measure_small, name, seeds=seeds or SMALL_SEEDS)
    return by_measure(measure, name, seeds=seeds or SEEDS)
