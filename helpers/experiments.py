"""Train over seeds and measure on held-out words, the same way each time."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from helpers import tasks
from helpers.baselines import SEEDS
from helpers.models import AttentionReadout
from helpers.progress import progress
from helpers.training import answer_columns, fit


@dataclass(frozen=True)
class Evaluation:
    """A model's answers to B sentences with G questions.

    correct (B, G): was the answer right? weights (B, H, T): the attention
    of the query word. evidence (B, G): where it should have looked.
    """

    correct: np.ndarray
    weights: np.ndarray
    evidence: np.ndarray

    @property
    def accuracy(self):
        """Share of right answers to each question: (G,)."""
        return self.correct.mean(axis=0)

    @property
    def mass(self):
        """Mean weight of each head on each target: (H, G)."""
        rows = np.arange(len(self.weights))[:, None]
        found = self.weights.swapaxes(1, 2)[rows, self.evidence]  # (B, G, H)
        return found.mean(axis=0).T


def evaluate(model, examples, **options):
    """Ask a model about examples; options go to its `forward`."""
    sentences = examples.sentences
    logits, weights = model.forward(
        examples.x, sentences.position, examples.mask, **options
    )
    columns = answer_columns(model.classes)
    answers = np.stack([logits[:, c].argmax(axis=1) for c in columns], axis=1)
    return Evaluation(answers == sentences.labels, weights, sentences.evidence)


class Run(NamedTuple):
    """One training: the model, and its evaluation on test sentences."""

    model: AttentionReadout
    sentences: tasks.Sentences
    evaluation: Evaluation


def train_learned(seeds=SEEDS, *, split=None, training=None, **options):
    """Train one `AttentionReadout` per seed; evaluate on held-out words.

    Parameters
    ----------
    seeds : sequence of int
        Each gives the task, the initial weights and the noise.
    split : dict, optional
        Goes to `tasks.load`, such as dict(hold_out_verbs=True).
    training : dict, optional
        Goes to `training.fit`.
    options
        Go to `AttentionReadout`.

    Returns
    -------
    list of Run
        One per seed.
    """
    runs = []
    for seed in progress(seeds, "training"):
        task = tasks.load("which_noun", seed, **(split or {}))
        model = AttentionReadout(**({"seed": seed} | options))
        history = fit(
            model, task.train, seed=seed, show=False, **(training or {})
        )
        if history.stopped:
            raise KeyboardInterrupt
        runs.append(
            Run(model, task.test.sentences, evaluate(model, task.test))
        )
    return runs


def summarize(runs):
    """Return accuracy and mass of each `Run`, and parameters.

    These are the keyword arguments of `Scoreboard.add`.
    """
    return dict(
        accuracy=[float(run.evaluation.accuracy[0]) for run in runs],
        mass=[float(run.evaluation.mass[0, 0]) for run in runs],
        parameters=runs[0].model.parameters,
    )
