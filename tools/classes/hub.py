"""Start a JupyterHub to try a class on this machine; `make hub` calls this."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HUB = ROOT / "teaching" / "hub"
WELCOME = """\
make: a trial on this machine, with no wall between learners; for a class
make: see teaching/hub.md. Any name, password: attention. The address is in
make: the line "JupyterHub is now running at"; Ctrl+C stops the hub."""


def main(arguments):
    """Install the proxy, which is no Python, then become JupyterHub."""
    if not (HUB / "node_modules").exists():
        install_proxy()
    print(WELCOME, flush=True)
    config = f"--config={HUB / 'jupyterhub_config.py'}"
    command = [sys.executable, "-m", "jupyterhub", config, *arguments]
    os.execv(sys.executable, command)


def install_proxy():
    """Let npm install what package-lock.json pins, or say what is lacking."""
    if not shutil.which("npm"):
        sys.exit(
            "make: JupyterHub's proxy needs Node.js 20 or newer, with npm;"
            " install them and run make hub again"
        )
    npm = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]
    if subprocess.run(npm, cwd=HUB).returncode:
        shutil.rmtree(HUB / "node_modules", ignore_errors=True)
        sys.exit("make: npm could not install the proxy; it says why above")


def free_ports(number):
    """Ports that nobody listens to."""
    sockets = [socket.socket() for _ in range(number)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


if __name__ == "__main__":
    main(sys.argv[1:])
