"""Rules for variables: any cell can be run again; and no assertions."""

import ast

from . import reading
from .reading import code_cells, kind, name


def bound(cell):
    """Names that a cell binds at top level; no imports, no loop variables."""
    found = set()
    for node in _top_level(ast.parse(cell.source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = getattr(node, "targets", None) or [node.target]
            found |= {
                leaf.id
                for target in targets
                for leaf in _leaves(target)
                if isinstance(leaf, ast.Name)
            }
    return found - {"_"}


def _top_level(tree):
    """Statements that run at top level, those in loops and so on too."""
    todo = [*tree.body]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            todo += [n for n in ast.iter_child_nodes(node)
                     if isinstance(n, ast.stmt)]  # fmt: skip


def _leaves(target):
    """What a target binds: a, and of (a, (b, *c)) all three."""
    if isinstance(target, ast.Tuple | ast.List):
        return [leaf for item in target.elts for leaf in _leaves(item)]
    return [target.value if isinstance(target, ast.Starred) else target]


def names_are_bound_in_one_section(notebook):
    """A variable is assigned in one section, so that cells can run again."""
    where = {}
    for place, part in enumerate(reading.parts(notebook)):
        for cell in part.code:
            for each in bound(cell):
                where.setdefault(each, {})[place] = part.heading
    return [
        f"{each} is bound in {len(places)} sections: {[*places.values()]}"
        for each, places in sorted(where.items())
        if len(places) > 1
    ]


def imports_stand_at_the_top(notebook):
    """In the first code cell; in a room, of the notebook or of a section."""
    allowed = code_cells(notebook)[:1]
    if kind(notebook) == "room":
        cut = reading.parts(notebook)
        allowed += [cell for part in cut for cell in part.code[:1]]
    return [
        f"{name(cell)} imports"
        for cell in code_cells(notebook)
        if not any(cell is other for other in allowed)
        and any(
            isinstance(node, ast.Import | ast.ImportFrom)
            for node in ast.walk(ast.parse(cell.source))
        )
    ]


def lessons_do_not_assert(notebook):
    """A measured number is shown; an assertion belongs in a test."""
    return [
        f"{name(cell)} has an {type(node).__name__.lower()} statement"
        for cell in code_cells(notebook)
        for node in _top_level(ast.parse(cell.source))
        if isinstance(node, ast.Assert | ast.Raise)
    ]


RULES = [
    names_are_bound_in_one_section,
    imports_stand_at_the_top,
    lessons_do_not_assert,
]
