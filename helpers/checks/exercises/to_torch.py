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
    " the biases."
)
_ABOVE = "torch keeps (3·E, E): three matrices, one above the other."
_VECTOR = "The three biases follow each other in one vector (3·E,)."
_HEADS = (
    "torch puts all queries first, head after head, as our columns do: the"
    " number of heads is not needed."
)
_NO_TURN = f"A transpose exchanges rows and columns. {_TURNED}"
_NAMES = ("w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o", "num_heads")
_RESULTS = tuple(
    "in_proj_weight in_proj_bias out_proj_weight out_proj_bias".split()
)
_orders = list(itertools.permutations(range(3)))[1:]
_doubled = [o for o in itertools.product(range(3), repeat=3) if len({*o}) < 3]


def _layer(seed, d_model, heads):
    shapes = [(d_model, d_model)] * 4 + [(d_model,)] * 4
    arrays = [table(seed + i, *shape) for i, shape in enumerate(shapes)]
    return *arrays, heads


def _weights(c):
    return c.w_q, c.w_k, c.w_v


def _biases(c):
    return c.b_q, c.b_k, c.b_v


def _picked(weights, biases):
    """Bring weights and biases into other orders."""
    return lambda c: (
        [c.turned[i] for i in weights],
        [_biases(c)[i] for i in biases],
    )


def _scale(c):
    return (len(c.w_q) / c.num_heads) ** -0.5


def _turn_all_but(place):
    return lambda c: tuple(
        m if i == place else m.T for i, m in enumerate(_weights(c))
    )


def _all_by(change):
    """Change all four matrices in another way than by a transpose."""
    return {
        "turned": lambda c: tuple(map(change, _weights(c))),
        "out_weight": lambda c: change(c.w_o),
    }


def _instead(name, idea, *changes):
    """Return the mistake of another change than a transpose."""
    return Mistake(
        f"a matrix is {name}, not transposed",
        idea,
        *map(_all_by, changes),
        *({"out_weight": lambda c, f=f: f(c.w_o)} for f in changes),
    )


def _regrouped(*axes):
    """Bring the axes (query/key/value, head, number) into another order."""

    def group(rows, heads):
        parts = rows.reshape(3, heads, -1, *rows.shape[1:])
        return parts.swapaxes(*axes).reshape(rows.shape)

    return lambda c: (
        group(c.in_weight, c.num_heads),
        group(c.in_bias, c.num_heads),
    )


def _beside(matrices):
    return np.concatenate(matrices, axis=1)


