"""Every exercise: its reference, its mistakes, and pairs of them."""

import itertools
import json
import linecache
import pathlib
import random
import re

import numpy as np
import pytest
import torch

from helpers import checks
from helpers.checks.engine.exercise import Exercise
from helpers.checks.engine.explain import edited, pairs
from helpers.checks.engine.load import load
from helpers.checks.engine.run import results

ROOT = pathlib.Path(__file__).parents[2]
each_exercise = pytest.mark.parametrize(
    "exercise", checks.EXERCISES, indirect=True
)


@pytest.fixture
def exercise(request):
    """The exercise of a name, read when its test runs."""
    return checks.EXERCISES[request.param]


def as_float32(arg):
    """Return numbers in float32; whole numbers may be places or labels."""
    is_real = isinstance(arg, np.ndarray) and arg.dtype.kind == "f"
    is_real |= isinstance(arg, torch.Tensor) and arg.is_floating_point()
    return np.float32(arg) if is_real else arg


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


def test_the_page_shows_an_exercise_that_works(tmp_path, told):
    page = (ROOT / "helpers/checks/README.md").read_text(encoding="utf-8")
    path = tmp_path / "unit_rows.txt"
    path.write_text(page.split("```\n")[1], encoding="utf-8")
    exercise = load(path)
    assert told(exercise, exercise.reference).startswith("✓")
    for variant in exercise.singles:
        if "returned" not in variant.replaced:
            text = _text(exercise, variant, told)
            assert f"✗ unit_rows: {variant.mistakes[0].name}." in text
    path.write_text(page.split("```\n")[1].replace("x * safe", "x * save"))
    with pytest.raises(ValueError, match=r"unit_rows.txt, line 38: .*'save'"):
        load(path)


@each_exercise
def test_reference_is_correct_in_any_type(exercise, told):
    if exercise is checks.score_spread:
        return  # asks for a measurement, and the reference is the formula
    praise = f"✓ {exercise.name}: correct. {exercise.praise}"
    assert told(exercise, exercise.reference).startswith(praise)
    if exercise is checks.forward:
        return  # asks for a gradient: see test_torch_answers.py
    many = len(exercise.results) > 1

    def returned(convert):
        def answer(*args):
            found = exercise.reference(*args)
            return tuple(map(convert, found)) if many else convert(found)

        return answer

    def in_float32(*args):
        return exercise.reference(*map(as_float32, args))

    convert = [torch.as_tensor]
    if exercise not in (checks.causal_mask, checks.passages):  # tensors
        convert.append(lambda v: np.asarray(v).tolist())
    answers = [*map(returned, convert)]
    if exercise is not checks.block_forward:  # its layers are in float64
        answers.append(in_float32)
    for answer in answers:
        assert told(exercise, answer).startswith("✓")


@each_exercise
def test_numbers_that_nothing_explains(exercise, told, monkeypatch):
    # Pairs and edits are tried below, and in test_generated.py.
    monkeypatch.setattr(pairs, "giving", lambda exercise, trial: [])
    monkeypatch.setattr(edited, "too_plain", lambda trials: True)

    def bent(value):
        value = np.array(value, float)
        return value + 2 * np.sin(
            7 * value + np.arange(value.size).reshape(value.shape)
        )

    def answer(*args):
        found = exercise.reference(*args)
        return tuple(map(bent, found)) if many else bent(found)

    many = len(exercise.results) > 1
    assert told(exercise, answer).startswith(f"✗ {exercise.name}: ")


def _effect(exercise, variant):
    """Tell whether a variant gives wrong numbers, and whether it is right."""
    asked = [
        (exercise.outcome(variant, probe), want)
        for probe, want in zip(exercise.probes, exercise.wants, strict=True)
        if probe.level != "extra"
    ]
    right = [results.same(*pair) for pair in asked]
    wrong = [bool(o.arrays) for o, w in asked if not results.same(o, w)]
    return any(wrong), all(right)


