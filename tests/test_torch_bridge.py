"""The bridge to torch: weights, training, cost, and networks that read."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from torch import nn

from helpers import tasks
from helpers.attention import multi_head_attention
from helpers.experiments import measures
from helpers.models import AttentionClassifier
from helpers.torch_bridge import (
    comparison,
    convert,
    cost,
    distance_race,
    networks,
    normalizers,
    twins,
)
from helpers.training import Batches, fit


class Twin(nn.Module):
    """The course's model in plain steps, without torch's attention."""

    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (
            nn.Linear(64, 16, bias=False) for _ in range(3)
        )
        self.answer = nn.Linear(16, 2)
        self.double()

    def forward(self, x, position, mask):
        query = self.query(x[torch.arange(len(x)), position])
        scores = torch.einsum("btd,bd->bt", self.key(x), query) / 4
        weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
        context = torch.einsum("bt,btd->bd", weights, self.value(x))
        return self.answer(context)


@pytest.fixture(scope="module")
def small_task():
    return tasks.load("which_noun", 3, train_count=200, test_count=50)


def layer(rng, d_model=6):
    arrays = {f"w_{n}": rng.normal(size=(d_model, d_model)) for n in "qkvo"}
    return arrays | {f"b_{n}": rng.normal(size=d_model) for n in "qkvo"}


# --- weights ---------------------------------------------------------------


def test_the_largest_difference_is_found():
    a, b = np.zeros((2, 3)), torch.zeros(2, 3)
    assert comparison.largest_difference(a, b) == 0
    b[1, 2] = -0.5
    assert comparison.largest_difference(a, b) == 0.5
    assert comparison.largest_difference(b, a) == 0.5
    with pytest.raises(ValueError, match=r"\(2, 3\).*\(3,\)"):
        comparison.largest_difference(a, b[0])
    assert np.isnan(comparison.largest_difference(a, a + np.nan))


# --- a layer of ours beside PyTorch's ---------------------------------------


def both_masks(words):
    """The mask of padding at the end, as ours and as PyTorch's."""
    is_padding = np.arange(5) >= np.array(words)[:, None]  # (B, T)
    theirs = {"key_padding_mask": torch.tensor(is_padding)}
    return {"mask": ~is_padding[:, None, None]}, theirs


@pytest.mark.parametrize("stored", [True, False])
def test_layer_differences_sees_a_mask_that_differs(rng, stored):
    arrays, x = layer(rng), rng.normal(size=(2, 5, 6))
    ours, theirs = both_masks([5, 3])
    gaps = comparison.layer_differences(2, arrays, x, ours, theirs, stored)
    assert len(gaps) == 6 and max(gaps) < 1e-12
    _, others = both_masks([5, 4])
    gaps = comparison.layer_differences(2, arrays, x, ours, others, stored)
    assert all(gap > 1e-3 for gap in gaps[:2])


def test_only_the_key_bias_is_lost_on_a_softmax_and_not_with_rotary(rng):
    arrays = layer(rng, 16) | {"b_o": np.zeros(16)}
    x = rng.normal(size=(6, 5, 16))
    lost = comparison.lost_without(2, arrays, x)
    assert lost["b_k"] < 1e-12 < 1e-2 < min(lost["b_q"], lost["b_v"])
    shift = arrays["b_v"] @ arrays["w_o"]
    assert lost["b_v"] == pytest.approx(np.abs(shift).max())
    assert min(comparison.lost_without(2, arrays, x, True).values()) > 1e-2
    nothing = arrays | {"b_q": np.zeros(16)}
    assert comparison.lost_without(2, nothing, x, True)["b_q"] < 1e-12


