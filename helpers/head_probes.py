"""What trained heads know: read off other vectors, averaged, timed."""

from time import perf_counter

import numpy as np

from helpers import tasks
from helpers.attention import multi_head_attention
from helpers.baselines import SEEDS
from helpers.experiments import evaluate
from helpers.models import AttentionReadout, LinearReadout
from helpers.training import answer_columns


def share_right(model, told, examples):
    """Answer from the vectors told (B, d_model) in place of attention's.

    For an `AttentionReadout`; returns the share of sentences with all
    answers right.
    """
    logits = told @ model.arrays["w_c"] + model.arrays["b_c"]
    columns = answer_columns(model.classes)
    answers = np.stack([logits[:, c].argmax(axis=1) for c in columns], axis=1)
    return (answers == examples.sentences.labels).all(axis=1).mean()


def time_ratio(length, width, heads=8, repeats=9):
    """Time several heads against one of the same width in all.

    One sentence of `length` words; the median of paired runs.
    """
    rng = np.random.default_rng(0)
    x = rng.standard_normal((length, width))
    matrices = rng.standard_normal((4, width, width)) / np.sqrt(width)
    ratios = []
    for _ in range(repeats):
        times = []
        for count in (heads, 1):
            start = perf_counter()
            multi_head_attention(x, *matrices, count)
            times.append(perf_counter() - start)
        ratios.append(times[0] / times[1])
    return float(np.median(ratios))


def average_heads(found):
    """Give all heads the same rows of w_o, as if they were averaged.

    Returns the share of sentences with all answers right: (S,).
    """
    shares = []
    for model, test in zip(found.models, found.tests, strict=True):
        kept = model.arrays["w_o"]
        model.arrays["w_o"] = _same_rows(kept, model.heads)
        shares.append(evaluate(model, test).correct.all(axis=1).mean())
        model.arrays["w_o"] = kept
    return np.array(shares)


def _same_rows(w_o, heads):
    blocks = w_o.reshape(heads, -1, w_o.shape[1])
    return np.tile(blocks.mean(axis=0), (heads, 1))


class AveragedReadout(AttentionReadout):
    """An `AttentionReadout` that learns to have its heads averaged.

    All heads have the same rows of w_o, from the first step to the last.
    `parameters` counts w_o as a whole.
    """

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        w_o = self.arrays["w_o"]
        first = w_o[: len(w_o) // self.heads]
        self.arrays["w_o"] = np.tile(first, (self.heads, 1))

    def backward(self, grad_logits):
        """As for an `AttentionReadout`, alike for all rows that are one."""
        grads = super().backward(grad_logits)
        grads["w_o"] = _same_rows(grads["w_o"], self.heads)
        return grads


def told_the_words(name, seeds=SEEDS):
    """Hand a linear reader the words that know the answers.

    No attention is needed then, and no positions; what is left are words
    that the reader does not know. Returns the share of sentences with all
    answers right, per seed: (S,).
    """
    return np.array([_told(tasks.load(name, s)) for s in seeds])


def _told(task):
    right = np.ones(len(task.test.x), bool)
    for answer in range(task.test.sentences.evidence.shape[1]):
        words, truth = zip(
            *(_target(task, part, answer) for part in (task.train, task.test)),
            strict=True,
        )
        reader = LinearReadout()
        reader.fit(words[0], truth[0])
        right &= reader.predict(words[1]) == truth[1]
    return right.mean()


def _target(task, part, answer):
    said = part.sentences
    places = zip(said.words, said.evidence[:, answer], strict=True)
    names, which = np.unique([w[p] for w, p in places], return_inverse=True)
    words = task.table.vectors(names.tolist())[which]  # no positions in it
    return words, said.labels[:, answer]
