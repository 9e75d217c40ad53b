#!/usr/bin/env python3
"""Draws the curves of a file that 'gapwise export' has written: certified gap over effective passes
and over seconds, and the test score if there is one.

    figure.py FILE.csv [FIGURE.pdf]

Lines are medians over the seeds, bands go from the lowest to the highest run; both hold the value of
the last measurement until the next one.
"""
import csv
import sys
from collections import defaultdict

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#4d4d4d", "#7a3fb5"]


def number(text):
    return float(text) if text else None


def read(path):
    groups = defaultdict(lambda: defaultdict(list))
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            groups[row["group"]][row["run"]].append(row)
    return groups


def band(runs, x, y):
    """Lowest, median and highest of what each run had last seen, wherever one was measured."""
    steps = []
    for rows in runs.values():
        pairs = [(number(row[x]), number(row[y])) for row in rows]
        pairs = [(a, b) for a, b in pairs if a is not None and b is not None]
        if pairs:
            steps.append(pairs)
    if not steps:
        return None
    begin = max(pairs[0][0] for pairs in steps)
    places = sorted({begin} | {a for pairs in steps for a, _ in pairs if a >= begin})
    low, middle, high = [], [], []
    for place in places:
        values = sorted([b for a, b in pairs if a <= place][-1] for pairs in steps)
        half = len(values) // 2
        low.append(values[0])
        middle.append(values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2)
        high.append(values[-1])
    return places, low, middle, high


def draw(axes, groups, x, y, names):
    for k, (group, runs) in enumerate(groups.items()):
        curve = band(runs, x, y)
        if curve is None:
            continue
        places, low, middle, high = curve
        colour = COLOURS[k % len(COLOURS)]
        axes.fill_between(places, low, high, step="post", color=colour, alpha=0.2, linewidth=0)
        axes.step(places, middle, where="post", color=colour, label=group, linewidth=1.2,
                  linestyle="-" if k < len(COLOURS) else ":")
    axes.set_xlabel(names[0])
    axes.set_ylabel(names[1])
    axes.grid(True, which="major", linewidth=0.3)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    groups = read(sys.argv[1])
    first = next(row for runs in groups.values() for rows in runs.values() for row in rows)
    tests = [key for key in first if key.startswith("test_")]
    panels = [("effective_passes", "relative_gap", ("effective passes", "relative gap")),
              ("seconds", "relative_gap", ("seconds", "relative gap"))]
    if tests:
        panels.append(("effective_passes", tests[-1], ("effective passes", tests[-1])))
    plt.rcParams.update({"font.size": 8, "legend.fontsize": 7, "pdf.fonttype": 42})
    figure, all_axes = plt.subplots(1, len(panels), figsize=(3.2 * len(panels), 2.5))
    for axes, (x, y, names) in zip(all_axes, panels):
        draw(axes, groups, x, y, names)
        if y == "relative_gap":
            axes.set_yscale("log")
    all_axes[0].legend(frameon=False)
    figure.tight_layout()
    figure.savefig(sys.argv[2] if len(sys.argv) == 3 else sys.argv[1].rsplit(".", 1)[0] + ".pdf")


if __name__ == "__main__":
    main()
