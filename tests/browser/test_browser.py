"""The page as a browser shows it: Chromium without a screen, where it is installed."""

import shutil
from urllib.parse import urlsplit

import numpy as np
import pandas as pd
import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from pte_study.render.tables import Section, html_page
from pte_study.report.comparison import difference_classes

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    BROWSER is None or DRIVER is None, reason="Chromium and its driver are not installed"
)

PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" width="900" height="90"></svg>'
CELLS = pd.DataFrame(
    {
        "method": ["BOW", "CNN", "PTE(joint)", "x & <b>3</b>"],
        "micro-F1": ["<ins>80.50 ± 0.10</ins>", "not yet run", "**84.20 ± 0.20**", "9.75"],
        "Δ": ["−0.38", "—", "+2.50", "—"],
        "T": ["900 k", "—", "2.5 M", "1 B"],
    }
)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    wide = pd.DataFrame({f"a rather long name {i}": ["1"] for i in range(12)})
    sections = [
        Section("Tables & such", ["About it."], {"first": CELLS, "wide": wide}),
        Section("Figures", pictures={"a picture": PICTURE}),
        Section("Details", tables={"more": pd.concat([CELLS] * 4)}),
    ]
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(html_page("A page", sections, classes=difference_classes), "utf-8")
    return path


@pytest.fixture(scope="module")
def started():
    options = ChromeOptions()
    options.binary_location = BROWSER
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = Chrome(options=options, service=Service(DRIVER))
    yield browser
    browser.quit()


@pytest.fixture
def browser(started, page):
    """The page, freshly opened; at the end, the console must be empty and the network unused."""
    started.set_window_size(1200, 1200)
    started.get(page.as_uri())
    yield started
    assert started.get_log("browser") == []
    requests = [entry for entry in started.get_log("performance") if "requestWillBe" in str(entry)]
    assert requests
    assert not any('"url":"http' in entry["message"] for entry in requests)


def column(browser, index):
    rows = browser.find_elements(By.CSS_SELECTOR, "table:first-of-type tbody tr")[: len(CELLS)]
    return [row.find_elements(By.XPATH, "./*")[index].text for row in rows]


def head(browser, name):
    return browser.find_element(By.XPATH, f"//th[button='{name}']")


def test_the_page_shows_what_it_is_given(browser):
    assert browser.title == "A page"
    assert column(browser, 0) == ["BOW", "CNN", "PTE(joint)", "x & <b>3</b>"]
    assert browser.find_element(By.CSS_SELECTOR, "td b").text == "84.20 ± 0.20"
    picture = browser.find_element(By.TAG_NAME, "img")
    assert picture.get_property("naturalWidth") == 900
    assert picture.get_attribute("alt") == "a picture"


@pytest.mark.parametrize(
    ("name", "index", "first", "second"),
    [
        ("micro-F1", 1, ["84.20 ± 0.20", "80.50 ± 0.10", "9.75", "not yet run"], "9.75"),
        ("Δ", 2, ["+2.50", "−0.38", "—", "—"], "−0.38"),
        ("T", 3, ["1 B", "2.5 M", "900 k", "—"], "900 k"),
        ("method", 0, ["BOW", "CNN", "PTE(joint)", "x & <b>3</b>"], "x & <b>3</b>"),
    ],
)
def test_a_click_sorts_and_another_turns_the_order(browser, name, index, first, second):
    browser.find_element(By.XPATH, f"//th/button[.='{name}']").click()
    assert column(browser, index) == first
    assert head(browser, name).get_attribute("aria-sort") in ("ascending", "descending")
    browser.find_element(By.XPATH, f"//th/button[.='{name}']").click()
    assert column(browser, index)[0] == second
    assert column(browser, index)[-1] == (first[0] if name == "method" else first[-1])


def test_a_table_is_sorted_by_keyboard(browser):
    for _ in range(20):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        if browser.switch_to.active_element.text.startswith("micro-F1"):
            break
    ActionChains(browser).send_keys(Keys.ENTER).perform()
    assert column(browser, 1)[0] == "84.20 ± 0.20"
    assert head(browser, "micro-F1").get_attribute("aria-sort") == "descending"


def test_a_row_is_named_by_its_first_cell_and_a_table_by_its_section(browser):
    names = browser.find_elements(By.CSS_SELECTOR, "table:first-of-type tbody th[scope='row']")
    assert [name.text for name in names[: len(CELLS)]] == CELLS["method"].tolist()
    regions = browser.find_elements(By.CSS_SELECTOR, "[role='region']")
    labels = [region.get_attribute("aria-label") for region in regions]
    assert labels == ["Tables & such: first", "Tables & such: wide", "Details: more"]


def test_every_link_leads_to_a_heading_of_the_page(browser):
    links = browser.find_elements(By.CSS_SELECTOR, "nav a")
    assert [link.text for link in links] == ["Tables & such", "Figures", "Details"]
    for link in links:
        link.click()
        target = urlsplit(browser.current_url).fragment
        assert browser.find_element(By.ID, target).text == link.text


def test_folded_tables_open_at_a_click(browser):
    details = browser.find_element(By.ID, "details-more")
    table = details.find_element(By.TAG_NAME, "table")
    assert not table.is_displayed()
    details.find_element(By.TAG_NAME, "summary").click()
    assert table.is_displayed()


def test_differences_are_coloured_by_side_and_size(browser):
    classes = [
        cell.get_attribute("class")
        for cell in browser.find_elements(By.CSS_SELECTOR, "tbody td:nth-child(3)")[: len(CELLS)]
    ]
    assert classes == ["below", "", "above far", ""]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_dark(browser, scheme):
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    script = "const s = getComputedStyle(document.body); return [s.color, s.backgroundColor];"
    ink, paper = (luminance(colour) for colour in browser.execute_script(script))
    assert (ink < paper) == (scheme == "light")
    assert (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05) > 7  # WCAG 2, AAA


def luminance(colour):
    """Relative luminance (WCAG 2) of "rgb(r, g, b)"."""
    channels = np.array(colour[colour.index("(") + 1 : -1].split(",")[:3], float) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def test_on_a_phone_tables_scroll_and_figures_and_the_page_fit(browser):
    metrics = {"width": 390, "height": 800, "deviceScaleFactor": 2, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        widths = "return [document.documentElement.scrollWidth, window.innerWidth];"
        page_width, window_width = browser.execute_script(widths)
        assert window_width == 390
        assert page_width <= window_width
        wide = browser.find_elements(By.CSS_SELECTOR, ".scrolls")[1]
        assert wide.get_property("scrollWidth") > wide.get_property("clientWidth")
        assert browser.find_element(By.TAG_NAME, "img").size["width"] < 390
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
