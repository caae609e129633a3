"""What can be known of a place before anything is installed or started there.

The user, the kind of machine, and what can be written. Like install.py, any
Python from 3.7 on can read it.
"""

import os
import sys
import tempfile
from pathlib import Path

MARKS = "/.dockerenv", "/run/.containerenv"  # of Docker, of Podman


def check(*folders):
    """Exit with the way out where these, or Jupyter's, cannot be written to.

    It is asked before the installation, which takes minutes, and by lab.
    """
    for folder in folders:
        if problem(folder):
            sys.exit(
                f"make: nothing can be written to {problem(folder)}; copy the"
                " course to a folder of your own and run make there"
            )
    for folder in of_jupyter():
        if problem(folder):
            sys.exit(
                f"make: nothing can be written to {problem(folder)}, where"
                " Jupyter keeps what it needs; name another home:"
                ' make lab HOME="$PWD/.venv"'
            )


def problem(folder):
    """The folder and why nothing can be written to it; "" if it can be."""
    folder = there = Path(os.path.abspath(os.path.expanduser(folder)))
    while not os.path.lexists(there):  # it would be made in this one
        there = there.parent
    try:  # by trying: root may do everything, but not in a read-only system
        with tempfile.TemporaryFile(dir=there):
            return ""
    except OSError as error:
        return f"{folder} ({error.strerror})"


def of_jupyter():
    """The folders that Jupyter writes to, as it finds them itself."""
    mac = sys.platform == "darwin"
    data = "~/Library/Jupyter" if mac else "~/.local/share/jupyter"
    data = os.environ.get("JUPYTER_DATA_DIR") or data
    runtime = os.environ.get("JUPYTER_RUNTIME_DIR") or f"{data}/runtime"
    return os.environ.get("JUPYTER_CONFIG_DIR") or "~/.jupyter", data, runtime


def is_root():
    """Whether the user may do everything; Windows has no such user."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def has_display():
    """Whether a browser could open a window, by what Python itself asks."""
    if sys.platform in ("win32", "darwin"):
        return True
    names = "DISPLAY", "WAYLAND_DISPLAY", "BROWSER"
    return any(os.environ.get(name) for name in names)


def is_container():
    """Whether 127.0.0.1 is perhaps not that of the person who runs this."""
    named = (
        "container" in os.environ or "KUBERNETES_SERVICE_HOST" in os.environ
    )
    return named or any(map(os.path.exists, MARKS))
