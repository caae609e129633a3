"""Recall of pairs: the texts, and a network that learns them."""

import pytest
import torch

from helpers.torch_bridge import recall


def draw():
    return torch.Generator().manual_seed(0)


def test_a_text_has_different_nouns_and_asks_for_one_of_them():
    vectors = torch.eye(5, dtype=torch.float64)
    x, color = recall.texts(vectors, 4, 200, draw())
    assert x.shape == (200, 5, 5 + recall.COLORS)
    pairs, question = x[:, :-1], x[:, -1]
    nouns = pairs[..., :5]
    assert (nouns.sum(1).max(1).values == 1).all()  # none twice
    assert (question[:, 5:] == 0).all()
    [rows, places] = (nouns @ question[:, :5, None])[..., 0].nonzero().T
    assert rows.tolist() == [*range(200)]  # each is asked for one that it has
    found = pairs[rows, places, 5:].argmax(1)
    assert (found == color).all() and set(color.tolist()) == {*range(8)}
    assert set(places.tolist()) == {*range(4)}


@pytest.mark.parametrize("pairs", [0, 6])
def test_the_number_of_pairs_is_checked(pairs):
    with pytest.raises(ValueError, match=f"pairs: 1 to 5, got {pairs}"):
        recall.texts(torch.eye(5), pairs, 2, draw())


def test_one_pair_is_read_off_and_a_rate_is_needed(monkeypatch):
    monkeypatch.setattr(recall, "STEPS", 60)
    [one] = recall.race_recall("linear, exp", 1, 0, learning_rate=4e-2)
    assert one > 0.9  # nothing has to be found
    with pytest.raises(ValueError, match="learning_rate"):
        recall.race_recall("relu / T", 1, 0)
