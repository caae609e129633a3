"""Models that learn no attention: at most, a linear probe is fitted."""

import numpy as np

from helpers import tasks, validation
from helpers.attention import scaled_dot_product_attention
from helpers.experiments.runs import SEEDS
from helpers.models import LinearProbe


def bag_of_vectors(x, position, mask):
    """Add up the word vectors: order and question are lost.

    x (B, T, d), position (B,), mask (B, T) -> features (B, d), None.
    """
    x, _, mask = validation.sentences(x, position, mask)
    return (x * mask[..., None]).sum(axis=1), None


def most_similar_noun(examples):
    """Return where the noun stands that is most similar to the verb: (B,).

    Of "which_noun": the largest dot product of the word vectors.
    """
    part, x = examples.sentences, examples.x
    rows = np.arange(len(x))
    products = x @ x[rows, part.position, :, None]  # (B, T, 1)
    products = np.take_along_axis(products[..., 0], part.nouns, axis=1)
    return part.nouns[rows, products.argmax(axis=1)]


def untrained_attention(x, position, mask, *, sees_itself=True):
    """Let one word attend with query = key = value = word vector.

    x (B, T, d), position (B,) of that word, mask (B, T) -> context (B, d),
    weights (B, T). With ``sees_itself=False`` it attends to all words but
    itself.
    """
    x, position, mask = validation.sentences(x, position, mask)
    rows = np.arange(len(x))
    if not validation.flag("sees_itself", sees_itself):
        mask = mask.copy()
        mask[rows, position] = False
    context, weights = scaled_dot_product_attention(
        x[rows, position, None],  # (B, 1, d)
        x,
        x,
        mask=mask[:, None],  # (B, 1, T)
    )
    return context[:, 0], weights[:, 0]


def nonlinear_bag(x, position, mask, *, units=512):
    """Let random hidden units see the sum of the words, and one word.

    Kinks ``max(0, z @ w + b)`` with random w and b: a probe on them reads
    more than lines. Rahimi and Recht (2007), *Random Features for
    Large-Scale Kernel Machines*. x (B, T, d), position (B,), mask (B, T) ->
    features (B, units), None.
    """
    z = sum_and_asker(x, position, mask)  # (B, 2 * d)
    rng = np.random.default_rng(0)  # the same units in each call
    w = rng.normal(0, z.shape[1] ** -0.5, (z.shape[1], units))
    return np.maximum(z @ w + rng.normal(0, 0.5, units), 0), None


def sum_and_asker(x, position, mask):
    """Return the sum of all words beside the vector of one word.

    The sum is divided by the root of the number of words. x (B, T, d),
    position (B,) of that word, mask (B, T) -> (B, 2 * d).
    """
    total, _ = bag_of_vectors(x, position, mask)
    total = total / np.sqrt(mask.sum(axis=1, keepdims=True))  # (B, d)
    return np.hstack([total, x[np.arange(len(x)), position]])


def measure(features, seeds=SEEDS, split="test"):
    """Fit a linear probe on fixed features of the task "which_noun".

    Parameters
    ----------
    features : callable
        ``features(x, position, mask) -> (features (B, d), weights (B, T))``,
        weights None where there are none.
    seeds : sequence of int
    split : "test" or "train"
        Which sentences to measure on.

    Returns
    -------
    dict
        accuracy and mass (None without weights), one entry per seed, and
        num_parameters: keyword arguments for `Scoreboard.add`.
    """

    def read(part):
        return features(part.x, part.sentences.position, part.mask)

    return _over_seeds(read, seeds, split)


def measure_rule(find, seeds=SEEDS, split="test"):
    """Fit a linear probe on the word that a rule picks in each sentence.

    ``find(words) -> position`` of one word; the rest is as in `measure`.
    mass is how often the rule picks the word that decides.
    """

    def read(part):
        weights = np.zeros(part.mask.shape)  # (B, T), one 1 in each row
        picked = [find(words) for words in part.sentences.words]
        weights[np.arange(len(picked)), picked] = 1
        return (weights[:, None] @ part.x)[:, 0], weights

    return _over_seeds(read, seeds, split)


def noun_without_preposition(words):
    """Return the place of the noun that has no preposition before its "the".

    In the sentences of *which noun* it is the noun that the verb needs.
    """
    prepositions = tasks.load_lexicon().prepositions
    for i, word in enumerate(words):
        if word == "the" and (i == 0 or words[i - 1] not in prepositions):
            return i + 1
    raise ValueError(f"words: each noun has a preposition, in {words!r}")


def _over_seeds(read, seeds, split):
    results = [
        _measure(read, tasks.load("which_noun", s), split) for s in seeds
    ]
    accuracy, mass, sizes = zip(*results, strict=True)
    mass = None if mass[0] is None else mass
    return dict(accuracy=accuracy, mass=mass, num_parameters=sizes[0])


def _measure(read, task, split):
    fitted, _ = read(task.train)
    probe = LinearProbe().fit(fitted, task.train.sentences.labels[:, 0])
    part = getattr(task, split).sentences
    measured, weights = read(getattr(task, split))
    answers = probe.predict(measured)  # (B,)
    accuracy = (answers == part.labels[:, 0]).mean()
    mass = None
    if weights is not None:
        mass = attention_mass(weights, part.evidence[:, 0])
    return accuracy, mass, probe.num_parameters


def attention_mass(weights, evidence):
    """Return the mean weight (B, T) at the positions evidence (B,)."""
    weights = validation.float_array("weights", weights, ndim=2)
    if weights.ndim != 2:
        raise ValueError(f"weights: expected (B, T), got {weights.shape}")
    evidence = validation.labels(
        "evidence", evidence, weights.shape[:1], weights.shape[1]
    )
    return weights[np.arange(len(weights)), evidence].mean()
