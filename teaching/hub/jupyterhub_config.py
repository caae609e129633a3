"""A JupyterHub for a class, to try on one machine; `make hub` starts it.

Each learner gets a clone of this repository by nbgitpuller, in it the copies
that `make lab` makes, and from here the environment and the package. What
changes on a real server stands in teaching/hub.md.
"""

import os
import sys
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).parents[2]
STATE = ROOT / ".hub"  # the learners' folders and the hub's own; git-ignored
STATE.mkdir(mode=0o700, exist_ok=True)
BIN = Path(sys.executable).parent
# What is handed out. "student" instead of "my_course": without solutions.
COPIES = "my_course"
SOURCE = ROOT.as_uri()  # on a real server the address of your repository
FOLDER = "attention-measured"
LINK = "/git-pull?" + urlencode(
    {
        "repo": SOURCE,
        "targetPath": FOLDER,
        "urlpath": f"lab/tree/{FOLDER}/{COPIES}/00_start.ipynb",
    }
)
HOUR = 3600

c = get_config()  # noqa: F821

# Who may come in: here any name with one password for all.
c.JupyterHub.ip = "127.0.0.1"
c.JupyterHub.authenticator_class = "shared-password"
c.SharedPasswordAuthenticator.user_password = "attention"
c.Authenticator.allow_all = True

# How servers start: here as processes of the one who started the hub.
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = f"{STATE}/homes/{{username}}"
c.Spawner.start_timeout = c.Spawner.http_timeout = 120
c.Spawner.cmd = [f"{BIN}/jupyterhub-singleuser"]
c.Spawner.args = [
    # A notebook that is left open for hours gives its memory back.
    f"--MappingKernelManager.cull_idle_timeout={2 * HOUR}",
    "--MappingKernelManager.cull_connected=True",
    f"--ServerApp.shutdown_no_activity_timeout={HOUR}",
]
if os.geteuid() == 0:
    c.Spawner.args.append("--allow-root")

# What a learner's server does: at each start it pulls and opens the copies.
c.Spawner.default_url = LINK
c.Spawner.environment = {
    "OMP_NUM_THREADS": "1",
    "PATH": f"{BIN}:{os.environ['PATH']}",
    "COURSE_COPIES": COPIES,
    # Git makes the copies after each clone and pull; see hooks.
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "core.hooksPath",
    "GIT_CONFIG_VALUE_0": str(ROOT / "teaching" / "hub" / "hooks"),
}

# Where the hub keeps what it knows.
c.JupyterHub.db_url = f"sqlite:///{STATE}/hub.sqlite"
c.JupyterHub.cookie_secret_file = f"{STATE}/cookie_secret"
c.ConfigurableHTTPProxy.pid_file = f"{STATE}/proxy.pid"
proxy = "teaching/hub/node_modules/.bin/configurable-http-proxy"
c.ConfigurableHTTPProxy.command = [str(ROOT / proxy)]
