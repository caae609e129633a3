"""What an `AttentionClassifier` may be made of, and the arrays it has."""

import math

from helpers import validation

# matrices that a variant does not have
ABSENT = {
    "scoring": {
        "learned": (),
        "tied": ("w_k",),
        "frozen": (),
        "uniform": ("w_q", "w_k"),
    },
    "values": {"learned": (), "identity": ("w_v",), "keys": ("w_v",)},
    "output": {True: (), False: ("w_o",)},
}
COUNTS = ("d_model", "d_k", "d_v", "layers", "heads")
FLAGS = ("output", "residual")
NAMES = {
    *COUNTS,
    *FLAGS,
    "classes",
    "hidden",
    "scoring",
    "values",
    "scale",
}


def check_options(options):
    """Return a dict of options, or raise; fills in scale and d_v.

    Raises KeyError, TypeError or ValueError that names the option.
    """
    if options.keys() != NAMES:
        raise KeyError(f"options {sorted(options.keys() ^ NAMES)}")
    for name in COUNTS:
        validation.positive_integer(name, options[name])
    validation.positive_integers("classes", options["classes"])
    validation.integer("hidden", options["hidden"], least=0)
    for name in FLAGS:
        validation.flag(name, options[name])
    for name in ("scoring", "values"):
        validation.choice(name, options[name], ABSENT[name])
    if options["scale"] is None:
        options["scale"] = 1 / math.sqrt(options["d_k"])
    validation.real_number("scale", options["scale"])
    return _check_together(options)


def _check_together(options):
    if options["values"] == "identity":
        if options["heads"] != 1:
            raise ValueError("values='identity' needs heads=1")
        options["d_v"] = options["d_model"]
    if options["values"] == "keys":
        if options["scoring"] == "uniform":
            raise ValueError("values='keys' needs keys: not scoring='uniform'")
        options["d_v"] = options["d_k"]
    if not options["output"]:
        if options["residual"]:
            raise ValueError("residual=True needs output=True")
        if options["layers"] > 1:
            raise ValueError(f"layers={options['layers']} needs output=True")
    return options


def parameter_shapes(options, *, absent=False):
    """Return {name: shape} of the arrays of a model, in order of drawing.

    The order is a contract: every stored run of `AttentionClassifier` rests
    on it. All arrays of a model are drawn one after the other from one
    stream, those too that the variant lacks, so that variants of one seed
    share the rest; the w_o of a single layer comes last, so that a model
    without it begins alike. A new array comes after all others.

    absent: list the matrices, too, that this variant does not have.
    """
    o, several = options, options["layers"] > 1
    keys, values = o["heads"] * o["d_k"], o["heads"] * o["d_v"]
    width = o["d_model"] if o["output"] else values
    layer = {
        "w_q": (o["d_model"], keys),
        "w_k": (o["d_model"], keys),
        "w_v": (o["d_model"], values),
        "w_o": (values, o["d_model"]),
    }
    answers = {}
    if o["hidden"]:
        answers = {"w_1": (width, o["hidden"]), "b_1": (o["hidden"],)}
    answers["w_c"] = (o["hidden"] or width, sum(o["classes"]))
    answers["b_c"] = (sum(o["classes"]),)
    if not (several or o["residual"] or o["hidden"]):
        w_o = layer.pop("w_o")  # drawn last, so that it changes nothing else
        shapes = layer | answers | {"w_o": w_o}
    else:
        shapes = {
            f"{name}{i}" if several else name: shape
            for i in range(o["layers"])
            for name, shape in layer.items()
        } | answers
    gone = [] if absent else [n for a in ABSENT for n in ABSENT[a][o[a]]]
    return {n: s for n, s in shapes.items() if n[:3] not in gone}