@pytest.mark.parametrize("kind", comparison.FAULTS)
def test_the_key_of_the_pair_task_tells_the_faults_apart(rng, kind):
    """What notebook 05 says in its key: weights, output, matrices."""
    arrays, x = layer(rng, 8), rng.normal(size=(2, 5, 8))
    right, weights = multi_head_attention(x, **arrays, num_heads=4)
    faulty = comparison.planted_fault(kind, arrays)
    inputs = torch.tensor(x)
    found, other = faulty(inputs, inputs, inputs)
    off = convert.to_numpy(found) - right
    assert np.abs(off).max() > 0.1
    assert (other.shape == (5, 2, 2)) == (kind == 5)
    if kind < 5:
        apart = comparison.largest_difference(other, weights.mean(axis=1))
        assert (apart < 1e-12) == (kind in (1, 3))
    assert (np.ptp(off, axis=(0, 1)).max() < 1e-12) == (kind == 3)
    w_q = faulty.in_proj_weight[:8].T
    same = comparison.largest_difference(w_q, arrays["w_q"]) == 0
    assert same == (kind != 2)


def test_faults_and_stages_name_what_does_not_fit(rng):
    with pytest.raises(ValueError, match="kind: .*6"):
        comparison.planted_fault(6, layer(rng))
    one = torch.ones(2)
    with pytest.raises(ValueError, match="ours has .*theirs has"):
        comparison.stages({"a": np.ones(2)}, {"b": one})
    ((name, ours, theirs, said),) = comparison.stages(
        {"a": np.zeros(2)}, {"a": one}
    )
    assert (name, said) == ("a", measures.error_bound(1.0))
    assert_array_equal(theirs - ours, 1)


# --- training --------------------------------------------------------------


def test_both_train_alike_and_as_fit_does(small_task):
    model, alone = AttentionClassifier(seed=5), AttentionClassifier(seed=5)
    module = Twin()
    convert.load_parameters(module, twins.twin_arrays(model.parameters))
    batches = [Batches(small_task.train, seed=6) for _ in range(2)]
    losses = twins.train_together(model, module, batches[0], epochs=3)
    history = fit(alone, batches[1], epochs=3, show=False)
    assert losses.shape == (3 * 4, 2)
    assert_allclose(losses[:, 0], losses[:, 1], atol=1e-12)
    means = losses[:, 0].reshape(3, 4).mean(axis=1)
    assert_allclose(means, history.losses, atol=1e-14)
    for name, array in twins.our_arrays(module).items():
        assert_allclose(array, alone.parameters[name], atol=1e-12)
        assert_array_equal(model.parameters[name], alone.parameters[name])


def test_a_copy_of_the_weights_is_a_copy():
    model, module = AttentionClassifier(seed=1), Twin()
    arrays = twins.twin_arrays(model.parameters)
    convert.load_parameters(module, arrays)
    ours = twins.our_arrays(module)
    for name, array in model.parameters.items():
        assert_array_equal(ours[name], array)
        array += 1
        assert_array_equal(ours[name] + 1, array)
        ours[name] += 1
        assert_array_equal(twins.our_arrays(module)[name] + 1, array)
    with pytest.raises(ValueError, match="w_o"):
        convert.load_parameters(module, arrays | {"w_o": np.zeros((16, 64))})


# --- cost ------------------------------------------------------------------


@pytest.mark.parametrize("power", [0.5, 1, 2, 3])
def test_exponent(power):
    lengths = np.array([3, 10, 50])
    for unit in (1e-9, 1, 1e3):
        found = cost.exponent(lengths, unit * lengths.astype(float) ** power)
        assert found == pytest.approx(power)


def test_attention_is_faster_beside_a_gru_and_grows_faster():
    """Several times as fast at 256 tokens; the lead shrinks."""

    def holds():
        times = cost.layer_times([256, 1024])
        leads = times["GRU"] / times["attention"]
        plain = times["tanh RNN"] / times["attention"]
        growth = {name: took[1] / took[0] for name, took in times.items()}
        return (
            leads[0] > 3
            and plain[0] > 1.2
            and leads[1] < leads[0] / 1.3
            and growth["GRU"] < 5.2 < growth["attention"]
        )

    assert any(holds() for _ in range(8))  # the machine may be busy


def test_peak_bytes_sees_what_was_freed():
    def call():
        return np.ones(100_000).sum() + np.ones(100_000).sum()

    assert 800_000 <= cost.peak_bytes(call) < 1_000_000


def test_kept_bytes_counts_shared_memory_once():
    x = torch.ones(1000, dtype=torch.float64, requires_grad=True)
    assert cost.kept_bytes(lambda: x * x) == 8000
    assert cost.kept_bytes(lambda: x + x) == 0
    assert cost.kept_bytes(lambda: (x * x).exp()) == 16_000


