"""The scoreboard that runs through the course: one row a model.

Every row is measured on held-out words, once per seed, by the same code.
"""

from helpers import validation


class Scoreboard:
    """Collect results per seed and print them as mean ± sd [worst].

    The sd is that of a sample, with n - 1; n is in each row, and fewer
    than five seeds print two decimals.

    task: the question, in words. chance: accuracy of blind guessing.
    """

    def __init__(self, task, chance):
        self.task = task
        self.chance = _fractions("chance", [chance])[0]
        self.rows = []

    def add(self, model, accuracy, mass=None, num_parameters=0):
        """Add a row.

        Parameters
        ----------
        model : str
            At most 35 characters.
        accuracy : sequence of float, one per seed
            Fraction of right answers on held-out words.
        mass : sequence of float, one per seed, optional
            Mean attention weight on the word that decides the answer.
        num_parameters : int
            How many numbers were fitted.
        """
        if len(str(model)) > 35:
            raise ValueError(f"model: longer than 35 characters: {model}")
        accuracy = _fractions("accuracy", accuracy)
        if mass is not None:
            mass = _fractions("mass", mass)
            if len(mass) != len(accuracy):
                raise ValueError(
                    "accuracy and mass: expected one number per seed each,"
                    f" got {accuracy.shape} and {mass.shape}"
                )
        if num_parameters != 0:
            num_parameters = validation.positive_integer(
                "num_parameters", num_parameters
            )
        self.rows.append((str(model), accuracy, mass, num_parameters))

    def show(self):
        """Print the table, two lines a row: 60 columns are enough."""
        print(f"{self.task}\nHeld-out words, mean ± sd [worst] of n seeds.")
        _print_row("model", "accuracy", "mass", "params", "n")
        _print_row("chance", f"{self.chance:.3f}", "–", 0, "–")
        for model, accuracy, mass, num_parameters in self.rows:
            weight = "–" if mass is None else mean_sd(mass)
            worst = f"{mean_sd(accuracy)} [{accuracy.min():.2f}]"
            size = f"{num_parameters:,}"
            _print_row(model, worst, weight, size, len(accuracy))


def _print_row(model, accuracy, mass, size, count):
    """Print the name of a model, and below it what was measured."""
    print(f"{model}\n    {accuracy:20}  {mass:13}  {size:>7}  {count:>2}")


def _fractions(name, values):
    values = validation.float_array(name, values)
    if values.ndim != 1 or (values < 0).any() or (values > 1).any():
        raise ValueError(
            f"{name}: expected numbers between 0 and 1, one per seed, got"
            f" shape {values.shape} from {values.min()} to {values.max()}"
        )
    return values


def mean_sd(values, decimals=None):
    """Return "mean ± sd" of one number per seed, sd with n - 1.

    decimals: 3 from five seeds on, 2 below, unless given.
    """
    values = validation.float_array("values", values)
    if decimals is None:
        decimals = 3 if values.size >= 5 else 2
    mean = f"{values.mean():.{decimals}f}"
    if values.size < 2:
        return mean
    return f"{mean} ± {values.std(ddof=1):.{decimals}f}"
