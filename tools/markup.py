"""HTML for pages that are printed or opened as a file, without a network.

Formulas become MathML, which browsers draw by themselves. The templates stand
beside the tools that fill them, and escape what is not `Html`.
"""

import html
import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.markdown_mistune import markdown2html_mistune

FORMULA = r"\$\$([^$]+)\$\$|\$([^$]+)\$"
CODE = r"(?s)(<code.*?</code>|<pre.*?</pre>)"
SYMBOL = r"\$(\w)(?:_(\w))?([^$\\]*)\$"
LINK = r"(?s)<a [^>]*>(.*?)</a>"


class Html(str):
    """A text that is HTML already."""

    __html__ = str.__str__


def mathml(text):
    """HTML in which each formula between dollars is MathML."""

    def drawn(match):
        from latex2mathml.converter import convert  # of the extra `paper`

        shown = match[1] is not None
        formula = html.unescape(match[1] if shown else match[2])
        return convert(formula, display="block" if shown else "inline")

    pieces = re.split(CODE, text)  # a dollar in code is a dollar
    pieces[::2] = [re.sub(FORMULA, drawn, piece) for piece in pieces[::2]]
    return "".join(pieces)


def inline(text):
    """HTML of a text with *italics*, **bold**, `code` and $W_Q$."""
    text = html.escape(text, quote=False)
    text = re.sub(SYMBOL, symbol, text)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)
    return Html(re.sub(r"\*([^*]+)\*", r"<em>\1</em>", text))


def symbol(match):
    """HTML of a letter with an index or without, as in $d_k = 16$."""
    letter, index, rest = match.groups()
    below = f"<sub>{index}</sub>" if index else ""
    return f"<i>{letter}</i>{below}{rest}"


def printed(markdown):
    """HTML of a Markdown text; of links only the words stay."""
    return Html(mathml(re.sub(LINK, r"\1", markdown2html_mistune(markdown))))


def code(source):
    """HTML of Python code, with the classes of Pygments."""
    return Html(Highlight2HTML()(source, language="python"))


def many(count, what):
    """ "1 learner", "2 learners"."""
    return f"{count} {what}{'s' * (count != 1)}"


TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    autoescape=True,
    keep_trailing_newline=True,
    lstrip_blocks=True,
    trim_blocks=True,
    undefined=StrictUndefined,
)
TEMPLATES.globals |= {
    each.__name__: each for each in (code, inline, many, printed)
}


def filled(name, **values):
    """Fill a template, such as "paper/slides.html"."""
    return Html(TEMPLATES.get_template(name).render(values))
