"""helpers.embeddings: nothing lost, nothing guessed, clear errors."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file

from helpers import pretrained
from helpers.embeddings import (
    WordTable,
    cosine,
    embed,
    tokenize,
    vectors,
    verify,
)
from helpers.tasks import load_lexicon

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
        ("I love cats 😀", "i love cats [UNK]"),
        ("👩\u200d👧 ❤\ufe0f", "[UNK] [UNK]"),
        ("x" * 101, "[UNK]"),
        ("zero\u200bwidth\ufeff", "zero ##wi ##dt ##h"),
        ("你好", "[UNK] [UNK]"),
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


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u00a0"])
def test_empty_text(text):
    with pytest.raises(ValueError, match="text is empty or only spaces"):
        tokenize(text)


@pytest.mark.parametrize(
    "text, lost",
    [
        ("caf\ufffd", "ufffd"),
        ("caf\ue000", "ue000"),
        ("a\x00b", "x00"),
        ("\x00ab", "x00"),
        ("bell \x07", "x07"),
        ("the \u200b bank", "u200b"),
        ("\ue000", "ue000"),
        ("half \ud83d", "ud83d"),
        ("\u0301", "u0301"),
    ],
)
def test_text_that_would_vanish(text, lost):
    with pytest.raises(ValueError, match=rf"text holds '\\{lost}'"):
        embed(text)


def test_all_that_would_vanish_is_named():
    with pytest.raises(ValueError, match=r"'\\x00', '\\ufffd', which"):
        embed("a\x00b caf\ufffd")


def test_marks_may_go():
    assert tokenize("Cafe\u0301") == ["cafe"]
    # a sign that the tokenizer counts as Mn, and Unicode today as Mc
    assert tokenize("a\u1734") == ["a"]


@pytest.mark.parametrize("text", [None, 3, b"bank", ["the", "bank"]])
@pytest.mark.parametrize("function", [tokenize, embed])
def test_text_must_be_a_string(function, text):
    name = type(text).__name__
    with pytest.raises(TypeError, match=f"text must be a string, not {name}"):
        function(text)


# ---- tokens to vectors


def test_rows_are_the_stored_ones():
    stored = load_file(pretrained.FOLDER / pretrained.MODEL)[pretrained.TABLE]
    tokens, x = embed("the bank, the unknowable")
    ids = [pretrained.tokenizer().token_to_id(token) for token in tokens]
    assert x.dtype == np.float64
    np.testing.assert_array_equal(x, stored[ids])
    np.testing.assert_array_equal(x[0], x[3])


def test_results_are_yours_to_change():
    before = embed("bank")[1].copy()
    embed("bank")[1][:] = 0
    vectors(["bank"])[:] = 0
    np.testing.assert_array_equal(embed("bank")[1], before)
    assert not pretrained.word_table().flags.writeable


def test_vectors_keep_the_order_and_repeats():
    x = vectors(["bank", "River", "bank"])
    assert x.shape == (3, 384) and x.dtype == np.float64
    np.testing.assert_array_equal(x[0], x[2])
    np.testing.assert_array_equal(x, embed("bank river bank")[1])
    np.testing.assert_array_equal(
        x, vectors(np.array(["bank", "river", "bank"]))
    )
    np.testing.assert_array_equal(
        x, vectors(w for w in ("bank", "river", "bank"))
    )


def test_vectors_name_every_word_that_is_split():
    words = ["bank", "flibber", "new york", "😀", "##ing"]
    with pytest.raises(ValueError) as error:
        vectors(words)
    message = str(error.value)
    for part in (
        "'flibber' (read as fl ##ib ##ber)",
        "'new york' (read as new york)",
        "'😀' (read as [UNK])",
        "'##ing' (read as # # ing)",
    ):
        assert part in message
    assert "bank" not in message


@pytest.mark.parametrize(
    "words, error, message",
    [
        ("the bank", TypeError, r"such as \['the', 'bank'\], not one string"),
        ({"bank"}, TypeError, "not set"),
        (frozenset({"bank"}), TypeError, "not frozenset"),
        (None, TypeError, "words must be a list of strings, not NoneType"),
        (7, TypeError, "not int"),
        (["bank", 7], TypeError, r"words\[1\] must be a string, not int"),
        ([], ValueError, "words is empty"),
        (["bank", " "], ValueError, r"words\[1\] is empty or only spaces"),
    ],
)
def test_vectors_bad_input(words, error, message):
    with pytest.raises(error, match=message):
        vectors(words)


@pytest.mark.parametrize(
    "pair, expected",
    [
        ("bank river", 0.255),
        ("bank money", 0.398),
        ("the of", 0.621),
        ("bank the", -0.007),
    ],
)
def test_cosines_of_real_words(pair, expected):
    assert cosine(*vectors(pair.split())) == pytest.approx(expected, abs=6e-4)


def test_cosine_by_hand():
    assert cosine([1, 0], [1, 1]) == pytest.approx(np.sqrt(0.5))
    assert cosine([3, 4], [-6, -8]) == -1
    assert cosine([1e300, 0], [1e-300, 0]) == 1
    assert isinstance(cosine([1, 2], [2, 1]), float)


def test_cosine_stays_within_one():
    for a in np.random.default_rng(0).normal(size=(300, 7)):
        assert cosine(a, a) <= 1 and cosine(a, -a) >= -1


@pytest.mark.parametrize(
    "a, b, error, message",
    [
        ([1, 2], [1, 2, 3], ValueError, r"shapes \(2,\), \(3,\)"),
        ([1, 2, 3], [1, 2], ValueError, r"shapes \(3,\), \(2,\)"),
        ([[1, 2]], [1, 2], ValueError, r"a must be one vector .* \(1, 2\)"),
        ([1, 2], 3, ValueError, r"b must be one vector .* \(\)"),
        ([], [], ValueError, r"a must be one vector"),
        ([1, 2], [0, 0], ValueError, "b is all zeros"),
        ([1, np.nan], [0, 1], ValueError, "a holds NaN or infinity"),
        ([1, 0], [np.inf, 1], ValueError, "b holds NaN or infinity"),
        ("bank", "river", TypeError, r"'bank'; look words up with vectors"),
        (None, [1], (TypeError, ValueError), "a "),
    ],
)
def test_cosine_bad_input(a, b, error, message):
    with pytest.raises(error, match=message):
        cosine(a, b)


# ---- word tables for training


def test_word_table_is_centered_and_of_unit_variance(table):
    x = table.vectors(WORDS)
    assert x.shape == (len(WORDS), 8) and x.dtype == np.float64
    assert table.d_model == 8
    np.testing.assert_allclose(x.mean(axis=0), 0, atol=1e-12)
    assert x.std() == pytest.approx(1, abs=1e-12)


def test_word_table_turns_onto_principal_directions(table):
    covariance = np.cov(table.vectors(WORDS).T)
    widths = np.diag(covariance)
    np.testing.assert_allclose(covariance, np.diag(widths), atol=1e-12)
    assert (np.diff(widths) < 0).all()


def test_word_table_keeps_distances_when_nothing_is_cut():
    full = WordTable(WORDS, d_model=len(WORDS) - 1)
    rows = vectors(WORDS)
    rows -= rows.mean(axis=1, keepdims=True)
    rows /= rows.std(axis=1, keepdims=True)

    def distances(x):
        return np.linalg.norm(x[:, None] - x, axis=-1)

    ratio = distances(full.vectors(WORDS)) / np.where(
        distances(rows) > 0, distances(rows), np.inf
    )
    off_diagonal = ratio[~np.eye(len(WORDS), dtype=bool)]
    np.testing.assert_allclose(off_diagonal, off_diagonal[0], rtol=1e-10)


def test_word_table_numbers_do_not_depend_on_the_machine(table):
    np.testing.assert_allclose(
        table.vectors(["ship", "bank"])[:, :4],
        REFERENCE,
        rtol=0,
        atol=1e-9,
    )


def test_word_table_ignores_order_and_repeats(table):
    other = WordTable(WORDS[::-1] + ["Bank", "king"], d_model=8)
    words = ["ship", "apple", "bank"]
    np.testing.assert_array_equal(other.vectors(words), table.vectors(words))


def test_batch_pads_with_zeros(table):
    sentences = [["the", "cat"], ["the", "bank", "by", "trees"], ["ship"]]
    x, mask = table.batch(sentences)
    assert x.shape == (3, 4, 8) and x.dtype == np.float64
    assert mask.dtype == bool
    np.testing.assert_array_equal(mask.sum(axis=1), [2, 4, 1])
    np.testing.assert_array_equal(mask[0], [True, True, False, False])
    assert (x[~mask] == 0).all()
    for row, words in zip(x, sentences, strict=True):
        np.testing.assert_allclose(
            row[: len(words)], table.vectors(words), atol=1e-13
        )


def test_width_may_be_a_numpy_integer():
    assert WordTable(WORDS, np.int64(3)).d_model == 3


@pytest.mark.parametrize(
    "words, d_model, error, message",
    [
        (WORDS, 64, ValueError, "d_model must be 1 … 19 with 20 .* not 64"),
        (load_lexicon().words(), 384, ValueError, "d_model must be 1 … 383"),
        (WORDS, 0, ValueError, "d_model must be 1"),
        (WORDS, -1, ValueError, "d_model must be 1"),
        (WORDS, 2.0, TypeError, "d_model must be an integer, not 2.0"),
        (WORDS, True, TypeError, "d_model must be an integer"),
        (["cat", "Cat"], 1, ValueError, "2 different words"),
        ("cat", 1, TypeError, "training_words must be a list"),
        ([], 1, ValueError, "training_words is empty"),
        (["cat", "zyx", "qqq"], 1, ValueError, "training_words .*zyx.*qqq"),
    ],
)
def test_word_table_bad_input(words, d_model, error, message):
    with pytest.raises(error, match=message):
        WordTable(words, d_model)


@pytest.mark.parametrize(
    "sentences, error, message",
    [
        ([], ValueError, "sentences is empty"),
        ([["cat"], []], ValueError, r"sentences\[1\] is empty"),
        ("the cat", TypeError, "list of lists of words"),
        (None, TypeError, "not NoneType"),
        (["the cat"], TypeError, r"sentences\[0\] .*\['the', 'cat'\]"),
        ([["cat", 3]], TypeError, r"sentences\[0\]\[1\] must be a string"),
        ([["cat", "zyx"], ["qqq"]], ValueError, "(?s)qqq.*zyx"),
    ],
)
def test_batch_bad_input(table, sentences, error, message):
    with pytest.raises(error, match=message):
        table.batch(sentences)


# ---- the files


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty data folder in the place of the real one."""
    monkeypatch.setattr(pretrained, "FOLDER", tmp_path)
    return tmp_path


