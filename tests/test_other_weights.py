"""The race of other weights: trial room 08's half of the bridge."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from helpers.experiments.stored import shared_head_runs
from helpers.models.attention_layer import gated_attention

torch = pytest.importorskip("torch")
bridge = pytest.importorskip("helpers.torch_bridge")
E = np.exp(-1)


def weigh(kind, length=5, offset=0.0):
    """Scores (3, 1, T) and the weights that a network makes of them."""
    network = bridge.NormalizerNetwork(kind).double()
    torch.nn.init.constant_(network.offset, offset)
    draw = torch.Generator().manual_seed(0)
    query, key = (
        torch.randn(3, n, 4, generator=draw, dtype=torch.float64)
        for n in (1, length)
    )
    with torch.no_grad():
        return query, key, network.weigh(query, key).numpy()


def test_sigmoids_are_those_of_the_course():
    query, key, weights = weigh("sigmoid, - log T")
    arrays = query.numpy(), key.numpy(), key.numpy()
    mask = np.ones((3, 1, 5), dtype=bool)
    _, expected = gated_attention(*arrays, mask=mask, scale=0.5)
    assert_allclose(weights, expected, atol=1e-14)


@pytest.mark.parametrize(
    "kind, expected",
    [
        ("relu / T", [[0.5, 0.0, 1.0, 0.25]]),
        ("relu / sum", [[2 / 7, 0.0, 4 / 7, 1 / 7]]),
        ("scores / T", [[0.5, -0.25, 1.0, 0.25]]),
        ("linear, elu + 1", np.divide([[3, E, 5, 2]], 10 + E)),
    ],
)
def test_weights_by_hand(kind, expected):
    network = bridge.NormalizerNetwork(kind).double()
    query = torch.tensor([[1.0]])  # its feature cancels
    key = torch.tensor([[2.0], [-1.0], [4.0], [1.0]])
    found = network.weigh(query, key).detach().numpy()
    assert_allclose(found, expected, atol=1e-6)


def test_small_weights_are_divided_by_their_own_sum():
    query, key = torch.tensor([[1e-4]]), torch.tensor([[1.0], [3.0]])
    found = bridge.NormalizerNetwork("relu / sum").weigh(query, key)
    assert_allclose(found.detach(), [[0.25, 0.75]], atol=1e-6)


def test_the_offset_is_added_to_the_scores():
    query, key, weights = weigh("relu / T", offset=0.7)
    scores = (query @ key.mT / 2 + 0.7).numpy()
    assert_allclose(weights, np.maximum(scores, 0) / 5, atol=1e-14)


def test_linear_attention_is_a_sum_over_products_of_features():
    query, key, weights = weigh("linear, exp")
    expected = np.exp(query.numpy()) @ np.exp(key.numpy()).swapaxes(1, 2)
    assert_allclose(weights, expected / expected.sum(-1, keepdims=True))


def test_softmax_is_the_network_of_the_first_race():
    torch.manual_seed(3)
    plain = bridge.AttentionNetwork().double()
    torch.manual_seed(3)
    other = bridge.NormalizerNetwork("softmax").double()
    x, position = torch.randn(2, 6, 64).double(), torch.tensor([5, 5])
    mask = torch.ones(2, 6, dtype=torch.bool)
    found = other(x, position, mask).detach()
    assert_allclose(found, plain(x, position, mask).detach(), atol=1e-12)


def test_what_no_network_reads():
    with pytest.raises(ValueError, match="kind: expected one of"):
        bridge.NormalizerNetwork("cosine")
    with pytest.raises(ValueError, match="learning_rate: needed unless"):
        bridge.race_normalizer("relu / sum", 600, 1000)
    with pytest.raises(ValueError, match="name: expected one of"):
        shared_head_runs.train_shared("5 x (1 + 1)")
    network, x = bridge.NormalizerNetwork("softmax"), torch.zeros(1, 3, 64)
    mask = torch.tensor([[True, True, False]])
    with pytest.raises(ValueError, match="mask"):
        network(x, torch.tensor([1]), mask)
