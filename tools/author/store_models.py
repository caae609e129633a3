"""Train the models of data/trained_models.safetensors anew: a minute.

    python -m tools.author.store_models

`helpers.experiments.stored_models` says which they are.
"""

from helpers.experiments import stored_models
from helpers.models.files import save_arrays
from helpers.progress_bar import progress_bar
from tools.author.sums import DATA, write_sums


def store(folder=DATA):
    """Train all groups, and write the file and its sum."""
    arrays = {}
    for name in progress_bar(stored_models.GROUPS, "groups"):
        arrays |= stored_models.arrays_of(name, stored_models.train(name))
    save_arrays(folder / stored_models.FILE, arrays, {})
    write_sums(folder)


if __name__ == "__main__":
    store()
