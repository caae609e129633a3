"""The scoreboard that runs through the course: one row a model.

Every row is measured on held-out words, once per seed, by the same code.
"""

import numpy as np

from helpers import tasks, validation
from helpers.models import LinearReadout

SEEDS = (1000, 1001, 1002, 1003, 1004)  # settings were chosen on others


class Scoreboard:
    """Collect results per seed and print them as mean ± sd [worst].

    task: the question, in words. chance: accuracy of blind guessing.
    """

    def __init__(self, task, chance):
        self.task = task
        self.chance = _shares("chance", [chance])[0]
        self.rows = []

    def add(self, model, accuracy, mass=None, parameters=0):
        """Add a row.

        Parameters
        ----------
        model : str
        accuracy : sequence of float, one per seed
            Share of right answers on held-out words.
        mass : sequence of float, one per seed, optional
            Mean attention weight on the word that knows the answer.
        parameters : int
            Numbers that were fitted.
        """
        accuracy = _shares("accuracy", accuracy)
        if mass is not None:
            mass = _shares("mass", mass)
            if len(mass) != len(accuracy):
                raise ValueError(
                    "accuracy and mass: expected one number per seed each,"
                    f" got {accuracy.shape} and {mass.shape}"
                )
        if parameters != 0:
            parameters = validation.positive_integer("parameters", parameters)
        self.rows.append((str(model), accuracy, mass, parameters))

    def show(self):
        """Print the table."""
        print(f"{self.task}  Held-out words, mean ± sd [worst seed].")
        print(f"{'model':36}{'accuracy':>22}{'mass':>14}{'params':>7}")
        print(f"{'chance':36}{self.chance:7.3f}{'':15}{'–':>14}{0:7,}")
        for model, accuracy, mass, parameters in self.rows:
            share = "–" if mass is None else _mean_sd(mass)
            worst = f"[{accuracy.min():.2f}]"
            print(
                f"{model:36}{_mean_sd(accuracy):>15}{worst:>7}"
                f"{share:>14}{parameters:7,}"
            )


def measure_features(features, seeds=SEEDS, split="test"):
    """Fit a linear readout on fixed features of `tasks.load_task`.

    Parameters
    ----------
    features : callable
        ``features(x, query, mask) -> (features (B, d), weights (B, T))``,
        weights None where there are none.
    seeds : sequence of int
    split : "test" or "train"
        Which sentences to measure on.

    Returns
    -------
    dict
        accuracy and mass (None without weights), one entry per seed, and
        parameters: keyword arguments for `Scoreboard.add`.
    """
    results = [_measure(features, tasks.load_task(s), split) for s in seeds]
    accuracy, mass, parameters = zip(*results, strict=True)
    mass = None if mass[0] is None else mass
    return dict(accuracy=accuracy, mass=mass, parameters=parameters[0])


def _measure(features, task, split):
    examples = getattr(task, split)
    readout = LinearReadout()
    fitted, _ = _features(features, task.train)
    readout.fit(fitted, task.train.sentences.labels[:, 0])
    found, weights = _features(features, examples)
    answers = readout.predict(found)  # (B,)
    accuracy = (answers == examples.sentences.labels[:, 0]).mean()
    mass = None
    if weights is not None:
        mass = attention_mass(weights, examples.sentences.targets[:, 0])
    return accuracy, mass, readout.parameters


def _features(features, examples):
    return features(examples.x, examples.sentences.query, examples.mask)


def attention_mass(weights, targets):
    """Return the mean weight (B, T) at the target positions (B,)."""
    return weights[np.arange(len(weights)), targets].mean()


def _shares(name, values):
    values = validation.float_array(name, values)
    if values.ndim != 1 or (values < 0).any() or (values > 1).any():
        raise ValueError(
            f"{name}: expected numbers between 0 and 1, one per seed, got"
            f" shape {values.shape} from {values.min()} to {values.max()}"
        )
    return values


def _mean_sd(values):
    return f"{values.mean():.3f} ± {values.std():.3f}"
