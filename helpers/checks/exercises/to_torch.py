"""Notebook 05: our matrices as those of torch's nn.MultiheadAttention."""

import itertools

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import table

_TURNED = (
    "We compute x @ w, torch computes x @ weight.T. All matrices are square"
    " here, so a transpose that is forgotten raises no error."
)
_ORDER = (
    "First all queries, then all keys, then all values, in the weights as in"
    " the biases. Exchanged queries and keys transpose the scores: a plausible"
    " map, of another model."
)
_ABOVE = "torch keeps (3·E, E): three matrices, one above the other."
_HEADS = (
    "Some models store head 0's queries, keys and values, then head 1's. torch"
    " does not: all queries first, head after head, as in our columns."
)
_NAMES = ("w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o", "num_heads")
_RESULTS = (
    "in_proj_weight",
    "in_proj_bias",
    "out_proj_weight",
    "out_proj_bias",
)


def _layer(seed, d_model, heads):
    shapes = [(d_model, d_model)] * 4 + [(d_model,)] * 4
    arrays = [table(seed + i, *shape) for i, shape in enumerate(shapes)]
    return *arrays, heads


def _weights(c):
    return c.w_q, c.w_k, c.w_v


def _biases(c):
    return c.b_q, c.b_k, c.b_v


def _turn(*which):
    """Transpose only some of the three matrices."""
    return lambda c: tuple(
        m.T if turn else m for m, turn in zip(_weights(c), which, strict=True)
    )


def _root(c, heads):
    return np.sqrt(len(c.w_q) / (c.num_heads if heads else 1))


def _by_head(rows, heads):
    """Put head 0's queries, keys and values first, then head 1's."""
    parts = rows.reshape(3, heads, -1, *rows.shape[1:])
    return parts.swapaxes(0, 1).reshape(rows.shape)


def _by_number(rows, heads):
    """Put the first number of each head first, then the second ones."""
    parts = rows.reshape(3, heads, -1, *rows.shape[1:])
    return parts.swapaxes(1, 2).reshape(rows.shape)


