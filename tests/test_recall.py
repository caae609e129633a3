"""Memories of one size, and one that grows: trial room 05."""

import pytest

torch = pytest.importorskip("torch")
from torch.testing import assert_close  # noqa: E402

from helpers.torch_bridge import recall  # noqa: E402


def test_a_text_asks_for_what_it_said():
    draw = torch.Generator().manual_seed(1)
    keys, values, asked, answers = recall.texts(20, 8, draw)
    assert keys.shape == values.shape == (20, 8)
    assert asked.shape == answers.shape == (20, recall.ASKED)
    for row in range(20):
        said = dict(zip(keys[row].tolist(), values[row].tolist(), strict=True))
        assert len(said) == 8
        wanted = [said[key] for key in asked[row].tolist()]
        assert answers[row].tolist() == wanted


def test_more_words_can_be_keys():
    draw = torch.Generator().manual_seed(1)
    keys, values, asked, _ = recall.texts(200, 8, draw, vocabulary=256)
    assert recall.KEYS < len(keys.unique()) <= 256
    network = recall.RecallNetwork("linear attention", 8, vocabulary=256)
    assert network(keys, values, asked).shape == (200, 4, recall.VALUES)


def test_the_delta_rule_is_what_a_loop_gives():
    torch.manual_seed(2)
    memory = recall.DeltaRule(6)
    pairs, question = torch.randn(2, 5, 64), torch.randn(2, 3, 64)
    query, key = (
        torch.nn.functional.normalize(x, dim=-1)
        for x in (memory.query(question), memory.key(pairs))
    )
    value, step = memory.value(pairs), memory.step(pairs).sigmoid()
    state = torch.zeros(2, 6, 6)
    for i in range(5):
        k, v = key[:, i, None], value[:, i, None]
        state = state + k.mT @ (step[:, i, None] * (v - k @ state))
    assert_close(memory(pairs, question), query @ state)


@pytest.mark.parametrize("kind", recall.KINDS)
def test_a_question_does_not_change_the_answer_to_another(kind):
    torch.manual_seed(3)
    network = recall.RecallNetwork(kind, 8)
    keys, values, asked, _ = recall.texts(3, 6, torch.Generator())
    whole = network(keys, values, asked)
    assert whole.shape == (3, recall.ASKED, recall.VALUES)
    assert_close(network(keys, values, asked[:, 1:2]), whole[:, 1:2])


@pytest.mark.parametrize("kind", ["softmax", "linear attention"])
def test_sums_do_not_see_the_order_of_the_pairs(kind):
    torch.manual_seed(4)
    network = recall.RecallNetwork(kind, 8)
    keys, values, asked, _ = recall.texts(3, 6, torch.Generator())
    turned = network(keys.flip(1), values.flip(1), asked)
    assert_close(turned, network(keys, values, asked))


def test_unknown_kinds_are_named():
    with pytest.raises(ValueError, match="kind: .*'elephant'"):
        recall.RecallNetwork("elephant", 8)
