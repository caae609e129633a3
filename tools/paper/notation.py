"""Write teaching/notation.html, the sheet of notation for print.

`make notation`, or `make notation ARGS=02` for what 00 to 02 have shown: later
rows answer exercises. GitHub and the web page read teaching/notation.md as it
is. Here its formulas become MathML, which browsers draw by themselves, so that
the sheet prints on one page of A4, without a network.
"""

import re
import sys

from nbconvert.filters.markdown_mistune import markdown2html_mistune

from tools.author.results import ROOT
from tools.markup import Html, filled, mathml

SHEET = ROOT / "teaching" / "notation.md"
PAGE = ROOT / "teaching" / "notation.html"


def until(text, last):
    """The rows that the notebooks up to one have shown, all of their numbers.

    The table of code names PyTorch's, too, which is the matter of 05.
    """
    shapes, _, code = text.partition("## In code")
    numbered = r"(?m)^\| .* \| ([^|]*\d\db?) \|\n"

    def row(match):
        return match[0] if max(match[1].split(", "))[:2] <= last else ""

    kept = re.sub(numbered, row, shapes)
    return kept + "## In code" + code if last >= "05" else kept


def page(last="10"):
    """The sheet as HTML, for those who have done the notebooks up to one."""
    text = until(SHEET.read_text(encoding="utf-8"), last)
    text = markdown2html_mistune(text)
    sheet = Html(mathml(text))
    return filled("paper/notation.html", sheet=sheet)


def main(arguments):
    """Write it."""
    last = "".join(arguments) or "10"
    if not re.fullmatch(r"0\d|10", last):
        sys.exit(f"make: ARGS={last} is not a notebook; choose from 00 to 10")
    PAGE.write_text(page(last), encoding="utf-8")
    print(f"open {PAGE.relative_to(ROOT)} in a browser, and print it")


if __name__ == "__main__":
    main(sys.argv[1:])