_turned = Step(
    "turned",
    lambda c: tuple(m.T for m in _weights(c)),
    Mistake(
        "no matrix is transposed",
        f"{_TURNED} (A reshape of a square matrix changes nothing.)",
        _all_by(np.copy),
    ),
    Mistake(
        "in_proj_weight is not transposed",
        f"Its three parts are layers like out_proj. {_TURNED}",
        _weights,
    ),
    *(
        Mistake(
            f"{name} is not transposed",
            f"Queries, keys and values are made in the same way. {_TURNED}",
            _turn_all_but(place),
        )
        for place, name in enumerate(_NAMES[:3])
    ),
    _instead("reversed or rotated", _NO_TURN, np.flipud, np.fliplr, np.rot90),
    _instead("inverted", _NO_TURN, np.linalg.inv),
)
_in_order = Step(
    "in_order",
    _picked(range(3), range(3)),
    Mistake(
        "keys come before queries",
        f"{_ORDER} Exchanged queries and keys transpose the scores: a"
        " plausible map, of another model.",
        _picked((1, 0, 2), (1, 0, 2)),
    ),
    Mistake(
        "the order is not query, key, value",
        _ORDER,
        *(_picked(o, o) for o in _orders if o != (1, 0, 2)),
    ),
    Mistake(
        "the order of the weights is not that of the biases",
        _ORDER,
        *(_picked(o, range(3)) for o in _orders),
    ),
    Mistake(
        "the order of the biases is not that of the weights",
        _ORDER,
        *(_picked(range(3), o) for o in _orders),
    ),
    Mistake(
        "one matrix stands where another belongs",
        "Each of the three appears once: w_q, w_k, w_v.",
        *(_picked(o, range(3)) for o in _doubled),
    ),
    Mistake(
        "one bias stands where another belongs",
        "Each of the three appears once: b_q, b_k, b_v.",
        *(_picked(range(3), o) for o in _doubled),
    ),
    Mistake(
        "the scale is put into the queries",
        "torch divides by the root of a head's width itself: yours would be"
        " divided twice.",
        lambda c: (
            [c.turned[0] * _scale(c), *c.turned[1:]],
            [c.b_q * _scale(c), c.b_k, c.b_v],
        ),
    ),
)
_in_weight = Step(
    "in_weight",
    lambda c: np.concatenate(c.in_order[0]),
    Mistake(
        "the three stand side by side",
        _ABOVE,
        lambda c: _beside(c.in_order[0]),
        {"turned": _weights, "in_weight": lambda c: _beside(c.in_order[0])},
    ),
    Mistake(
        "the three are a stack of tables, not one table",
        f"{_ABOVE} np.stack makes a new axis; np.concatenate does not.",
        lambda c: np.stack(c.in_order[0]),
    ),
    Mistake(
        "a reshape takes the place of the transpose",
        "A reshape only reads the numbers in their order; it does not turn a"
        f" matrix around. {_ABOVE}",
        {
            "turned": _weights,
            "in_weight": lambda c: _beside(c.in_order[0]).reshape(
                -1, len(c.w_q)
            ),
        },
    ),
    Mistake(
        "the three stand side by side, and are then reshaped",
        f"A reshape reads row by row, through all three. {_ABOVE}",
        lambda c: _beside(c.in_order[0]).reshape(-1, len(c.w_q)),
    ),
    Mistake(
        "in_proj_weight contains w_o as well",
        "w_o is out_proj_weight. in_proj_weight has 3·E rows.",
        lambda c: np.concatenate([*c.in_order[0], c.w_o.T]),
    ),
)
_in_bias = Step(
    "in_bias",
    lambda c: np.concatenate(c.in_order[1]),
    Mistake(
        "in_proj_bias has become a table",
        _VECTOR,
        lambda c: np.stack(c.in_order[1]),
        lambda c: np.concatenate(c.in_order[1])[:, None],
    ),
    Mistake(
        "the biases are added up or averaged",
        _VECTOR,
        lambda c: sum(c.in_order[1]),
        lambda c: sum(c.in_order[1]) / 3,
    ),
    Mistake(
        "a bias is missing in in_proj_bias",
        _VECTOR,
        *(lambda c, i=i: c.in_order[1][i] for i in range(3)),
        lambda c: np.concatenate(c.in_order[1][:2]),
    ),
    Mistake(
        "in_proj_bias contains b_o as well",
        f"b_o is out_proj_bias. {_VECTOR}",
        lambda c: np.concatenate([*c.in_order[1], c.b_o]),
    ),
)
_joined = Step(
    "joined",
    lambda c: (c.in_weight, c.in_bias),
    Mistake(
        "the rows are grouped by head",
        "Some models store head 0's queries, keys and values, then head 1's."
        f" {_HEADS}",
        _regrouped(0, 1),
    ),
    Mistake(
        "the numbers of the heads are interleaved",
        _HEADS,
        _regrouped(1, 2),
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
        "out_proj_bias is divided by the number of heads, or multiplied",
        "It is added once, to what all heads give together.",
        lambda c: c.b_o / c.num_heads,
        lambda c: c.b_o * c.num_heads,
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
            for o in list(itertools.permutations(range(4)))[1:]
        ),
    ),
)

to_torch = Exercise(
    name="to_torch",
    call=f"to_torch({', '.join(_NAMES)})",
    results=_RESULTS,
    shape="(3·E, E), (3·E,), (E, E) and (E,) for width E",
    steps=(
        *(_turned, _in_order, _in_weight, _in_bias, _joined),
        *(_out_weight, _out_bias, _arranged),
    ),
    probes=(
        Probe("width 4, 2 heads", _layer(501, 4, 2)),
        Probe("width 6, 2 heads", _layer(511, 6, 2)),
        Probe("width 6, 3 heads", _layer(521, 6, 3)),
        Probe("one head", _layer(531, 3, 1), "edge"),
    ),
    praise="Transposed and stacked, heads side by side as in ours.",
)
