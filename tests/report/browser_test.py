#!/usr/bin/env python3
"""Looks at reports as people do: in a browser, light and dark, wide and narrow, with and without
JavaScript. Every chart has visible ink, nothing is asked of any network, nothing is complained about,
the numbers are those of the trace, and axe-core, which comes from npm, finds nothing that keeps
anybody out.

    browser_test.py GAPWISE CACHE [SCREENSHOTS]

What npm gives is kept in the folder CACHE. Exit code 77 (skipped) where chromium or selenium is missing;
without npm only axe-core is left out."""
import base64
import hashlib
import io
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

try:
    from PIL import Image
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError as error:
    print(f"skipped: {error}; install python3-selenium and python3-pil")
    sys.exit(77)
if not shutil.which("chromium") or not shutil.which("chromedriver"):
    print("skipped: no browser here; install chromium and chromium-driver")
    sys.exit(77)

GAPWISE = sys.argv[1]
CACHE = Path(sys.argv[2])
SHOTS = Path(sys.argv[3]) if len(sys.argv) > 3 else None
AXE = "axe-core@4.10.2"
AXE_SHA512 = ("444de6750ecfdc54527bb7aa096a1e43f67d417aed9e24a3a75c148ede67442d"
              "d6229cf9ad20af7baa377ec676682a49b6b663499823c170284cee64e2d108d3")
VIEWS = ((False, 1200), (True, 1200), (False, 390), (True, 390))  # dark or not, and how wide
AXE_VIEWS = (VIEWS[0], VIEWS[3])  # both palettes and both widths; it takes seconds
failures = []


def check(is_good, what):
    if not is_good:
        failures.append(what)
        print("FAILED:", what)


def run(*words):
    subprocess.run([GAPWISE, *words], check=True, stdout=subprocess.DEVNULL)


def axe_core():
    """The script of axe-core, or nothing, with a message."""
    archive = CACHE / (AXE.replace("@", "-") + ".tgz")
    CACHE.mkdir(parents=True, exist_ok=True)
    if not archive.exists():
        if not shutil.which("npm"):
            print("skipped: axe-core, since npm is not there")
            return None
        done = subprocess.run(["npm", "pack", "--silent", "--prefer-offline", AXE], cwd=CACHE, timeout=60,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if done.returncode != 0:
            print(f"skipped: axe-core, since npm cannot get {AXE}")
            return None
    if hashlib.sha512(archive.read_bytes()).hexdigest() != AXE_SHA512:
        archive.unlink()
        sys.exit(f"what npm gave for {AXE} has another checksum")
    with tarfile.open(archive) as files:
        return files.extractfile("package/axe.min.js").read().decode()


def make_reports(folder):
    """Pages of five kinds of run by name, and the lines of the trace of the first."""
    place = lambda name: str(folder / name)
    for task, count in (("sequence", 150), ("segmentation", 12)):
        run("sample", "--task", task, "--examples", str(count), "--output", place(task + ".data"))
        run("sample", "--task", task, "--examples", "40", "--seed", "2", "--output", place(task + ".test"))
    data = ["--quiet", "--data", place("sequence.data"), "--test", place("sequence.test")]
    run("train", *data, "--trace-test", "--trace", place("train.jsonl"), "--model", place("m.model"),
        "--report", place("train.html"), "--relative-gap", "0.001")
    solvers = [f"{solver}:seed={seed}" for solver in "bcfw bcpfw auto ssg sdm fasole mpbcfw dcd".split() for seed in range(1, 6)]
    run("compare", *data, "--test-every", "2", "--max-passes", "12", "--solvers", ",".join(solvers),
        "--output", place("compared"), "--report", place("compare.html"))
    run("path", *data, "--path", place("p.path"), "--lambda-min", "0.01", "--report", place("path.html"))
    run("train", "--quiet", "--task", "segmentation", "--data", place("segmentation.data"), "--test",
        place("segmentation.test"), "--trace", place("seg.jsonl"), "--report", place("segmentation.html"))
    run("report", place("train.jsonl"), "--model", place("m.model"), "--data", place("sequence.test"),
        "--output", place("model.html"))
    lines = [json.loads(line) for line in (folder / "train.jsonl").read_text().splitlines()]
    return {name: folder / f"{name}.html" for name in "train compare path segmentation model".split()}, lines


def start():
    options = Options()
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--disable-gpu"):
        options.add_argument(word)
    options.binary_location = shutil.which("chromium")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    driver.set_script_timeout(300)
    return driver


def open_page(driver, page, is_dark, width, has_script=True):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not has_script})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                           {"features": [{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}]})
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600})
    driver.get_log("performance")
    driver.get(page.as_uri())


