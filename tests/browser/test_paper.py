"""The pages of `make paper` and the notation, on a screen and printed."""

import pytest

from tools.paper import notation, paper

from .lab import WIDE, pages_of

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
def test_a_notebook_begins_on_its_own_page(open_file, printed, size):
    name, path = printed
    tab = open_file(path)
    begins = tab.locator("section:not(.room)").count()
    pages = pages_of(tab.pdf(format=size))
    assert begins >= 9 and begins <= pages <= SHEETS[name] * begins
    tab.emulate_media(media="print")
    tab.set_viewport_size({"width": 180 * 96 // 25, "height": 900})
    assert tab.evaluate(CUT) == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_it_can_be_read_on_a_screen(open_file, printed, violations, width):
    tab = open_file(printed[1], width)
    assert tab.evaluate(WIDE) <= 0
    assert "$" not in tab.inner_text("h1, p, li, td")
    assert violations(tab) == []


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_the_notation_is_one_page(open_file, tmp_path, violations, size):
    pytest.importorskip("latex2mathml", reason="the extra is not installed")
    path = tmp_path / "notation.html"
    path.write_text(notation.page(), encoding="utf-8")
    tab = open_file(path)
    assert tab.locator("math").count() > 40 and tab.evaluate(WIDE) <= 0
    assert "$" not in tab.inner_text("body") and violations(tab) == []
    pdf = tab.pdf(format=size, prefer_css_page_size=size == "A4")
    assert pages_of(pdf) == 1
