"""Draw the README's picture: where a verb looks, before and after training.

python -m tools.author.draw_picture
"""

from pathlib import Path

import numpy as np

from helpers import plots, tasks
from helpers.experiments import runs
from helpers.models import AttentionClassifier
from helpers.plots.output import png

PICTURE = Path(__file__).resolve().parents[2] / "data" / "before_after.png"
SEED, SENTENCE = 1000, 2


def weights_of(model, examples):
    """How one sentence's verb weighs its words: (T,)."""
    x, position = examples.x, examples.sentences.position
    _, weights = model.forward(x, position, examples.mask)
    return weights[SENTENCE, 0]


def draw():
    """Train on other nouns, and return the PNG of the map."""
    task = tasks.load("which_noun", SEED)
    words = task.test.sentences.words[SENTENCE]
    model = AttentionClassifier(seed=SEED)
    before = weights_of(model, task.test)
    runs.train(model, task.train, seed=SEED)
    rows = np.stack([before, weights_of(model, task.test)])[:, : len(words)]
    verb = words[task.test.sentences.position[SENTENCE]]
    titles = [f"{verb}, untrained", f"{verb}, trained"]
    ax = plots.show_heads(rows, words, titles)
    ax.set_xlabel("")  # what a key is, the course says later
    return png(ax.figure)[0]


if __name__ == "__main__":
    PICTURE.write_bytes(draw())
