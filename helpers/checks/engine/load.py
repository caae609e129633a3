"""Make an exercise of its text."""

from helpers.checks.engine.exercise import Exercise
from helpers.checks.engine.read import changes, text
from helpers.checks.engine.read.lines import Text


def load(path):
    """Return the Exercise that a text declares."""
    read = Text(path)
    mistakes = "solution" if "changes" in read.heads else "steps"
    for key in ("call", "returns", "shape", "praise", mistakes, "probes"):
        if key not in read.heads:
            raise ValueError(f"{read.file}: `{key}:` is missing")
    call, returns = read.prose("call"), read.prose("returns").split(", ")
    arguments = call.partition("(")[2].rpartition(")")[0].split(", ")
    options = {"no_loop": read.prose("no loop")}
    for key in ("recognize", "refuse", "remark", "around"):
        if key in read.heads:
            (options[key],) = read.names(key)
    if "changes" in read.heads:
        around = options.get("around", Exercise.around)
        steps = changes.steps(read, arguments, around, len(returns))
    else:
        steps = text.steps(read, arguments)
    (made,) = read.names("class") if "class" in read.heads else (Exercise,)
    return made(
        name=path.stem,
        call=call,
        results=tuple(returns),
        shape=read.prose("shape"),
        steps=steps,
        probes=tuple(text.probes(read)),
        praise=read.prose("praise"),
        properties=read.names("properties"),
        changes="changes" in read.heads,
        errors=text.errors(read),
        solution=read.source("solution"),
        sentences=read.scope.sentences,
        trains=tuple(read.prose("trains").replace(",", " ").split()),
        **options,
    )
