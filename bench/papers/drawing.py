"""Figures in one style: colours that the colour-blind can tell apart, lines that print, small files."""

import collections
import math
import re

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from panels import words_for  # noqa: E402

# Okabe and Ito's colours, each with a dash of its own, so that grey prints do as well; `auto` is black and thick.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999933", "#882255"]
DASHES = ["-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 2))]
MOST_POINTS = 28


def look_of(k):
    return {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[k % len(DASHES)], "linewidth": 1.4}


OURS = {"color": "#000000", "linestyle": "-", "linewidth": 2.2}

plt.rcParams.update({
    "svg.hashsalt": "gapwise", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9,
    "axes.grid": True, "grid.alpha": 0.3, "grid.color": "#808080", "axes.spines.top": False, "axes.spines.right": False,
})


def thinned(rows, log_x):
    """So few of the measurements that nobody sees a difference: of those that are drawn at the same place the last."""
    if len(rows) <= MOST_POINTS:
        return rows
    place = (lambda x: math.log(max(x, 1e-9))) if log_x else (lambda x: x)
    low, high = place(rows[0][0]), place(rows[-1][0])
    kept = {round((place(row[0]) - low) / (high - low) * MOST_POINTS): row for row in rows}
    return sorted({rows[0], *kept.values(), rows[-1]})


def short_path(found):
    """The same path: a step says one number instead of two."""
    words, at = [], None
    for command, x, y in re.findall(r"([ML]) (-?[\d.]+) (-?[\d.]+)|z", found[1]):
        here = (f"{float(x):.1f}".removesuffix(".0"), f"{float(y):.1f}".removesuffix(".0")) if command else None
        if here is None:
            words.append("z")
        elif command == "M":
            words.append(f"M{here[0]} {here[1]}")
        elif here[1] == at[1]:
            words.append("H" + here[0] if here != at else "")
        else:
            words.append("V" + here[1] if here[0] == at[0] else f"L{here[0]} {here[1]}")
        at = here or at
    return f' d="{"".join(words)}"'


def short_numbers(attribute):
    return re.sub(r"-?\d+\.\d{2,}", lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), attribute[0])


def with_classes(text):
    """Styles that come again and again are said once."""
    often = [style for style, count in collections.Counter(re.findall(r'style="([^"]*)"', text)).most_common() if count > 2]
    for k, style in enumerate(often):
        text = text.replace(f'style="{style}"', f'class="s{k}"')
    return text.replace("</style>", "".join(f".s{k}{{{style}}}" for k, style in enumerate(often)) + "</style>", 1)


def shortened(path):
    """An SVG without remarks, names and needless digits."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>|<!DOCTYPE.*?>", "", text, flags=re.S)
    text = re.sub(r' d="([MLz\d\s.-]*)"', short_path, text)
    text = re.sub(r'="[^"]*"', short_numbers, text)
    text = re.sub(r"font: (\w+) [^;\"]*?, sans-serif", r"font: \1 sans-serif", text)
    text = re.sub(r' transform="rotate\(-0 [^"]*"', "", text)
    text = re.sub(r'<g id="[^"]*">', "<g>", text)
    text = re.sub(r": (?=[^\"<>]*\")|; (?=[^\"<>]*\")", lambda found: found[0][0], text)
    path.write_text(re.sub(r">\s+<", ">\n<", with_classes(text)), encoding="utf-8")


def draw_method(place, label, method, look, log_x):
    band = thinned(method.band(), log_x)
    if not band:
        return
    x, low, middle, high = zip(*band)
    place.step(x, middle, where="post", label=label, marker="o" if len(x) < 8 else None, markersize=3, **look)
    if low != high:
        place.fill_between(x, low, high, step="post", alpha=0.15, color=look["color"], linewidth=0)


def draw_axes(place, panel, figure, looks):
    log_x = panel.log_x if panel.log_x is not None else figure.get("log_x", False)
    linear_y = panel.linear_y if panel.linear_y is not None else figure.get("linear_y", False)
    for label, method in panel.methods.items():
        draw_method(place, label, method, looks[label], log_x)
    if not linear_y:
        place.set_yscale("log")
    if log_x:
        place.set_xscale("log")
    place.minorticks_off()
    place.set_title(panel.title, fontsize=9)
    place.set_xlabel(words_for(panel.x))
    place.set_ylabel(words_for(panel.y))


def draw(figure, panels, path):
    """All panels of a figure side by side, medians as steps and ranges over seeds as bands."""
    shown = [panel for panel in panels if panel.y != "test score"]
    if not shown:
        return False
    columns = min(figure.get("columns", 3), len(shown))
    rows = -(-len(shown) // columns)
    height = 2.7 * rows + 0.75
    canvas, axes = plt.subplots(rows, columns, figsize=(3.5 * columns, height), squeeze=False)
    others = [label for panel in shown for label in panel.methods if label != "auto"]
    looks = {label: look_of(k) for k, label in enumerate(dict.fromkeys(others))} | {"auto": OURS}
    for place in axes.flat[len(shown):]:
        place.axis("off")
    for place, panel in zip(axes.flat, shown):
        draw_axes(place, panel, figure, looks)
    handles = {}
    for place in axes.flat:
        for handle, label in zip(*place.get_legend_handles_labels()):
            handles.setdefault(label, handle)
    if not handles:
        plt.close(canvas)
        return False
    across = max(1, min(len(handles), int(1.5 * columns + 0.5)))
    lines = -(-len(handles) // across)
    canvas.legend(handles.values(), handles.keys(), loc="lower center", ncol=across, frameon=False, handlelength=3.5)
    canvas.tight_layout(rect=(0, (0.1 + 0.2 * lines) / height, 1, 1))
    canvas.savefig(path, metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    plt.close(canvas)
    shortened(path)
    return True
