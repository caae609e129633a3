"""The course as a learner meets it: JupyterLab, Run All, clicks and keys."""

import nbformat
import pytest

from .lab import READY, ROOT, bars, errors, same, texts

ROAD = [path.name for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
ROOMS = [
    f"trials/{path.name}"
    for path in sorted((ROOT / "notebooks" / "trials").glob("*.ipynb"))
]
START, VIEW = "00_start.ipynb", "00-004"


def test_the_start_opens_first_and_nothing_is_in_its_way(open_page):
    page = open_page()
    assert page.tab.title().startswith("00_start")
    assert page.tab.locator(".jp-Notification, .Toastify__toast").count() == 0
    assert page.tab.locator(".jp-Launcher").count() == 0
    assert page.outside == [] and page.problems == []
    page.shot("start")


@pytest.mark.parametrize("name", ROAD + ROOMS)
def test_run_all_shows_what_is_stored_and_links_lead_on(
    open_page, server, name
):
    page = open_page(name)
    page.run_all()
    cells = page.cells()
    assert errors(cells) == []
    assert bars(cells) == []
    stored = nbformat.read(server.root / "notebooks" / name, 4).cells
    differ = {
        new.id: (texts(new), texts(old))
        for new, old in zip(cells, stored, strict=True)
        if "timing" not in old.metadata.get("tags", []) and not same(new, old)
    }
    assert differ == {}
    ours = [link for link in page.links() if link.startswith(server.url)]
    assert ours
    status = {link: page.tab.request.get(link).status for link in ours}
    assert {link: s for link, s in status.items() if s != 200} == {}
    assert page.outside == [] and page.problems == []
    page.shot(name.removesuffix(".ipynb").replace("/", "-"))


def test_solutions_and_hints_are_folded(open_page):
    page = open_page("01_dot_product_baseline.ipynb")
    cells = page.cells()
    solutions = [
        c.id for c in cells if "solution" in c.metadata.get("tags", [])
    ]
    assert solutions
    for solution in solutions:
        page.show(solution)
        assert not page.active(".jp-Cell-inputArea").is_visible()
    details = page.tab.locator(".jp-RenderedMarkdown details")
    assert details.count() > 3
    for fold in details.all():
        assert fold.get_attribute("open") is None
    details.first.locator("summary").click()
    assert details.first.get_attribute("open") is not None


@pytest.mark.parametrize(
    "name, text, opened",
    [(START, "01 · The dot-product baseline", "01_dot"),
     ("trials/02_projections.ipynb", "notebook 2", "02_learned")],
)  # fmt: skip
def test_a_click_on_a_link_opens_a_copy(open_page, name, text, opened):
    page = open_page(name)
    link = page.tab.locator(".jp-RenderedMarkdown a", has_text=text)
    link.first.click()
    page.wait(f"w?.title.label.startsWith('{opened}')")
    path = page.ask("return w.context.path")
    assert path.startswith(f"my_course/{opened}")


def test_the_widget_by_mouse_and_by_keyboard(open_page):
    from playwright.sync_api import expect

    page = open_page(START)
    page.run_to(VIEW)
    line, words = page.active(".av-line"), page.active(".av-word")
    words.nth(1).click()
    expect(line).to_contain_text("bicycle looks at")
    page.tab.keyboard.press("ArrowRight")
    expect(line).to_contain_text("behind looks at")
    page.tab.keyboard.press("Home")
    expect(line).to_contain_text("the₁ looks at")
    page.active(".av-head").nth(1).click()
    expect(line).to_contain_text("trained: the₁ looks at")
    before = line.inner_text()
    page.active(".av-slider").focus()
    page.tab.keyboard.press("End")
    expect(line).not_to_have_text(before)
    box = page.active(".av-input")
    box.fill("the zzyzx will sing")
    box.press("Enter")
    expect(page.active(".av-reply")).to_contain_text("zzyzx")
    page.shot("widget-error")
    box.fill("the roses near the pilot will sing")
    box.press("Enter")
    expect(line).to_contain_text("sing looks at pilot")
    page.shot("widget")


def test_the_widget_is_there_after_save_and_reopen(open_page):
    from playwright.sync_api import expect

    page = open_page(START)
    page.run_to(VIEW)
    typed = "the roses near the pilot will sing"
    page.active(".av-input").fill(typed)
    page.active(".av-input").press("Enter")
    expect(page.active(".av-line")).to_contain_text("sing looks at")
    page.command("docmanager:save")
    page.command("kernelmenu:shutdown")
    again = open_page(START)
    again.show(VIEW)
    again.active(".av-word").nth(1).click()
    assert "roses looks at" in again.active(".av-line").inner_text()
    assert again.active(".av-input").input_value() == typed


@pytest.mark.parametrize("width", [1280, 800])
def test_figures_fit_the_window(open_page, width):
    page = open_page("01_dot_product_baseline.ipynb", width=width)
    page.run_all()
    for theme in "Light", "Dark":
        page.theme(f"JupyterLab {theme}")
        shown = page.tab.locator(".jp-RenderedImage img")
        assert shown.count()
        for image in shown.all():
            box = image.bounding_box()
            assert box["width"] > 100 and box["x"] + box["width"] <= width
        page.shot(f"figures-{theme.lower()}-{width}")


def test_the_stop_button_keeps_what_was_learned(open_page):
    page = open_page("02_learned_projections.ipynb")
    call = "fit(trained, Batches(task.train, seed=1000)"
    training = next(c for c in page.cells() if call in c.source)
    page.rewrite(training.id, call, f"{call}, epochs=10_000")
    page.show(training.id)
    page.command("notebook:run-all-above")
    page.start(training.id)
    page.tab.wait_for_timeout(3000)
    page.tab.click("[data-command='notebook:interrupt-kernel']")
    page.wait(READY)
    [cell] = [each for each in page.cells() if each.id == training.id]
    assert errors([cell]) == []
    assert "Stopped after" in texts(cell)[0]
