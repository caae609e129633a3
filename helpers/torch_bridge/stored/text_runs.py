"""Models of running text in notebook 07: minutes for each seed.

A row holds for each seed the loss on the last tenth of the text, measured
`MEASURED` times in equal distances ("curve": (seeds, MEASURED)). Of the one
model of data/text_model.json, `STORED`, it holds the loss in each passage
("passages": (1, P)). `ADAMW` is "two minutes" with another optimizer: for each
of `RATES`, the loss of each seed at the end ("loss": (RATES, seeds)). `LONGER`
is "two minutes" with more steps, of the first seed: its curve, and its loss in
each passage.
"""

from functools import cache, lru_cache

import torch

from helpers.experiments.stored import BRIEF, by_measure
from helpers.tasks import running_text
from helpers.torch_bridge.text_model import TextModel, load_text_model
from helpers.torch_bridge.text_training import (
    all_adamw,
    text_loss,
    text_surprises,
    training_steps,
)

SEEDS = range(1000, 1003)
MEASURED = 10
FIRST, LONG = 6, 1024  # the first character, and the characters of a passage
STORED = "stored"
SMALLEST = dict(layers=1, width=64, context=32)
SMALL = dict(layers=2, width=128, context=64, steps=1000)
ADAMW, RATES = "AdamW for everything", (0.008, 0.016)
LONGER = {"a quarter of an hour": 8000, "half an hour": 16000}  # steps
ROWS = {
    "five seconds": SMALLEST | dict(steps=200),
    "two minutes": SMALL,
    STORED: None,
    ADAMW: None,
    **{name: SMALL | dict(steps=steps) for name, steps in LONGER.items()},
    f"{BRIEF} | a second": SMALLEST | dict(steps=20),
}
TRAINING = "steps", "optimizer", "learning_rate"


@cache
def alphabet():
    """Return the `Characters` of the text."""
    return running_text.Characters(running_text.shakespeare())


@cache
def tokens():
    """Return the text's ids: nine tenths to train on, and the last tenth."""
    ids = alphabet().ids(running_text.shakespeare())
    return tuple(map(torch.from_numpy, running_text.split(ids)))


def by_passage(surprises):
    """Return the mean surprise of each passage of `LONG` characters.

    surprises (..., M), from the character `FIRST` of the last tenth on ->
    (..., P). A rest is left out.
    """
    count = surprises.shape[-1] // LONG
    cut = surprises[..., : count * LONG]
    return cut.reshape(*cut.shape[:-1], count, LONG).mean(-1)


def chosen_and_judged(surprises):
    """Choose on the first half of the passages, and judge on the second.

    surprises (K, M): as in `by_passage`, for each of K lengths of context ->
    the length with the lowest loss, and its loss in each passage of the
    second half (P,).
    """
    losses = by_passage(surprises)
    half = losses.shape[1] // 2
    best = losses[:, :half].mean(axis=1).argmin()
    return best, losses[best, half:]


def in_passages(model):
    """Return a model's loss in each passage of the last tenth (P,)."""
    found = text_surprises(model, tokens()[1])
    return by_passage(found[FIRST - 1 :].double()).numpy()


@lru_cache(maxsize=1)  # `text_copy_runs` asks for the same model
def train_model(name, seed):
    """Return a trained model of `ROWS`, and its loss after each tenth."""
    settings = dict(ROWS[name])
    training = {n: settings.pop(n) for n in TRAINING if n in settings}
    model = TextModel(len(alphabet()), seed=seed, **settings)
    read, held_out = tokens()
    curve, steps = [], training["steps"]
    for step in training_steps(model, read, **training, seed=seed):
        if step % (steps // MEASURED) == 0:
            curve.append(round(text_loss(model, held_out), 4))
    return model, curve


def measure(name, seed):
    """Return what a row holds of a seed."""
    found = {}
    if name == STORED:
        model, _ = load_text_model()
    else:
        model, found["curve"] = train_model(name, seed)
    if name in (STORED, *LONGER):
        found["passages"] = in_passages(model).round(4).tolist()
    return found


def with_rate(rate, seed):
    """Return the loss of a model that `ADAMW` trains with a rate."""
    settings = {n: v for n, v in SMALL.items() if n != "steps"}
    model = TextModel(len(alphabet()), seed=seed, **settings)
    training = dict(steps=SMALL["steps"], optimizer=all_adamw, seed=seed)
    for _ in training_steps(
        model, tokens()[0], learning_rate=rate, **training
    ):
        pass
    return round(text_loss(model, tokens()[1]), 4)


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew."""
    if name == ADAMW:
        loss = [[with_rate(rate, seed) for seed in seeds] for rate in RATES]
        return {"rate": RATES, "loss": loss}
    seeds = seeds[:1] if name in (STORED, *LONGER) else seeds
    return by_measure(measure, name, seeds=seeds)