def write_table(folder, table, name=pretrained.TABLE):
    save_file({name: table}, folder / pretrained.MODEL)


def write_bytes(content):
    return lambda folder: (folder / pretrained.MODEL).write_bytes(content)


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:53aa\n"
DAMAGE = {
    "empty": (write_bytes(b""), "damaged"),
    "pickle": (write_bytes(b"\x80\x04\x95garbage" * 9), "damaged"),
    "pointer": (write_bytes(POINTER), "it is a Git LFS pointer"),
    "other tensor": (
        lambda f: write_table(f, np.zeros(3, np.float16), "x"),
        pretrained.TABLE,
    ),
    "shape": (
        lambda f: write_table(f, np.zeros((3, 384), np.float16)),
        r"\('F16', \(3, 384\)\), not \('F16', \(30522, 384\)\)",
    ),
    "dtype": (
        lambda f: write_table(f, np.zeros(pretrained.TABLE_SHAPE, "f4")),
        "'F32'",
    ),
    "bfloat16": (
        lambda f: write_bytes(
            (87).to_bytes(8, "little")
            + b'{"embeddings.word_embeddings.weight":{"dtype":"BF16",'
            + b'"shape":[1],"data_offsets":[0,2]}}'
            + bytes(2)
        )(f),
        "'BF16'",
    ),
    "truncated": (
        lambda f: write_bytes(
            (ORIGINAL / pretrained.MODEL).read_bytes()[:4_000_000]
        )(f),
        "damaged",
    ),
}
ORIGINAL = pretrained.FOLDER


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_model(folder, damage):
    write, message = DAMAGE[damage]
    write(folder)
    with pytest.raises(ValueError, match=message) as error:
        pretrained.word_table()
    assert str(folder / pretrained.MODEL) in str(error.value)
    assert "rebuild_model.py" in str(error.value)
    shown = not error.value.__suppress_context__
    assert not (shown and error.value.__context__)  # one error, not two


