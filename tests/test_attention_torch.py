"""helpers.attention against PyTorch, which we did not write."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from helpers.attention import (
    multi_head_attention,
    scaled_dot_product_attention,
    softmax,
)

torch = pytest.importorskip("torch")
F = torch.nn.functional
MASKS = [(), (7,), (5, 1), (5, 7), (3, 1, 5, 7), (1, 4, 5, 7), (3, 4, 5, 7)]


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def qkv(rng, dtype=np.float64, batch=(3, 4), queries=5, keys=7, d_k=6, d_v=8):
    shapes = (queries, d_k), (keys, d_k), (keys, d_v)
    return [rng.normal(size=batch + s).astype(dtype) for s in shapes]


def tensors(*arrays):
    return [torch.from_numpy(np.asarray(a)) for a in arrays]


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3, 1e300])
def test_softmax(rng, axis, size):
    scores = size * rng.normal(size=(4, 5, 6))
    expected = torch.softmax(torch.from_numpy(scores), dim=axis).numpy()
    assert_allclose(softmax(scores, axis), expected, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scale", [None, 0.3, -1.0, 0.0])
@pytest.mark.parametrize("queries, keys", [(5, 7), (7, 5), (6, 6), (1, 7)])
def test_scaled_dot_product_attention(rng, queries, keys, scale, causal):
    arrays = qkv(rng, queries=queries, keys=keys)
    context, _ = scaled_dot_product_attention(
        *arrays, is_causal=causal, scale=scale
    )
    expected = F.scaled_dot_product_attention(
        *tensors(*arrays), is_causal=causal, scale=scale
    )
    assert_allclose(context, expected.numpy(), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("shape", MASKS, ids=str)
def test_boolean_mask(rng, shape):
    arrays = qkv(rng)
    mask = rng.random(shape) < 0.5
    context, _ = scaled_dot_product_attention(*arrays, mask=mask)
    full = np.broadcast_to(mask, (3, 4, 5, 7)).copy()
    expected = F.scaled_dot_product_attention(
        *tensors(*arrays), attn_mask=torch.from_numpy(full)
    )
    assert_allclose(context, expected.numpy(), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("shape", MASKS[1:], ids=str)
def test_float_mask(rng, shape):
    arrays = qkv(rng)
    mask = rng.normal(size=shape)
    mask[..., 0] = -np.inf if shape[-1] > 1 else 0.5
    context, _ = scaled_dot_product_attention(*arrays, mask=mask)
    full = np.broadcast_to(mask, (3, 4, 5, 7)).copy()
    expected = F.scaled_dot_product_attention(
        *tensors(*arrays), attn_mask=torch.from_numpy(full)
    )
    assert_allclose(context, expected.numpy(), rtol=1e-11, atol=1e-13)


def test_query_with_no_key_left(rng):
    """torch answers 0 here too, since 2.5."""
    arrays = qkv(rng)
    mask = np.arange(5)[:, None] > np.zeros(7)  # the first query: no key
    context, _ = scaled_dot_product_attention(*arrays, mask=mask)
    expected = F.scaled_dot_product_attention(
        *tensors(*arrays), attn_mask=torch.from_numpy(mask)
    )
    assert_allclose(context[..., 0, :], 0, atol=0)
    assert_allclose(context, expected.numpy(), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("dtype, tolerance", [("f4", 2e-6), ("f2", 2e-3)])
def test_narrow_types(rng, dtype, tolerance):
    arrays = qkv(rng, dtype, queries=64, keys=200, d_k=64)
    context, _ = scaled_dot_product_attention(*arrays)
    expected = F.scaled_dot_product_attention(
        *(tensor.double() for tensor in tensors(*arrays))
    )
    assert context.dtype == np.dtype(dtype)
    assert_allclose(context, expected.numpy(), rtol=0, atol=tolerance)


def torch_mha(x, matrices, biases, heads, **options):
    """Load our (d_in, width) matrices into torch's (width, d_in) layout."""
    w_q, w_k, w_v, w_o = matrices
    module = torch.nn.MultiheadAttention(
        x.shape[-1], heads, bias=True, batch_first=True, dtype=torch.float64
    )
    stacked = np.concatenate([w_q.T, w_k.T, w_v.T])
    layout = {
        "in_proj_weight": stacked,
        "in_proj_bias": np.concatenate(biases[:3]),
        "out_proj.weight": w_o.T.copy(),
        "out_proj.bias": biases[3],
    }
    module.load_state_dict(
        {name: torch.from_numpy(array) for name, array in layout.items()}
    )
    x = torch.from_numpy(x)
    with torch.no_grad():
        output, weights = module.train()(
            x, x, x, average_attn_weights=False, **options
        )
    return output.numpy(), weights.numpy()


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("heads", [1, 2, 4, 8])
def test_multi_head_attention(rng, heads, padded, causal):
    """nn.MultiheadAttention's masks are True where attention is barred."""
    x = rng.normal(size=(3, 6, 8))
    matrices, biases = rng.normal(size=(4, 8, 8)), rng.normal(size=(4, 8))
    real = np.arange(6) < np.array([[6], [4], [1]])  # (B, T)
    output, weights = multi_head_attention(
        x,
        *matrices,
        heads,
        **dict(zip(("b_q", "b_k", "b_v", "b_o"), biases, strict=True)),
        mask=real[:, None, None, :] if padded else None,
        is_causal=causal,
    )
    expected = torch_mha(
        x,
        matrices,
        biases,
        heads,
        key_padding_mask=torch.from_numpy(~real) if padded else None,
        attn_mask=torch.from_numpy(~np.tri(6, dtype=bool)) if causal else None,
    )
    assert_allclose(output, expected[0], rtol=1e-10, atol=1e-12)
    assert_allclose(weights, expected[1], rtol=1e-10, atol=1e-12)


def test_tensors_are_read_as_arrays(rng):
    arrays = qkv(rng)
    expected = scaled_dot_product_attention(*arrays)
    got = scaled_dot_product_attention(
        *tensors(*arrays), mask=torch.ones(5, 7, dtype=torch.bool)
    )
    for a, b in zip(got, expected, strict=True):
        assert isinstance(a, np.ndarray)
        assert_allclose(a, b, rtol=1e-14)


@pytest.mark.parametrize("place", range(3))
def test_a_tensor_with_gradient_is_refused_by_name(rng, place):
    given = tensors(*qkv(rng))
    given[place].requires_grad_()
    name = ("query", "key", "value")[place]
    with pytest.raises(ValueError, match=rf"^{name}: .*\(3, 4, .*detach"):
        scaled_dot_product_attention(*given)
