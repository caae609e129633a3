"""Notebook 06: the loss of a model that predicts each next word."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import finite, softmax, table

_NEXT = (
    "Row t was computed from words 0 to t, and is asked for word t + 1. So"
    " the last row has no answer, and word 0 no question."
)
_SUM = "Asked for is the mean over all predictions that can be judged."
_LOG = "A surprise is minus the natural logarithm of a probability: nats."


def _log_softmax(x, axis=-1):
    x = x - x.max(axis=axis, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=axis, keepdims=True))


def _unsafe(x):
    e = np.exp(x)
    return np.log(e / e.sum(axis=-1, keepdims=True))


_tokens = Step("tokens", lambda c: np.asarray(c.tokens, int))
_pairs = Step(
    "pairs",
    lambda c: (c.logits[:-1], c.tokens[1:]),
    Mistake(
        "each row is judged by the word that it has just read",
        _NEXT,
        lambda c: (c.logits, c.tokens),
        lambda c: (c.logits[:-1], c.tokens[:-1]),
        lambda c: (c.logits[1:], c.tokens[1:]),
    ),
    Mistake(
        "each row is judged by the word before",
        f"The shift goes the other way. {_NEXT}",
        lambda c: (c.logits[1:], c.tokens[:-1]),
    ),
    Mistake(
        "the last row is judged by the first word",
        f"Nothing comes after the last word: leave that row out. {_NEXT}",
        lambda c: (c.logits, np.roll(c.tokens, -1)),
    ),
    Mistake(
        "the words are two places ahead",
        _NEXT,
        lambda c: (c.logits[:-2], c.tokens[2:]),
    ),
)
_logs = Step(
    "logs",
    lambda c: _log_softmax(c.pairs[0]),
    Mistake(
        "large logits overflow",
        "exp of a large number is infinity. Subtract the row's largest logit"
        " first, or take attention.softmax.",
        lambda c: _unsafe(c.pairs[0]),
    ),
    Mistake(
        "the softmax runs over the places in the sentence",
        "Each row is a choice among V words: along the last axis.",
        lambda c: _log_softmax(c.pairs[0], 0),
        lambda c: _log_softmax(c.logits, 0)[: len(c.pairs[0])],
    ),
    Mistake(
        "one softmax is taken of the whole table",
        "Each row is a choice of its own.",
        lambda c: _log_softmax(c.pairs[0].ravel()).reshape(c.pairs[0].shape),
        lambda c: _log_softmax(c.logits.ravel()).reshape(c.logits.shape)[
            : len(c.pairs[0])
        ],
    ),
    Mistake(
        "the softmax is missing",
        f"Logits are no probabilities yet. {_LOG}",
        lambda c: c.pairs[0],
    ),
    Mistake(
        "the logarithm is missing",
        _LOG,
        lambda c: softmax(c.pairs[0]),
        lambda c: softmax(c.pairs[0]) - 1,
    ),
    Mistake(
        "the logarithm has another base",
        f"log2 counts bits, log10 digits. {_LOG}",
        lambda c: _log_softmax(c.pairs[0]) / np.log(2),
        lambda c: _log_softmax(c.pairs[0]) / np.log(10),
    ),
    Mistake(
        "the softmax is taken twice",
        "Once makes probabilities of logits.",
        lambda c: _log_softmax(softmax(c.pairs[0])),
    ),
)
_picked = Step(
    "picked",
    lambda c: c.logs[np.arange(len(c.logs)), c.pairs[1]],
    Mistake(
        "every row is asked for all the words of the sentence",
        "logs[:, words] is a table. With np.arange(T - 1) in place of the"
        " colon each row meets its own word.",
        lambda c: c.logs[:, c.pairs[1]],
    ),
    Mistake(
        "the likeliest word is judged, not the one that came",
        "The surprise is about the word that really stands there.",
        lambda c: c.logs.max(axis=-1),
    ),
    Mistake(
        "all words of the vocabulary are judged alike",
        "The surprise is about the word that really stands there.",
        lambda c: c.logs,
    ),
)
_loss = Step(
    "loss",
    lambda c: -np.mean(c.picked),
    Mistake("the losses are added up", _SUM, lambda c: -np.sum(c.picked)),
    Mistake(
        "the sum is divided by T",
        f"T words are T - 1 predictions. {_SUM}",
        lambda c: -np.sum(c.picked) / len(c.tokens),
    ),
    Mistake(
        "the minus sign is missing",
        "Logarithms of probabilities are negative, a surprise is positive.",
        lambda c: np.mean(c.picked),
    ),
    Mistake(
        "the perplexity is returned",
        "exp of the loss is the perplexity. Asked for are nats.",
        lambda c: np.exp(-np.mean(c.picked)),
    ),
    Mistake(
        "the logarithm of the mean probability is taken",
        "Each word has a surprise of its own: first the logarithm, then the"
        " mean.",
        lambda c: -np.log(np.mean(np.exp(c.picked))),
    ),
    Mistake(
        "one loss for each word is returned",
        _SUM,
        lambda c: -np.asarray(c.picked),
    ),
    Mistake(
        "the largest or the last loss is returned",
        _SUM,
        lambda c: -np.min(c.picked),
        lambda c: -np.ravel(c.picked)[-1],
    ),
)


def _probe(words, logits, tokens, level="basic", hint=""):
    return Probe(words, (logits, np.array(tokens)), level, hint)


next_word_loss = Exercise(
    name="next_word_loss",
    call="next_word_loss(logits, tokens)",
    results=("loss",),
    shape="one number",
    steps=(_tokens, _pairs, _logs, _picked, _loss),
    probes=(
        _probe("4 words of 5", table(641, 4, 5), [2, 0, 4, 1]),
        _probe("6 words of 3", table(642, 6, 3), [1, 1, 0, 2, 0, 1]),
        _probe("4 words of 4", table(643, 4, 4), [3, 0, 2, 1]),
        _probe("two words", table(644, 2, 6), [4, 5], "edge"),
        _probe("large logits", table(645, 4, 3) + 900, [0, 2, 1, 0], "edge"),
        _probe("a word that is next to impossible",
               np.array([[0, 900.0, 1], [0, 1, 2]]), [1, 0], "extra",
               "One remark: a probability can be too small for the computer,"
               " and a small number added to it limits the surprise. Your way"
               " is fine here. Exact: subtract each row's largest logit, then"
               " log(sum(exp(logits))) of the row."),
    ),
    properties=(finite,),
    praise="Row t answers for word t + 1.",
)  # fmt: skip