def test_missing_files(folder):
    for function, name in [
        (pretrained.word_table, pretrained.MODEL),
        (pretrained.tokenizer, pretrained.TOKENIZER),
        (verify, pretrained.SUMS),
        (lambda: embed("bank"), pretrained.TOKENIZER),
    ]:
        with pytest.raises(FileNotFoundError) as error:
            function()
        assert f"{folder / name} is missing. Restore it" in str(error.value)


@pytest.mark.parametrize("content", [b"", b"{}", POINTER, b'{"version":"1.0"'])
def test_damaged_tokenizer(folder, content):
    (folder / pretrained.TOKENIZER).write_bytes(content)
    with pytest.raises(ValueError, match=r"tokenizer.json is damaged \("):
        tokenize("bank")


def test_tokenizer_of_another_model(folder):
    from tokenizers import Tokenizer, models

    other = Tokenizer(models.WordPiece({"[UNK]": 0, "a": 1}))
    other.save(str(folder / pretrained.TOKENIZER))
    with pytest.raises(ValueError, match="2 entries"):
        tokenize("a")


def test_verify_returns_the_sha256_and_looks_once(monkeypatch):
    line = (pretrained.FOLDER / pretrained.SUMS).read_text().splitlines()[0]
    assert verify() == line.split()[0]
    monkeypatch.setattr(pretrained.hashlib, "file_digest", None)
    assert verify() == line.split()[0]


