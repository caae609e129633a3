"""Open the learner's copies in JupyterLab; `make lab` calls this.

The server's root is the project, so that all links of the notebooks work.
"""

import importlib.util
import os
import shlex
import subprocess
import sys

from tools.learner import copies, place
from tools.learner.copies import say


def command(arguments):
    """What to run, with the learner's own arguments last."""
    start = f"/lab/tree/{copies.chosen()}/00_start.ipynb"
    return [
        *(sys.executable, "-m", "jupyterlab"),
        f"--ServerApp.root_dir={copies.ROOT}",
        f"--LabApp.default_url={start}",
        *arguments,
    ]


def added(arguments):
    """What Jupyter must be told here, too; each is said in a line."""
    if place.is_root() and "--allow-root" not in arguments:
        say(
            "you are root, so Jupyter is told --allow-root; its token stays,"
            " and it listens on 127.0.0.1 if no --ip says otherwise."
        )
        yield "--allow-root"
    if place.has_display():
        return
    if "--no-browser" not in arguments:
        say(
            "there is no display, so no browser is started; open the address"
            " that Jupyter prints, with its token."
        )
        yield "--no-browser"
    told = any(
        word.startswith(("--ip", "--ServerApp.ip")) for word in arguments
    )
    if place.is_container() and not told:
        words = shlex.join([*arguments, "--ip=0.0.0.0"])
        say(
            "in a container, a browser outside cannot reach that address:"
            f' publish its port and run make lab ARGS="{words}"'
        )


def main(arguments):
    """Make the copies, then become Jupyter."""
    if importlib.util.find_spec("jupyterlab") is None:
        sys.exit(
            f"make: there is no JupyterLab in {sys.executable};"
            " first: python tools/learner/install.py, which says how to go on"
        )
    place.check(copies.ROOT / copies.chosen())
    copies.main([])
    jupyter = command([*added(arguments), *arguments])
    if sys.platform == "win32":  # nothing can become another program there
        sys.exit(subprocess.call(jupyter))
    os.execv(sys.executable, jupyter)


if __name__ == "__main__":
    main(sys.argv[1:])
