"""The plan of the house: what stands where, what imports what."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HELPERS = ROOT / "helpers"
HEAVY = {"torch", "matplotlib", "tokenizers", "safetensors", "gguf"}


def test_every_room_is_on_the_map_and_has_a_floor():
    """A module that no contract names could import anything."""
    text = (HELPERS / "__init__.py").read_text(encoding="utf-8")
    plan = ast.get_docstring(ast.parse(text))
    contracts = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for path in HELPERS.iterdir():
        name = path.name.removesuffix(".py")
        if not name.startswith(("_", ".")):
            assert name in plan
            assert re.search(rf'helpers\.{name}[" ]', contracts), name


@pytest.mark.parametrize("room", ["experiments", "torch_bridge"])
def test_a_shelf_maps_its_modules_and_hands_nothing_on(room):
    """Who looks for a name imports the module that holds it."""
    source = (HELPERS / room / "__init__.py").read_text(encoding="utf-8")
    tree = ast.parse(source)
    on_map = set(re.findall(r"`(\w+)`", ast.get_docstring(tree)))
    parts = (HELPERS / room).iterdir()
    held = {part.stem for part in parts if not part.name.startswith("_")}
    assert on_map == held
    assert not [n for n in tree.body if isinstance(n, ast.ImportFrom)]


def test_imports_keep_the_contracts_of_pyproject():
    command = "from importlinter.cli import lint_imports_command as c; c()"
    done = subprocess.run(
        [sys.executable, "-c", command, "--no-cache", "--no-logo"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


def test_there_is_one_softmax_one_cross_entropy_one_way_to_split_heads():
    """Outside the wrong answers of the checks.

    Softmax and cross-entropy need exp, cutting and joining heads need a
    reshape beside a change of axes. Blocks, in one memory, in two and in a
    ring, need a softmax of their own; GELU and SwiGLU an exp that is none.
    """
    exp_of_their_own = (
        "training.py",
        "blockwise.py",
        "experiments/two_memories.py",
        "torch_bridge/ring.py",
        "layers.py, _one_minus_erf",
        "chat_model/layers.py, swiglu",
    )
    for path in sorted(HELPERS.rglob("*.py")):
        at = path.relative_to(HELPERS).as_posix()
        if at.startswith("checks/") or at == "attention.py":
            continue
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            called = {
                getattr(node.func, "attr", getattr(node.func, "id", None))
                for node in ast.walk(function)
                if isinstance(node, ast.Call)
            }
            where = f"{at}, {function.name}"
            if where not in exp_of_their_own and at not in exp_of_their_own:
                assert not called & {"exp", "exp2", "logaddexp"}, where
            if "reshape" in called and function.name != "forward":
                axes = {"swapaxes", "transpose", "moveaxis", "rollaxis"}
                assert not called & axes, where


def run(code):
    """What a fresh Python prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize(
    "modules, light_of",
    [
        ("attention, chat_model, gradients, layers, models, training", HEAVY),
        ("checks, embeddings, experiments, tasks", {"torch", "matplotlib"}),
        ("plots.in_words", HEAVY | {"anywidget", "PIL"}),
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(modules, light_of):
    names = "\n".join(f"import helpers.{m}" for m in modules.split(", "))
    code = f"{names}\nimport sys; print(*sys.modules)"
    loaded = {name.split(".")[0] for name in run(code).split()}
    assert not loaded & light_of


def test_plots_leave_matplotlib_as_they_found_it():
    """No theme set, no backend chosen, no torch loaded on import."""
    code = """
import sys, matplotlib
def settings():
    names = [name for name in matplotlib.rcParams if name != "backend"]
    return {name: str(matplotlib.rcParams[name]) for name in names}
before, chosen = settings(), matplotlib.get_backend(auto_select=False)
from helpers import plots
print(before == settings(), "torch" in sys.modules)
print(matplotlib.get_backend(auto_select=False) == chosen)
"""
    assert run(code).split() == ["True", "False", "True"]