def test_verify_finds_one_flipped_bit(folder):
    for name in pretrained.TOKENIZER, pretrained.SUMS:
        (folder / name).write_bytes((ORIGINAL / name).read_bytes())
    with pytest.raises(FileNotFoundError, match="model.safetensors"):
        verify()
    content = bytearray((ORIGINAL / pretrained.MODEL).read_bytes())
    content[20_000_000] ^= 1
    (folder / pretrained.MODEL).write_bytes(content)
    with pytest.raises(ValueError, match="model.safetensors is damaged"):
        verify()


def test_verify_looks_at_the_tokenizer_too(folder):
    for name in pretrained.MODEL, pretrained.SUMS:
        (folder / name).symlink_to(ORIGINAL / name)
    content = (ORIGINAL / pretrained.TOKENIZER).read_bytes()
    (folder / pretrained.TOKENIZER).write_bytes(content + b" ")
    with pytest.raises(ValueError, match="tokenizer.json is damaged"):
        verify()


def test_files_are_read_once():
    assert pretrained.word_table() is pretrained.word_table()
    assert pretrained.tokenizer() is pretrained.tokenizer()


@pytest.mark.parametrize("content", ["", "abc\n", "abc  model.safetensors\n"])
def test_verify_with_damaged_sums(folder, content):
    (folder / pretrained.SUMS).write_text(content)
    with pytest.raises(ValueError, match="SHA256SUMS is damaged"):
        verify()


def test_importing_is_light():
    code = (
        "import sys, helpers, helpers.embeddings;"
        "print(sorted({'torch', 'matplotlib', 'tokenizers', 'safetensors',"
        " 'pickle'} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert result.stdout.strip() in ("[]", "['pickle']"), result.stderr
