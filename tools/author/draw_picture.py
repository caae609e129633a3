"""Draw the README's picture: keys and queries, before and after training.

python -m tools.author.draw_picture
"""

from pathlib import Path

from helpers import plots
from helpers.experiments import before_after, what_was_made
from helpers.plots.output import png

NAME = "what_training_made.png"
PICTURE = Path(__file__).resolve().parents[2] / "data" / NAME
SEED, NEW = 1000, ["resign"]  # as in notebook 02


def draw():
    """Train a model, and return the PNG of its keys and queries."""
    task, models = before_after.first_models(SEED)
    *words, kinds = what_was_made.words_of_kinds(SEED, NEW)
    made = what_was_made.keys_and_queries(task, models, *words)
    ax = plots.show_asking(made, *words, kinds, new=NEW)
    return png(ax.figure)[0]


if __name__ == "__main__":
    PICTURE.write_bytes(draw())
