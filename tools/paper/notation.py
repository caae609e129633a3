"""Write teaching/notation.html, the sheet of notation for print.

`make notation`, or `make notation ARGS=02` for what 00 to 02 have shown: later
rows answer exercises. GitHub and the web page read teaching/notation.md as it
is. Here its formulas become MathML, which browsers draw by themselves, so that
the sheet prints on one page of A4, without a network.
"""

import re
import sys

from nbconvert.filters.markdown_mistune import markdown2html_mistune

from tools import markup
from tools.author.results import ROOT

SHEET = ROOT / "teaching" / "notation.md"
PAGE = ROOT / "teaching" / "notation.html"
HEAD = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Attention, Measured: notation and formulas</title>
<style>
  @page { size: A4; margin: 11mm 12mm }
  body { max-width: 186mm; margin: auto; color: black;
    font: 8.6pt/1.25 "DejaVu Sans", Verdana, sans-serif }
  h1 { font-size: 14pt; margin: 0 } h2 { font-size: 10.5pt; margin: 2mm 0 0 }
  p { margin: 1mm 0 }
  table { border-collapse: collapse; width: 100% }
  th { display: none }
  td { border-bottom: .2mm solid #bbb; padding: .55mm 2mm .55mm 0 }
  td:last-child { padding-right: 0 }
  h2:not(:nth-of-type(3)) + table td:last-child { text-align: right;
    color: #555; white-space: nowrap }
  td:first-child, h2:nth-of-type(2) + table td:nth-child(2) {
    white-space: nowrap }
  h2:nth-of-type(3) + table th { display: table-cell; text-align: left }
  math { font-size: 1.15em; math-style: normal; white-space: nowrap }
  code { font: 7.6pt "DejaVu Sans Mono", monospace }
  a { display: none }
</style>
<main>
"""


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


def page(last="09"):
    """The sheet as HTML, for those who have done the notebooks up to one."""
    text = until(SHEET.read_text(encoding="utf-8"), last)
    text = markdown2html_mistune(text)
    return HEAD + markup.mathml(text) + "</main>\n</html>\n"


def main(arguments):
    """Write it."""
    last = "".join(arguments) or "09"
    if not re.fullmatch(r"0\d", last):
        sys.exit(f"make: ARGS={last} is not a notebook; choose from 00 to 09")
    PAGE.write_text(page(last), encoding="utf-8")
    print(f"open {PAGE.relative_to(ROOT)} in a browser, and print it")


if __name__ == "__main__":
    main(sys.argv[1:])
