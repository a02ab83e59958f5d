"""The site as a reader meets it: every link leads somewhere, and every page is fit to be read."""

import shutil
import time
from html.parser import HTMLParser
from importlib.resources import files
from urllib.parse import unquote, urlsplit

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
in_a_browser = pytest.mark.skipif(
    BROWSER is None or DRIVER is None, reason="Chromium and its driver are not installed"
)
WIDTHS = {"a phone": 400, "a desk": 1100}


class Page(HTMLParser):
    """The links of a page, the names that links can lead to, and what it loads."""

    def __init__(self, text):
        super().__init__()
        self.links, self.names, self.loaded = [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.names.add(given.get("id"))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        elif tag == "link" and "icon" not in given.get("rel", "") and given.get("href"):
            self.loaded.append(given["href"])
        elif given.get("src"):
            self.loaded.append(given["src"])


@pytest.fixture(scope="module")
def pages(site):
    """Every page, by its path."""
    return {path: Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}


def target(page, link):
    """The file that a link leads to, and the name in it; None for one that leaves the site."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    path = page.parent / unquote(parts.path) if parts.path else page
    return path.resolve(), unquote(parts.fragment)


def test_every_link_leads_to_something(pages):
    faults = []
    for path, page in pages.items():
        for link in [*page.links, *page.loaded]:
            if found := target(path, link):
                file, name = found
                if not file.is_file() or (name and file in pages and name not in pages[file].names):
                    faults.append(f"{path.name}: {link}")
    assert not faults


def test_links_reach_every_page_from_the_first(site, pages):
    reached, ahead = set(), [site / "index.html"]
    while ahead:
        path = ahead.pop()
        if path in pages and path not in reached:
            reached.add(path)
            ahead += [found[0] for link in pages[path].links if (found := target(path, link))]
    assert set(pages) - reached <= {site / "search.html"}  # its field leads to it


def test_a_table_of_results_has_its_caption_as_a_title(site):
    page = (site / "results" / "published" / "long.html").read_text("utf-8")
    assert "<h1>Long documents (the paper’s Table 2)" in page


def test_no_page_loads_anything_from_elsewhere(pages):
    assert not [link for page in pages.values() for link in page.loaded if "//" in link]


@pytest.fixture(scope="module")
def browser():
    options = ChromeOptions()
    options.binary_location = BROWSER
    for argument in (
        *("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"),
        *("--disable-background-networking", "--disable-sync", "--no-first-run"),
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = Chrome(options=options, service=Service(DRIVER))
    started.set_script_timeout(120)
    yield started
    started.quit()


def emulate(browser, width, scheme):
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


SIZES = "return [document.documentElement.scrollWidth, window.innerWidth];"
UNHINTED = """
const scrolls = (each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1 &&
  ["auto", "scroll"].includes(getComputedStyle(each).overflowX);
return [...document.querySelectorAll("article *, main *")].filter(
  (each) => scrolls(each) && getComputedStyle(each).backgroundImage === "none"
).map((each) => each.outerHTML.slice(0, 80));
"""
"""Parts of a page that go on beyond their edge, without a shade that shows it."""
COLOURS = "const s = getComputedStyle(document.body); return [s.color, s.backgroundColor];"


def becomes(browser, scheme):
    """Whether a page has the colours of a scheme, at the latest when its scripts have run."""
    for _ in range(50):
        ink, paper = map(lightness, browser.execute_script(COLOURS))
        if (ink < paper) == (scheme == "light"):
            return True
        time.sleep(0.05)
    return False


def lightness(colour):
    """The sum of the channels of "rgb(r, g, b)"."""
    return sum(map(float, colour[colour.index("(") + 1 : -1].split(",")[:3]))


@in_a_browser
def test_each_page_fits_a_phone_and_a_desk_in_light_and_dark(browser, pages):
    faults = []
    for path in pages:
        browser.get(path.as_uri())
        for scheme in ("light", "dark"):
            for where, width in WIDTHS.items():
                emulate(browser, width, scheme)
                needed, given = browser.execute_script(SIZES)
                if needed > given:
                    faults.append(f"{path.name} scrolls sideways on {where}: {needed} > {given}")
                faults += [f"{path.name}: {part}" for part in browser.execute_script(UNHINTED)]
            if not becomes(browser, scheme):
                faults.append(f"{path.name} is not {scheme}")
        faults += [f"{path.name}: {entry['message']}" for entry in browser.get_log("browser")]
    assert not faults


AXE = """
const done = arguments[arguments.length - 1];
const found = (rule) => [rule.id, rule.nodes.length, rule.nodes[0].html.slice(0, 120)];
axe.run(document, {resultTypes: ["violations"]}).then((run) => done(run.violations.map(found)));
"""
LONGEST = 10  # the most screens of a page of results, before readers open what is folded


@in_a_browser
def test_axe_finds_no_fault(browser, site, pages):
    """The pages of the API are alike: one of them stands for all."""
    axe = (files("axe_core_python") / "axe.min.js").read_text("utf-8")
    api, one = site / "docs" / "api", site / "docs" / "api" / "networks.html"
    faults = []
    for path in pages:
        if path.parent == api and path != one:
            continue
        for width in WIDTHS.values():
            emulate(browser, width, "light")
            browser.get(path.as_uri())
            browser.execute_script(axe)
            faults += [f"{path.name}: {fault}" for fault in browser.execute_async_script(AXE)]
    assert not faults


@in_a_browser
def test_pages_of_results_are_short_until_something_is_opened(browser, site):
    for path in (site / "results").glob("*.html"):
        for width in WIDTHS.values():
            emulate(browser, width, "light")
            browser.get(path.as_uri())
            height = browser.execute_script("return document.documentElement.scrollHeight;")
            assert height <= LONGEST * 900, (path.name, width)


@in_a_browser
def test_the_keyboard_leads_to_the_content_and_through_the_menu(browser, site):
    emulate(browser, 1100, "light")
    browser.get((site / "docs" / "index.html").as_uri())
    focused = []
    for _ in range(12):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        focused.append(browser.switch_to.active_element.get_property("textContent").strip())
    assert "Skip to content" in focused and "PTE as a library" in focused


@in_a_browser
def test_formulas_and_the_picture_are_drawn(browser, site):
    emulate(browser, 1100, "light")
    browser.get((site / "docs" / "methods.html").as_uri())
    drawn = WebDriverWait(browser, 30).until(lambda page: page.find_elements(By.CLASS_NAME, "eqno"))
    numbers = [each.text for each in drawn]
    assert numbers == [f"({number})" for number in range(1, 10)]
    heights = [each.rect["height"] for each in browser.find_elements(By.TAG_NAME, "math")]
    assert len(heights) > 20 and min(heights) > 5
    assert browser.find_element(By.CSS_SELECTOR, "article img").get_property("naturalWidth") > 700
