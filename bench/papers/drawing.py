"""Figures in one style: colours that the colour-blind can tell apart, lines that print."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from panels import words_for  # noqa: E402

# Okabe and Ito's colours, each with a dash of its own, so that grey prints do as well; `auto` is black and thick.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999933"]
DASHES = ["-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1))]


def look_of(k):
    return {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[k % len(DASHES)], "linewidth": 1.3}


OURS = {"color": "#000000", "linestyle": "-", "linewidth": 2.2}

plt.rcParams.update({
    "svg.hashsalt": "gapwise", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9,
    "axes.grid": True, "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False,
})


def draw(figure, panels, path):
    """All panels of a figure side by side, medians as steps and ranges over seeds as bands."""
    shown = [panel for panel in panels if panel.y != "test score"]
    if not shown:
        return False
    columns = min(3, len(shown))
    rows = -(-len(shown) // columns)
    canvas, axes = plt.subplots(rows, columns, figsize=(4.2 * columns, 3.4 * rows), squeeze=False)
    others = [label for panel in shown for label in panel.methods if label != "auto"]
    looks = {label: look_of(k) for k, label in enumerate(dict.fromkeys(others))} | {"auto": OURS}
    for place in axes.flat[len(shown):]:
        place.axis("off")
    for place, panel in zip(axes.flat, shown):
        for label, method in panel.methods.items():
            band = method.band()
            if not band:
                continue
            x, low, middle, high = zip(*band)
            place.step(x, middle, where="post", label=label, marker="o" if len(x) < 8 else None, markersize=3,
                       **looks[label])
            if low != high:
                place.fill_between(x, low, high, step="post", alpha=0.15, color=looks[label]["color"], linewidth=0)
        if not figure.get("linear_y"):
            place.set_yscale("log")
        if figure.get("log_x"):
            place.set_xscale("log")
        place.set_title(panel.title, fontsize=9)
        place.set_xlabel(words_for(panel.x))
        place.set_ylabel(words_for(panel.y))
    handles = {}
    for place in axes.flat:
        for handle, label in zip(*place.get_legend_handles_labels()):
            handles.setdefault(label, handle)
    if not handles:
        plt.close(canvas)
        return False
    canvas.legend(handles.values(), handles.keys(), loc="lower center", ncol=min(5, len(handles)), frameon=False)
    canvas.tight_layout(rect=(0, 0.09 / rows + 0.03 * (len(handles) > 5), 1, 1))
    canvas.savefig(path, metadata={"Date": None})
    plt.close(canvas)
    return True
