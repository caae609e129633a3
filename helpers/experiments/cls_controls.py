"""Other ways to read a sentence from [CLS]: the controls of claim C60."""

from functools import cache

import numpy as np

from helpers import tasks
from helpers.models import LinearProbe, load_encoder

QUESTIONS = {  # to which of two versions is "said" nearer?
    "object": ("reworded", "other object"),
    "doer": ("reworded", "other doer"),
    "never": ("reworded", "never"),
    "swapped": ("passive", "swapped"),
}


def ask(vectors):
    """Whether "said" is nearer to what means the same: {question: (B,)}.

    vectors: {version of `tasks.rewordings`: (B, d)}; nearer is by cosine.
    """
    unit = {
        version: each / np.linalg.norm(each, axis=1, keepdims=True)
        for version, each in vectors.items()
    }
    near = {v: (unit["said"] * each).sum(axis=1) for v, each in unit.items()}
    return {
        q: near[one] > near[other] for q, (one, other) in QUESTIONS.items()
    }


def other_readings(said):
    """Three ways to a vector: {name: function of hidden (7, B, T, 384)}.

    [CLS] after block 4 and after block 5, each minus its mean over the
    sentences; [CLS] after block 6, mapped to a mean of all rows. said (7, B,
    T, 384): the sentences whose mean is subtracted, and on which the map is
    measured. Returns the ways, and the share of the variance that the map
    explains.
    """
    map_to_mean = _map_to_mean()
    ways = {
        f"[CLS] after block {block}": _centered(said, block)
        for block in (4, 5)
    }
    ways["[CLS], mapped to a mean"] = map_to_mean
    target = said[-1].mean(axis=1)  # (B, 384)
    missed = np.square(map_to_mean(said) - target).mean()
    return ways, 1 - missed / target.var(axis=0).mean()


def _centered(said, block):
    mean = said[block][:, 0].mean(axis=0)  # (384,)
    return lambda hidden: hidden[block][:, 0] - mean


def _map_to_mean():
    """A linear map from [CLS] to the mean row, by ridge regression."""
    rows = _new_rows()  # (200, T, 384)
    cls, mean = rows[:, 0], rows.mean(axis=1)
    inputs, wanted = cls - cls.mean(axis=0), mean - mean.mean(axis=0)
    gram = inputs.T @ inputs + np.eye(384)  # (384, 384)
    bridge = np.linalg.solve(gram, inputs.T @ wanted)
    return lambda hidden: (
        (hidden[-1][:, 0] - cls.mean(axis=0)) @ bridge + mean.mean(axis=0)
    )


def find_never(said, never):
    """A probe of [CLS] for the word "never": two accuracies.

    Fitted on 200 other sentences with and without the word; measured on said
    and never (7, B, T, 384). The second accuracy is that of a probe fitted
    with shuffled labels.
    """
    parted = [(text.split()[:3], text.split()[3:]) for text in _new_texts()]
    negated = [" ".join([*a, "never", *b]) for a, b in parted]
    with_never = load_encoder().read(negated).hidden[-1]  # (200, T, 384)
    rows = _new_rows()[:, 0], with_never[:, 0]  # (200, 384) each
    labels = np.repeat([0, 1], len(negated))  # 1: there is a never
    asked = np.concatenate([said[-1][:, 0], never[-1][:, 0]])
    truth = np.repeat([0, 1], said.shape[1])
    return [
        np.mean(
            LinearProbe().fit(np.concatenate(rows), each).predict(asked)
            == truth
        )
        for each in (labels, np.random.default_rng(0).permutation(labels))
    ]


@cache
def _new_rows():
    """The rows after the last block of `_new_texts`: (200, T, 384)."""
    return load_encoder().read(_new_texts()).hidden[-1]


def _new_texts():
    """200 sentences with words that `tasks.rewordings` does not use."""
    rng, lexicon = np.random.default_rng(0), tasks.load_lexicon()
    animals = [one for one, _ in lexicon.nouns["animal"]]
    tools = [one for one, _ in lexicon.nouns["tool"]]
    lists = lexicon.adjectives, animals, lexicon.transitive_verbs, tools
    form = "the {} {} {} the {}"
    return [form.format(*map(rng.choice, lists)) for _ in range(200)]
