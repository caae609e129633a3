"""What imports what: one direction, and nothing heavy before it is needed."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAVY = {"torch", "matplotlib", "seaborn", "tokenizers", "safetensors"}


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {
    module_name(path): path
    for path in sorted((ROOT / "helpers").rglob("*.py"))
}


def imported(module):
    """Everything that a module imports at any place, as full names."""
    path = FILES[module]
    package = (
        module if path.name == "__init__.py" else module.rpartition(".")[0]
    )
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = node.module or ""
            if node.level:
                above = package.split(".")[: -node.level + 1 or None]
                origin = ".".join([*above, *filter(None, [origin])])
            for alias in node.names:
                full = f"{origin}.{alias.name}"
                yield full if full in FILES else origin


IMPORTS = {module: set(imported(module)) for module in FILES}
OURS = {module: names & FILES.keys() for module, names in IMPORTS.items()}


def importers(*packages):
    """Our modules that import one of the packages, at any place."""
    return {
        module
        for module, names in IMPORTS.items()
        if {name.split(".")[0] for name in names} & set(packages)
    }


def test_attention_imports_only_validation_of_ours():
    assert OURS["helpers.attention"] == {"helpers.validation"}
    assert OURS["helpers.validation"] == set()
    assert OURS["helpers"] == set()


def test_gradients_import_only_the_forward_pass():
    allowed = {"helpers.attention", "helpers.validation"}
    assert OURS["helpers.gradients"] <= allowed


def test_imports_have_one_direction():
    order = list(TopologicalSorter(OURS).static_order())  # or CycleError
    assert set(order) == set(FILES)


def test_only_the_bridge_imports_torch():
    bridge = {name for name in FILES if name.startswith("helpers.torch_")}
    assert importers("torch") <= bridge
    users = {name for name, others in OURS.items() if others & bridge}
    assert users <= bridge


def test_only_plots_import_matplotlib():
    drawing = importers("matplotlib", "seaborn")
    assert all(name.startswith("helpers.plots") for name in drawing)


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


def loaded_by(statement):
    code = f"{statement}; import sys; print(*sys.modules)"
    return {name.split(".")[0] for name in run(code).split()}


def test_import_helpers_loads_nothing_heavy():
    assert not loaded_by("import helpers") & (HEAVY | {"numpy"})


def test_the_equations_load_numpy_only():
    statement = "from helpers import attention, gradients, training, models"
    assert not loaded_by(statement) & HEAVY


def test_checks_and_tasks_load_neither_torch_nor_matplotlib():
    statement = "from helpers import checks, tasks, embeddings, scoreboard"
    assert not loaded_by(statement) & {"torch", "matplotlib", "seaborn"}


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


def test_attention_costs_little_over_numpy():
    """Limit 0.05 s; one try of a few, for other work may slow one down."""
    code = (
        "import time, numpy; start = time.perf_counter()\n"
        "import helpers.attention; print(time.perf_counter() - start)"
    )
    assert any(float(run(code)) < 0.05 for _ in range(4))
