#!/usr/bin/env python3
"""Runs every shell block of README.md and docs/, and follows every link.

    check_docs.py ROOT GAPWISE       commands run with GAPWISE as `gapwise`

A block is a shell block if one of its lines is a command: `gapwise ...`, `$ ...`, `./scripts/...`, `cmake ...`.
In a block with `$ ` only those lines are commands. Comments of Markdown before a block, which readers
do not see, say what it needs:

    <!-- before: gapwise sample --output train.txt -->    run this first
    <!-- not run: WHY -->                                 what no test can have, say shared data

The blocks of a page run in one folder, one after the other."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT, GAPWISE = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
COMMAND = re.compile(r"^(\$ |gapwise |build/gapwise |\./scripts/|cmake |ctest |pip )")
BLOCK = re.compile(r"((?:^<!--[^\n]*-->\n+)*)^```([^\n]*)\n(.*?)^```[ \t]*$", re.M | re.S)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
failures = []
counts = {"run": 0, "not run": 0, "links": 0}


def pages():
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").rglob("*.md"))


def commands_of(text):
    """The commands of a block, or nothing if it is none."""
    lines = text.splitlines()
    if any(line.startswith("$ ") for line in lines):
        return "\n".join(line[2:] for line in lines if line.startswith("$ "))
    return text if any(COMMAND.match(line) for line in lines) else ""


def run(script, folder, where):
    path = f"{folder / '.bin'}:{os.environ['PATH']}"
    done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=folder, text=True, capture_output=True,
                          timeout=300, env={**os.environ, "PATH": path})
    if done.returncode != 0:
        failures.append(f"{where}: exit code {done.returncode}\n{script}\n{done.stderr[-600:]}")


def check_blocks(page, text):
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / ".bin").mkdir()
        (folder / ".bin" / "gapwise").symlink_to(GAPWISE)
        (folder / "build").mkdir()
        (folder / "build" / "gapwise").symlink_to(GAPWISE)
        for found in BLOCK.finditer(text):
            notes, language, body = found.groups()
            script = commands_of(body)
            if not script or language in ("cpp", "python", "cmake", "text"):
                continue
            where = f"{page.relative_to(ROOT)}:{text[:found.start(3)].count(chr(10)) + 1}"
            if "<!-- not run:" in notes:
                counts["not run"] += 1
                continue
            before = re.findall(r"<!-- before: (.*?) -->", notes)
            counts["run"] += 1
            run("\n".join([*before, script]), folder, where)


def anchors(text):
    names = []
    for head in re.findall(r"^#+ +(.*)$", text, re.M):
        name = re.sub(r"[^\w\- ]", "", head.replace("`", "").lower()).strip().replace(" ", "-")
        names.append(name)
    return names


def check_links(page, text):
    outside = BLOCK.sub("", text)
    for target in LINK.findall(outside):
        if re.match(r"[a-z]+:", target):
            continue
        counts["links"] += 1
        file, _, anchor = target.partition("#")
        place = (page.parent / file).resolve() if file else page
        where = f"{page.relative_to(ROOT)}: link to {target}"
        if not place.exists():
            failures.append(f"{where}: there is no such file")
        elif anchor and place.suffix == ".md" and anchor not in anchors(place.read_text()):
            failures.append(f"{where}: there is no such heading")


for page in pages():
    text = page.read_text()
    check_links(page, text)
    check_blocks(page, text)
print(f"{counts['run']} blocks run, {counts['not run']} not run, {counts['links']} links followed")
if failures:
    sys.exit("\n".join(["", *failures, f"{len(failures)} failures"]))
