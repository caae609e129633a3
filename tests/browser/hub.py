"""JupyterHub as `make hub` starts it, and a learner's page of it."""

import json
from urllib.parse import urlencode

from tools.classes.hub import free_ports

from .lab import READY, Page, Process

PASSWORD = "attention"
HERE = "attention-measured"
COPIES = f"{HERE}/my_course"


class Hub(Process):
    """`make hub` in a teacher's clone of the project, on free ports."""

    def __init__(self, clone, environment):
        front, hub, api = free_ports(3)
        self.url = f"http://127.0.0.1:{front}"
        super().__init__(
            clone,
            environment,
            *("-m", "tools.classes.hub"),
            f"--port={front}",
            f"--JupyterHub.hub_port={hub}",
            f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{api}",
            answers=f"{self.url}/hub/health",
        )

    @property
    def link(self):
        """What the teacher hands out."""
        asked = urlencode(
            [("repo", self.root.as_uri()), ("targetPath", HERE),
             ("urlpath", f"lab/tree/{COPIES}/00_start.ipynb")]
        )  # fmt: skip
        return f"{self.url}/hub/user-redirect/git-pull?{asked}"

    def home(self, name):
        """The folder of a learner."""
        return self.root / ".hub" / "homes" / name


class Learner(Page):
    """Somebody with a browser of their own."""

    def __init__(self, hub, tab, name):
        settings = hub.home(name) / ".jupyter"
        settings.mkdir(parents=True)  # lets the test look into JupyterLab
        (settings / "jupyter_lab_config.json").write_text(
            json.dumps({"LabApp": {"expose_app_in_browser": True}})
        )
        self.hub, self.name = hub, name
        self.watch(tab)

    def log_in(self, address):
        """Go there and say who you are; the start notebook opens."""
        self.tab.goto(address)
        self.tab.fill("#username_input", self.name)
        self.tab.fill("#password_input", PASSWORD)
        self.tab.click("#login_submit")
        self.opened("00_start")

    def opened(self, title):
        """Wait for a notebook in front, and its kernel."""
        self.wait(f"w?.title.label.startsWith('{title}')")
        self.wait(READY)

    def open_link(self):
        """Open what the teacher handed out, once more."""
        self.tab.goto(self.hub.link)
        self.tab.wait_for_url("**/lab/tree/**", timeout=60_000)
        self.opened("00_start")

    def open_notebook(self, name):
        """Open a copy by a double click's command."""
        path = json.dumps(f"{COPIES}/{name}")
        self.ask(
            "return window.jupyterapp.commands.execute("
            f"'docmanager:open', {{path: {path}}}).then(() => null)"
        )
        self.opened(name.split("_")[0])

    def copy(self, name):
        """Where a copy is."""
        return self.hub.home(self.name) / COPIES / name
