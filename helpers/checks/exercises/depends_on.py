"""What depends_on.txt takes from Python: layers to try, above all."""

import numpy as np

from helpers.attention import scaled_dot_product_attention
from helpers.checks.steps.tools import Part


def _attend(x, is_causal=True):
    return scaled_dot_product_attention(x, x, x, is_causal=is_causal)[0]


def _half_of_the_previous(x):
    out = np.ones_like(x)
    out[1:, 0] = x[:-1, 0] + 2 * x[:-1, 1]
    return out


def _from_the_next(column):
    """Make a layer that reads one column, of the next word only."""

    def layer(x):
        out = np.tanh(x)
        out[:-1, 0] += x[1:, column]
        return out

    return layer


def _leak(size):
    """Make causal attention whose first output sees the last word a little."""

    def layer(x):
        out = _attend(x)
        out[0, -1] += size * x[-1] @ np.arange(1, x.shape[1] + 1)
        return out

    return layer


def _mean_0(x):
    out = np.tanh(_attend(x))
    return out - out.mean(axis=1, keepdims=True)


def _normed_block(x):
    gap = x - x.mean(axis=1, keepdims=True)
    return x + _attend(gap / (gap.std(axis=1, keepdims=True) + 0.01), False)


def _noisy(x):
    return x + x.sum() * np.pi - x.sum() * np.pi


def _turned(x):
    """Turn the first two numbers of a word by an angle: its norm stays."""
    out = np.tanh(x) + 0.5
    angle = np.append(x[1:].sum(axis=1), 0)
    first, second = out[:, 0].copy(), out[:, 1].copy()
    out[:, 0] = first * np.cos(angle) - second * np.sin(angle)
    out[:, 1] = first * np.sin(angle) + second * np.cos(angle)
    return out


def _faintest(x):
    out = np.tanh(x)
    out[0] += 2.5e-9 * x[-1]
    return out


all_words = Part("attention without a mask", lambda x: _attend(x, False))
causal = Part("causal attention", _attend)
half_of_the_previous = Part(
    "a layer that looks one word back", _half_of_the_previous
)
first_of_the_next = Part(
    "a layer that reads the first number of the next word", _from_the_next(0)
)
last_of_the_next = Part(
    "a layer that reads the last number of the next word", _from_the_next(-1)
)
alone = Part("each word for itself", np.tanh)
leaky = Part("a layer with a small leak", _leak(1e-3))
faint = Part("a leak of one part in ten million", _leak(1e-7))
mean_0 = Part("a layer whose outputs have mean 0", _mean_0)
a_word_of_zeros = Part("a word of zeros", _attend)
a_word_of_ones = Part("a word of ones", _attend)
turned = Part("a layer that turns its outputs", _turned)
faintest = Part("a leak of a few parts in a billion", _faintest)
one_word = Part("one word", _attend)
normed_block = Part("a block with norms and without a mask", _normed_block)
noisy = Part("a layer with rounding errors", _noisy)


def not_boolean(outcome, function):
    """Refuse zeros and ones."""
    if outcome.kinds[0] == "b":
        return None
    return (
        "the zeros and ones are right, but the table is not boolean.",
        "The task asks for True and False: give the table dtype=bool.",
    )


def one_sided(exercise, trials):
    """Say that moves are overlooked, or seen where there are none."""
    found = [t for t in trials if t.got.arrays and not t.right]
    shapes = [(t.got.arrays[0].shape, t.want.arrays[0].shape) for t in found]
    if not found or any(got != want for got, want in shapes):
        return None
    gaps = [t.got.arrays[0] - t.want.arrays[0] for t in found]
    i, j = np.argwhere(gaps[0])[0]
    where = f"For {found[0].probe.words}, output {i} and changed word {j}:"
    if all((gap <= 0).all() for gap in gaps):
        return (
            "a move is overlooked.",
            f"{where} the output moves, and the table says False."
            f" {exercise.sentences['ANY']} Everything above rounding counts,"
            " say above 1e-9.",
        )
    if all((gap >= 0).all() for gap in gaps):
        if all(t.probe.args[0] is noisy for t in found):
            return exercise.known("your code counts rounding errors as moves")
        return (
            "a move is seen where there is none.",
            f"{where} the output stays, and the table says True. Each entry"
            f" is about one output alone. {exercise.sentences['ALONE']}",
        )
    return None
