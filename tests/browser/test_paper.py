"""The pages of `make paper`, opened as files and printed."""

import re

import pytest

from tools import paper

WIDE = "() => document.documentElement.scrollWidth - innerWidth"
CUT = """() => [...document.querySelectorAll('pre, td, li, p, h1')].filter(
    part => part.scrollWidth > part.clientWidth + 1
        && getComputedStyle(part).display != 'inline').length"""
SHEETS = {"tickets.html": 1, "answers.html": 2, "solutions.html": 3}


@pytest.fixture(scope="module", params=SHEETS)
def printed(request, browser, tmp_path_factory):
    """(name, path) of a page, once."""
    pytest.importorskip("latex2mathml", reason="the extra is not installed")
    path = tmp_path_factory.mktemp("paper") / request.param
    text = paper.page(request.param, paper.chosen([], paper.notebooks()))
    path.write_text(text, encoding="utf-8")
    return request.param, path


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_a_notebook_begins_on_its_own_page(browser, printed, size):
    name, path = printed
    tab = browser.new_page()
    tab.goto(path.as_uri())
    pdf = tab.pdf(format=size)
    pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
    begins = tab.locator("section:not(.room)").count()
    assert begins >= 9 and begins <= pages <= SHEETS[name] * begins
    tab.emulate_media(media="print")
    tab.set_viewport_size({"width": 180 * 96 // 25, "height": 900})
    assert tab.evaluate(CUT) == 0
    tab.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_it_can_be_read_on_a_screen(browser, printed, violations, width):
    _, path = printed
    tab, asked = browser.new_page(), []
    tab.set_viewport_size({"width": width, "height": 900})
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(path.as_uri())
    assert tab.evaluate(WIDE) <= 0 and asked == [path.as_uri()]
    assert "$" not in tab.inner_text("h1, p, li, td")
    assert violations(tab) == []
    tab.close()
