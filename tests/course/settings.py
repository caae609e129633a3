"""Numbers in the code of the helpers that cells use: how a run was set up.

A text says that a model is trained for 400 steps. If the cell below it only
loads these runs, the 400 stands in the module that trained them.
"""

import ast
import functools
import importlib
import inspect

from . import reading

RUNS = "helpers.experiments.stored", "helpers.torch_bridge.stored"


def of(notebook, cells):
    """The modules of `helpers` that some of a notebook's cells use."""
    known = _imported(tuple(c.source for c in reading.code_cells(notebook)))
    found = set()
    for node in (n for c in cells for n in ast.walk(ast.parse(c.source))):
        if isinstance(node, ast.Constant):
            found |= _stored(node.value)
        elif (used := _value(node, known)) is not None:
            found.add(inspect.getmodule(used) or inspect.getmodule(type(used)))
    return {m for m in found if m and m.__name__.startswith("helpers")}


@functools.cache
def constants(module):
    """All numbers in the code of a module, as one text."""
    tree = ast.parse(inspect.getsource(module))
    values = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
    numbers = [v for v in values if type(v) in (int, float)]
    return " ; ".join(map(str, numbers))


@functools.cache
def _imported(sources):
    """{name: what it stands for} of all imports from `helpers`."""
    found = {}
    for node in (n for s in sources for n in ast.walk(ast.parse(s))):
        if isinstance(node, ast.ImportFrom) and node.module:
            if node.module.split(".")[0] == "helpers":
                for alias in node.names:
                    name = alias.asname or alias.name
                    found[name] = _member(node.module, alias.name)
    return found


def _member(module, name):
    found = importlib.import_module(module)
    if not hasattr(found, name):
        return importlib.import_module(f"{module}.{name}")
    return getattr(found, name)


def _value(node, known):
    """What a name, or a dotted name, stands for; None if it is unknown."""
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Attribute):
        whole = _value(node.value, known)
        return getattr(whole, node.attr, None)
    return None


def _stored(name):
    """The module that trained the runs of a file, such as "window_runs"."""
    if not isinstance(name, str) or not name.endswith("_runs"):
        return set()
    found = [f"{package}.{name}" for package in RUNS]
    return {importlib.import_module(m) for m in found
            if importlib.util.find_spec(m)}  # fmt: skip
