"""Make an exercise of its text."""

from helpers.checks.engine.exercise import Exercise
from helpers.checks.engine.read import text
from helpers.checks.engine.read.lines import Text


def load(path):
    """Return the Exercise that a text declares."""
    read = Text(path)
    for key in ("call", "returns", "shape", "praise", "steps", "probes"):
        if key not in read.heads:
            raise ValueError(f"{read.file}: `{key}:` is missing")
    call = read.prose("call")
    inside = call.partition("(")[2].rpartition(")")[0]
    options = {"no_loop": read.prose("no loop")}
    for key in ("recognize", "refuse", "remark", "around"):
        if key in read.heads:
            (options[key],) = read.names(key)
    (made,) = read.names("class") if "class" in read.heads else (Exercise,)
    return made(
        name=path.stem,
        call=call,
        results=tuple(read.prose("returns").split(", ")),
        shape=read.prose("shape"),
        steps=text.steps(read, inside.split(", ")),
        probes=tuple(text.probes(read)),
        praise=read.prose("praise"),
        properties=read.names("properties"),
        solution=read.source("solution"),
        sentences=read.scope.sentences,
        **options,
    )
