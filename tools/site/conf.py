"""Settings of Sphinx for the web page; tools/site/build_site.py reads them."""

import hashlib
import json
from base64 import b64decode
from pathlib import Path

from docutils import nodes

project = html_title = "Attention, Measured"
extensions = ["myst_nb", "sphinx_copybutton", "sphinx.ext.githubpages"]
smartquotes = False

# the stored outputs, as they are
nb_execution_mode = "off"
nb_code_prompt_show = "Show the solution"
nb_code_prompt_hide = "Hide the solution"

myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 3
# a claim on trial may stand right below the title
suppress_warnings = ["myst.header"]
myst_heading_slug_func = "github"

# everything comes from the page's own server; the menu would load more
html_static_path = ["static"]
html_css_files = ["course.css", "play/widget.css"]
html_js_files = [
    (name, {"defer": "defer"})
    for name in (
        "play/widget.js",
        "language_model.js",
        "play.js",
        "predictions.js",
        "verdicts.js",
        "writing.js",
    )
]
html_favicon = "static/map.svg"
mathjax_path = "mathjax/tex-chtml.js"
mathjax3_config = {"options": {"enableMenu": False}}

html_theme = "sphinx_book_theme"
html_copy_source = html_use_index = False
html_show_search_summary = False  # it quotes menus and raw formulas
html_show_sphinx = html_show_copyright = False
html_context = {"default_mode": "auto"}
html_theme_options = {
    "home_page_in_toc": True,
    "show_navbar_depth": 2,
    "show_toc_level": 2,
    "back_to_top_button": False,
    "use_download_button": False,
    "use_fullscreen_button": False,
    "navbar_persistent": [],
    "footer_content_items": [],
    "logo": {
        "text": project,
        "image_light": "static/map.svg",
        "image_dark": "static/map.svg",
    },
}


SENTENCES = 30  # letters in a row of three columns, from which on it is a card


def setup(app):
    """Change what was read before it is written."""
    app.connect("doctree-read", name_figures)
    app.connect("doctree-read", name_columns)
    app.connect("html-page-context", stay_on_the_road)
    app.connect("html-page-context", describe)


def name_figures(app, doctree):
    """Give each figure its text; show it as it is in the dark theme, too."""
    path = Path(app.env.doc2path(app.env.docname))
    texts = figure_texts(path) if path.suffix == ".ipynb" else {}
    for image in doctree.findall(nodes.image):
        image["classes"].append("dark-light")
        if text := texts.get(Path(image["uri"]).stem):
            image["alt"] = text


def figure_texts(path):
    """{hash of a figure, which myst-nb calls its file: its text}."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [o for cell in cells for o in cell.get("outputs", [])]
    figures = [o["data"] for o in outputs if "image/png" in o.get("data", {})]
    return {
        hashlib.sha256(b64decode(data["image/png"])).hexdigest(): "".join(
            data["text/plain"]
        )
        for data in figures
    }


def name_columns(app, doctree):
    """Let tables of sentences be cards on a narrow screen.

    There the first cell is the title, and the others say their column.
    """
    for table in doctree.findall(nodes.table):
        head, *rows = table.findall(nodes.row)
        letters = sum(map(str.isalpha, table.astext()))
        if len(head) < 3 or letters < SENTENCES * (1 + len(rows)):
            continue
        table["classes"].append("cards")
        for row in rows:
            for name, cell in [*zip(head, row, strict=True)][1:]:
                if name.astext() and cell.astext():
                    classes = ["column", "no-search"]
                    label = nodes.inline(text=name.astext(), classes=classes)
                    cell[0].insert(0, label)


def stay_on_the_road(app, page, template, context, doctree):
    """Lead past trial rooms: from a room, back or on to a notebook."""
    for i, name in (1, "prev"), (2, "next"):
        to = app.builder.relations.get(page, [None] * 3)[i]
        while to and "/trials/" in to:
            to = app.builder.relations[to][i]
        title = to and app.builder.render_partial(app.env.titles[to])["title"]
        link = to and app.builder.get_relative_uri(page, to)
        context[name] = to and {"link": link, "title": title}


WORDS = (
    "A notebook course on self-attention in which nothing is only asserted. "
    "You write it, train it, and measure what people say about it."
)


def describe(app, page, template, context, doctree):
    """Say what the course is where a link to a page is shown."""
    static = context["pathto"]("_static/preview.png", 1)
    title = context.get("title", project)
    context["metatags"] = context.get("metatags", "") + "".join(
        f'<meta {kind}="{name}" content="{text}">'
        for kind, name, text in (
            ("name", "description", WORDS),
            ("property", "og:title", title),
            ("property", "og:description", WORDS),
            ("property", "og:image", static),
            ("property", "og:type", "website"),
        )
    )
    if page == "index":
        context["docstitle"] = ""  # its title is that of the course
