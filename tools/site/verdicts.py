"""RESULTS.md on the web page: a filter, and links that lead to the origin."""

import re

from helpers.claims.words import WORDS
from tools.markup import filled

MARK = r'<a id="(c\d\d)"></a>'
APPEAL = r" · \[[^]]+\]\(\.\./\.\./issues/new\?[^)]+\)"
ISSUES = "](../../issues/"
LINK = r"\[([^]]+)\]\(\.\./\.\./issues/[^)]*\)"
ABOVE = "## Contents"


def page(text, address):
    """The page with marks as Sphinx wants them, and a form above the contents.

    address: of the repository, where an issue is opened; without one, the
    links to an issue go.
    """
    text = re.sub(MARK, r"(\1)=", text)
    if not address:
        text = re.sub(APPEAL, "", text)
    text = to_issues(text, address)
    form = filled("site/verdicts.html", words=WORDS)
    raw = f"```{{raw}} html\n{form}\n```\n\n"
    return text.replace(ABOVE, raw + ABOVE, 1)


def to_issues(text, address):
    """Point links to an issue at the repository; without one, keep words."""
    if not address:
        return re.sub(LINK, r"\1", text)
    project = address.removesuffix(".git").rstrip("/")
    return text.replace(ISSUES, f"]({project}/issues/")
