"""The web page of the course, as a reader meets it."""

import re

import nbformat
import pytest

from helpers import checks
from helpers.claims.words import WORDS
from tools.site import build_site

from . import site
from .lab import ROOT, SHOTS
from .site import SETTINGS

NAMES = build_site.pages()
NOTEBOOKS = [name for name in NAMES if name.endswith(".ipynb")]
ROAD = [name for name in NOTEBOOKS if "/trials/" not in name]
KEPT = "index", "RESULTS", "01_dot", "06_language", "10_shares", "one_day"


def page_of(name):
    """Where the page of a source is."""
    start = {"README.md": "about.md"}.get(name, name)
    return start.rsplit(".", 1)[0] + ".html"


def cells_of(name):
    return nbformat.read(ROOT / name, 4).cells


@pytest.mark.parametrize("name", ["index.md", *NAMES])
@pytest.mark.parametrize("width, scheme", SETTINGS)
def test_a_page_is_whole(visits, name, width, scheme):
    visit = visits[width, scheme]
    tab = visit.open(page_of(name))
    if any(kept in page_of(name) for kept in KEPT):
        keep(tab, f"{page_of(name)}-{width}-{scheme}")
    assert visit.problems == []
    assert tab.locator("html").get_attribute("data-theme") == scheme
    assert tab.locator("article details[open]").count() == 0
    tab.evaluate(site.UNFOLD)
    for fault in site.FAULTS:
        assert tab.evaluate(fault) == []


def keep(tab, name):
    """A picture of the window."""
    SHOTS.mkdir(exist_ok=True)
    name = name.replace("/", "-").replace(".html", "")
    tab.screenshot(path=SHOTS / f"site-{name}.png")


@pytest.mark.parametrize("name", ["RESULTS.md", NOTEBOOKS[1]])
def test_paper_is_white_even_from_a_dark_screen(visits, name):
    tab = visits[1280, "dark"].open(page_of(name))
    try:
        tab.emulate_media(media="print")
        paper = "getComputedStyle(document.body).backgroundColor"
        assert tab.evaluate(paper) == "rgb(255, 255, 255)"
        assert tab.evaluate(site.FAINT) == []
        measured = tab.locator("details.below-input .cell_output").all()
        assert not any(output.is_visible() for output in measured)
        assert len(measured) > 3 or name == "RESULTS.md"
        bars = tab.locator(".av-fill").evaluate_all(
            "all => all.map(bar => getComputedStyle(bar).printColorAdjust)"
        )
        assert {*bars} == ({"exact"} if bars else set())
    finally:
        tab.emulate_media(media="screen")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_outputs_are_shown_as_stored(wide, name):
    tab = wide.open(page_of(name))
    outputs = [o for c in cells_of(name) for o in c.get("outputs", [])]
    texts = [o.text.strip() for o in outputs if o.output_type == "stream"]
    data = [o.data for o in outputs if "image/png" in o.get("data", {})]
    shown = tab.locator(".cell_output")
    printed = shown.locator("pre").all_text_contents()
    assert [text.strip() for text in printed] == texts
    alts = shown.locator("img").evaluate_all("i => i.map(i => i.alt)")
    assert alts == [part["text/plain"] for part in data]


def measured_in(cells):
    """The cells that answer predictions: after each, up to its check."""
    for i, cell in enumerate(cells):
        after = iter(cells[i + 1 :] if is_prediction(cell) else [])
        for later in after:
            if later.get("outputs"):
                yield later.id
            if "checks.prediction(" in later.source:
                break


def is_prediction(cell):
    return "prediction" in cell.metadata.get("tags", [])


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_prediction_is_answered_by_a_click_only(wide, name):
    tab = wide.open(page_of(name))
    code = [c for c in cells_of(name) if c.cell_type == "code"]
    shown = tab.locator("article div.cell")
    assert shown.count() == len(code)
    folded = set(measured_in(code))
    for cell, here in zip(code, shown.all(), strict=True):
        output = here.locator(".cell_output")
        if cell.id in folded:
            assert not output.is_visible()
            here.get_by_text("Show what was measured").click()
        assert output.is_visible() or not cell.outputs


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_solutions_open_with_a_click(wide, name):
    tab = wide.open(page_of(name))
    tags = [c.metadata.get("tags", []) for c in cells_of(name)]
    folds = tab.locator(".cell.tag_solution details")
    assert folds.count() == sum("solution" in tag for tag in tags)
    for fold in folds.all():
        code = fold.locator("pre")
        assert not code.is_visible()
        fold.locator("summary").click()
        assert "def solution_" in code.inner_text()


