"""What a model answers on held-out words, and where it looks."""

from dataclasses import dataclass

import numpy as np

from helpers import validation
from helpers.training import predict


@dataclass(frozen=True)
class Evaluation:
    """A model's answers to G questions about B sentences.

    correct (B, G): was the answer right? weights (B, H, T): the attention
    of the word whose query is read. evidence (B, G): where the words stand
    that decide the answers.
    """

    correct: np.ndarray
    weights: np.ndarray
    evidence: np.ndarray

    @property
    def accuracy(self):
        """Fraction of right answers to each question: (G,)."""
        return self.correct.mean(axis=0)

    @property
    def all_correct(self):
        """Fraction of sentences with all answers right, a number."""
        return self.correct.all(axis=1).mean()

    @property
    def mass(self):
        """Mean weight of each head on the evidence: (H, G)."""
        rows = np.arange(len(self.weights))[:, None]
        weights = self.weights.swapaxes(1, 2)[rows, self.evidence]
        return weights.mean(axis=0).T  # (B, G, H) -> (H, G)


def check_model_and_examples(model, examples):
    """Raise TypeError unless both are what their names say."""
    validation.having(
        "model", model, "forward", "classes", such_as="an AttentionClassifier"
    )
    validation.having(
        "examples", examples, "x", "mask", "sentences",
        such_as="tasks.Examples",
    )  # fmt: skip


def evaluate(model, examples, **options):
    """Measure a model on examples; options go to its `forward`."""
    check_model_and_examples(model, examples)
    sentences = examples.sentences
    logits, weights = model.forward(
        examples.x, sentences.position, examples.mask, **options
    )
    correct = predict(logits, model.classes) == sentences.labels  # (B, G)
    return Evaluation(correct, weights, sentences.evidence)
