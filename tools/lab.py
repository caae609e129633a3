"""Open the learner's copies in JupyterLab; `make lab` calls this.

The server's root is the project, so that all links of the notebooks work.
"""

import os
import sys

import copies

START = "/lab/tree/my_course/00_start.ipynb"


def command(arguments):
    """What to run, with the learner's own arguments last."""
    return [
        *(sys.executable, "-m", "jupyterlab"),
        f"--ServerApp.root_dir={copies.ROOT}",
        f"--LabApp.default_url={START}",
        *arguments,
    ]


def main(arguments):
    """Make the copies, then become Jupyter."""
    if os.geteuid() == 0 and "--allow-root" not in arguments:
        sys.exit(
            "make: you are root, and Jupyter then wants to be told that"
            " this is all right: make lab ARGS=--allow-root"
        )
    copies.main([])
    os.execv(sys.executable, command(arguments))


if __name__ == "__main__":
    main(sys.argv[1:])
