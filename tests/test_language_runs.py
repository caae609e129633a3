"""Measures of language models, on models whose numbers are known."""

import numpy as np
import pytest

from helpers.experiments import language
from helpers.experiments.stored import language_runs
from helpers.tasks import agreement

GRAMMAR = agreement.Grammar(
    nouns={"animate": (("dog", "dogs"),), "plant": (("tree", "trees"),)},
    verbs={"animate": (("eats", "eat"),), "plant": (("grows", "grow"),)},
    prepositions=("near",),
)
WORDS = GRAMMAR.words()


class Knows:
    """Gives every word of `chances` its probability, whatever it reads."""

    vocabulary, max_length = WORDS, None

    def __init__(self, **chances):
        self.row = np.log([chances.get(word, 1e-12) for word in WORDS])
        self.read = []

    def ids(self, words):
        return np.array([WORDS.index(word) for word in words])

    def logits(self, tokens):
        self.read += [[WORDS[i] for i in row] for row in np.atleast_2d(tokens)]
        return np.broadcast_to(self.row, (*tokens.shape, len(WORDS)))


def test_causal_loss_by_hand_and_only_the_words_before_are_read():
    model = Knows(the=0.5, dog=0.25, eats=0.125, near=0.125)
    sentences = ["the dog eats near".split(), ["the", "the"]]
    found = language.causal_loss(model, sentences)
    halvings = 1 + 2 + 3 + 3 + 1 + 1
    assert found == pytest.approx(np.log(2) * halvings / 6)
    texts = sorted(model.read, key=len)
    assert texts[:2] == [["."], ["."]]
    assert texts[-1] == [".", "the", "dog", "eats"]
    assert len(texts) == 6


def test_causal_loss_of_a_causal_model_is_its_loss():
    seed = 3
    grammar, _, vocabulary, _ = language.material(seed)
    vectors = agreement.word_vectors(grammar, vocabulary)
    model = language.LanguageModel(vocabulary, vectors, seed=seed, hidden=8)
    held_out = grammar.sentences(20, 5)
    tokens = agreement.token_array(held_out, vocabulary)
    at_once = model.loss(tokens)
    assert language.causal_loss(model, held_out) == pytest.approx(at_once)


def test_verbs_after_a_text_by_hand():
    singular = Knows(eats=0.3, grows=0.3, eat=0.2, grow=0.1, near=0.1)
    sentences = [
        "the dog eats .".split(),  # right; 0.3 of 0.9
        "the trees near the dog grow .".split(),  # wrong; 0.1 of 0.9
    ]
    number, verb = language.verb_after(singular, GRAMMAR, sentences)
    assert number == 0.5
    assert verb == pytest.approx((1 / 3 + 1 / 9) / 2)


def test_bigrams_are_counted():
    model = language.Bigram([["the", "dog", "."], ["the", "dog"]], WORDS, 0.5)
    row = np.exp(model.logits(model.ids(["the"])))[0]
    total = 2 + 0.5 * len(WORDS)
    assert row[WORDS.index("dog")] == pytest.approx(2.5 / total)
    assert row[WORDS.index("eat")] == pytest.approx(0.5 / total)
    assert row.sum() == pytest.approx(1)
    after = np.exp(model.logits(model.ids(["dog"])))[0]
    assert after[0] == pytest.approx(1.5 / (1 + 0.5 * len(WORDS)))


def test_grammatical_share_is_what_the_parser_accepts(monkeypatch):
    always = language.samples(Knows(dog=1.0), 3)
    assert always == [["the"] + ["dog"] * 12] * 3
    texts = [text.split() for text in ("the dog eats .", "the dog eat .")]
    monkeypatch.setattr(language, "samples", lambda *args: texts)
    assert language.grammatical_share(None) == 0.5


def test_unknown_kind_is_named():
    with pytest.raises(ValueError, match="kind: expected one of"):
        language_runs.train("three layers", 0)
