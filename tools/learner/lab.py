"""Open the learner's copies in JupyterLab; `make lab` calls this.

The server's root is the project, so that all links of the notebooks work.
"""

import importlib.util
import os
import shlex
import subprocess
import sys

from tools.learner import copies


def command(arguments):
    """What to run, with the learner's own arguments last."""
    start = f"/lab/tree/{copies.chosen()}/00_start.ipynb"
    return [
        *(sys.executable, "-m", "jupyterlab"),
        f"--ServerApp.root_dir={copies.ROOT}",
        f"--LabApp.default_url={start}",
        *arguments,
    ]


def main(arguments):
    """Make the copies, then become Jupyter."""
    if importlib.util.find_spec("jupyterlab") is None:
        sys.exit(
            f"make: there is no JupyterLab in {sys.executable};"
            " first: python tools/learner/install.py, which says how to go on"
        )
    if is_root() and "--allow-root" not in arguments:
        words = shlex.join([*arguments, "--allow-root"])
        sys.exit(
            "make: you are root, and Jupyter then wants to be told that"
            f' this is all right: make lab ARGS="{words}"'
        )
    copies.main([])
    if sys.platform == "win32":  # nothing can become another program there
        sys.exit(subprocess.call(command(arguments)))
    os.execv(sys.executable, command(arguments))


def is_root():
    """Whether the user may do everything; Windows has no such user."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


if __name__ == "__main__":
    main(sys.argv[1:])
