"""What multi_head_attention.txt takes from Python.

Its mistakes are steps, not changes of the solution: 71 of the 130 are shared
with other exercises by ``use``, and as changes they would be written twice.
"""

import re

_PROJECT = (
    "Each head sees the whole word: project first, with all of w_q, w_k and"
    " w_v, then split what comes out."
)
_RETURNS = (
    "attention.scaled_dot_product_attention returns two results, in this"
    " order: context, weights = ..."
)


def from_errors(exercise, trials):
    """Recognize what no numbers tell: a product or a test stops."""
    first = trials[0]
    x, *_, heads = first.probe.args
    sizes = re.findall(r"size (\d+) is different from (\d+)", first.got.error)
    length, width, d = *map(str, x.shape), str(x.shape[1] // int(heads))
    if sizes == [(width, d)]:
        return _too_narrow(first.got.line)
    if sizes == [(length, d)] and ".T" in first.got.line:
        return (
            "your code stops, because .T does not fit the keys of all heads.",
            "`.T` reverses all three axes. Swap only the last two:"
            " key.swapaxes(-1, -2).",
        )
    stopped = [t for t in trials if t.got.error]
    if stopped and all("wide" in t.probe.words for t in stopped):
        return (
            "your code works only for some widths of the heads.",
            exercise.sentences["WIDTHS"],
            f"Your code stops for {stopped[0].probe.words}:"
            f" {stopped[0].got.error}",
        )
    pair = _pair(first.got.error, stopped)
    if pair:
        return pair
    basic = any(t.probe.level == "basic" for t in stopped)
    if (
        stopped
        and not basic
        and all("NotFiniteError" in t.got.error for t in stopped)
    ):
        if all(len(t.probe.args[0]) > 1 for t in stopped):
            return (
                "the weights of a row are 0 / 0.",
                f"For {stopped[0].probe.words} np.exp gives 0 for a whole row"
                " that lies far below the number that is subtracted, and the"
                " weights are NaN. Subtract each row's own maximum: axis=-1,"
                " keepdims=True.",
            )
        return (
            "the weights overflow.",
            f"For {stopped[0].probe.words} np.exp gives infinity, and the"
            " weights are NaN. Subtract from each row of scores its largest"
            " score first.",
        )
    return None


def _pair(error, stopped):
    """Recognize that context and weights are not unpacked, or exchanged."""
    if "tuple without a shape" in error or "'tuple' object has no" in error:
        return "your code uses a tuple like an array.", _RETURNS
    if "inhomogeneous" in error:
        return (
            "your code uses two arrays as if they were one.",
            _RETURNS,
        )
    basic = [t for t in stopped if t.probe.level == "basic"]
    if basic and all(map(_as_wide_as_weights, basic)):
        return (
            "your code gives w_o rows of H*T numbers, as if the weights were"
            " merged.",
            f"The merged context has rows of H*d numbers. {_RETURNS}",
        )
    return None


def _as_wide_as_weights(trial):
    x, *_, heads = trial.probe.args
    sizes = f"size {x.shape[1]} is different from {int(heads) * len(x)})"
    return sizes in trial.got.error and "w_o" in trial.got.line


def _too_narrow(line):
    """Say why d numbers met a matrix with H*d rows, by where it was."""
    merge = (
        "Put the heads side by side before w_o: exchange heads and words,"
        " then reshape to rows of H*d numbers."
    )
    if any(name in line for name in ("w_q", "w_k", "w_v")):
        return "your code cuts x before projecting it.", _PROJECT
    if "w_o" in line:
        return "your code does not merge the heads before w_o.", merge
    return (
        "your code stops: rows of d numbers meet a matrix with H*d rows.",
        f"Does it cut x before projecting it? {_PROJECT} Or does it not"
        f" merge the heads? {merge}",
    )
