"""The report in a real browser: from a file and from a server, wide and narrow, light and dark."""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("selenium", reason="selenium is not installed")

from made_study import make_study
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

from seedbed.report import Written, write
from seedbed.study import RealSets

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (BROWSER and DRIVER), reason="Debian's chromium and chromium-driver are not installed"
)
WIDTHS = (1400, 400)
THEMES = ("light", "dark")

# Pairs of text and ground whose contrast is below what the WCAG ask for (AA).
FAINT = """
const luminance = (colour) => {
  const part = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = colour.match(/[\\d.]+/g).map((c) => part(Number(c) / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = (element) => {
  for (let e = element; e; e = e.parentElement) {
    const colour = getComputedStyle(e).backgroundColor;
    if (!/rgba\\(.*, 0\\)$|transparent/.test(colour)) return colour;
  }
  return "rgb(255, 255, 255)";
};
const found = [];
for (const element of document.body.querySelectorAll("*")) {
  const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  if (!own || !element.checkVisibility()) continue;
  if (element.matches("script, style, title, desc, noscript, :disabled")) continue;
  const style = getComputedStyle(element);
  const colour = element instanceof SVGElement ? style.fill : style.color;
  const [dark, light] = [luminance(colour), luminance(ground(element))].sort((a, b) => a - b);
  const ratio = (light + 0.05) / (dark + 0.05);
  const size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  if (ratio < (large ? 3 : 4.5)) {
    found.push(`${element.tagName} ${element.textContent.slice(0, 30)} ${ratio.toFixed(2)}`);
  }
}
return found;
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="session")
def driver() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for argument in (
        "--headless=new",
        "--no-sandbox",  # containers often do not allow one
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    found = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield found
    found.quit()


@pytest.fixture(scope="session")
def served(written: Written) -> Iterator[str]:
    """The address of the report on a local server."""
    handler = functools.partial(Quiet, directory=str(written.page.parent))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{written.page.name}"
        server.shutdown()


def look(driver: Any, address: str, width: int = 1400, theme: str = "light") -> None:
    """Open a page at a width and in a theme, and forget what earlier pages said."""
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    feature = {"name": "prefers-color-scheme", "value": theme}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    driver.get_log("browser")
    driver.get(address)


def complaints(driver: Any) -> list[str]:
    return [entry["message"] for entry in driver.get_log("browser")]


@pytest.fixture
def page(driver: Any, written: Written) -> Any:
    """The report, opened from its file."""
    look(driver, written.page.as_uri())
    return driver


def press(driver: Any, element: Any) -> None:
    """Click an element where nothing covers it."""
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()


def eventually(driver: Any, condition: Callable[[], Any]) -> Any:
    """What a condition says once it holds: keys are handled, and pages shown, when the browser gets
    to it, which on a busy machine may be later than the next command."""
    return WebDriverWait(driver, 10).until(lambda _: condition())


def texts(driver: Any, selector: str) -> list[str]:
    found: list[str] = driver.execute_script(
        "return [...document.querySelectorAll(arguments[0])].filter((e) => e.checkVisibility())"
        ".map((e) => e.textContent.trim())",
        selector,
    )
    return found


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_it_opens_without_complaint_fits_and_can_be_read(
    driver: Any, written: Written, width: int, theme: str
) -> None:
    look(driver, written.page.as_uri(), width, theme)
    driver.execute_script("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert complaints(driver) == []
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    assert driver.execute_script(FAINT) == []
    ground = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(15, 18, 22)"}[theme]


@pytest.mark.parametrize("width", WIDTHS)
def test_it_works_the_same_from_a_server(driver: Any, served: str, width: int) -> None:
    look(driver, served, width)
    assert complaints(driver) == []
    assert len(texts(driver, "#sets tbody tr")) == 23


def test_the_theme_is_the_readers_choice_and_is_kept(page: Any) -> None:
    button = page.find_element(By.ID, "theme")
    ground = "return getComputedStyle(document.body).backgroundColor"
    assert page.execute_script(ground) == "rgb(255, 255, 255)"
    button.click()
    assert button.text == "Theme: dark"
    assert page.execute_script(ground) == "rgb(15, 18, 22)"
    page.refresh()
    assert page.execute_script(ground) == "rgb(15, 18, 22)"
    page.execute_script("localStorage.clear()")


def published_table(page: Any) -> Any:
    captions = page.find_elements(By.CSS_SELECTOR, ".table")
    return next(box for box in captions if "figure by figure" in box.get_attribute("textContent"))


def test_tables_sort_by_numbers_and_by_words_with_the_keyboard_too(page: Any) -> None:
    box = published_table(page)
    column = (
        "return [...arguments[0].querySelectorAll('tbody tr')].map((r) => r.cells[arguments[1]])"
    )
    number = column + ".map((c) => Number(c.dataset.sort ?? c.textContent.replaceAll(',', '')))"
    heads = box.find_elements(By.CSS_SELECTOR, "th")
    button = heads[4].find_element(By.TAG_NAME, "button")
    page.execute_script("arguments[0].focus()", button)
    button.send_keys(Keys.ENTER)
    values = page.execute_script(number, box, 4)
    assert values == sorted(values)
    assert len(values) > 20
    assert heads[4].get_attribute("aria-sort") == "ascending"
    button.send_keys(Keys.SPACE)
    assert page.execute_script(number, box, 4) == sorted(values, reverse=True)
    assert heads[4].get_attribute("aria-sort") == "descending"
    page.execute_script("arguments[0].click()", heads[0].find_element(By.TAG_NAME, "button"))
    names = page.execute_script(column + ".map((c) => c.textContent)", box, 0)
    assert names == sorted(names)
    assert heads[4].get_attribute("aria-sort") == "none"


def test_tables_are_filtered_by_words_and_by_choice(page: Any) -> None:
    box = published_table(page)
    rows = (
        "return [...arguments[0].querySelectorAll('tbody tr:not([hidden])')]"
        ".map((r) => r.textContent)"
    )

    def shown() -> list[str]:
        return page.execute_script(rows, box)

    everything = shown()
    matching = [row for row in everything if "ecoli" in row and "best" in row]
    assert 0 < len(matching) < len(everything)
    box.find_element(By.CSS_SELECTOR, "input[type=search]").send_keys("ecoli best")
    eventually(page, lambda: shown() == matching)
    count = f"{len(matching)} of {len(everything)} rows"
    eventually(page, lambda: count in box.get_attribute("textContent"))
    Select(box.find_elements(By.TAG_NAME, "select")[1]).select_by_visible_text("k-means++")
    eventually(page, lambda: len(shown()) == 1)


def test_a_figure_is_picked_by_class_and_criterion_and_its_numbers_open(page: Any) -> None:
    picker = page.find_element(By.CSS_SELECTOR, "#rankings .picker")
    lists = picker.find_elements(By.TAG_NAME, "select")
    Select(lists[0]).select_by_visible_text("difficult")
    Select(lists[1]).select_by_visible_text("iterations")
    shown = [c for c in picker.find_elements(By.CSS_SELECTOR, ".choice") if c.is_displayed()]
    assert [choice.find_element(By.TAG_NAME, "h3").text for choice in shown] == [
        "difficult, iterations"
    ]
    summary = shown[0].find_element(By.TAG_NAME, "summary")
    assert not shown[0].find_element(By.CSS_SELECTOR, "details table").is_displayed()
    page.execute_script("arguments[0].focus()", summary)
    summary.send_keys(Keys.ENTER)
    assert shown[0].find_element(By.CSS_SELECTOR, "details table").is_displayed()


@pytest.mark.parametrize("width", WIDTHS)
def test_data_sets_are_chosen_by_class_size_and_overlap(
    driver: Any, written: Written, width: int
) -> None:
    look(driver, written.page.as_uri(), width)
    for name, choice in (("group", "moderate"), ("overlap", "0.05")):
        Select(driver.find_element(By.ID, f"explore-{name}")).select_by_visible_text(choice)
    rows = [row.split("moderate-")[1] for row in texts(driver, "#sets tbody tr")]
    assert rows
    cells = driver.execute_script(
        "return [...document.querySelectorAll('#sets tbody tr')].map((r) => [...r.cells]"
        ".slice(1, 6).map((c) => c.textContent))"
    )
    assert {(group, overlap) for group, _, _, _, overlap in cells} == {("moderate", "0.05")}
    assert driver.find_element(By.ID, "explore-count").text == f"{len(rows)} of 23 data sets"
    assert f"and {len(rows)} data sets" in driver.find_element(By.ID, "heat").get_attribute(
        "aria-label"
    )
    press(driver, driver.find_element(By.XPATH, "//button[text()='Show all']"))
    assert driver.find_element(By.ID, "explore-count").text == "23 of 23 data sets"
    driver.find_element(By.ID, "explore-search").send_keys("ecoli")
    assert len(texts(driver, "#sets tbody tr")) == 1
    assert complaints(driver) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_a_data_set_opens_from_the_table_and_shows_the_right_numbers(
    driver: Any, written: Written, study: Any, width: int
) -> None:
    look(driver, written.page.as_uri(), width)
    button = driver.find_element(By.XPATH, "//table[@id='sets']//button[text()='glass']")
    driver.execute_script("arguments[0].focus()", button)
    button.send_keys(Keys.ENTER)
    assert driver.switch_to.active_element.text == "glass"
    detail = driver.find_element(By.ID, "dataset")
    assert detail.is_displayed()
    press(driver, detail.find_element(By.TAG_NAME, "summary"))
    rows = [row.text for row in detail.find_elements(By.CSS_SELECTOR, "tbody tr")]
    assert len(rows) == 8
    runs = study.rows().collect().to_pandas().query("dataset == 'glass'")
    best = runs["final_sse"].min()
    mean = 100 * (runs.query("method == 'F'")["final_sse"].mean() / best - 1)
    assert rows[0].split()[:2] == ["Forgy", f"{mean:.4g}"]
    Select(driver.find_elements(By.CSS_SELECTOR, "#explore select")[-2]).select_by_visible_text(
        "iterations"
    )
    row = driver.find_element(By.CSS_SELECTOR, "#dataset tbody tr").get_attribute("textContent")
    iterations = runs.query("method == 'F'")["iterations"].mean()
    assert f"{iterations:.4g}" in row
    press(driver, driver.find_element(By.XPATH, "//section[@id='dataset']//button[text()='Next']"))
    assert driver.find_element(By.ID, "dataset-title").text == "heart"
    press(driver, driver.find_element(By.ID, "dataset-close"))
    assert not driver.find_element(By.ID, "dataset").is_displayed()
    assert complaints(driver) == []


def test_the_heat_map_is_walked_and_opened_with_keys(page: Any) -> None:
    heat = page.find_element(By.ID, "heat")
    page.execute_script("arguments[0].focus()", heat)
    heat.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    said = texts(page, "#explore .note")[0]
    assert said.startswith("glass, MacQueen: ")
    assert said.endswith(" %")
    heat.send_keys(Keys.ENTER)
    assert page.find_element(By.ID, "dataset-title").text == "glass"


def test_data_sets_sort_by_the_result_of_a_method(page: Any) -> None:
    find = (
        "return [...document.querySelectorAll('#sets th')]"
        ".find((th) => th.textContent.startsWith('Maximin'))"
    )
    head = eventually(page, lambda: page.execute_script(find))
    page.execute_script("arguments[0].click()", head.find_element(By.TAG_NAME, "button"))
    head = page.find_element(By.CSS_SELECTOR, "#sets th[aria-sort=ascending]")
    assert head.get_attribute("textContent").startswith("Maximin")
    place = page.execute_script("return arguments[0].cellIndex", head)
    shares = page.execute_script(
        "return [...document.querySelectorAll('#sets tbody tr')].map((r) => "
        "parseFloat(r.cells[arguments[0]].textContent))",
        place,
    )
    assert shares == sorted(shares)


def test_everything_is_within_reach_of_the_keyboard(page: Any) -> None:
    reached = set()
    page.execute_script("document.body.focus()")
    for _ in range(400):
        page.switch_to.active_element.send_keys(Keys.TAB)
        reached.add(
            page.execute_script(
                "const e = document.activeElement; "
                "return e.id || `${e.tagName} ${(e.textContent || e.type).trim().slice(0, 20)}`"
            )
        )
        if "A Methods" in reached and "heat" in reached and "explore-group" in reached:
            break
    assert {"theme", "heat", "explore-search", "explore-group", "A Verdict"} <= reached
    out_of_reach = page.execute_script(
        "return [...document.querySelectorAll('button, a, select, input, summary')]"
        ".filter((e) => e.tabIndex < 0).map((e) => e.outerHTML.slice(0, 80))"
    )
    assert out_of_reach == []


def test_printing_shows_the_light_page_without_its_controls(page: Any) -> None:
    page.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]},
    )
    ground = page.execute_script("return getComputedStyle(document.body).backgroundColor")
    shown = [
        e.is_displayed() for e in page.find_elements(By.CSS_SELECTOR, ".controls, nav, #theme")
    ]
    names = texts(page, "#sets tbody td:first-child button")
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert "ecoli" in names
    assert ground == "rgb(255, 255, 255)"
    assert not any(shown)


def test_without_scripts_the_text_tables_and_figures_are_there(
    driver: Any, written: Written
) -> None:
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        look(driver, written.page.as_uri())
        assert "This part needs JavaScript" in driver.find_element(By.ID, "explore").text
        diagrams = driver.find_elements(By.CSS_SELECTOR, "#rankings .choice .drawing svg")
        assert len(diagrams) > 20
        assert all(diagram.is_displayed() for diagram in diagrams)
        assert not driver.find_element(By.ID, "theme").is_displayed()
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_names_that_are_markup_stay_names(driver: Any, tmp_path: Path) -> None:
    evil = "</script><script>window.hacked = 1</script>"
    image = "<img src=x onerror='window.hacked = 1'>"
    names = ("<script>window.hacked = 1<script>", image, 'it\'s "quoted" & <b>bold<b>')
    methods = [
        {"method": "G", "label": evil},
        {"method": "K", "label": image},
        {"method": "V", "label": "\"'&"},
        "P",
    ]
    made = make_study(
        tmp_path / "study", data=(RealSets(sets=names),), methods=methods, name=evil, failed=()
    )
    look(driver, write(made, tmp_path / "report", figures=False).page.as_uri())
    assert complaints(driver) == []
    assert driver.title == f"Study: {evil}"
    assert texts(driver, "#sets tbody td button") == sorted(names)
    for button in driver.find_elements(By.CSS_SELECTOR, "#sets tbody td button"):
        driver.execute_script("arguments[0].click()", button)
        assert driver.find_element(By.ID, "dataset-title").text == button.text
    heat = driver.find_element(By.ID, "heat")
    driver.execute_script("arguments[0].focus()", heat)
    heat.send_keys(Keys.ARROW_DOWN)
    assert image in texts(driver, "#explore .note")[0]
    assert driver.execute_script("return window.hacked ?? null") is None
    assert driver.find_elements(By.TAG_NAME, "img") == []
    assert complaints(driver) == []


def test_a_page_without_room_for_data_sets_says_so(
    driver: Any, study: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seedbed.report._write.LIMIT", 0)
    look(driver, write(study, tmp_path, figures=False).page.as_uri())
    assert complaints(driver) == []
    assert "no room" in driver.find_element(By.ID, "explore").text


def test_a_study_of_one_method_and_one_set_shows_itself(driver: Any, tmp_path: Path) -> None:
    made = make_study(tmp_path / "study", data=(RealSets(sets=("ecoli",)),), methods=("V",), runs=1)
    look(driver, write(made, tmp_path / "report", figures=False).page.as_uri(), 400)
    assert complaints(driver) == []
    assert len(texts(driver, "#sets tbody tr")) == 1
    assert driver.execute_script("return document.documentElement.scrollWidth") == 400
