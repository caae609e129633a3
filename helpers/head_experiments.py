"""Train several heads or layers over seeds and measure both answers."""

from dataclasses import dataclass

import numpy as np

from helpers import tasks
from helpers.baselines import SEEDS
from helpers.experiments import evaluate
from helpers.head_probes import AveragedReadout
from helpers.models import AttentionReadout, AttentionStack
from helpers.progress import progress
from helpers.training import fit

RECIPE = dict(epochs=6, batch=32, rate=4e-3)  # chosen on seeds 0 to 9
GAIN = 0.5  # of the initial w_q and w_k: with 1, one seed in ten stalls


@dataclass(frozen=True)
class Trained:
    """Models of one kind, one per seed, and what they answered.

    models, tests (the held-out examples), evaluations: lists of S.
    """

    models: list
    tests: list
    evaluations: list

    @property
    def accuracy(self):
        """Share of right answers to each question: (S, G)."""
        return np.array([found.accuracy for found in self.evaluations])

    @property
    def joint(self):
        """Share of sentences with all answers right: (S,)."""
        return np.array(
            [found.correct.all(axis=1).mean() for found in self.evaluations]
        )

    @property
    def mass(self):
        """Weight of each head on each target, last layer: (S, H, G)."""
        return np.array([found.mass for found in self.evaluations])

    @property
    def parameters(self):
        """Numbers that were fitted, in each model."""
        return self.models[0].parameters

    def without_heads(self, *off, count=None):
        """Switch heads off, train nothing anew; accuracy (S, G).

        For models of one layer; count: of models to try, all if None.
        """
        gain = np.ones(self.models[0].heads)
        gain[[*off]] = 0
        pairs = zip(self.models[:count], self.tests[:count], strict=True)
        return np.array(
            [
                evaluate(model, test, head_gain=gain).accuracy
                for model, test in pairs
            ]
        )

    def report(self, name, answers=None, decimals=3):
        """Print mean ± sd of each answer and of both together.

        answers: names of the questions; without them the answers of each
        seed are sorted into a better and a worse one. decimals: fewer for
        trainings that amplify rounding errors.
        """
        accuracy = self.accuracy
        if answers is None:
            answers = ("worse answer", "better")
            accuracy = np.sort(accuracy, axis=1)
        columns = [*zip(answers, accuracy.T, strict=True)]
        columns.append(("both", self.joint))
        form = f".{decimals}f"
        cells = [
            f"{a} {c.mean():{form}} ± {c.std():{form}}" for a, c in columns
        ]
        print(f"{name}: {', '.join(cells)}")

    def show_heads(self, answers, count=None):
        """Print what each head looks at, and what is left without it.

        The line "none" is the whole model. answers: names of the questions;
        count: of models to show.
        """
        gap = " " * 5
        names = _cells(f"{answer:>6}" for answer in answers)
        print(f"model   off  weight on{gap}without it, right")
        print(f"{gap:11}{names}{gap}{names}")
        heads = range(self.models[0].heads)
        left = [self.without_heads(head, count=count) for head in heads]
        for model in range(count or len(self.models)):
            dashes = _cells(["     –"] * len(answers))
            print(f"{model + 1:5}  none{dashes}{gap}", end="")
            print(_cells(f"{n:6.2f}" for n in self.accuracy[model]))
            for head in heads:
                rows = (self.mass[model, head], left[head][model])
                texts = [_cells(f"{n:6.2f}" for n in row) for row in rows]
                print(f"{model + 1:5}{head + 1:6}{gap.join(texts)}")


def _cells(texts):
    return " ".join(texts)


def train_heads(
    name,
    heads,
    *,
    width=64,
    seeds=SEEDS,
    positions=None,
    averaged=False,
    training=None,
):
    """Train one layer of attention on a task, per seed.

    The heads share `width` columns, so that their number changes no
    parameter count; averaged heads share the rows of w_o as well.
    training: dict, goes to `training.fit` on top of `RECIPE`. Returns
    `Trained`.
    """
    kind = AveragedReadout if averaged else AttentionReadout

    def build(seed):
        return kind(
            d_k=width // heads,
            d_v=width // heads,
            classes=tasks.CLASSES[name],
            heads=heads,
            seed=seed,
            output=True,
            gain=GAIN,
        )

    return _train(name, build, seeds, positions, training)


def train_stack(name, *, seeds=SEEDS, heads=2, training=None, **options):
    """Train an `AttentionStack` on a task, per seed.

    heads: of each layer. training: dict, goes to `training.fit` on top of
    `RECIPE`. options: layers, residual, hidden. Returns `Trained`.
    """

    def build(seed):
        return AttentionStack(
            classes=tasks.CLASSES[name],
            heads=heads,
            seed=seed,
            gain=GAIN,
            **options,
        )

    return _train(name, build, seeds, None, training)


def _train(name, build, seeds, positions, training):
    if positions is None:
        positions = tasks.POSITIONS
    models, tests, evaluations = [], [], []
    for seed in progress(seeds, "training"):
        task = tasks.load(name, seed, positions=positions)
        model = build(seed)
        settings = RECIPE | (training or {})
        history = fit(model, task.train, seed=seed, show=False, **settings)
        if history.stopped:
            raise KeyboardInterrupt
        models.append(model)
        tests.append(task.test)
        evaluations.append(evaluate(model, task.test))
        if isinstance(model, AttentionStack):
            model.forget()
    return Trained(models, tests, evaluations)
