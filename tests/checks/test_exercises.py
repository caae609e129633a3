"""Every exercise: its reference, its mistakes, and pairs of them."""

import copy
import json
import pathlib
import random

import numpy as np
import pytest

from helpers import checks
from helpers.checks.engine import Exercise, results

ROOT = pathlib.Path(__file__).parents[2]
each_exercise = pytest.mark.parametrize(
    "exercise", checks.EXERCISES.values(), ids=checks.EXERCISES
)


@each_exercise
def test_declaration(exercise):
    assert isinstance(exercise, Exercise)
    assert getattr(checks, exercise.name) is exercise
    assert exercise.call.startswith(f"{exercise.name}(")
    levels = [probe.level for probe in exercise.probes]
    assert levels.count("basic") >= 3
    assert levels == sorted(levels, key=["basic", "edge", "extra"].index)
    for variant in exercise.singles:
        (mistake,) = variant.mistakes
        assert mistake.name[-1] not in ".!" and mistake.idea[-1] in ".?)"
        assert variant.replaced.keys() <= {s.name for s in exercise.all_steps}
    praise = f"✓ {exercise.name}: correct. {exercise.praise}"
    assert len(praise) <= 79 and praise[-1] == "."


def test_the_engine_is_small():
    engine = ROOT / "helpers" / "checks" / "engine"
    assert len(list(engine.glob("*.py"))) <= 5


@each_exercise
def test_reference_is_correct(exercise, capsys):
    exercise(exercise.reference)
    out = capsys.readouterr().out
    assert out.startswith(f"✓ {exercise.name}: correct. {exercise.praise}\n")


@each_exercise
def test_right_in_other_types(exercise, told):
    torch = pytest.importorskip("torch")
    many = len(exercise.results) > 1

    def returned(convert):
        def answer(*args):
            found = exercise.reference(*args)
            return tuple(map(convert, found)) if many else convert(found)

        return answer

    def in_float32(*args):
        return exercise.reference(
            *(np.float32(a) if isinstance(a, np.ndarray) else a for a in args)
        )

    convert = [np.asarray, torch.as_tensor, lambda v: np.asarray(v).tolist()]
    for answer in [*map(returned, convert), in_float32]:
        assert told(exercise, answer).startswith("✓")


@each_exercise
def test_a_stub_is_open(exercise, told):
    text = told(exercise, lambda *args: ...)
    assert text == f"○ {exercise.name}: not attempted yet."


@each_exercise
def test_changed_arguments_are_named(exercise, told):
    def answer(*args):
        found = copy.deepcopy(exercise.reference(*args))
        for arg in args:
            if isinstance(arg, np.ndarray):
                arg += 1
        return found

    if any(isinstance(a, np.ndarray) for a in exercise.probes[0].args):
        assert "but it changes its argument" in told(exercise, answer)


def _numbers(exercise, variant):
    """What a variant gives for the probes that are asked for."""
    asked = [
        (exercise.outcome(variant, probe), want)
        for probe, want in zip(exercise.probes, exercise.wants, strict=True)
        if probe.level != "extra"
    ]
    wrong = [o for o, w in asked if o.arrays and not results.same(o, w)]
    return wrong, all(results.same(*pair) for pair in asked)


def _like_a_single(exercise, pair):
    """Tell whether a single mistake gives the same numbers."""
    wants = [(p, exercise.outcome(pair, p)) for p in exercise.probes]
    return any(
        all(results.same(exercise.outcome(one, p), want) for p, want in wants)
        for one in exercise.singles
    )


def _answer(exercise, variant):
    return lambda *args: exercise.compute(args, variant.replaced)


@each_exercise
def test_mistakes_are_named(exercise, told):
    idle = set()
    step = 1 + len(exercise.singles) // 200  # all take minutes
    for variant in exercise.singles[::step]:
        (mistake,) = variant.mistakes
        wrong, right = _numbers(exercise, variant)
        text = told(exercise, _answer(exercise, variant))
        assert text.startswith("✗") or right
        if wrong:
            assert (
                mistake.name in text
                or " or if " in text
                or ("that gives the same" in text)
            ), text
        elif right:
            idle.add(mistake)
    for step in exercise.steps:
        assert not [m for m in step.mistakes if m in idle and len(m.wrong) < 2]


@each_exercise
def test_pairs_of_mistakes_are_named(exercise, told):
    count = 4 if len(exercise.singles) > 150 else 16  # all take an hour
    pairs = list(exercise.pairs())
    random.Random(5).shuffle(pairs)
    named = tried = 0
    for pair in pairs:
        wrong, _ = _numbers(exercise, pair)
        if not wrong or _like_a_single(exercise, pair):
            continue
        text = told(exercise, _answer(exercise, pair))
        assert text.startswith("✗")
        named += any(mistake.name in text for mistake in pair.mistakes)
        tried += 1
        if tried == count:
            break
    assert named >= 0.75 * tried


def test_stubs_of_the_notebooks_keep_their_outputs(direct):
    found = 0
    for file in sorted((ROOT / "notebooks").glob("0*.ipynb")):
        cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
        names = {"np": np}
        for cell in cells:
            tags = cell["metadata"].get("tags", [])
            source = "".join(cell["source"])
            if "exercise" in tags and cell["cell_type"] == "code":
                exec(source, names)
                name = source.partition("def ")[2].partition("(")[0]
            if "check" in tags:
                (output,) = cell["outputs"]
                text = checks.EXERCISES[name].judge(names[name])
                # executed without a file, so its blanks cannot be seen
                first = "".join(output["text"]).splitlines()[0]
                assert text.splitlines()[0] == first
                found += 1
    assert found == len(checks.EXERCISES)
