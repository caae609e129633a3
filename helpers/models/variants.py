"""What an `AttentionReadout` may leave out, and the arrays it then has."""

import math

from helpers import validation

ABSENT = {  # arrays that a variant does not have
    "scoring": {
        "learned": (),
        "tied": ("w_k",),
        "frozen": (),
        "uniform": ("w_q", "w_k"),
    },
    "values": {"learned": (), "identity": ("w_v",)},
    "output": {True: (), False: ("w_o",)},
}
NAMES = {"d_model", "d_k", "d_v", "heads", "classes", "scale", *ABSENT}


def check_options(options):
    """Return a dict of options, or raise; values="identity" sets d_v.

    Raises KeyError, TypeError or ValueError that names the option.
    """
    if options.keys() != NAMES:
        raise KeyError(f"options {sorted(options.keys() ^ NAMES)}")
    for name in ("d_model", "d_k", "d_v", "heads"):
        validation.positive_integer(name, options[name])
    for count in options["classes"]:
        validation.positive_integer("classes", count)
    validation.real_number("scale", options["scale"])
    validation.flag("output", options["output"])
    for name in ("scoring", "values"):
        if options[name] not in list(ABSENT[name]):
            raise ValueError(
                f"{name}: expected one of {list(ABSENT[name])}, got"
                f" {options[name]!r}"
            )
    if options["values"] == "identity":
        if options["heads"] != 1:
            raise ValueError("values='identity' needs heads=1")
        options["d_v"] = options["d_model"]
    return options


def initial_arrays(options, rng, gain):
    """Draw the arrays: normal, variance 1/rows, w_q and w_k times gain."""
    gain = validation.real_number("gain", gain)
    # All are drawn, so that variants of one seed share the rest.
    arrays = {
        name: rng.standard_normal(shape) / math.sqrt(shape[0])
        for name, shape in _all_shapes(options).items()
    }
    arrays["b_c"][:] = 0
    arrays["w_q"] *= gain
    arrays["w_k"] *= gain
    return {name: arrays[name] for name in shapes_of(options)}


def shapes_of(options):
    """Return {name: shape} of the arrays that a model has."""
    absent = [
        name for option in ABSENT for name in ABSENT[option][options[option]]
    ]
    shapes = _all_shapes(options)
    return {name: shapes[name] for name in shapes if name not in absent}


def _all_shapes(options):
    d_model, heads = options["d_model"], options["heads"]
    keys, values = heads * options["d_k"], heads * options["d_v"]
    width = d_model if options["output"] else values
    answers = sum(options["classes"])
    return {
        "w_q": (d_model, keys),
        "w_k": (d_model, keys),
        "w_v": (d_model, values),
        "w_c": (width, answers),
        "w_o": (values, d_model),
        "b_c": (answers,),
    }