def test_only_the_fused_kernel_builds_no_table():
    memory = cost.memory([128, 256, 512], heads=2, width=16)
    table = 2 * 512**2 * 4 / 2**20  # MiB
    ours, steps, fused = (mib[-1] for mib in memory.values())
    assert table < ours < 1.5 * table and table < steps < 1.5 * table
    assert fused < table / 4
    growth = {way: mib[-1] / mib[-2] for way, mib in memory.items()}
    assert growth["torch, fused"] == pytest.approx(2, abs=0.1)
    assert growth["NumPy, ours"] > 3


# --- networks --------------------------------------------------------------


def reading(rng, network, length=9):
    x = rng.normal(size=(2, length, 64))
    position, mask = np.array([6, 4]), np.arange(length) < [[7], [5]]
    return network.double(), x, position, mask


@pytest.mark.parametrize("name", distance_race.NETWORKS)
def test_networks_read_no_padding_and_most_read_order(rng, name):
    network, x, position, mask = reading(rng, distance_race.NETWORKS[name]())
    before = network(*convert.tensors(x, position, mask))
    x[~mask] = 9.0
    after = network(*convert.tensors(x, position, mask))
    assert before.shape == (2, 2)
    assert_allclose(after.detach(), before.detach(), atol=1e-14)
    x[:, [0, 2]] = x[:, [2, 0]]
    after = network(*convert.tensors(x, position, mask))
    blind = np.allclose(after.detach(), before.detach())
    assert blind == (name == "attention")


def test_the_race_is_fair():
    sizes = [
        networks.count_parameters(m()) for m in distance_race.NETWORKS.values()
    ]
    assert max(sizes) < 1.01 * min(sizes)


def test_every_batch_has_one_length_and_no_padding():
    train = tasks.load(
        "distance_late", 4, train_count=200, test_count=10
    ).train
    seen = []

    class Spy(nn.Linear):
        def forward(self, x, position, mask):
            alike = (position == x.shape[1] - 1).all() and mask.all()
            seen.append((len(x), x.shape[1], bool(alike)))
            return super().forward(x[:, -1])

    spy = Spy(64, 2).double()
    distance_race.fit(spy, distance_race.as_tensors(train), 1e-3, 60, seed=0)
    lengths = [3 * n + 1 for n in tasks.TRAINED["late"]]
    assert {size for size, _, _ in seen} == {distance_race.BATCH_SIZE}
    assert sorted({length for _, length, _ in seen}) == lengths
    assert all(alike for _, _, alike in seen)


# --- weights that are no softmax ---------------------------------------------


def shares(weights):
    return weights / weights.sum(axis=-1, keepdims=True)


def sigmoid(scores):
    return 1 / (1 + np.exp(-scores))


OF_SCORES = {  # (..., T) with T 5, and the offset b
    "softmax": lambda s, b: shares(np.exp(s)),
    "sigmoid": lambda s, b: sigmoid(s + b),
    "sigmoid, - log T": lambda s, b: sigmoid(s + b - np.log(5)),
    "sigmoid / sum": lambda s, b: shares(sigmoid(s + b)),
    "sigmoid, - log T, / sum": lambda s, b: shares(sigmoid(s + b - np.log(5))),
    "relu / T": lambda s, b: np.maximum(s + b, 0) / 5,
    "relu / sum": lambda s, b: shares(np.maximum(s + b, 0)),
    "scores / T": lambda s, b: s / 5,
}
FEATURES = {
    "linear, elu + 1": lambda x: np.where(x > 0, x + 1, np.exp(x)),
    "linear, exp": np.exp,
}


@pytest.mark.parametrize("kind", [*OF_SCORES, *FEATURES])
def test_weights_are_those_of_their_rule(rng, kind):
    query, key = rng.normal(size=(3, 1, 4)), rng.normal(size=(3, 5, 4))
    network = normalizers.NormalizerNetwork(kind).double()
    nn.init.constant_(network.offset, 0.7)
    found = network.weigh(*convert.tensors(query, key)).detach()
    if kind in FEATURES:
        feature = FEATURES[kind]
        expected = shares(feature(query) @ feature(key).swapaxes(1, 2))
    else:
        expected = OF_SCORES[kind](query @ key.swapaxes(1, 2) / 2, 0.7)
    assert_allclose(found, expected, atol=1e-14)


