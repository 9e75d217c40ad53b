#!/usr/bin/env python3
"""Runs every shell block of README.md and docs/, compares what they print with what the page shows, and
follows every link.

    check_docs.py ROOT GAPWISE [DATA]       commands run with GAPWISE as `gapwise`

A block is a shell block if one of its lines is a command: `gapwise ...`, `$ ...`, `./scripts/...`, `cut ...`.
In a block with `$ ` only those lines are commands; the lines after each are what it prints. Comments of
Markdown before a block or paragraph, which readers do not see, say what it needs:

    <!-- before: gapwise sample --output train.txt -->    run this first
    <!-- not run: WHY -->                                 what no test can do
    <!-- data: ln -s $DATA/dna/train.txt.gz . -->         likewise, but with public data sets in the folder
                                                          DATA; without them the block is not run
    <!-- prints: COMMAND -->                              the block that follows is what COMMAND prints
    <!-- figures: COMMAND -->                             every number with three decimals or more in the
                                                          paragraph that follows is one that COMMAND prints

Times are not compared; a line `...` stands for any lines. The blocks of a page run in one folder, one after
the other."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT, GAPWISE = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
DATA = Path(sys.argv[3]).resolve() if len(sys.argv) > 3 and Path(sys.argv[3]).is_dir() else None
COMMAND = re.compile(r"^(\$ |gapwise |build/gapwise |\./scripts/|cmake |ctest |pip |python3 |cut |grep |sudo |apt |cd |"
                     r"mpirun |srun |npm |git |export |ln |head |tail |sed |awk |for )")
NOTES = r"((?:^<!--[^\n]*-->\n+)*)"
BLOCK = re.compile(NOTES + r"^```([^\n]*)\n(.*?)^```[ \t]*$", re.M | re.S)
PARAGRAPH = re.compile(r"^<!-- figures: ([^\n]*?) -->\n((?:[^\n]+\n)+)", re.M)
OTHER_LANGUAGES = ("cpp", "python", "cmake", "text", "json")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CLOCK = re.compile(r"\b\d+(\.\d+)? (s|ms|MB|GB)\b|(?<=[ |])\d+\.\d\d$")
failures = []
counts = {"run": 0, "not run": 0, "without data": 0, "outputs": 0, "figures": 0, "links": 0}


def pages():
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").rglob("*.md"))


class Folder:
    """Where the commands of a page run."""

    def __init__(self, path):
        self.path = path
        for place in (".bin", "build"):
            (path / place).mkdir()
            (path / place / "gapwise").symlink_to(GAPWISE)
        self.environment = {**os.environ, "PATH": f"{path / '.bin'}:{os.environ['PATH']}", "DATA": str(DATA or "")}

    def run(self, script, where):
        """What it prints."""
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=self.path, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1200, env=self.environment)
        if done.returncode != 0:
            failures.append(f"{where}: exit code {done.returncode}\n{script}\n{done.stdout[-600:]}")
        return done.stdout


def commands_of(text):
    """(command, what it prints) of a block; the second is empty where the page shows nothing."""
    lines = text.splitlines()
    if not any(line.startswith("$ ") for line in lines):
        return [(text, "")] if any(COMMAND.match(line) for line in lines) else []
    steps = []
    for line in lines:
        if line.startswith("$ "):
            steps.append([line[2:], ""])
        elif steps and steps[-1][0].endswith("\\"):
            steps[-1][0] += "\n" + line
        elif steps:
            steps[-1][1] += line + "\n"
    return steps


def timeless(line):
    return re.sub(r"\s+", " ", CLOCK.sub("#", line.rstrip())).strip()


def check_output(shown, printed, where):
    counts["outputs"] += 1
    have = [timeless(line) for line in printed.splitlines()]
    at = 0
    for part in re.split(r"^\.\.\.$", shown.strip(), flags=re.M):
        want = [timeless(line) for line in part.strip().splitlines()]
        found = next((k for k in range(at, len(have) - len(want) + 1) if have[k:k + len(want)] == want), None)
        if found is None:
            failures.append(f"{where}: these lines are not printed\n{part.strip()}\nbut\n{printed[-3000:]}")
            return
        at = found + len(want)


def check_figures(text, printed, where):
    have = [float(number) for number in re.findall(r"\d+\.\d+(?:e[-+]\d+)?", printed)]
    for number in re.findall(r"\b\d+\.\d{3,}", text):
        counts["figures"] += 1
        half = 0.5000001 * 10.0 ** -len(number.split(".")[1])
        if not any(abs(value - float(number)) <= half for value in have):
            failures.append(f"{where}: {number} is not printed, but\n{printed[-3000:]}")


def notes_of(notes, name):
    return re.findall(rf"<!-- {name}: (.*?) -->", notes)


def check_block(folder, notes, body, where):
    prints = notes_of(notes, "prints")
    steps = [(prints[0], body)] if prints else commands_of(body)
    data = notes_of(notes, "data")
    if not steps:
        return
    if "<!-- not run:" in notes or (data and DATA is None):
        counts["without data" if data else "not run"] += 1
        return
    counts["run"] += 1
    for script in [*notes_of(notes, "before"), *data]:
        folder.run(script, where)
    for script, shown in steps:
        printed = folder.run(script, where)
        if shown.strip():
            check_output(shown, printed, where)


def check_commands(page, text):
    name = page.relative_to(ROOT)
    places = [(found.start(), found) for pattern in (BLOCK, PARAGRAPH) for found in pattern.finditer(text)]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Folder(Path(scratch))
        for start, found in sorted(places, key=lambda place: place[0]):
            where = f"{name}:{text[:start].count(chr(10)) + 1}"
            if found.re is PARAGRAPH:
                if "$DATA" not in found[1] or DATA is not None:
                    check_figures(found[2], folder.run(found[1], where), where)
            elif found[2] not in OTHER_LANGUAGES:
                check_block(folder, found[1], found[3], where)


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
    check_commands(page, text)
print(f"{counts['run']} blocks run, {counts['not run']} not run, {counts['without data']} for want of data; "
      f"{counts['outputs']} outputs and {counts['figures']} figures compared, {counts['links']} links followed")
if failures:
    sys.exit("\n".join(["", *failures, f"{len(failures)} failures"]))
