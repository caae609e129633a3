"""Networks that see order or do not, and networks that copy."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from numpy.testing import assert_allclose
from test_tasks import FACTS

from helpers import tasks
from helpers.torch_bridge import induction
from helpers.torch_bridge import length_generalization as lengths
from helpers.torch_bridge import positional_network as positional
from helpers.torch_bridge.stored import induction_runs, position_runs


def network(code="none", **options):
    torch.manual_seed(3)
    return positional.PositionalNetwork(code, **options).double()


def words(length, count=2):
    torch.manual_seed(4)
    return torch.randn(count, length, 64, dtype=torch.float64)


# --- the rules -------------------------------------------------------------


def test_a_rotation_is_a_product_of_complex_numbers():
    x, places = words(5)[..., :6], torch.tensor([0, 1, 5, 9, 40])
    found = positional.rotated(x, places, 50.0)
    angle = places[:, None] * 50 ** (-torch.tensor([0, 2, 4.0]).double() / 6)
    turn = torch.polar(torch.ones_like(angle), angle)
    z = torch.view_as_complex(x.unflatten(-1, (3, 2))) * turn
    assert_allclose(found, torch.view_as_real(z).flatten(-2), atol=1e-12)


def test_rotary_scores_do_not_see_where_both_stand():
    layer, x = network("rotary").layers[0], words(6)
    long = torch.cat([words(9, 2) + 5, x], dim=1)  # 9 words more before
    query, key = (x @ layer.w_q).detach(), (long @ layer.w_k).detach()
    places = torch.arange(15)
    near = positional.rotated(query, places[:6], 100.0)
    near = near @ positional.rotated(key[:, 9:], places[:6], 100.0).mT
    far = positional.rotated(query, places[9:], 100.0)
    far = far @ positional.rotated(key, places, 100.0).mT
    assert_allclose(far[..., 9:], near, atol=1e-12)


def test_a_smeared_key_is_that_of_two_words():
    plain, smeared = network().layers[0], network(smeared=True).layers[0]
    x = words(5)
    _, expected = plain(x)
    with torch.no_grad():
        smeared.mix.fill_(-40.0)  # nothing of the word before
        assert_allclose(smeared(x)[1], expected.detach(), atol=1e-12)
        smeared.mix.fill_(40.0)  # nothing else
        moved = F.pad(x[:, :-1], (0, 0, 1, 0))
        query, key = x @ plain.w_q, moved @ plain.w_k
        heads = [each.unflatten(-1, (2, 16)) for each in (query, key)]
        scores = torch.einsum("bqhd,bkhd->bhqk", *heads) / 4
        assert_allclose(smeared(x)[1], scores.softmax(-1), atol=1e-12)


def test_alibi_takes_its_slope_for_every_word_between():
    eight = 2.0 ** -np.arange(1, 9)  # of the paper, section 3
    assert_allclose(positional.slopes(8), eight)
    assert_allclose(positional.slopes(2), [1 / 16, 1 / 256])
    plain = network("ALiBi", heads=8, d=4, slope=2.0)
    with torch.no_grad():
        plain.layers[0].w_q.zero_()  # nothing but the distance decides
    _, (weights,) = plain(words(4))
    away = np.abs(np.subtract.outer(np.arange(4), np.arange(4)))
    expected = np.exp(-2 * eight[:, None, None] * away)
    expected /= expected.sum(axis=-1, keepdims=True)
    assert_allclose(weights[1].detach(), expected, atol=1e-7)


@pytest.mark.parametrize("causal", [False, True])
def test_a_layer_is_the_attention_of_torch(causal):
    layer, x = network(causal=causal).layers[0], words(7)
    query, key, value = (
        (x @ w).unflatten(-1, (2, 16)).transpose(1, 2)
        for w in (layer.w_q, layer.w_k, layer.w_v)
    )
    context = F.scaled_dot_product_attention(
        query, key, value, is_causal=causal
    )
    expected = x + context.transpose(1, 2).flatten(2) @ layer.w_o
    found, weights = layer(x)
    torch.testing.assert_close(found, expected)
    assert_allclose(weights.sum(-1).detach(), 1)


@pytest.mark.parametrize("code", positional.CODES)
def test_the_last_word_may_ask_alone(code):
    for options in ({}, {"layers": 2, "causal": True}):
        module, x = network(code, **options), words(9)
        whole, _ = module(x)
        alone, maps = module(x, asked=-1)
        torch.testing.assert_close(alone, whole[:, -1:])
        assert maps[-1].shape == (2, 2, 1, 9)


@torch.no_grad()
def moves(module, x, order):
    """How far the answer at the last word moves if words change places."""
    last = module(x)[0][:, -1] - module(x[:, order])[0][:, -1]
    return float(last.abs().max())


def test_who_sees_that_words_changed_places():
    x, order = words(6), [3, 1, 0, 2, 4, 5]
    for options in ({}, {"layers": 2}, {"causal": True}):
        assert moves(network(**options), x, order) < 1e-12, options
    assert moves(network(layers=2, causal=True), x, order) > 1e-3
    for code in positional.CODES[1:]:
        assert moves(network(code), x, order) > 1e-3, code


def test_positions_may_be_counted_from_the_end():
    module, x = network("sinusoids", from_end=True), words(6)
    forward = network("sinusoids")
    backward, _ = forward(x.flip(1))
    torch.testing.assert_close(module(x)[0], backward.flip(1))


# --- trained short, tested long --------------------------------------------


@pytest.mark.parametrize("question", lengths.QUESTIONS)
def test_the_labels_are_the_number_of_the_noun_asked_for(question):
    train, test = lengths.order_data(question, 3, train_count=8, test_count=4)
    assert [x.shape[1] for x, _ in train] == [7, 10, 13, 16, 19]
    assert tuple(x.shape[1] for x, _ in test) == lengths.LENGTHS
    lexicons = tasks.load_lexicon().split(3)
    place = {"first": 1, "five back": -6, "last": -3}[question]
    for lexicon, parts in zip(lexicons, (train, test), strict=True):
        table = lengths.WordTable([*lexicons[0].words(), "be"])
        nouns = [word for word in lexicon.words() if word in FACTS]
        numbers = np.array([FACTS[noun][1] for noun in nouns])
        vectors = table.vectors(nouns)
        for x, labels in parts:
            near = np.abs(x[:, place, None].numpy() - vectors).sum(-1)
            found = numbers[near.argmin(axis=1)]
            assert near.min(axis=1).max() < 1e-9
            assert (found == labels.numpy()).all()


def test_far_weights_and_short_readings():
    """With queries of 0 all weights are even: they can be counted."""
    module = network("rotary")
    with torch.no_grad():
        module.layers[0].w_q.zero_()
    test = [(words(length, 3), torch.tensor([0, 1, 1])) for length in (4, 10)]
    assert_allclose(lengths.weight_beyond(module, test, 6), [0, 0.4])
    cut = [(x[:, -6:], labels) for x, labels in test]
    right = lengths.accuracy_by_length(module, test, 6)
    assert right == lengths.accuracy_by_length(module, cut)


def test_a_word_may_be_said_to_stand_elsewhere():
    """Asked so, the last word answers as if the others stood there."""
    x, long = words(4), words(12)
    long[:, [2, 5, 7, 11]] = x
    for code in ("rotary", "ALiBi"):
        module = network(code, causal=True)
        told, (maps,) = module(x, asked=-1, back=[9, 6, 4, 0])
        _, (whole,) = module(long, asked=-1)
        found = whole[..., [2, 5, 7, 11]]
        found = found / found.sum(-1, keepdim=True)
        assert_allclose(maps.detach(), found.detach(), atol=1e-12)
        torch.testing.assert_close(module(x, back=[3, 2, 1, 0]), module(x))
        assert told.shape == (2, 1, 2)


def test_far_words_are_said_to_stand_where_training_had_some():
    for words in lengths.LENGTHS[2:]:
        there = np.arange(words)[::-1]
        old = position_runs.old_distances(words)
        assert [*old[-19:]] == [*range(19)][::-1] and max(old) == 18
        assert ((old - there) % 3 == 0).all()
        far = [*there[:10], *range(8, -1, -1)]
        assert [*position_runs.new_distances(words)] == far


def test_readings_ask_the_trained_network(monkeypatch):
    """Of a network that knows nothing, each reading asks all lengths."""
    part = words(40, 3), torch.tensor([0, 1, 1])
    asked = []

    def data(question, seed, **options):
        asked.append((question, seed, options))
        return None, [part]

    monkeypatch.setattr(position_runs, "order_data", data)
    read = position_runs.READINGS
    module = network("sinusoids")
    before = module.table.clone()
    for name, reading in read.items():
        assert len(reading(module, "last", 4)) == 1, name
        unlike = {"balanced": False} if "balanced" in name else {}
        assert asked[-1] == ("last", 4, unlike)
    after = module.table
    torch.testing.assert_close(after[:19], before[:19])
    assert (after[19:] - before[19:]).abs().min() > 1e-6
    size = before.square().mean().item()
    assert abs(after[19:].square().mean().item() / size - 1) < 0.05


def test_numbers_not_balanced():
    _, test = lengths.order_data("first", 3, test_count=8)
    _, free = lengths.order_data("first", 3, test_count=8, balanced=False)
    assert [x.shape for x, _ in test] == [x.shape for x, _ in free]
    assert (test[-1][0] != free[-1][0]).any()


# --- copying ---------------------------------------------------------------


@pytest.fixture(scope="module")
def copier():
    return induction.Induction(3, layers=2)


def test_measures_are_those_of_a_loop(copier):
    found, maps = copier.answers(copier.test)
    texts, right, prefix, previous = copier.test, [], [], []
    for row in range(len(texts.words)):
        for place in range(23):
            if texts.source[row, place] >= 0:
                answer = found[len(right)]
                right.append(answer == texts.words[row, place + 1])
                after = texts.source[row, place] + 1
                prefix.append(maps[1][row, 0, place, after])
        previous += [maps[0][row, 0, i, i - 1] for i in range(1, 24)]
    means = [np.mean(part) for part in (right, prefix, previous)]
    assert_allclose(copier.measure(), means, atol=1e-4)


def test_perfect_weights_are_all_on_the_word_after(copier):
    """The same by a last layer whose weights are replaced as a whole."""
    texts, (first, last) = copier.test, copier.network.layers
    rows, places = texts.asked
    weights = np.zeros((*texts.words.shape, 24))
    weights[rows, places, texts.source[rows, places] + 1] = 1
    with torch.no_grad():
        x = copier.vectors[1][texts.words] + copier.network.table[:24]
        x, _ = first(x)
        x = x + torch.tensor(weights) @ (x @ last.w_v) @ last.w_o
        out = copier.network.answer(x)[rows, places] @ copier.vectors[1].T
    right = out.argmax(-1).numpy() == texts.words[rows, places + 1]
    assert induction_runs.with_perfect_weights(copier) == right.mean()


def test_the_first_layer_can_be_stepped_in(copier):
    asked = induction_runs.with_first_weights
    first = copier.network.layers[0]
    assert abs(asked(copier, torch.clone) - copier.measure()[0]) < 1e-4
    nothing = lambda w: torch.cat([0 * w[..., :1, :], w[..., 1:, :]], -2)  # noqa: E731
    assert asked(copier, nothing) == asked(copier, torch.clone)  # first word
    seen = {}
    for name, change in induction_runs.STEPS_IN.items():
        asked(copier, lambda w, c=change, n=name: seen.setdefault(n, c(w)))
    with torch.no_grad():
        x = copier.vectors[1][copier.test.words] + copier.network.table[:24]
        before = first(x)[1][0, 0].numpy()
    eye = np.eye(24, k=-1)
    new = {name: w[0, 0].numpy()[1:] for name, w in seen.items()}
    assert_allclose(new["all on the previous word"], eye[1:])
    none = np.where(eye, 0, before)
    assert_allclose(new["none on the previous word"], none[1:])
    two = np.where(np.eye(24, k=-2), 0, before)
    assert_allclose(new["none two back"], two[1:])


def test_words_that_are_learned_are_those_of_the_test():
    learned = induction.Induction(3, layers=1, test_part=0, word_std=0.3)
    ready = induction.Induction(3, layers=1, test_part=0)
    assert_allclose(learned.test.words, ready.test.words)
    assert learned.test.words.max() >= 162  # more words than are held out
    before = [each.vectors[0].detach().clone() for each in (learned, ready)]
    assert abs(before[0].std() - 0.3) < 0.01 and abs(before[1].std() - 1) < 0.1
    for each in (learned, ready):
        each.step()
    moved = [
        (each.vectors[0] - old).abs().max()
        for each, old in zip((learned, ready), before, strict=True)
    ]
    assert moved[0] > 0 and moved[1] == 0
    found, _ = learned.answers(learned.test, 0)
    rows, places = learned.test.asked
    right = (found == learned.test.words[rows, places + 1]).mean()
    assert abs(learned.measure()[0] - right) < 1e-4
    with pytest.raises(ValueError, match="test_part: 0 .* got 1"):
        induction.Induction(3, word_std=0.3)


def test_the_words_of_the_test_are_new(copier):
    train, test = map(set, copier.names)
    assert not train & test and len(train | test) == 548