def contrast(a, b):
    def luminance(colour):
        parts = [c / 255 for c in colour]
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def ink(image, box, least):
    """How many pixels of the box stand out from the paper, which is its most frequent colour."""
    part = image.crop(box)
    colours = part.getcolors(part.width * part.height)
    paper = max(image.getcolors(image.width * image.height))[1]
    return sum(count for count, colour in colours if contrast(colour, paper) >= least)


SCROLL = """
const [chart, at] = arguments;
for (let up = chart; up; up = up.parentElement) if (up.tagName === 'DETAILS') up.open = true;
const frame = chart.closest('.frame') ?? chart.parentElement;
chart.scrollIntoView({block: 'center', behavior: 'instant'});
frame.scrollLeft = ['auto', 'scroll'].includes(getComputedStyle(frame).overflowX) ? at : 0;
const whole = chart.getBoundingClientRect();
const part = frame.getBoundingClientRect();
return {x: whole.left, y: whole.top, width: whole.width, height: whole.height,
        left: Math.max(0, whole.left, part.left), right: Math.min(innerWidth, whole.right, part.right),
        top: Math.max(0, whole.top, part.top), bottom: Math.min(innerHeight, whole.bottom, part.bottom)};"""


def picture_of(driver, chart, what):
    """All of a chart as it is seen, part by part where one has to unfold or to scroll its frame."""
    picture, seen = None, 0
    while True:
        place = {key: round(value) for key, value in driver.execute_script(SCROLL, chart, seen).items()}
        box = place["left"], place["top"], place["right"], place["bottom"]
        reached = place["right"] - place["x"]
        is_whole = reached >= place["width"] - 1
        height = place["bottom"] - place["top"]
        if reached <= seen or place["left"] - place["x"] > seen + 1 or height < place["height"] - 1:
            check(False, f"{what} cannot be seen whole: {place}")
            return None
        screen = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
        if picture is None:
            picture = Image.new("RGB", (place["width"], place["height"]), screen.getpixel((0, 0)))
        picture.paste(screen.crop(box), (place["left"] - place["x"], place["top"] - place["y"]))
        if is_whole:
            driver.execute_script(SCROLL, chart, 0)
            return picture
        seen = reached


