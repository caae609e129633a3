"""A hub with learners that a program drives, through their own API.

The hub is that of `make hub`, with folders of its own. Linux only.
"""

import json
import re
import secrets
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

import psutil
import websocket

from tools.classes import hub

TOKEN = secrets.token_hex()
CONFIG = """
load_subconfig({config!r})
c = get_config()
c.JupyterHub.port, c.JupyterHub.hub_port = {ports[0]}, {ports[1]}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{ports[2]}"
c.SimpleLocalProcessSpawner.home_dir_template = {state!r} + "/{{username}}"
c.ConfigurableHTTPProxy.pid_file = {state!r} + "/proxy.pid"
c.JupyterHub.db_url = "sqlite://"
c.JupyterHub.concurrent_spawn_limit = 4
c.JupyterHub.services = [dict(name="measure", api_token={token!r})]
scopes = ["admin:users", "admin:servers", "access:servers"]
role = dict(name="measure", services=["measure"], scopes=scopes)
c.JupyterHub.load_roles = [role]
"""


class Class:
    """A hub and its learners, driven through their own API."""

    def __init__(self, folder):
        self.folder = folder
        ports = hub.free_ports(3)
        self.url = f"http://127.0.0.1:{ports[0]}"
        config = Path(folder, "config.py")
        original = str(hub.HUB / "jupyterhub_config.py")
        config.write_text(
            CONFIG.format(
                config=original, ports=ports, state=folder, token=TOKEN
            )
        )
        command = [sys.executable, "-m", "jupyterhub", f"--config={config}"]
        self.log = open(Path(folder, "log"), "w")
        self.process = psutil.Popen(
            command, cwd=folder, stdout=self.log, stderr=self.log
        )
        try:
            until(lambda: self.ask("GET", "/hub/api/"))
        except OSError:
            self.stop()
            sys.exit(
                f"the hub did not start:\n{Path(folder, 'log').read_text()}"
            )

    def ask(self, method, path, body=None):
        """What the hub or a learner's server answers."""
        request = urllib.request.Request(
            self.url + path,
            method=method,
            data=json.dumps(body).encode() if body else None,
            headers={"Authorization": f"token {TOKEN}"},
        )
        return urllib.request.urlopen(request, timeout=300).read()

    def enter(self, name):
        """A learner logs in and pulls; return the process of the server."""
        user = f"/hub/api/users/{name}"
        self.ask("POST", user)
        before = set(self.servers())
        self.ask("POST", f"{user}/server")
        until(lambda: self.ask("GET", f"/user/{name}/api"))
        query = {"repo": hub.ROOT.as_uri(), "targetpath": "attention-measured"}
        query = urllib.parse.urlencode(query)
        self.ask("GET", f"/user/{name}/git-pull/api?{query}")
        [server] = set(self.servers()) - before
        return server

    def servers(self):
        """Processes of all learners' servers."""
        found = self.process.children(recursive=True)
        return [p for p in found if "singleuser" in " ".join(p.cmdline())]

    def run_all(self, name, server, notebook):
        """Run a learner's copy; return what its kernel needed."""
        path = f"attention-measured/my_course/{notebook}"
        base = f"/user/{name}/api"
        content = json.loads(self.ask("GET", f"{base}/contents/{path}"))
        kernel = json.loads(
            self.ask("POST", f"{base}/kernels", {"path": path})
        )["id"]
        channel = websocket.create_connection(
            f"ws{self.url[4:]}{base}/kernels/{kernel}/channels",
            header=[f"Authorization: token {TOKEN}"],
            timeout=300,
        )
        start = time.monotonic()
        for cell in content["content"]["cells"]:
            if cell["cell_type"] == "code":
                execute(channel, cell["source"])
        seconds = time.monotonic() - start
        [process] = (
            p for p in server.children() if kernel in " ".join(p.cmdline())
        )
        status = Path(f"/proc/{process.pid}/status").read_text()
        needs = {
            "seconds": seconds,
            "cpu": sum(process.cpu_times()[:2]),
            "after": pss(process),
            "peak": int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024,
            "server": pss(server),
        }
        channel.close()
        self.ask("DELETE", f"{base}/kernels/{kernel}")
        return needs

    def disk(self, name):
        """MB that a learner's clone takes up, with the copies in it."""
        files = Path(self.folder, name, "attention-measured").rglob("*")
        return sum(512 * path.lstat().st_blocks for path in files) / 1e6

    def stop(self):
        """End the hub and all servers."""
        self.process.terminate()
        self.process.wait(60)
        self.log.close()


def execute(channel, source):
    """Run a cell as JupyterLab does; an error of the course ends it all."""
    number = secrets.token_hex(8)
    header = {"msg_id": number, "msg_type": "execute_request"}
    header |= {"username": "", "session": "measure", "version": "5.3"}
    content = {"code": source, "silent": False, "store_history": True}
    content |= {"allow_stdin": False, "user_expressions": {}}
    message = {"header": header, "content": content, "channel": "shell"}
    message |= {"parent_header": {}, "metadata": {}, "buffers": []}
    channel.send(json.dumps(message))
    open_ends = {"idle", "execute_reply"}
    while open_ends:
        data = channel.recv()
        if isinstance(data, bytes):  # a widget's, with buffers
            continue
        answer = json.loads(data)
        if answer["parent_header"].get("msg_id") != number:
            continue
        if answer["msg_type"] == "error":
            sys.exit(f"{answer['content']['evalue']} in:\n{source}")
        state = answer["content"].get("execution_state")
        open_ends -= {answer["msg_type"], state}


def pss(process):
    """MiB of a process, with its part of what it shares with others."""
    return process.memory_full_info().pss / 2**20


def until(answers, seconds=180):
    """Wait until something answers."""
    end = time.monotonic() + seconds
    while True:
        try:
            return answers()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.3)
