"""The pages of comparisons in a real browser: wide and narrow, light and dark."""

from __future__ import annotations

import shutil

import matplotlib
import pytest

pytest.importorskip("selenium", reason="selenium is not installed")
pytest.importorskip("jinja2")

from fixtures import RUSP
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

import seedbed as sb

matplotlib.use("Agg")

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (BROWSER and DRIVER), reason="Debian's chromium and chromium-driver are not installed"
)


@pytest.fixture(scope="module")
def driver():
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    found = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield found
    found.quit()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    found = {
        "compare": sb.compare(RUSP, 5, runs=6, random_state=0),
        "choose": sb.choose_k(RUSP, range(1, 7), random_state=0),
    }
    for name, result in found.items():
        (folder / f"{name}.html").write_text(result.to_html("<b>mine</b>.csv"), encoding="utf-8")
    return folder


def look(driver, page, width, theme):
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    feature = {"name": "prefers-color-scheme", "value": theme}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    driver.get_log("browser")
    driver.get(page.as_uri())


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 400])
@pytest.mark.parametrize("name", ["compare", "choose"])
def test_a_page_can_be_read(driver, pages, name, width, theme):
    look(driver, pages / f"{name}.html", width, theme)
    assert driver.get_log("browser") == []
    assert driver.find_element(By.TAG_NAME, "h1").text == "<b>mine</b>.csv"
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    # Words in the drawings have the colour of the page's words, on either ground.
    ink = driver.execute_script("return getComputedStyle(document.body).color")
    words = driver.execute_script(
        "return [...document.querySelectorAll('.drawing text')]"
        ".map((t) => getComputedStyle(t).fill)"
    )
    assert len(words) > 10
    assert set(words) == {ink}


def test_the_table_of_methods_sorts(driver, pages):
    look(driver, pages / "compare.html", 1400, "light")
    table = driver.find_elements(By.TAG_NAME, "table")[-1]
    (heading,) = (
        h for h in table.find_elements(By.CSS_SELECTOR, "th") if h.text.startswith("initial")
    )
    heading.find_element(By.TAG_NAME, "button").click()
    rows = table.find_elements(By.CSS_SELECTOR, "tbody tr")
    values = [float(row.find_elements(By.TAG_NAME, "td")[2].text) for row in rows]
    assert len(values) == 8
    assert values == sorted(values)
