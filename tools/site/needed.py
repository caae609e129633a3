"""Which cells of a notebook have to run so that some others can."""

import ast


def needed(sources, shows):
    """The places of the cells that contain `shows`, and of those they need.

    A cell needs every earlier one that sets or changes a name that it reads.
    """
    wanted, found = set(), []
    for i in reversed(range(len(sources))):
        read, changed = _names(sources[i])
        if shows in sources[i] or changed & wanted:
            wanted |= read
            found.append(i)
    return found[::-1]


def _names(source):
    """(names that are read, names that are set or changed)."""
    read, changed = set(), set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            (changed, read)[isinstance(node.ctx, ast.Load)].add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            changed.add(node.name)
        elif isinstance(node, ast.alias):
            changed.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(
            node.ctx, ast.Store
        ):
            inner = ast.walk(node.value)  # model.scale = …
            changed |= {n.id for n in inner if isinstance(n, ast.Name)}
    return read, changed
