"""Read the two lists of pins; `make pins` writes constraints.txt anew.

environment.yml pins what the course names itself, pyproject.toml what few
need. constraints.txt pins what those packages need in turn, on every
supported system and Python.
"""

import re
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from itertools import product
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
COURSE = "course"
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
MINORS = (11, 12, 13, 14)


def direct():
    """Return {name: version} for the pip list of environment.yml."""
    text = (ROOT / "environment.yml").read_text(encoding="utf-8")
    return _pins(re.sub(r"(?m)^ *- ", "", text.split("- pip:\n")[1]))


def extras():
    """Return {extra: {name: version}} for what few need."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        lists = tomllib.load(file)["project"]["optional-dependencies"]
    return {
        extra: dict(pin.split("==") for pin in pins)  # no other form is good
        for extra, pins in lists.items()
    }


def sections():
    """Return {course or extra: {name: version}} for constraints.txt."""
    text = CONSTRAINTS.read_text(encoding="utf-8")
    parts = re.split(r"(?m)^# The extra (\w+):$", text)
    first = {COURSE: _pins(parts[0])}
    names, texts = parts[1::2], parts[2::2]
    return first | dict(zip(names, map(_pins, texts), strict=True))


def indirect():
    """Return {name: version} for all of constraints.txt."""
    return {n: v for pins in sections().values() for n, v in pins.items()}


def needed_indirectly(extra=None):
    """Return the names that the direct packages need in turn, anywhere.

    With an extra: what its packages need in turn, and the course does not.
    """
    course = _closure_anywhere(direct())
    if extra:
        listed = extras()[extra]
        return _closure_anywhere(listed) - course - set(listed)
    return course - set(direct())


def is_installed(extra):
    """Whether all packages of an extra are here to be asked."""
    return all(map(installed, extras()[extra]))


def installed(name):
    """Return the installed version, None where there is none."""
    try:
        return distribution(name).version
    except PackageNotFoundError:
        return None


def _pins(text):
    lines = re.findall(r"(?m)^([\w.-]+)==(\S+)$", text)
    return {canonicalize_name(name): version for name, version in lines}


def _closure_anywhere(names):
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
    found = set().union(*(_closure(names, e) for e in environments))
    return {name for name in found if not CUDA.match(name)}


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
    pins, old = indirect(), sections()
    lines = [HEADER, *_lines(needed_indirectly(), pins)]
    for extra in extras():
        here = is_installed(extra)
        names = needed_indirectly(extra) if here else old.get(extra, {})
        lines += [f"# The extra {extra}:\n", *_lines(names, pins)]
    CONSTRAINTS.write_text("".join(lines), encoding="utf-8")


def _lines(names, pins):
    for name in sorted(names):
        pin = installed(name) or pins.get(name, "FIND-A-VERSION")
        yield f"{name}=={pin}\n"


if __name__ == "__main__":
    main()
