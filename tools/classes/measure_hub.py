"""Measure what a class needs: memory and time of N learners on JupyterHub.

`python -m tools.classes.measure_hub 1 5` lets one learner run each notebook
and then 1 and 5 learners MANY at once, prints what they needed and writes the
tables into teaching/hub.md. First `make hub` has to be there. Linux only. Run
it when a notebook trains more than before.
"""

import math
import re
import sys
import tempfile
import threading
import time

import psutil

from tools.classes import hub
from tools.classes.classroom import Class, pss

REPORT = hub.ROOT / "teaching" / "hub.md"
ORIGINALS = hub.ROOT / "notebooks"
MARKS = re.compile(r"(<!-- measured -->\n).*(<!-- end -->)", re.DOTALL)
MANY = "02_learned_projections.ipynb"


def one_by_one(room, server):
    """Lines about each notebook, run by one learner, and the largest needs."""
    largest = {}
    yield "| notebook | kernel after Run All, MiB | at its peak | CPU s |"
    yield "| --- | ---: | ---: | ---: |"
    for notebook in sorted(p.name for p in ORIGINALS.glob("*.ipynb")):
        needs = room.run_all("learner0", server, notebook)
        print(notebook, needs, flush=True)
        largest = {k: max(v, largest.get(k, 0)) for k, v in needs.items()}
        yield (
            f"| {notebook[:2]} | {needs['after']:.0f} | {needs['peak']:.0f}"
            f" | {needs['cpu']:.0f} |"
        )
    [proxy] = (p for p in room.process.children() if "node" in p.name())
    base = pss(room.process) + pss(proxy)
    each = largest["server"] + largest["peak"]
    once, more = (math.ceil(mib / 102.4) / 10 for mib in (base, each))
    yield (
        "\nEach learner has a kernel and a server, and the server takes up to"
        f" {largest['server']:.0f} MiB. The hub and its proxy together take"
        f" {base:.0f} MiB for the whole class. So N learners with one notebook"
        f" open need at most\n\n**{once} GiB + N × {more} GiB**\n\nOn the"
        f" disk, a learner's clone takes up {room.disk('learner0'):.0f} MB"
        " with its copies.\n"
    )


def at_once(room, number, servers):
    """A line about a number of learners who run the same notebook at once."""
    names = [f"learner{i}" for i in range(number)]
    for name in names:
        if name not in servers:
            servers[name] = room.enter(name)
    found = []

    def run(name):
        found.append(room.run_all(name, servers[name], MANY))

    start, before = time.monotonic(), busy()
    threads = [threading.Thread(target=run, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    waits = [needs["seconds"] for needs in found]
    cpu = sum(needs["cpu"] for needs in found)
    whole = (time.monotonic() - start) * psutil.cpu_count()
    others = max(0, busy() - before - cpu) / whole
    return (
        f"| {number} | {min(waits):.0f} to {max(waits):.0f}"
        f" | {cpu / number:.0f} | {others:.0%} |"
    )


def busy():
    """CPU seconds that the machine has worked."""
    times = psutil.cpu_times()
    return sum(times) - times.guest - times.idle - times.iowait


def main(numbers):
    """Measure, print, and write the report."""
    with tempfile.TemporaryDirectory() as folder:
        room = Class(folder)
        try:
            servers = {"learner0": room.enter("learner0")}
            lines = list(one_by_one(room, servers["learner0"]))
            lines += [
                f"| learners who run {MANY[:2]} at once | seconds until each"
                " is done | CPU s each | share of the machine that other"
                " programs used |",
                "| ---: | ---: | ---: | ---: |",
            ]
            for number in map(int, numbers):
                lines.append(at_once(room, number, servers))
                print(lines[-1], flush=True)
        finally:
            room.stop()
    found = "\n".join(lines)
    text = REPORT.read_text(encoding="utf-8")
    text = MARKS.sub(lambda marks: f"{marks[1]}{found}\n{marks[2]}", text)
    REPORT.write_text(text, encoding="utf-8")
    print(found)


if __name__ == "__main__":
    main(sys.argv[1:] or ["1", "5"])
