"""The web page as `make site` builds it, behind a server, and its HTML."""

import functools
import subprocess
import sys
import threading
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urldefrag, urljoin

from .lab import OURS, ROOT

SETTINGS = [(390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")]


def build(folder):
    """Build into a folder, as make does; stop with what Sphinx says."""
    command = [sys.executable, "-m", "tools.site.build_site", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


class Quiet(SimpleHTTPRequestHandler):
    """Serve files, and say nothing."""

    def log_message(self, *_):
        pass


def serve(folder):
    """A server of a folder, on a free port."""
    handler = functools.partial(Quiet, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class Visit:
    """A tab that notes what goes wrong in it."""

    def __init__(self, context, url):
        self.tab, self.url = context.new_page(), url
        self.problems = []
        note = self.problems.append
        self.tab.on("request", lambda r: OURS.match(r.url) or note(r.url))
        self.tab.on("pageerror", lambda error: note(str(error)))
        self.tab.on("requestfailed", lambda r: note(f"failed: {r.url}"))
        self.tab.on(
            "response",
            lambda r: r.status < 400 or note(f"{r.status}: {r.url}"),
        )
        self.tab.on(
            "console", lambda said: said.type != "error" or note(said.text)
        )

    def open(self, name):
        """Open a page, and wait until its formulas are set."""
        self.problems.clear()
        self.tab.goto(f"{self.url}/{name}")
        self.tab.evaluate("window.MathJax?.startup?.promise")
        self.tab.evaluate("document.fonts.ready.then(() => 0)")
        return self.tab


class Html(HTMLParser):
    """What a page loads, where its links lead, and where links may lead."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.ids = set(), set(), {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.add(value)
            elif name in ("href", "src", "action"):
                (self.links if tag == "a" else self.loaded).add(value)


def read(folder):
    """{address below the folder: its HTML}."""
    paths = sorted(folder.rglob("*.html"))
    pages = [path for path in paths if "_static" not in path.parts]
    return {path.relative_to(folder).as_posix(): Html(path) for path in pages}


def broken(folder, pages):
    """(page, link) of all that lead nowhere in the folder."""
    for name, html in pages.items():
        for link in html.links | html.loaded:
            if link in html.links and link.startswith(("http:", "https:")):
                continue
            address, anchor = urldefrag(urljoin(name, link))
            file = unquote(address).split("?")[0]
            ids = pages[file].ids if file in pages else {""}
            if not (folder / file).is_file() or unquote(anchor) not in ids:
                yield name, link


UNFOLD = """() => document.querySelectorAll("details")
    .forEach(x => x.open = true)"""
# Each of these asks a page for what is wrong with it, and gets a list.
SIDEWAYS = """() => {
    const far = x => x.getBoundingClientRect().right > innerWidth + 1;
    const scrolls = x => x.tagName != "ARTICLE" && (
        /auto|scroll/.test(getComputedStyle(x).overflowX) ||
        x.tagName == "MJX-ASSISTIVE-MML" || scrolls(x.parentElement));
    const root = document.documentElement;
    return (root.scrollWidth > innerWidth ? ["the page"] : []).concat(
        [...document.querySelectorAll("article *")]
        .filter(x => far(x) && !scrolls(x)).map(x => x.outerHTML));
}"""
WRAPPED = """() => [...document.querySelectorAll("article pre")]
    .filter(x => getComputedStyle(x).whiteSpace != "pre")
    .map(x => x.textContent)"""
# The picture of a card says nothing that its words do not say, and loads late.
IMAGES = """() => [...document.images]
    .filter(x => !x.closest(".notebook-card")).filter(x => !x.naturalWidth ||
    x.closest("article") && (!x.alt.trim() ||
    getComputedStyle(x).filter != "none")).map(x => x.outerHTML)"""
FORMULAS = """() => {
    const all = selector => [...document.querySelectorAll(selector)];
    const raw = all("article p, article td, article li")
        .filter(x => /\\$\\$|\\\\[([]/.test(x.innerText));
    const bare = all(".math").filter(x => !x.querySelector("mjx-container"));
    return [...raw, ...bare, ...all("mjx-merror")].map(x => x.outerHTML);
}"""
FAINT = """() => {
    const light = rgb => rgb.slice(0, 3).map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const parse = color => color.match(/[\\d.]+/g).map(Number);
    const paper = x => {
        if (!x) return [255, 255, 255];
        const rgb = parse(getComputedStyle(x).backgroundColor);
        return rgb[3] === 0 ? paper(x.parentElement) : rgb;
    };
    const contrast = x => {
        const ink = parse(getComputedStyle(x).color);
        const [one, two] = [light(ink) + 0.05, light(paper(x)) + 0.05];
        return Math.max(one / two, two / one);
    };
    return [...document.querySelectorAll("article :not(.headerlink)")]
        .filter(x => x.checkVisibility() && [...x.childNodes].some(
            n => n.nodeType == 3 && n.textContent.trim()))
        .filter(x => contrast(x) < 4.5).map(x => x.outerHTML);
}"""
CUT = """() => [...document.querySelectorAll("article table")]
    .filter(x => !x.closest("#scoreboard")).filter(x =>
        x.getBoundingClientRect().width > x.parentElement.clientWidth + 1 ||
        [...x.querySelectorAll("td")].some(
            cell => cell.scrollWidth > cell.clientWidth + 1))
    .map(x => x.outerHTML)"""
FAULTS = SIDEWAYS, WRAPPED, CUT, IMAGES, FORMULAS, FAINT
