"""The sheet of notation, printed."""

import re

import pytest


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_it_prints_on_one_page(browser, tmp_path, paper):
    pytest.importorskip("latex2mathml", reason="the extra is not installed")
    from tools import notation

    path = tmp_path / "notation.html"
    path.write_text(notation.page(), encoding="utf-8")
    tab, outside = browser.new_page(), []
    tab.on("request", lambda r: outside.append(r.url))
    tab.goto(path.as_uri())
    assert tab.locator("math").count() > 40
    assert "$" not in tab.inner_text("body")
    pdf = tab.pdf(format=paper, prefer_css_page_size=paper == "A4")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
    wide = "() => document.documentElement.scrollWidth - innerWidth"
    assert tab.evaluate(wide) <= 0 and outside == [path.as_uri()]
    tab.close()
