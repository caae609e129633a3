"""Train several heads or layers over seeds and measure both answers."""

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from helpers import relations
from helpers.attention import multi_head_attention
from helpers.baselines import SEEDS
from helpers.experiments import evaluate
from helpers.models import AttentionReadout, AttentionStack, LinearReadout
from helpers.progress import progress
from helpers.training import answer_columns, fit

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

    def without_head(self, head):
        """Switch one head off, train nothing anew; accuracy (S, G).

        For models of one layer.
        """
        gain = np.arange(self.models[0].heads) != head
        pairs = zip(self.models, self.tests, strict=True)
        return np.array(
            [
                evaluate(model, test, head_gain=gain * 1.0).accuracy
                for model, test in pairs
            ]
        )

    def report(self, name, answers=None):
        """Print mean ± sd of each answer and of both together.

        answers: names of the questions; without them the answers of each
        seed are sorted into a better and a worse one.
        """
        accuracy = self.accuracy
        if answers is None:
            answers = ("worse answer", "better")
            accuracy = np.sort(accuracy, axis=1)
        columns = [*zip(answers, accuracy.T, strict=True)]
        columns.append(("both", self.joint))
        cells = [f"{a} {c.mean():.3f} ± {c.std():.3f}" for a, c in columns]
        print(f"{name}: {', '.join(cells)}")

    def show_heads(self, answers, count=None):
        """Print what each head looks at, and what is left without it.

        answers: names of the questions; count: of models to show.
        """
        gap = " " * 5
        names = " ".join(f"{answer:>6}" for answer in answers)
        print(f"model  head  weight on{gap}without it, right")
        print(f"{gap:11}{names}{gap}{names}")
        heads = range(self.models[0].heads)
        left = [self.without_head(head) for head in heads]
        for model in range(count or len(self.models)):
            for head in heads:
                rows = (self.mass[model, head], left[head][model])
                texts = [" ".join(f"{n:6.2f}" for n in row) for row in rows]
                print(f"{model + 1:5}{head + 1:6}{gap.join(texts)}")


def share_right(model, told, examples):
    """Answer from the vectors told (B, d_model) in place of attention's.

    For an `AttentionReadout`; returns the share of sentences with all
    answers right.
    """
    logits = told @ model.arrays["w_c"] + model.arrays["b_c"]
    columns = answer_columns(model.classes)
    answers = np.stack([logits[:, c].argmax(axis=1) for c in columns], axis=1)
    return (answers == examples.sentences.labels).all(axis=1).mean()


def time_ratio(length, width, heads=8, repeats=15):
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
        blocks = kept.reshape(model.heads, -1, kept.shape[1])
        same = np.tile(blocks.mean(axis=0), (model.heads, 1))
        model.arrays["w_o"] = same
        shares.append(evaluate(model, test).correct.all(axis=1).mean())
        model.arrays["w_o"] = kept
    return np.array(shares)


def told_the_words(name, seeds=SEEDS):
    """Hand a linear reader the words that know the answers.

    No attention is needed then; what is left are words that the reader
    does not know. Returns the share of sentences with all answers right,
    per seed: (S,).
    """
    return np.array([_told(relations.load_relations(name, s)) for s in seeds])


def _told(task):
    right = np.ones(len(task.test.x), bool)
    for answer in range(task.test.sentences.targets.shape[1]):
        words, truth = zip(
            *(_target(part, answer) for part in (task.train, task.test)),
            strict=True,
        )
        reader = LinearReadout()
        reader.fit(words[0], truth[0])
        right &= reader.predict(words[1]) == truth[1]
    return right.mean()


def _target(part, answer):
    places = part.sentences.targets[:, answer]
    words = part.x[np.arange(len(places)), places]  # (B, d_model)
    return words, part.sentences.labels[:, answer]


def train_heads(name, heads, *, width=64, seeds=SEEDS, positions=None):
    """Train one layer of attention on a task of `relations`, per seed.

    The heads share `width` columns, so that their number changes no
    parameter count. Returns `Trained`.
    """

    def build(seed):
        return AttentionReadout(
            d_k=width // heads,
            d_v=width // heads,
            classes=relations.CLASSES[name],
            heads=heads,
            seed=seed,
            output=True,
            gain=GAIN,
        )

    return _train(name, build, seeds, positions)


def train_stack(name, *, seeds=SEEDS, **options):
    """Train an `AttentionStack` of two heads per layer, per seed.

    options: layers, residual, hidden. Returns `Trained`.
    """

    def build(seed):
        return AttentionStack(
            classes=relations.CLASSES[name],
            heads=2,
            seed=seed,
            gain=GAIN,
            **options,
        )

    return _train(name, build, seeds, None)


def _train(name, build, seeds, positions):
    if positions is None:
        positions = relations.POSITIONS
    models, tests, evaluations = [], [], []
    for seed in progress(seeds, "training"):
        task = relations.load_relations(name, seed, positions=positions)
        model = build(seed)
        history = fit(model, task.train, seed=seed, show=False, **RECIPE)
        if history.stopped:
            raise KeyboardInterrupt
        models.append(model)
        tests.append(task.test)
        evaluations.append(evaluate(model, task.test))
        if isinstance(model, AttentionStack):
            model.forget()
    return Trained(models, tests, evaluations)
