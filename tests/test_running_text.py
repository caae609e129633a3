"""Running text: files, counting, compressors, copies, writing."""

import collections

import numpy as np
import pytest
from numpy.testing import assert_allclose

from helpers.experiments import text_baselines, text_copying, text_words
from helpers.generation import write_text
from helpers.tasks import running_text

TEXT = "the cat sat on the mat. the dog sat on the log.\n" * 60


@pytest.fixture(scope="module")
def characters():
    return running_text.Characters(TEXT)


def test_ids_and_text_are_each_others_inverse(characters):
    ids = characters.ids(TEXT)
    assert characters.text(ids) == TEXT
    assert ids.dtype == np.int64 and set(ids) == set(range(len(characters)))


def test_unknown_characters_are_named(characters):
    with pytest.raises(ValueError, match="vocabulary: .*'X'.*'ï'"):
        characters.ids("naïve X")


def test_shakespeare_is_the_text_that_others_use():
    text = running_text.shakespeare()
    assert len(text) == 1_115_394 and len(set(text)) == 65
    train, kept = running_text.split(text)
    assert train + kept == text and len(kept) == 111_540


@pytest.mark.parametrize(
    "data, said",
    [
        (b"\x89PNG\r\n\x1a\n", "byte 1 is not UTF-8"),
        (b"a" * 3000 + b"\0", "binary"),
        (b" \n\t", "empty"),
        (b"too short", "9 characters; a model needs at least 2,000"),
    ],
)
def test_files_that_cannot_be_used_are_refused(tmp_path, data, said):
    path = tmp_path / "mine.txt"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=f"mine.txt: .*{said}"):
        running_text.read_text(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere.txt"):
        running_text.read_text(tmp_path / "nowhere.txt")


def test_marks_and_line_breaks_of_other_systems_are_read(tmp_path):
    path = tmp_path / "windows.txt"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert running_text.read_text(path) == TEXT


def slow_losses(train, test, num_characters, longest):
    """The same formula, character by character, with dicts."""
    losses = []
    for order in range(longest + 1):
        tables = [collections.defaultdict(collections.Counter)
                  for _ in range(order + 1)]  # fmt: skip
        for k, table in enumerate(tables):
            for i in range(k, len(train)):
                table[tuple(train[i - k : i])][train[i]] += 1
        surprise = []
        for i in range(longest, len(test)):
            chance = 1 / num_characters
            for k, table in enumerate(tables):
                seen = table.get(tuple(test[i - k : i]))
                if seen:
                    n, kinds = sum(seen.values()), len(seen)
                    chance = (seen[test[i]] + kinds * chance) / (n + kinds)
            surprise.append(-np.log(chance))
        losses.append(np.mean(surprise))
    return losses


def test_counting_is_what_dicts_count():
    rng = np.random.default_rng(0)
    train, test = rng.integers(4, size=300), rng.integers(5, size=80)
    found = text_baselines.counting_losses(train, test, 5, longest=3)
    assert_allclose(found, slow_losses(train, test, 5, 3), rtol=1e-12)


def slow_kneser_ney(train, test, num_characters, longest):
    """Dictionaries, one context at a time: Chen and Goodman (1999)."""
    raw = [collections.defaultdict(collections.Counter) for _ in range(9)]
    for k in range(longest + 1):
        for i in range(k, len(train)):
            raw[k][tuple(train[i - k : i])][train[i]] += 1
    before = [collections.defaultdict(collections.Counter) for _ in range(9)]
    for k in range(longest):
        for context, after in raw[k + 1].items():
            for character in after:
                before[k][context[1:]][character] += 1

    def chance(context, character, tables):
        if not tables:
            return 1 / num_characters
        *shorter, table = tables
        sizes = [n for after in table.values() for n in after.values()]
        n = [sizes.count(i) for i in range(5)]
        off = [0, 0.5, 0.5, 0.5]
        if n[1] and n[2] and n[3]:
            share = n[1] / (n[1] + 2 * n[2])
            off = [i - (i + 1) * share * n[i + 1] / n[i] if i else 0
                   for i in range(4)]  # fmt: skip
            off = [min(max(o, 0), i) for i, o in enumerate(off)]
        after = table[context]
        lower = chance(context[1:], character, shorter)
        if not after:
            return lower
        total, left = (
            sum(after.values()),
            sum(off[min(n, 3)] for n in after.values()),
        )
        own = after[character] - off[min(after[character], 3)]
        return (own + left * lower) / total

    return [
        [
            chance(tuple(test[i - k : i]), test[i], [*before[:k], raw[k]])
            for i in range(longest, len(test))
        ]
        for k in range(longest + 1)
    ]


@pytest.mark.parametrize("num, size", [(4, 400), (30, 60)])
def test_kneser_ney_is_what_dicts_count(num, size):
    rng = np.random.default_rng(1)
    chances = rng.dirichlet(np.full(num, 0.4))
    train, test = (rng.choice(num, n, p=chances) for n in (size, 40))
    counter = text_baselines.KneserNey(train, num + 1, longest=3)
    want = slow_kneser_ney(train.tolist(), test.tolist(), num + 1, 3)
    assert_allclose(np.exp(-counter.surprises(test)), want, rtol=1e-12)


@pytest.mark.parametrize(
    "kind", [text_baselines.KneserNey, text_baselines.WittenBell]
)
def test_chances_of_counting_sum_to_one(kind, characters):
    ids = characters.ids(TEXT)
    counter = kind(ids, len(characters), longest=4)
    seen, unseen = ids[:9], ids[:9][::-1]
    for before in (seen, unseen):
        assert counter.next_chances(before).sum() == pytest.approx(1)
    # after "the ", what came after it in the text is far likelier
    after = counter.next_chances(characters.ids("the "))
    assert after[characters.ids("cdml")].sum() > 0.8


def test_counting_writes_what_it_has_read(characters):
    counter = text_baselines.KneserNey(
        characters.ids(TEXT), len(characters), longest=6
    )
    said = text_baselines.write_by_counting(
        counter, characters.ids("the cat"), 300, temperature=0.5, seed=1
    )
    assert len(said) == 300
    assert text_copying.copied_part(characters.text(said), TEXT, 8) > 0.9


def test_rivals_know_the_text_by_heart():
    found = text_baselines.rivals(TEXT)
    assert 0 < found["counting"] < 0.2 and found["bz2"] < 0.3


def test_a_compressor_needs_little_for_what_it_has_read():
    known = text_baselines.compressed_loss(TEXT, TEXT, "bz2")
    noise = np.random.default_rng(0).integers(97, 123, 2000)
    new = text_baselines.compressed_loss(
        TEXT, bytes(noise.tolist()).decode(), "xz"
    )
    assert known < 0.2 and new > np.log(26) - 0.1
    with pytest.raises(ValueError, match="compressor"):
        text_baselines.compressed_loss(TEXT, TEXT, "zip")


def test_the_longest_copy_is_found():
    source = "abcdefghijklmnop"
    assert text_copying.longest_copy("xxcdefgyyab", source) == "cdefg"
    assert text_copying.longest_copy("", source) == ""
    assert text_copying.copied_part("abcdxxxx", source, 4) == 0.2
    with pytest.raises(ValueError, match="text"):
        text_copying.copied_part("abc", source, 4)


def test_lookup_copies():
    text = text_copying.write_by_lookup(TEXT, "the c", 200, context=4)
    assert len(text) == 205 and text.startswith("the c")
    assert text_copying.copied_part(text, TEXT, 5) == 1


class Reader:
    """Sure of one next character; its only two heads look one and 3 back."""

    def logits(self, ids):
        wide = ids.shape[1]
        self.weights = [
            np.stack([np.eye(wide, k=-1), np.eye(wide, k=-3)])[None]
        ]
        return np.full((*ids.shape, 4), [0.0, 0.0, 0.0, np.log(3)])


def test_halves_and_heads_are_measured():
    ids = np.array([[0, 3, 3, 0, 0, 3, 3, 1]])
    first, second = text_copying.half_losses(Reader(), ids)
    other, sure = np.log(6), np.log(2)  # -log(1/6), -log(3/6)
    assert_allclose([first, second], [(2 * sure + other) / 3] * 2)
    ids[0, 6] = 1
    _, second = text_copying.half_losses(Reader(), ids)
    assert_allclose(second, (sure + 2 * other) / 3)
    scores = [
        text_copying.best_head(Reader(), ids, back) for back in (1, 2, 3)
    ]
    assert scores == [1, 0, 1]


class Always:
    """A model that counts up through its vocabulary, however long."""

    vocabulary, max_length = tuple("abcd"), 6
    is_causal, num_layers = True, 1

    def __init__(self):
        self.read = []

    def ids(self, words):
        return np.array(["abcd".index(word) for word in words])

    def logits(self, tokens, *, cache):
        cache.length += len(tokens)
        assert cache.length <= self.max_length
        self.read.append(len(tokens))
        return 9.0 * np.eye(4)[(tokens + 1) % 4]


def test_writing_goes_on_beyond_what_the_model_can_read():
    model = Always()
    assert write_text(model, "ab", 20, temperature=0.1) == "ab" + "cdab" * 5
    assert max(model.read) == 3 and len(model.read) == 20


def test_top_p_leaves_the_most_likely():
    drawn = {write_text(Always(), "a", 1, temperature=50.0, top_p=0.2, seed=s)
             for s in range(20)}  # fmt: skip
    assert drawn == {"ab"}


def test_new_words_that_come_again_are_found_and_replaced():
    known = "the kind king sings"
    text = "Marco met Lucia. Lucia sings to Marco, and Marco sings."
    pairs = text_words.new_words_twice(known, text, farthest=30)
    assert [pair.word for pair in pairs] == ["Lucia", "Marco"]
    assert [text[p.second :][:5] for p in pairs] == ["Lucia", "Marco"]
    assert pairs[1].first == 32 and pairs[1].second == 43
    whole, controls, places = text_words.windows(text, pairs, 25)
    for pair, one, other, (first, second) in zip(
        pairs, whole, controls, places, strict=True
    ):
        assert one[first:][:5] == one[second:][:5] == pair.word
        assert other[second:] == one[second:]
        assert pair.word not in other[:second] and len(other) == len(one)