def test_a_normed_network_adds_up_as_a_transformer_does(rng):
    x, last = rng.normal(size=(2, 5, 64)), np.array([4, 2])
    network = normalizers.build("softmax" + normalizers.NORMS).double()
    parts = (getattr(network, n) for n in ("query", "key", "value", "output"))
    *tables, output = (part.weight.detach().numpy() for part in parts)
    wanted = []
    for sentence, place in zip(x, last, strict=True):
        query, key, value = (normed(sentence) @ w.T for w in tables)
        weights = shares(np.exp(key @ query[place] / 32**0.5))
        wanted.append(normed(sentence[place] + output @ (weights @ value)))
    wanted = wanted @ network.answer.weight.detach().numpy().T
    mask = torch.ones(2, 5, dtype=torch.bool)
    found = network(*convert.tensors(x, last), mask).detach()
    assert_allclose(found, wanted, atol=1e-12)


def normed(x):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5)


@pytest.mark.parametrize("end", ["", normalizers.NORMS])
def test_the_end_of_a_name_says_which_network_is_built(end):
    network = normalizers.build(f"relu / T{end}")
    norms = [part for part in network.modules() if type(part) is nn.LayerNorm]
    assert network.kind == "relu / T"
    assert len(norms) == {"": 0, ", norms": 2}[end]


def test_small_weights_are_divided_by_their_own_sum():
    query, key = torch.tensor([[1e-4]]), torch.tensor([[1.0], [3.0]])
    found = normalizers.NormalizerNetwork("relu / sum").weigh(query, key)
    assert_allclose(found.detach(), [[0.25, 0.75]], atol=1e-6)


# --- calls of 05 -----------------------------------------------------------


def test_a_row_without_keys_comes_out_in_several_ways():
    torch.manual_seed(1)
    layer = nn.MultiheadAttention(8, 2, batch_first=True).double()
    nn.init.normal_(layer.out_proj.bias)
    x = torch.randn(1, 3, 8, dtype=torch.float64)
    sdpa, shown, hidden, _ = comparison.with_an_empty_row(layer, x).values()
    assert_array_equal(sdpa, 0)
    assert np.isnan(shown).all() and layer.training
    assert_allclose(hidden, layer.out_proj.bias.detach().numpy())


def test_masks_and_copies_are_compared(rng):
    arrays = {f"w_{n}": rng.normal(size=(8, 8)) for n in "qkvo"}
    arrays |= {f"b_{n}": rng.normal(size=8) for n in "qkvo"}
    x = rng.normal(size=(2, 4, 8))
    padding = np.array([[False] * 4, [False, False, True, True]])
    may = ~padding[:, None, None]
    gaps = comparison.differences_with_masks(2, arrays, x, may, padding)
    assert len(gaps) >= 6 and max(gaps) < 1e-12
    gaps = comparison.differences_with_masks(2, arrays, x, ~may, padding)
    assert max(gaps) > 0.01
    module = convert.to_multihead_attention(2, arrays)
    assert comparison.layer_gap(2, arrays, x, module) < 1e-12
    module.load_state_dict({n: a + 1 for n, a in module.state_dict().items()})
    assert comparison.layer_gap(2, arrays, x, module) > 0.01


def test_steps_are_those_of_attention(rng):
    query, key, value = rng.normal(size=(3, 5, 4))
    found = comparison.steps_beside(query, key, value)
    assert [name for name, *_ in found] == ["scores", "weights", "context"]
    assert {said for *_, said in found} == {"below 1e-12"}


def test_both_answers_are_judged(small_task):
    part, module = small_task.test, nn.Module()
    module.forward = lambda x, *_: torch.tensor([[[1.0, 0.0]]] * len(x))
    found = comparison.correct(module, part)
    assert_array_equal(found[:, 0], part.sentences.labels[:, 0] == 0)
