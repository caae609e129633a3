"""HTML for pages that are printed or opened as a file, without a network.

Formulas become MathML, which browsers draw by themselves.
"""

import html
import re

from nbconvert.filters import Highlight2HTML
from nbconvert.filters.markdown_mistune import markdown2html_mistune

FORMULA = r"\$\$([^$]+)\$\$|\$([^$]+)\$"
CODE = r"(?s)(<code.*?</code>|<pre.*?</pre>)"
SYMBOL = r"\$(\w)(?:_(\w))?([^$\\]*)\$"
LINK = r"(?s)<a [^>]*>(.*?)</a>"


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
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", text)


def symbol(match):
    """HTML of a letter with an index or without, as in $d_k = 16$."""
    letter, index, rest = match.groups()
    below = f"<sub>{index}</sub>" if index else ""
    return f"<i>{letter}</i>{below}{rest}"


def printed(markdown):
    """HTML of a Markdown text; of links only the words stay."""
    return mathml(re.sub(LINK, r"\1", markdown2html_mistune(markdown)))


def code(source):
    """HTML of Python code, with the classes of Pygments."""
    return Highlight2HTML()(source, language="python")
