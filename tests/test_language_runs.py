"""Measures of language models, on models whose numbers are known."""

import numpy as np
import pytest
import write_language_runs as tool
from rows import by_measure, by_seed, write_rows

from helpers.embeddings import data_file
from helpers.experiments import SEEDS, language
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


def test_stored_runs_are_what_training_gives():
    stored = language.load_runs()
    assert [*stored] == [*language.KINDS]
    again = language.run("bigram", SEEDS[2])
    for name, value in again.items():
        assert stored["bigram"][name][2] == pytest.approx(value, abs=1e-3)


def test_stored_runs_say_what_the_notebook_says():
    stored = language.load_runs()
    above = {kind: row["above_floor"].mean() for kind, row in stored.items()}
    assert above["one layer"] < 0.05 < 0.2 < above["no attention"]
    assert above["no attention"] < above["bigram"] < above["without the mask"]
    assert above["no residual"] < 0.04 < above["no layer norm"] < 0.08
    late = np.sort(stored["two, no residual, slow"]["above_floor"])
    assert late[3] < 0.016 < 0.08 < late[4] < above["two, no residual"]
    assert stored["without the mask"]["loss"].max() < 0.2
    number = {kind: row["number_unseen"] for kind, row in stored.items()}
    assert number["one layer"].min() > 0.95
    assert number["no attention"].max() < 0.75


def test_the_tool_writes_the_file_that_is_there(tmp_path, monkeypatch):
    kept = data_file("language_runs.json")
    stored = language.load_runs()

    def known(kind, seed):
        place = SEEDS.index(seed)
        return {n: v[place].item() for n, v in stored[kind].items()}

    monkeypatch.setattr(language, "run", known)
    write_rows(tool.FILE, tool.rows(), folder=tmp_path)
    written = (tmp_path / "language_runs.json").read_bytes()
    assert written == kept.read_bytes()


# --- what all tools share --------------------------------------------------


def test_each_seed_runs_once_and_measures_are_columns():
    def run(name, seed):
        return {"twice": 2 * seed, "name": name}

    assert by_seed(run, "a", seeds=[3])[0] == {"twice": 6, "name": "a"}
    found = by_measure(run, "a", seeds=[3, 5])
    assert found == {"twice": [6, 10], "name": ["a", "a"]}


@pytest.mark.parametrize("blocks", [False, True])
def test_only_named_rows_are_made_anew(tmp_path, blocks):
    made = []

    def rows(value, *names):
        return {name: lambda n=name: made.append(n) or value for name in names}

    options = dict(blocks=blocks, folder=tmp_path)
    write_rows("a.json", rows(1, "x | a", "x | b", "y | a"), **options)
    text = (tmp_path / "a.json").read_text()
    if blocks:
        assert text == '{\n"x": {\n"a": 1,\n"b": 1\n},\n"y": {\n"a": 1\n}\n}\n'
    else:
        assert text == '{\n"x | a": 1,\n"x | b": 1,\n"y | a": 1\n}\n'
    del made[:]
    write_rows("a.json", rows(2, "x | a", "x | b"), only=["x | b"], **options)
    assert made == ["x | b"]
    assert (tmp_path / "a.json").read_text() == text.replace('b": 1', 'b": 2')
    write_rows("a.json", rows(3, "y | a"), **options)  # the others are gone
    assert "x" not in (tmp_path / "a.json").read_text()


def test_a_new_row_stands_where_the_tool_has_it(tmp_path):
    rows = {"a": lambda: 1, "c": lambda: 3}
    write_rows("a.json", rows, folder=tmp_path)
    rows = {"a": rows["a"], "b": lambda: 2, "c": rows["c"]}
    write_rows("a.json", rows, only=["b"], folder=tmp_path)
    found = (tmp_path / "a.json").read_text()
    assert found == '{\n"a": 1,\n"b": 2,\n"c": 3\n}\n'


def test_a_tool_that_breaks_off_keeps_what_was_there(tmp_path):
    def fail():
        raise KeyboardInterrupt

    write_rows("a.json", {"a": lambda: 1, "b": lambda: 1}, folder=tmp_path)
    with pytest.raises(KeyboardInterrupt):
        write_rows("a.json", {"a": lambda: 2, "b": fail}, folder=tmp_path)
    assert (tmp_path / "a.json").read_text() == '{\n"a": 2,\n"b": 1\n}\n'
    with pytest.raises(ValueError, match=r"rows: \['c'\].*\['a'\]"):
        write_rows("a.json", {"a": int}, only=["c"], folder=tmp_path)


def test_unknown_kind_is_named():
    with pytest.raises(ValueError, match="kind: expected one of"):
        language.train("three layers", 0)
