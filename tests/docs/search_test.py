#!/usr/bin/env python3
"""Makes the site without a warning and searches it as people do: in a browser, by the words they type.

    search_test.py ROOT SITE

Exit code 77 (skipped) where mkdocs, chromium or selenium is missing."""
import functools
import http.server
import shutil
import subprocess
import sys
import threading
import urllib.parse
from pathlib import Path

WANTED = {  # what is typed, and a page that must be among the first results
    "forbidden transitions": ("faq.html", "tutorial.html", "formats.html"),
    "lambda": ("lambda.html",),
    "cross-validation": ("lambda.html", "python.html"),
}

ROOT, SITE = Path(sys.argv[1]), Path(sys.argv[2])
if not shutil.which("mkdocs"):
    print("skipped: mkdocs is not there")
    sys.exit(77)
subprocess.run(["mkdocs", "build", "--strict", "--quiet", "-d", str(SITE)], cwd=ROOT, check=True)
try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError as error:
    print(f"skipped: {error}; install python3-selenium")
    sys.exit(77)
if not shutil.which("chromium") or not shutil.which("chromedriver"):
    print("skipped: no browser here; install chromium and chromium-driver")
    sys.exit(77)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(SITE)))
threading.Thread(target=server.serve_forever, daemon=True).start()
options = Options()
for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
    options.add_argument(word)
options.binary_location = shutil.which("chromium")
driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
failures = []
try:
    for words, pages in WANTED.items():
        query = urllib.parse.urlencode({"q": words})
        driver.get(f"http://127.0.0.1:{server.server_port}/search.html?{query}")
        WebDriverWait(driver, 30).until(
            lambda d: d.find_elements(By.CSS_SELECTOR, "#mkdocs-search-results article, #mkdocs-search-results p"))
        links = [link.get_attribute("href").split("/")[-1].split("#")[0].split("?")[0]
                 for link in driver.find_elements(By.CSS_SELECTOR, "#mkdocs-search-results article a")]
        print(f"{words}: {links[:5]}")
        if not set(links[:5]) & set(pages):
            failures.append(f"'{words}' finds {links[:5]}, none of {pages}")
finally:
    driver.quit()
    server.shutdown()
if failures:
    sys.exit("\n".join(failures))
