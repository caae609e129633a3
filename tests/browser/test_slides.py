"""The deck of slides, opened as a file: keys, size of type, printing."""

import re

import pytest

from tools.paper import slides

from .lab import pages_of

ADDRESS = "https://example.org/a-place/attention-measured"
SMALLEST = 20  # pixels of the smallest type of a picture, at 1280 by 720
TYPE = """() => [...document.images].map(image => {
    const { width, height } = image.getBoundingClientRect()
    const scale = Math.min(
        width / image.naturalWidth, height / image.naturalHeight)
    return [image.closest('section').id, 11 / 72 * 200 * scale]
})"""  # 11 points, 200 dots an inch: see helpers.plots
SPILLED = """() => [...document.querySelectorAll('section')].filter(
    s => s.scrollHeight > s.clientHeight || s.scrollWidth > s.clientWidth
).map(s => s.id)"""
SEEN = """() => [...document.querySelectorAll('section')].find(
    s => Math.abs(s.getBoundingClientRect().top) < 2)?.id"""


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    path = tmp_path_factory.mktemp("deck") / "slides.html"
    pytest.importorskip("segno", reason="the extra is not installed")
    page = slides.deck(slides.listed(), slides.notebooks(), ADDRESS)
    path.write_text(page, encoding="utf-8")
    return path


@pytest.fixture
def opened(open_file, deck, request):
    return open_file(deck, *getattr(request, "param", (1280, 720)))


def press(tab, key):
    tab.keyboard.press(key)
    tab.wait_for_timeout(100)
    return tab.evaluate(SEEN)


def test_keys_lead_through_the_deck(opened):
    assert [press(opened, key) for key in (
        "ArrowRight", "PageDown", "ArrowDown", "ArrowLeft", "PageUp")
    ] == ["notebook-0", "q1", "a1", "q1", "notebook-0"]  # fmt: skip
    assert press(opened, "4") == "notebook-4"
    assert press(opened, "Home") == "start"
    assert press(opened, "ArrowUp") == "start"
    assert press(opened, "End") == "ticket-10"
    last = f"a{len(slides.listed())}"
    assert press(opened, "ArrowLeft") == last
    words = opened.locator(f"#{last} pre")
    assert not words.is_visible()
    press(opened, "n")
    assert words.is_visible()
    press(opened, "b")
    assert not words.is_visible()
    press(opened, "b")
    assert words.is_visible()


def test_the_speaker_has_a_window_of_their_own(opened):
    with opened.context.expect_page() as asked:
        opened.keyboard.press("s")
    beside = asked.value
    for _ in range(2):
        press(opened, "ArrowRight")
    assert opened.evaluate(SEEN) == "q1"
    beside.wait_for_selector("text=“Who told the model where to look?”")
    assert "Next: the answer" in beside.inner_text("footer")
    assert "minutes for 00" in beside.inner_text("body")
    assert "told" not in opened.inner_text("#q1")
    beside.keyboard.press("End")  # it leads, too
    beside.wait_for_selector("text=Next: the end")
    assert opened.evaluate(SEEN) == "ticket-10"
    beside.close()
    assert press(opened, "Home") == "start"


def test_the_code_is_large_and_has_a_quiet_edge(opened):
    box = opened.locator(".code svg").bounding_box()
    assert min(box["width"], box["height"]) > 300
    modules = opened.locator(".code svg").get_attribute("viewBox").split()
    assert int(modules[2]) >= 21 + 2 * 4  # modules; 4 on each side are empty
    assert opened.locator(".link a").get_attribute("href") == ADDRESS


def test_nobody_is_kept_out(opened, violations):
    assert violations(opened) == []


def test_an_answer_is_not_in_sight_of_its_question(opened):
    opened.evaluate("location.hash = '#q6'")
    opened.wait_for_timeout(100)
    assert opened.evaluate(SEEN) == "q6"
    answer = opened.locator("#a6").bounding_box()
    assert answer["y"] >= 719


def test_type_can_be_read_from_the_last_row(opened):
    small = {k: v for k, v in opened.evaluate(TYPE) if v < SMALLEST}
    assert small == {}


@pytest.mark.parametrize(
    "opened", [(1280, 720), (1024, 768), (1920, 1080)], indirect=True
)
def test_nothing_spills_over(opened):
    assert opened.evaluate(SPILLED) == []


def test_a_page_for_each_slide_is_printed(opened, deck):
    pdf = opened.pdf(prefer_css_page_size=True)
    assert pages_of(pdf) == opened.locator("section").count()
    box = re.search(rb"/MediaBox\s*\[0 0 (\S+) (\S+)\]", pdf).groups()
    assert float(box[0]) / float(box[1]) == pytest.approx(16 / 9, abs=0.01)