_turned = Step(
    "turned",
    lambda c: tuple(m.T for m in _weights(c)),
    Mistake(
        "no matrix is transposed",
        _TURNED,
        {"turned": _weights, "out_weight": lambda c: c.w_o},
    ),
    Mistake(
        "in_proj_weight is not transposed",
        f"out_proj_weight is, but the three others are not. {_TURNED}",
        _weights,
    ),
    *(
        Mistake(
            f"{' and '.join(left)} {'is' if len(left) == 1 else 'are'} not"
            " transposed",
            f"Queries, keys and values are made in the same way. {_TURNED}",
            _turn(*which),
        )
        for which in itertools.product((True, False), repeat=3)
        if 0 < sum(which) < 3
        for left in [
            [n for n, turn in zip(_NAMES, which, strict=False) if not turn]
        ]
    ),
    Mistake(
        "in_proj_weight is reversed, not transposed",
        f"A transpose exchanges rows and columns. {_TURNED}",
        lambda c: tuple(m[::-1] for m in _weights(c)),
        lambda c: tuple(m[:, ::-1] for m in _weights(c)),
        lambda c: tuple(m[::-1].T for m in _weights(c)),
        lambda c: tuple(np.rot90(m) for m in _weights(c)),
    ),
)
_orders = list(itertools.permutations(range(3)))[1:]
_in_order = Step(
    "in_order",
    lambda c: (c.turned, _biases(c)),
    Mistake(
        "keys come before queries",
        _ORDER,
        lambda c: tuple([p[1], p[0], p[2]] for p in (c.turned, _biases(c))),
    ),
    Mistake(
        "the order is not query, key, value",
        _ORDER,
        *(
            lambda c, o=o: tuple(
                [p[i] for i in o] for p in (c.turned, _biases(c))
            )
            for o in _orders
            if o != (1, 0, 2)
        ),
    ),
    Mistake(
        "the order of the weights is not that of the biases",
        _ORDER,
        *(
            lambda c, o=o: ([c.turned[i] for i in o], _biases(c))
            for o in _orders
        ),
    ),
    Mistake(
        "the order of the biases is not that of the weights",
        _ORDER,
        *(
            lambda c, o=o: (c.turned, [_biases(c)[i] for i in o])
            for o in _orders
        ),
    ),
    Mistake(
        "one matrix stands where another belongs",
        "Each of the three appears once: w_q, w_k, w_v.",
        *(
            lambda c, o=o: ([c.turned[i] for i in o], _biases(c))
            for o in itertools.product(range(3), repeat=3)
            if len(set(o)) < 3
        ),
        lambda c: ([c.turned[0], c.turned[1], c.w_o.T], _biases(c)),
    ),
    Mistake(
        "one bias stands where another belongs",
        "Each of the three appears once: b_q, b_k, b_v.",
        *(
            lambda c, o=o: (c.turned, [_biases(c)[i] for i in o])
            for o in itertools.product(range(3), repeat=3)
            if len(set(o)) < 3
        ),
        lambda c: (c.turned, [c.b_q, c.b_k, c.b_o]),
    ),
    Mistake(
        "the scale is put into the queries",
        "torch divides by the root of a head's width itself: yours would be"
        " divided twice.",
        *(
            lambda c, h=h, both=both: (
                [c.turned[0] / _root(c, h), *c.turned[1:]],
                [c.b_q / (_root(c, h) if both else 1), c.b_k, c.b_v],
            )
            for h in (True, False)
            for both in (False, True)
        ),
    ),
)
_in_weight = Step(
    "in_weight",
    lambda c: np.concatenate(c.in_order[0]),
    Mistake(
        "the three stand side by side",
        _ABOVE,
        lambda c: np.concatenate(c.in_order[0], axis=1),
        {
            "turned": _weights,
            "in_weight": lambda c: np.concatenate(c.in_order[0], axis=1),
        },
        {
            "turned": _weights,
            "in_weight": lambda c: np.concatenate(c.in_order[0]).T,
        },
    ),
    Mistake(
        "the three are a stack of tables, not one table",
        f"{_ABOVE} np.stack makes a new axis; np.concatenate does not.",
        lambda c: np.stack(c.in_order[0]),
        lambda c: np.stack(c.in_order[0], axis=1),
        lambda c: np.stack(c.in_order[0], axis=-1),
    ),
    Mistake(
        "a reshape takes the place of the transpose",
        "A reshape only reads the numbers in their order; it does not turn a"
        f" matrix around. {_ABOVE}",
        {
            "turned": _weights,
            "in_weight": lambda c: np.concatenate(
                c.in_order[0], axis=1
            ).reshape(-1, len(c.w_q)),
        },
        lambda c: np.concatenate(c.in_order[0], axis=1).reshape(
            -1, len(c.w_q)
        ),
    ),
    Mistake(
        "the three matrices are added up, or multiplied",
        _ABOVE,
        lambda c: sum(c.in_order[0]),
        lambda c: sum(c.in_order[0]) / 3,
        lambda c: c.in_order[0][0] @ c.in_order[0][1] @ c.in_order[0][2],
    ),
    Mistake(
        "in_proj_weight contains w_o as well",
        "w_o is out_proj_weight. in_proj_weight has 3·E rows.",
        lambda c: np.concatenate([*c.in_order[0], c.w_o.T]),
        lambda c: np.concatenate([*c.in_order[0], c.w_o]),
    ),
    Mistake(
        "only one of the three is in in_proj_weight",
        _ABOVE,
        *(lambda c, i=i: c.in_order[0][i] for i in range(3)),
        lambda c: np.concatenate(c.in_order[0][:2]),
    ),
)
_in_bias = Step(
    "in_bias",
    lambda c: np.concatenate(c.in_order[1]),
    Mistake(
        "in_proj_bias has become a table",
        "The three biases follow each other in one vector (3·E,).",
        lambda c: np.stack(c.in_order[1]),
        lambda c: np.stack(c.in_order[1], axis=1),
        lambda c: np.concatenate(c.in_order[1])[None],
        lambda c: np.concatenate(c.in_order[1])[:, None],
    ),
    Mistake(
        "the biases are added up, or one stands for all",
        "The three biases follow each other in one vector (3·E,).",
        lambda c: sum(c.in_order[1]),
        lambda c: sum(c.in_order[1]) / 3,
        *(lambda c, i=i: c.in_order[1][i] for i in range(3)),
        lambda c: np.concatenate(c.in_order[1][:2]),
        lambda c: np.concatenate([*c.in_order[1], c.b_o]),
    ),
    Mistake(
        "the biases are interleaved",
        "All of b_q come first, then all of b_k, then all of b_v.",
        lambda c: np.stack(c.in_order[1], axis=1).ravel(),
    ),
)
_joined = Step(
    "joined",
    lambda c: (c.in_weight, c.in_bias),
    Mistake(
        "the heads are interleaved",
        f"{_HEADS} So the number of heads is not needed.",
        *(
            lambda c, f=f: (
                f(c.in_weight, c.num_heads),
                f(c.in_bias, c.num_heads),
            )
            for f in (_by_head, _by_number)
        ),
        *(
            lambda c, f=f: (f(c.in_weight, c.num_heads), c.in_bias)
            for f in (_by_head, _by_number)
        ),
    ),
)
_out_weight = Step(
    "out_weight",
    lambda c: c.w_o.T,
    Mistake(
        "out_proj_weight is not transposed",
        f"out_proj is a linear layer like the others. {_TURNED}",
        lambda c: c.w_o,
    ),
    Mistake(
        "another matrix is taken for out_proj_weight",
        "It is w_o that leads back to the width of the model.",
        *(lambda c, n=n: getattr(c, n).T for n in _NAMES[:3]),
        *(lambda c, n=n: getattr(c, n) for n in _NAMES[:3]),
    ),
    Mistake(
        "out_proj_weight is reversed, not transposed",
        f"A transpose exchanges rows and columns. {_TURNED}",
        lambda c: c.w_o[::-1],
        lambda c: c.w_o[:, ::-1],
        lambda c: c.w_o[::-1, ::-1],
        lambda c: np.rot90(c.w_o),
    ),
    Mistake(
        "out_proj_weight is inverted",
        "A transpose is no inverse: it exchanges rows and columns.",
        lambda c: np.linalg.inv(c.w_o),
        lambda c: np.linalg.pinv(c.w_o),
    ),
    Mistake(
        "the heads of out_proj_weight are brought into another order",
        "Our rows of w_o stand head after head, as torch's columns do.",
        lambda c: _by_number(np.tile(c.w_o.T, (3, 1)), c.num_heads)[
            : len(c.w_o)
        ],
        lambda c: (
            _by_number(np.tile(c.w_o, (3, 1)), c.num_heads)[: len(c.w_o)].T
        ),
    ),
)
_out_bias = Step(
    "out_bias",
    lambda c: c.b_o,
    Mistake(
        "another bias is taken for out_proj_bias",
        "w_o and b_o belong together.",
        *(lambda c, n=n: getattr(c, n) for n in _NAMES[4:7]),
    ),
    Mistake(
        "out_proj_bias has an axis too many",
        "A bias is a vector: (E,).",
        lambda c: c.b_o[None],
        lambda c: c.b_o[:, None],
    ),
)


def _all(c):
    return *c.joined, c.out_weight, c.out_bias


_arranged = Step(
    "layer",
    _all,
    Mistake(
        "the four results come in another order",
        f"The order is {', '.join(_RESULTS)}.",
        *(
            lambda c, o=o: tuple(_all(c)[i] for i in o)
            for o in itertools.permutations(range(4))
            if o != (0, 1, 2, 3)
        ),
    ),
)

to_torch = Exercise(
    name="to_torch",
    call=f"to_torch({', '.join(_NAMES)})",
    results=_RESULTS,
    shape="(3·E, E), (3·E,), (E, E) and (E,) for width E",
    steps=(
        _turned,
        _in_order,
        _in_weight,
        _in_bias,
        _joined,
        _out_weight,
        _out_bias,
        _arranged,
    ),
    probes=(
        Probe("width 4, 2 heads", _layer(501, 4, 2)),
        Probe("width 6, 2 heads", _layer(511, 6, 2)),
        Probe("width 6, 3 heads", _layer(521, 6, 3)),
        Probe("one head", _layer(531, 3, 1), "edge"),
    ),
    praise="Transposed and stacked, heads side by side as in ours.",
)