def check_ink(driver, what):
    charts = driver.find_elements(By.CSS_SELECTOR, "figure .live canvas, figure:not(.has-live) .still svg")
    check(charts, f"{what}: no chart")
    for k, chart in enumerate(charts):
        image = picture_of(driver, chart, f"{what}: chart {k}")
        if image is None:
            continue
        width, height = image.size
        left, below = (70 * width // 760, 45 * width // 760) if chart.tag_name == "svg" else (70, 50)
        check(ink(image, (left + 4, 4, width, height - below - 6), 3.0) > 100, f"{what}: chart {k} has no visible curve")
        check(ink(image, (0, 0, left, height), 4.0) > 40, f"{what}: the upward axis of chart {k} is not readable")
        check(ink(image, (left, height - below, width, height), 4.0) > 40, f"{what}: the other axis of chart {k} is not readable")


def check_quiet(driver, page, what):
    for entry in driver.get_log("browser"):
        check(False, f"{what}: console: {entry['message']}")
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            check(url.startswith("data:") or url == page.as_uri(), f"{what}: asks for {url}")


def check_table(driver, lines):
    """The table of measurements tells what the trace tells."""
    table = driver.find_element(By.CSS_SELECTOR, "table[data-run]")
    text = table.get_attribute("textContent")
    check("pass" in text, "the table has no heads")
    cells = driver.execute_script("""
      const table = arguments[0];
      const keys = [...table.tHead.rows[0].cells].map((cell) => cell.dataset.key);
      return [...table.tBodies[0].rows].map((row) => Object.fromEntries(
        keys.map((key, k) => [key, row.cells[k].textContent.trim()])));""", table)
    check(len(cells) == len(lines), f"{len(cells)} rows for {len(lines)} lines")
    for row, line in zip(cells, lines):
        wanted = {"passes": line["effective_passes"], "calls": line["oracle_calls"], "seconds": line["seconds"],
                  "primal": line["primal"], "dual": line["dual"],
                  "gap": None if line["relative_gap"] is None else 100 * line["relative_gap"]}
        wanted.update({f"test:{name}": value for name, value in (line["test"] or {}).items()})
        for key, value in wanted.items():
            found = row[key]
            is_same = found == "" if value is None else math.isclose(float(found), value, rel_tol=1e-5, abs_tol=1e-12)
            check(is_same, f"{key}: the page says '{found}', the trace {value}")


def check_reading(driver, lines):
    """Arrow keys read the curve, and what they read is in the trace; the axes can be switched."""
    chart = driver.find_element(By.CSS_SELECTOR, "figure[data-keys=gap] .live")
    readout = driver.find_element(By.CSS_SELECTOR, "figure[data-keys=gap] .readout")
    chart.send_keys(Keys.ARROW_RIGHT)
    first = readout.text
    for _ in lines:
        chart.send_keys(Keys.ARROW_RIGHT)
    for words, line in ((first, lines[0]), (readout.text, lines[-1])):
        found = re.match(r"([\d.e+-]+) effective passes: \S+ ([\d.e+-]+)", words)
        check(found, f"the readout says '{words}'")
        if found:
            check(math.isclose(float(found[1]), line["effective_passes"], rel_tol=1e-3), f"reads {words} at {line['effective_passes']}")
            check(math.isclose(float(found[2]), 100 * line["relative_gap"], rel_tol=1e-3), f"reads {words} for {line['relative_gap']}")
    for value in ("calls", "seconds", "log", "linear"):
        driver.execute_script("arguments[0].click()", driver.find_element(By.CSS_SELECTOR, f"#controls input[value={value}]"))
        check_ink(driver, f"switched to {value}")


def tables_of(driver):
    return driver.execute_script("return [...document.querySelectorAll('table')].map((table) => table.textContent)")


def look(driver, page, axe, what):
    """What holds for every page in every view."""
    check_ink(driver, what)
    check(driver.execute_script("return document.documentElement.scrollWidth <= window.innerWidth"),
          f"{what}: the page is wider than the window")
    if SHOTS:
        SHOTS.mkdir(exist_ok=True)
        picture = driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})
        (SHOTS / (what.replace(", ", "-").replace(" ", "-") + ".png")).write_bytes(base64.b64decode(picture["data"]))
    if axe:
        driver.execute_script(axe)
        found = driver.execute_async_script("const done = arguments[0]; axe.run({resultTypes: ['violations']}).then(done)")
        for breach in found["violations"]:
            check(False, f"{what}: axe: {breach['id']}: {breach['nodes'][0]['html'][:120]}")
    check_quiet(driver, page, what)


def look_without_scripts(driver, page, tables, what):
    """All pictures and all numbers are there."""
    open_page(driver, page, False, 1200, has_script=False)
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    check(driver.find_element(By.CSS_SELECTOR, ".still svg").is_displayed(), f"{what}: no picture")
    check_ink(driver, what)
    check(tables and tables_of(driver) == tables, f"{what}: other tables")


def main():
    axe = axe_core()
    with tempfile.TemporaryDirectory() as scratch:
        pages, lines = make_reports(Path(scratch))
        is_static = "Licence of uPlot" not in pages["train"].read_text()
        print("static reports" if is_static else "reports with uPlot")
        driver = start()
        try:
            for name, page in pages.items():
                check(page.stat().st_size < 500_000, f"{name}: {page.stat().st_size} bytes")
                print(f"{name}: {page.stat().st_size} bytes")
                for is_dark, width in VIEWS:
                    open_page(driver, page, is_dark, width)
                    look(driver, page, axe if (is_dark, width) in AXE_VIEWS else None, f"{name}, {'dark' if is_dark else 'light'}, {width} wide")
                look_without_scripts(driver, page, tables_of(driver), f"{name}, without scripts")
            open_page(driver, pages["train"], False, 1200)
            check_table(driver, lines)
            if not is_static:
                check_reading(driver, lines)
        finally:
            driver.quit()
    if failures:
        sys.exit(f"{len(failures)} checks failed")
    print("all checks passed")


if __name__ == "__main__":
    main()
