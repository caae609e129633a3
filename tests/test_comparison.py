"""What notebook 05 relies on: the bridge to torch."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from helpers import checks, tasks
from helpers.attention import multi_head_attention
from helpers.gradients import multi_head_attention_backward
from helpers.models import AttentionReadout
from helpers.training import fit

torch = pytest.importorskip("torch")
bridge = pytest.importorskip("helpers.torch_bridge")
F, nn = torch.nn.functional, torch.nn


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class Twin(nn.Module):
    """The course's model in plain steps, without torch's attention."""

    def __init__(self):
        super().__init__()
        for name, array in AttentionReadout().arrays.items():
            parameter = nn.Parameter(torch.zeros(array.shape).double())
            self.register_parameter(name, parameter)

    def forward(self, x, query, mask):
        asks = x[torch.arange(len(x)), query]
        scores = torch.einsum("btd,bd->bt", x @ self.w_k, asks @ self.w_q)
        scores = (scores / 4).masked_fill(~mask, -torch.inf)
        context = torch.einsum("bt,btd->bd", scores.softmax(-1), x @ self.w_v)
        return context @ self.w_c + self.b_c


@pytest.fixture(scope="module")
def small_task():
    return tasks.load("which_noun", 3, train_count=200, test_count=50)


def layer(rng, d_model=6):
    arrays = {f"w_{n}": rng.normal(size=(d_model, d_model)) for n in "qkvo"}
    return arrays | {f"b_{n}": rng.normal(size=d_model) for n in "qkvo"}


# --- weights ---------------------------------------------------------------


@pytest.mark.parametrize("heads", [1, 2, 3])
def test_multihead_is_ours(rng, heads):
    arrays, x = layer(rng), rng.normal(size=(2, 5, 6))
    output, weights = multi_head_attention(x, **arrays, num_heads=heads)
    (leaf,) = bridge.leaves(x)
    module = bridge.multihead(heads, arrays)
    theirs = module(leaf, leaf, leaf, average_attn_weights=False)
    assert bridge.largest_difference(*zip((output, weights), theirs)) < 1e-12  # noqa: B905
    grad = rng.normal(size=output.shape)
    mine = multi_head_attention_backward(grad, x, **arrays, num_heads=heads)
    theirs[0].backward(torch.tensor(grad))
    assert_allclose(leaf.grad, mine["x"], atol=1e-12)
    for name, parameter in module.named_parameters():
        parts = [mine[ours].T for ours in bridge.MIRROR[name]]
        assert_allclose(parameter.grad, np.concatenate(parts), atol=1e-12)


def test_multihead_names_what_does_not_fit(rng):
    arrays = layer(rng) | {"b_k": np.zeros(5)}
    with pytest.raises(ValueError, match=r"b_k.*\(6,\).*\(5,\)"):
        bridge.multihead(2, arrays)


def test_differences_are_found_and_reported(capsys):
    a, b = np.zeros((2, 3)), torch.zeros(2, 3)
    bridge.report_same("both", (a, b))
    assert capsys.readouterr().out == "both: at most 1e-12 apart: True\n"
    b[1, 2] = -0.5
    assert bridge.largest_difference((a, a), (a, b)) == 0.5
    with pytest.raises(AssertionError, match="both: 0.5 apart"):
        bridge.report_same("both", (a, b))
    with pytest.raises(ValueError, match=r"\(2, 3\).*\(3,\)"):
        bridge.largest_difference((a, b[0]))
    with pytest.raises(AssertionError, match="nan"):
        bridge.report_same("NaN", (a, a + np.nan))


# --- training --------------------------------------------------------------


def test_both_train_alike_and_as_fit_does(small_task):
    model, alone = AttentionReadout(seed=5), AttentionReadout(seed=5)
    module = Twin()
    bridge.load_arrays(module, model.arrays)
    losses = bridge.train_together(
        model, module, small_task.train, seed=6, epochs=3
    )
    history = fit(alone, small_task.train, seed=6, epochs=3, show=False)
    assert losses.shape == (3 * 4, 2)
    assert_allclose(losses[:, 0], losses[:, 1], atol=1e-12)
    means = losses[:, 0].reshape(3, 4).mean(axis=1)
    assert_allclose(means, history.losses, atol=1e-14)
    for name, array in bridge.to_arrays(module).items():
        assert_allclose(array, alone.arrays[name], atol=1e-12)
        assert_array_equal(model.arrays[name], alone.arrays[name])


def test_a_copy_of_the_weights_is_a_copy():
    model, module = AttentionReadout(seed=1), Twin()
    bridge.load_arrays(module, model.arrays)
    model.arrays["w_q"] += 1
    copied = bridge.to_arrays(module)
    assert_allclose(copied["w_q"] + 1, model.arrays["w_q"])
    copied["w_q"] += 1
    assert not np.allclose(bridge.to_arrays(module)["w_q"], copied["w_q"])
    with pytest.raises(ValueError, match="w_o"):
        bridge.load_arrays(module, copied | {"w_o": np.zeros((16, 64))})


def test_a_tensor_shares_memory():
    array = np.zeros(3)
    (tensor,) = bridge.tensors(array)
    tensor += 1
    assert_array_equal(array, np.ones(3))


# --- cost ------------------------------------------------------------------


@pytest.mark.parametrize("power", [0.5, 1, 2, 3])
def test_exponent(power):
    lengths = np.array([3, 10, 50])
    for unit in (1e-9, 1, 1e3):
        found = bridge.exponent(lengths, unit * lengths.astype(float) ** power)
        assert found == pytest.approx(power)


def test_functions_take_turns():
    calls = []
    functions = {name: lambda n=name: calls.append(n) for name in "ab"}
    times = bridge.median_times(functions, rounds=3, least=0)
    assert list(times) == ["a", "b"] and min(times.values()) >= 0
    assert calls[-6:] == ["a", "b"] * 3


def test_a_disturbed_measurement_is_repeated(monkeypatch):
    from helpers.torch_bridge import cost

    measured = iter([[5, 1], [2, 3], [9, 1]])
    monkeypatch.setattr(
        cost, "_times", lambda _: {"way": np.array(next(measured))}
    )
    found = cost.times([64, 128], accept=lambda t: t["way"].sum() < 4)
    assert_array_equal(found["way"], [2, 1])
    found = cost.times([64, 128], accept=lambda t: False, attempts=1)
    assert_array_equal(found["way"], [9, 1])


def test_peak_bytes_sees_what_was_freed():
    def call():
        return np.ones(100_000).sum() + np.ones(100_000).sum()

    assert 800_000 <= bridge.peak_bytes(call) < 1_000_000


def test_kept_bytes_counts_shared_memory_once():
    x = torch.ones(1000, dtype=torch.float64, requires_grad=True)
    assert bridge.kept_bytes(lambda: x * x) == 8000
    assert bridge.kept_bytes(lambda: x + x) == 0
    assert bridge.kept_bytes(lambda: (x * x).exp()) == 16_000


def test_only_the_fused_kernel_builds_no_table():
    memory = bridge.memory([128, 256, 512], heads=2, width=16)
    table = 2 * 512**2 * 4 / 2**20  # MiB
    ours, steps, fused = (mib[-1] for mib in memory.values())
    assert table < ours < 1.5 * table and table < steps < 1.5 * table
    assert fused < table / 4
    growth = {way: mib[-1] / mib[-2] for way, mib in memory.items()}
    assert growth["torch, fused"] == pytest.approx(2, abs=0.1)
    assert growth["NumPy, ours"] > 3


# --- networks --------------------------------------------------------------


def reading(rng, reader, length=9):
    x = rng.normal(size=(2, length, 64))
    query, mask = np.array([6, 4]), np.arange(length) < [[7], [5]]
    return reader.double(), x, query, mask


READERS = {
    f"{asked} {name}": make
    for asked, networks in bridge.RACE.items()
    for name, (make, _) in networks.items()
}


@pytest.mark.parametrize("name", READERS)
def test_readers_do_not_read_the_padding(rng, name):
    reader, x, query, mask = reading(rng, READERS[name]())
    before = reader(*bridge.tensors(x, query, mask))
    x[~mask] = 9.0
    after = reader(*bridge.tensors(x, query, mask))
    assert before.shape == (2, 2)
    assert_allclose(after.detach(), before.detach(), atol=1e-14)


@pytest.mark.parametrize("name", READERS)
def test_only_attention_without_positions_is_order_blind(rng, name):
    reader, x, query, mask = reading(rng, READERS[name]())
    before = reader(*bridge.tensors(x, query, mask)).detach()
    x[:, [0, 2]] = x[:, [2, 0]]
    after = reader(*bridge.tensors(x, query, mask)).detach()
    assert np.allclose(after, before) == (name == "late attention")


def test_the_race_is_fair():
    for networks in bridge.RACE.values():
        sizes = [bridge.count_parameters(m()) for m, _ in networks.values()]
        assert max(sizes) < 1.01 * min(sizes)


def test_every_batch_has_one_length_and_no_padding():
    from helpers.torch_bridge import by_distance

    train = tasks.load(
        "distance_late", 4, train_count=200, test_count=10
    ).train
    seen = []

    class Spy(nn.Linear):
        def forward(self, x, query, mask):
            alike = (query == x.shape[1] - 1).all() and mask.all()
            seen.append((len(x), x.shape[1], bool(alike)))
            return super().forward(x[:, -1])

    spy = Spy(64, 2).double()
    by_distance.fit(spy, by_distance.as_tensors(train), 1e-3, 60, seed=0)
    lengths = [3 * n + 1 for n in tasks.TRAINED["late"]]
    assert {size for size, _, _ in seen} == {by_distance.BATCH}
    assert sorted({length for _, length, _ in seen}) == lengths
    assert all(alike for _, _, alike in seen)


def test_the_race_repeats_itself(monkeypatch):
    from helpers.torch_bridge import by_distance

    task = tasks.load("distance_late", 4, train_count=100, test_count=20)
    monkeypatch.setattr(by_distance.tasks, "load", lambda *a: task)
    one, two = (
        bridge.accuracy_by_distance("late", [4, 5], steps=3) for _ in range(2)
    )
    assert list(one) == ["attention", "GRU", "tanh RNN"]
    for name, found in one.items():
        assert found.shape == (2, len(tasks.BETWEEN))
        assert_array_equal(found, two[name])


# --- exercises: right answers in other styles ------------------------------


def stacked_at_once(w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o, num_heads):
    weight = np.hstack([w_q, w_k, w_v]).T
    return weight, np.r_[b_q, b_k, b_v], w_o.swapaxes(0, 1), b_o


def filled_in(w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o, num_heads):
    e = len(w_q)
    weight, bias = np.zeros((3 * e, e)), np.zeros(3 * e)
    for i, (w, b) in enumerate(((w_q, b_q), (w_k, b_k), (w_v, b_v))):
        weight[i * e : (i + 1) * e] = w.T
        bias[i * e : (i + 1) * e] = b
    return [weight, bias, np.einsum("ij->ji", w_o), b_o]


def masks_by_loops(lengths, longest):
    padding = [[i >= n for i in range(longest)] for n in lengths]
    return ~np.array(padding).reshape(len(lengths), 1, 1, -1), padding


def exponent_by_formula(lengths, seconds):
    x, y = np.log10(lengths), np.log10(seconds)
    x = x - x.mean()
    return (x * y).sum() / (x * x).sum()


@pytest.mark.parametrize(
    "name, answer",
    [
        ("to_torch", stacked_at_once),
        ("to_torch", filled_in),
        ("padding_masks", masks_by_loops),
        ("fitted_exponent", exponent_by_formula),
    ],
)
def test_other_styles_are_right(name, answer, capsys):
    checks.EXERCISES[name](answer)
    assert capsys.readouterr().out.startswith(f"✓ {name}: correct")


def masks(change):
    def answer(lengths, longest):
        is_word = np.arange(longest) < lengths[:, None]
        return change(is_word[:, None, None], ~is_word)

    return answer


def layer_with(change):
    def answer(w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o, num_heads):
        weight = np.concatenate([w_q.T, w_k.T, w_v.T])
        bias = np.concatenate([b_q, b_k, b_v])
        return change(weight, bias, w_o.T, b_o, (w_q, w_k, w_v))

    return answer


SLIPS = [
    (
        "padding_masks",
        masks(lambda attend, padding: (attend.astype(float), padding)),
        "`may_attend` has the right numbers, but as float64",
    ),
    (
        "padding_masks",
        masks(lambda attend, padding: (attend, padding.astype(int))),
        "`is_padding` has the right numbers, but as int",
    ),
    (
        "padding_masks",
        masks(lambda attend, padding: (np.where(attend, 0, -np.inf), padding)),
        "this mask is made to be added to the scores",
    ),
    (
        "padding_masks",
        masks(lambda attend, padding: (
            np.repeat(attend, attend.shape[-1], axis=2), padding)),
        "the mask has a row for every query",
    ),
    (
        "to_torch",
        layer_with(lambda weight, bias, out, b_o, w: (
            np.concatenate([w[0].T, w[1], w[2]]), bias, out, b_o)),
        "not all three are transposed",
    ),
    (
        "to_torch",
        layer_with(lambda weight, bias, out, b_o, w: (weight, out, bias, b_o)),
        "the four results come in another order",
    ),
    (
        "fitted_exponent",
        lambda n, s: np.polyfit(np.log(n), np.log(s), 1),
        "this is the whole line, not its slope",
    ),
    (
        "fitted_exponent",
        lambda n, s: np.polyfit(np.log10(n), np.log(s), 1)[0],
        "the two logarithms have different bases",
    ),
]  # fmt: skip


@pytest.mark.parametrize("name, answer, words", SLIPS)
def test_slips_are_named(name, answer, words, capsys):
    checks.EXERCISES[name](answer)
    printed = " ".join(capsys.readouterr().out.split())
    assert printed.startswith(f"✗ {name}: {words}")