def _text(exercise, variant, told):
    """Return what is said to a variant, of which no code can be seen."""
    names = {"compute": exercise.compute, "replaced": variant.replaced}
    return told(exercise, eval("lambda *a: compute(a, replaced)", names))


OTHERS, PAIRS = 5, 1  # variants of each exercise that are tried; all: hours


def _some(exercise):
    """Return the first variant of each own mistake, and a few others.

    The mistakes that any exercise knows are all tried in two of them.
    """
    own, others = {}, []
    for variant in exercise.singles:
        if "returned" in variant.replaced or variant.mistakes in own:
            others.append(variant)
        else:
            own[variant.mistakes] = variant
    if exercise not in (checks.center_rows, checks.self_attention):
        others = random.Random(5).sample(others, OTHERS)
    return [*own.values(), *others]


@each_exercise
def test_mistakes_are_named(exercise, told):
    general = exercise.all_steps[-1].mistakes
    for variant in _some(exercise):
        (mistake,) = variant.mistakes
        wrong, right = _effect(exercise, variant)
        if right:
            assert len(mistake.wrong) > 1 or mistake in general
            continue
        text = _text(exercise, variant, told)
        assert text.startswith("✗")
        if wrong:
            names = [mistake.name, "cannot tell", " or if ", "your code stops"]
            if mistake in general or mistake.word:  # the code is not known
                names += [v.mistakes[0].name for v in exercise.singles]
            assert any(name in text for name in names), text


def _some_pairs(exercise):
    """Yield a few variants with two mistakes and wrong numbers."""
    own = [v for v in _some(exercise) if "returned" not in v.replaced]
    pairs = list(itertools.combinations(own, 2))
    random.Random(5).shuffle(pairs)
    wrong = (
        one.with_(other)
        for one, other in pairs
        if one.goes_with(other) and _effect(exercise, one)[0]
    )
    good = (pair for pair in wrong if _effect(exercise, pair)[0])
    return itertools.islice(good, PAIRS)


def test_pairs_of_mistakes_are_named(told, monkeypatch):
    # Edits, which come before pairs, are tried in test_generated.py.
    monkeypatch.setattr(edited, "too_plain", lambda trials: True)
    unnamed, count = [], 0
    for exercise in checks.EXERCISES.values():
        for pair in _some_pairs(exercise):
            text = _text(exercise, pair, told)
            assert text.startswith("✗")
            count += 1
            if not any(mistake.name in text for mistake in pair.mistakes):
                unnamed.append((pair.mistakes, text))
    assert len(unnamed) <= 0.25 * count, unnamed


def test_stubs_of_the_notebooks_keep_their_outputs(told):
    found = 0
    for file in sorted((ROOT / "notebooks").rglob("[0-9]*.ipynb")):
        cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
        names = {"np": np, "torch": torch, "nn": torch.nn}
        for cell in cells:
            tags = cell["metadata"].get("tags", [])
            source = "".join(cell["source"])
            if "exercise" in tags and cell["cell_type"] == "code":
                lines = source.splitlines(keepends=True)
                linecache.cache[file.name] = len(source), None, lines, ""
                exec(compile(source, file.name, "exec"), names)
            if "check" in tags:
                (output,) = cell["outputs"]
                said = "".join(output["text"]).splitlines()
                for name, answer in re.findall(
                    r"checks\.(\w+)\((.+)\)", source
                ):
                    text = checks.EXERCISES[name].judge(eval(answer, names))
                    assert text.splitlines()[0] in said
                    found += 1
    assert found == len(checks.EXERCISES)


@pytest.mark.parametrize("name", ["query", "key", "value"])
def test_a_function_that_stands_in_for_several_steps(told, name):
    exercise = checks.EXERCISES["multi_head_attention"]
    said = f"your code does not project the {name}"
    (wrong,) = (v for v in exercise.singles if v.mistakes[0].name == said)
    answer = lambda *args: exercise.compute(args, wrong.replaced)  # noqa: E731
    assert f"{said}. " in told(exercise, answer)
