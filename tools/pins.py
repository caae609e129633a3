"""Read the two lists of pins; `make pins` writes constraints.txt anew.

environment.yml pins what the course names itself. constraints.txt pins
what those packages need in turn, on every supported system and Python.
"""

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from itertools import product
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
HEADER = """\
# What the packages of environment.yml need in turn; `make pins` writes this.
# A package that only another system or Python needs is pinned here as well.
# jsonschema: 4.25 and later build a grammar at each start, which takes 2 s.
"""
# On Linux, PyTorch's CUDA build brings these along with its own exact pins.
CUDA = re.compile(r"nvidia-|cuda-|triton")
SYSTEMS = [
    ("linux", "Linux", "posix"),
    ("darwin", "Darwin", "posix"),
    ("win32", "Windows", "nt"),
]
MINORS = (11, 12, 13)


def direct():
    """Return {name: version} for the pip list of environment.yml."""
    text = (ROOT / "environment.yml").read_text(encoding="utf-8")
    return _pins(re.sub(r"(?m)^ *- ", "", text.split("- pip:\n")[1]))


def indirect():
    """Return {name: version} for constraints.txt."""
    return _pins(CONSTRAINTS.read_text(encoding="utf-8"))


def needed_indirectly():
    """Return the names that the direct packages need in turn, anywhere."""
    environments = [
        {
            "python_version": f"3.{minor}",
            "sys_platform": platform,
            "platform_system": system,
            "os_name": os_name,
            "extra": "",
        }
        for minor, (platform, system, os_name) in product(MINORS, SYSTEMS)
    ]
    listed = direct()
    found = set()
    for environment in environments:
        found |= _closure(listed, environment)
    return {name for name in found - set(listed) if not CUDA.match(name)}


def installed(name):
    """Return the installed version, None where there is none."""
    try:
        return distribution(name).version
    except PackageNotFoundError:
        return None


def _pins(text):
    lines = re.findall(r"(?m)^([\w.-]+)==(\S+)$", text)
    return {canonicalize_name(name): version for name, version in lines}


def _closure(names, environment):
    todo = [(name, "") for name in names]
    done = set()
    while todo:
        name, extra = todo.pop()
        if (name, extra) in done:
            continue
        done.add((name, extra))
        for need in _needs(name, environment | {"extra": extra}):
            child = canonicalize_name(need.name)
            todo += [(child, more) for more in {"", *need.extras}]
    return {name for name, _ in done}


def _needs(name, environment):
    return [
        need
        for need in _requirements(name)
        if need.marker is None or need.marker.evaluate(environment)
    ]


@cache
def _requirements(name):
    try:
        lines = distribution(name).requires or []
    except PackageNotFoundError:  # another system's package
        return []
    return [Requirement(line) for line in lines]


def main():
    """Pin the installed versions; keep the pins of what is not installed."""
    pins = indirect()
    with CONSTRAINTS.open("w", encoding="utf-8") as file:
        file.write(HEADER)
        for name in sorted(needed_indirectly()):
            pin = installed(name) or pins.get(name, "FIND-A-VERSION")
            file.write(f"{name}=={pin}\n")


if __name__ == "__main__":
    main()
