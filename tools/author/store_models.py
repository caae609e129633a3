"""Train the models of data/trained_models.safetensors anew: a minute.

    python -m tools.author.store_models

`helpers.experiments.stored_models` says which they are.
"""

from helpers.experiments import stored_models
from helpers.models.files import save_arrays
from tools.author.sums import DATA, write_sums


def store(folder=DATA):
    """Train all models, and write the file and its sum."""
    arrays = {
        f"{name} | {seed} | {parameter}": array
        for name, seed, model in stored_models.train_all()
        for parameter, array in model.parameters.items()
    }
    save_arrays(folder / stored_models.FILE, arrays, {})
    write_sums(folder)


if __name__ == "__main__":
    store()
