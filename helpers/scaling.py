"""The training experiment of notebook 03: does the scale matter, and when?

`run` trains one model; data/scaling_runs.json holds all of them, because
together they take minutes. ``python -m helpers.scaling`` writes it anew.
"""

import json
import math

from helpers import tasks
from helpers.baselines import SEEDS
from helpers.embeddings import data_file
from helpers.embeddings.files import DATA
from helpers.experiments import evaluate
from helpers.models import AttentionReadout
from helpers.progress import progress
from helpers.training import SGD, Adam, fit

FILE = DATA / "scaling_runs.json"
WIDTHS = (16, 64, 256, 1024)  # d_k
SCALES = {
    "unscaled": lambda d_k: 1.0,
    "1/sqrt(d_k)": lambda d_k: 1 / math.sqrt(d_k),
    "1/d_k": lambda d_k: 1 / d_k,
}
SETTINGS = {  # keyword arguments for AttentionReadout, and for fit
    "brisk Adam": (dict(), dict(rate=3e-3, epochs=6)),
    "patient Adam": (dict(), dict(rate=1e-3, epochs=20)),
    "small start": (dict(gain=0.1), dict(rate=3e-3, epochs=6)),
    "plain SGD": (dict(), dict(rate=0.3, epochs=6, optimizer=SGD)),
    "long Adam": (dict(), dict(rate=3e-3, epochs=20)),
    "patient SGD": (dict(), dict(rate=0.3, epochs=20, optimizer=SGD)),
}


def run(setting, d_k, scale, seed):
    """Train one `AttentionReadout` at a constant rate.

    setting, scale: names from SETTINGS and SCALES.

    Returns
    -------
    dict
        accuracy and mass on held-out words, a list with one number after
        each epoch.
    """
    options, training = SETTINGS[setting]
    task = tasks.load("which_noun", seed)
    model = AttentionReadout(
        d_k=d_k, scale=SCALES[scale](d_k), seed=seed, **options
    )
    curve = []
    fit(
        model,
        task.train,
        seed=seed,
        decay=False,
        show=False,
        after_epoch=lambda _: curve.append(evaluate(model, task.test)),
        **({"optimizer": Adam} | training),
    )
    return dict(
        accuracy=[round(float(e.accuracy[0]), 4) for e in curve],
        mass=[round(float(e.mass[0, 0]), 4) for e in curve],
    )


def name_of(setting, d_k, scale):
    """Return the name of one cell of the experiment in the file."""
    return f"{setting} | d_k {d_k} | {scale}"


def load_runs():
    """Return {name_of(setting, d_k, scale): one `run` per seed}."""
    return json.loads(
        data_file("scaling_runs.json").read_text(encoding="utf-8")
    )


def write_runs():
    """Train everything (minutes), and write the file."""
    cells = [(s, d, c) for s in SETTINGS for d in WIDTHS for c in SCALES]
    runs = {
        name_of(*cell): [run(*cell, seed) for seed in SEEDS]
        for cell in progress(cells, "scaling")
    }
    lines = [
        f"{json.dumps(name)}: {json.dumps(result)}"
        for name, result in runs.items()
    ]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_runs()