def test_hints_and_verdicts_open_with_a_click(wide):
    tab = wide.open("notebooks/01_dot_product_baseline.html")
    texts = [c.source for c in cells_of(NOTEBOOKS[1])]
    outputs = [o for c in cells_of(NOTEBOOKS[1]) for o in c.get("outputs", [])]
    texts += [o.get("data", {}).get("text/markdown", "") for o in outputs]
    folds = tab.locator("article details:not(.hide):not(:has(.av))")
    assert folds.count() == "".join(texts).count("<details>")
    verdict = folds.filter(has_text="Verdict C08")
    assert not verdict.locator("strong").first.is_visible()
    verdict.locator("summary").click()
    assert verdict.locator("strong").first.is_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_search_finds_a_word_and_opens_its_page(visits, width):
    visit = visits[width, "light"]
    tab = visit.open("index.html")
    button = "article-header-buttons" if width == 390 else "sidebar-primary"
    tab.locator(f"[class*={button}] .search-button__button:visible").click()
    tab.keyboard.type("softmax")
    tab.keyboard.press("Enter")
    found = tab.locator("#search-results li a")
    found.first.wait_for()
    tab.wait_for_load_state("networkidle")
    assert found.count() > 5 and visit.problems == []
    field = tab.locator("#search-input, .bd-search-container input").first
    icon = tab.locator(".bd-search-container .fa-magnifying-glass")
    typed = field.evaluate(
        "x => x.getBoundingClientRect().left"
        " + parseFloat(getComputedStyle(x).paddingLeft)"
    )
    assert icon.evaluate("x => x.getBoundingClientRect().right") <= typed
    found.first.click()
    tab.wait_for_url("**/course/*/**")
    assert "softmax" in tab.locator("article").inner_text().lower()


def test_every_link_leads_somewhere(folder):
    pages = site.read(folder)
    assert {page_of(name) for name in NAMES} < set(pages)
    assert sorted(site.broken(folder, pages)) == []


@pytest.mark.parametrize("width", [320, 1280])
def test_results_are_filtered_by_verdict_and_question(browser, host, width):
    tab = browser.new_page(viewport={"width": width, "height": 900})
    tab.goto(f"{host}/RESULTS.html")
    form, claims = tab.locator("form.verdicts"), tab.locator("section > h3")
    blocks = claims.filter(has_text=re.compile(r"^C\d\d · "))
    every = blocks.count()
    assert form.locator("p").inner_text() == f"{every} claims"
    seen = 0
    for word in WORDS:
        tab.select_option("select[name=word]", word)
        shown = [b for b in blocks.all() if b.is_visible()]
        said = form.locator("p").inner_text()
        assert said == f"{len(shown)} of {every} claims, below"
        seen += len(shown)
    assert seen == every
    tab.select_option("select[name=word]", "")
    tab.select_option("select[name=topic]", index=1)
    shown = [b for b in blocks.all() if b.is_visible()]
    assert 0 < len(shown) < every
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    tab.context.close()


def test_trial_rooms_are_listed_below_their_notebook(wide):
    tab = wide.open("index.html")
    for name in NOTEBOOKS:
        rooms = [page_of(room) for room in build_site.rooms_of(name)]
        link = f"> a[href='{page_of(name)}']"
        entry = tab.locator(f".bd-sidebar-primary li.toctree-l1:has({link})")
        below = entry.locator("ul a").evaluate_all(
            "links => links.map(a => a.getAttribute('href'))"
        )
        assert below == rooms


def test_next_is_the_road_and_back_from_a_room_is_its_notebook(wide):
    tab = wide.open("INSTALL.html")  # the last page before the road
    for name in ROAD:
        tab.locator("a.right-next").click()
        tab.wait_for_url(f"**/{page_of(name)}")
    tab.locator("a.left-prev").click()
    tab.wait_for_url(f"**/{page_of(ROAD[-2])}")
    for room in build_site.rooms_of(ROAD[2]):
        tab = wide.open(page_of(room))
        tab.locator("a.left-prev").click()
        tab.wait_for_url(f"**/{page_of(ROAD[2])}")


def test_a_notebook_says_how_to_get_a_copy_of_your_own(wide):
    tab = wide.open("notebooks/trials/02_projections.html")
    tab.locator(".own-copy a").click()
    tab.wait_for_url("**/about.html#two-commands")
    assert "make lab" in tab.locator("#two-commands pre").first.inner_text()


GUESSES = [  # what is guessed, what was measured, with how many decimals
    *[(guess, 0.5, 2) for guess in (0.5, 0.45, 90, -3, 1e-5, 1234567)],
    *[(guess, 12, 2) for guess in (12, 12.25, 11, 50)],
    *[(guess, 0.5, 2) for guess in ("banana", "it's", "0,5" * 20)],
    (0.1234, 0.5, 3),
    ("River", "river", 2),
    ("lowest–first", "lowest first", 2),
    ("money", "river", 2),
]


