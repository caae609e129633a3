"""What padding_masks.txt takes from Python."""


def not_boolean(outcome, function):
    """Refuse zeros and ones."""
    names = ("may_attend", "is_padding")
    for name, kind in zip(names, outcome.kinds, strict=True):
        if kind != "b":
            return (
                f"the zeros and ones are right, but `{name}` is not boolean.",
                "torch adds a mask of floats to the scores, where 1 and 0"
                " hardly matter, and refuses one of integers. Both masks are"
                " boolean: True or False, as in the table.",
            )
    return None


def from_errors(exercise, trials):
    """Recognize mistakes that stop with an error."""
    for trial in trials:
        lengths, longest = trial.probe.args
        shapes = f"({longest},)", f"({len(lengths)},)"
        if all(shape in trial.got.error for shape in shapes):
            return (
                "your lengths are not a column.",
                f"{exercise.sentences['COLUMN']} Your code stops for"
                f" {trial.probe.words}: {trial.got.error}",
            )
    sizes = {len(t.probe.args[0]) for t in trials if t.right}
    failed = [t for t in trials if len(t.probe.args[0]) not in sizes]
    if len(sizes) == 1 and failed and all(t.got.error for t in failed):
        return (
            "the number of sentences is fixed in the code.",
            f"It is right for {sizes.pop()} sentences only: B is the number of"
            " lengths.",
        )
    return None
