"""What traces say: step curves, medians over seeds, and the words in which claims are checked."""

import math
from statistics import median


class Curve:
    """What was measured along one run. Between two measurements nothing is known, so the last one holds."""

    def __init__(self, points):
        self.points = [(x, y) for x, y in points if y is not None]

    def at(self, x):
        value = math.inf
        for at, y in self.points:
            if at > x:
                break
            value = y
        return value

    def reach(self, level):
        return next((x for x, y in self.points if y <= level), math.inf)


class Method:
    """The runs of one method, one for each seed."""

    def __init__(self, label, curves):
        self.label = label
        self.curves = curves

    def band(self):
        """At every place of any run: lowest, median and highest value."""
        rows = []
        for x in sorted({x for curve in self.curves for x, _ in curve.points}):
            values = [curve.at(x) for curve in self.curves]
            if all(math.isfinite(v) for v in values):
                rows.append((x, min(values), median(values), max(values)))
        return rows


class Panel:
    """One pair of axes."""

    def __init__(self, title, x, y, methods):
        self.title = title
        self.x = x
        self.y = y
        self.log_x = None  # as the figure says
        self.linear_y = None
        self.methods = {method.label: method for method in methods}

    def _all(self, label, ask):
        return [ask(curve) for curve in self.methods[label].curves]

    def at(self, label, x):
        """The median over seeds of y at x."""
        return median(self._all(label, lambda curve: curve.at(x)))

    def reach(self, label, level):
        """The median over seeds of the first x at which y is at most `level`."""
        return median(self._all(label, lambda curve: curve.reach(level)))

    def last(self, label):
        """The median over seeds of the last y."""
        return self.at(label, math.inf)

    def spread(self, label, x):
        """Worst minus best over seeds at x."""
        values = self._all(label, lambda curve: curve.at(x))
        return max(values) - min(values)

    def end(self):
        """The smallest of the last x of all methods: up to here all can be compared."""
        return min(curve.points[-1][0] for method in self.methods.values() for curve in method.curves if curve.points)

    def places(self, label):
        """Every x at which something is known of a method."""
        return [row[0] for row in self.methods[label].band()]

    def soonest(self, label):
        """The smallest last x over seeds: up to here all runs of a method can be compared."""
        return min(self._all(label, lambda curve: curve.points[-1][0] if curve.points else math.inf))

    def highest(self, label):
        """The median over seeds of the largest y."""
        return median(self._all(label, lambda curve: max((y for _, y in curve.points), default=math.inf)))

    def first(self, label):
        """The median over seeds of the first y."""
        return median(self._all(label, lambda curve: curve.points[0][1] if curve.points else math.inf))


def slope(panel, label):
    """Of log y over log x, by least squares: how y grows with x."""
    points = [(math.log(x), math.log(y)) for x, _, y, _ in panel.methods[label].band() if y > 0]
    if len(points) < 2:
        return math.nan
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def check(claims, panels):
    """The verdict on each claim: its text, whether it holds, the values that were compared."""
    words = {"panel": panels, "slope": slope, "min": min, "max": max, "all": all, "any": any, "sum": sum, "abs": abs, "zip": zip,
             "inf": math.inf}
    words["p"] = panels[0]
    verdicts = []
    for claim in claims:
        if len(panels) < claim.get("needs_panels", 1):  # a plan may leave panels out
            continue
        names = {**words, **{"__builtins__": {}}}
        figures = {name: eval(text, names, names) for name, text in claim.get("with", {}).items()}
        names.update(figures)
        holds = bool(eval(claim["holds"], names, names))
        verdicts.append({"paper": claim["paper"], "holds": holds, "figures": figures,
                         "because": "" if holds else claim.get("because", "")})
    return verdicts