def test_the_page_says_to_a_guess_what_python_says(wide, capsys):
    tab = wide.open("about.html")
    for guess, measured, decimals in GUESSES:
        checks.prediction(guess, measured, decimals)
        said = capsys.readouterr().out.strip()
        number = not isinstance(measured, str)
        shown = f"{measured:.{decimals}f}" if measured == 0.5 else measured
        here = tab.evaluate(
            "given => attentionGuesses.compare(...given)",
            [str(guess), str(shown), number],
        )
        assert here == [said, not said.startswith("→ a number, please")]


def test_a_guess_is_kept_under_the_id_of_its_cell(wide):
    page = "notebooks/02_learned_projections.html"
    tab = wide.open(page)
    tab.evaluate("localStorage['prediction /course/a.html 0'] = 'old'")
    tab = wide.open(page)
    forms = tab.locator("form.predict")
    assert forms.count() == sum(map(is_prediction, cells_of(NOTEBOOKS[2])))
    form, reply = forms.first, forms.first.locator("p")
    for typed, said in {
        "": "Type your prediction first.",
        "banana": "→ a number, please, not 'banana'. Measured: 0.50",
        "0.25": "your prediction 0.25, measured 0.50: off by 0.25",
    }.items():
        form.locator("input").fill(typed)
        form.locator("button").click()
        assert reply.inner_text() == said
    kept = tab.evaluate("Object.entries(localStorage)")
    assert ["guess 02-005", "0.25"] in kept
    assert not any(key.startswith("prediction") for key, _ in kept)
    tab = wide.open(page)
    assert reply.inner_text() == said
    assert form.locator("input").input_value() == "0.25"
    assert forms.nth(1).locator("p").inner_text() == ""
    tab.evaluate("localStorage.clear()")


PLAYED = ["index.html", *map(page_of, ROAD[:3]), *map(page_of, ROAD[4:8:2])]


def test_a_view_fits_320_pixels(browser, host):
    tab = browser.new_page(viewport={"width": 320, "height": 900})
    for page in PLAYED:
        tab.goto(f"{host}/{page}")
        tab.locator(".av-heat").first.wait_for(state="attached")
        tab.evaluate(site.UNFOLD)
        assert tab.evaluate(site.SIDEWAYS) == []
        for box in tab.locator(".av").all():
            edge = "x => x.getBoundingClientRect().right"
            parts = box.locator("*").evaluate_all(f"a => a.map({edge})")
            assert max(parts) <= box.evaluate(edge)
    tab.close()


def test_without_javascript_a_page_says_what_is_missing(browser, host):
    tab = browser.new_page(java_script_enabled=False)
    for page in "index.html", page_of(ROAD[0]), page_of(ROAD[9]):
        tab.goto(f"{host}/{page}")
        said = tab.locator("article noscript p")
        assert said.is_visible() and "JavaScript" in said.inner_text()
    tab.close()


def test_a_first_visit_is_small(browser, host):
    tab = browser.new_page()
    sizes = []
    tab.on("response", lambda r: sizes.append(len(r.body())))
    tab.goto(f"{host}/index.html", wait_until="networkidle")
    assert 100_000 < sum(sizes) < 1_500_000
    tab.close()


def test_links_to_a_page_show_what_it_is(wide):
    tab = wide.open("index.html")
    assert tab.title() == "Attention, Measured"
    for name in ("name=description", "property='og:title'"):
        content = tab.locator(f"meta[{name}]").get_attribute("content")
        assert len(content) > 10
    image = tab.locator("meta[property='og:image']").get_attribute("content")
    assert tab.request.get(f"{wide.url}/{image}").ok


def test_cards_lead_to_every_notebook(wide):
    tab = wide.open("index.html")
    cards = tab.locator("a.notebook-card")
    links = cards.evaluate_all("all => all.map(a => a.getAttribute('href'))")
    assert links == [page_of(name) for name in ROAD]
    for card in cards.all():
        assert "minutes" in card.inner_text() and "?" in card.inner_text()


KINDS = ["index.html", "about.html", "RESULTS.html", "teaching/one_day.html"]
KINDS += map(page_of, [*ROAD[:2], *ROAD[6::3], NOTEBOOKS[-1]])


@pytest.mark.parametrize("page", KINDS)
@pytest.mark.parametrize("width, scheme", SETTINGS)
def test_nobody_is_kept_out(visits, violations, page, width, scheme):
    tab = visits[width, scheme].open(page)
    tab.wait_for_load_state("networkidle")
    assert violations(tab) == []
