"""The address of the course, and its code to scan.

It is named by the caller, or written in CITATION.cff as `url` or
`repository-code`. Where there is none, there is no link.
"""

import re
import sys

from tools.author.results import ROOT
from tools.markup import Html

ADDRESS = r"(?m)^(?:url|repository-code): *['\"]?(https?://[^\s'\"]+)"
LONGEST = 150  # characters of an address; a longer code has too fine dots


def address(arguments):
    """The address that was named, or that of CITATION.cff, or ""."""
    if not arguments:
        cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
        return (re.findall(ADDRESS, cited) or [""])[0]
    named = " ".join(arguments)
    if not re.fullmatch(r"https?://[^\s<>\"]+", named):
        sys.exit(
            f"make: ARGS={named} is not an address that begins with https://"
        )
    if len(named) > LONGEST:
        sys.exit(f"make: ARGS has more than {LONGEST} characters")
    return named


def code(url):
    """The QR code of an address, as SVG."""
    import segno  # of the extra `paper`

    return Html(
        segno.make_qr(url, error="m").svg_inline(
            omitsize=True, dark="black", light="white"
        )
    )
