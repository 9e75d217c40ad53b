"""How each kind of panel is filled: which runs it takes, and what of them it shows."""

import math
import re

from curves import Curve, Method, Panel
from runs import at_once

WORDS = {"passes": "passes", "effective_passes": "effective passes", "oracle_calls": "oracle calls",
         "seconds": "seconds of the processor", "suboptimality": "primal less optimum",
         "dual_suboptimality": "optimum less dual", "relative_gap": "gap / primal", "gap": "certified gap",
         "soft_gap": "softened gap", "primal": "primal", "soft_primal": "softened primal",
         "n": "examples n", "estimate": "estimated / true gap", "improvement": "improvement factor",
         "excess": "softened optimum less relaxed one"}


def words_for(name):
    if name.startswith("test."):
        return "test " + name[5:].replace("_", " ").replace("1-", "1 - ")
    return WORDS.get(name, name.replace("_", " "))


class Filler:
    """Fills panels with runs; `plan` says how long and how often, `asker` runs them."""

    def __init__(self, asker, data, plan):
        self.asker = asker
        self.data = data
        self.plan = plan

    def fill(self, panel):
        filled = getattr(self, "_" + panel.get("kind", "curves"))(panel)
        filled.log_x, filled.linear_y = panel.get("log_x"), panel.get("linear_y")
        return filled

    def _words(self, panel, size=None):
        words = self.data.options(panel["data"], size=size or panel.get("size"))
        if "lambda" in panel:
            words += ["--lambda", str(panel["lambda"])]
        return words + ["--threads", "1", *panel.get("options", [])]

    def _budget(self, panel, default):
        return self.plan.most_passes(panel.get("passes", default))

    def _seeds(self, panel, label):
        wanted = 1 if label in panel.get("without_seed", []) else panel.get("seeds", 1)
        return range(1, self.plan.seeds(wanted) + 1)

    def _curves(self, panel):
        words = self._words(panel)
        common = [*words, "--max-passes", str(self._budget(panel, 50)), "--gaps", str(panel.get("until", 1e-4))]
        if panel.get("tests"):
            common += ["--trace-test"]

        def runs_of(label):
            entry = panel["methods"][label]
            every = [] if "gap-every=" in entry else ["--gap-every", str(panel.get("every", 1))]
            entries = [f"{entry}:seed={seed}" for seed in self._seeds(panel, label)]
            if label in panel.get("measured_at", {}):
                return self._ends(entries, [*common, *every], panel["measured_at"][label])
            if self.plan.name == "smoke":
                entries = [re.sub(r"max-passes=\d+", "max-passes=3", entry) for entry in entries]
            return self.asker.compare(entries, [*common, *every])

        labels = list(panel["methods"])
        optimum = None
        if panel["y"] in ("suboptimality", "dual_suboptimality"):
            *runs, best = at_once(lambda label: runs_of(label) if label else self._optimum(panel, words), [*labels, None])
            optimum = self._best_dual(best, runs)
        else:
            runs = at_once(runs_of, labels)
        spread = self._curvature_unevenness(panel) if panel["y"] == "improvement" else None
        methods = []
        for label, of_label in zip(labels, runs):
            x = panel.get("x", "passes")
            if x == "passes" and label in panel.get("charged", ["auto"]):
                x = "effective_passes"
            methods.append(Method(label, [Curve((row[x], value_of(row, panel["y"], optimum, spread)) for row in run)
                                          for run in of_label]))
        return Panel(panel["title"], panel.get("x", "passes"), panel["y"], methods)

    def _ends(self, entries, words, passes):
        """Runs of so many passes each, of which only the last gap pass measures; it does not count. What
        a run does does not depend on its budget, so together they are one curve."""
        def last(entry, budget):
            row = self.asker.compare([f"{entry}:max-passes={budget}"], words)[0][-1]
            return {**row, "effective_passes": row["effective_passes"] - 1.0}

        budgets = self.plan.few(passes)
        rows = at_once(lambda question: last(*question), [(e, b) for e in entries for b in budgets])
        return [rows[k * len(budgets) : (k + 1) * len(budgets)] for k in range(len(entries))]

    def _optimum(self, panel, words):
        """A run that is there to find the optimum."""
        gap = panel.get("optimum_gap", self.plan.optimum_gap())
        return self.asker.compare([panel.get("optimum", "auto")], [
            *words, "--gaps", str(max(gap, self.plan.optimum_gap())), "--max-passes",
            str(self.plan.most_passes(panel.get("optimum_passes", 1000)))])[0]

    @staticmethod
    def _best_dual(rows, runs):
        """The best dual value that any run of the same objective found."""
        return max(row["dual"] for run in [rows, *(r for of_label in runs for r in of_label)] for row in run
                   if row.get("dual") is not None and row["objective"] == rows[-1]["objective"])

    def _curvature_unevenness(self, panel):
        """chi of the curvatures of the blocks, each of which goes as the largest squared distance
        of the features of two outputs: of a word of letters, those that say one letter everywhere."""
        if self.data.smoke:
            return 1.0
        curvatures = []
        for word in self.data.words(panel["data"], set(panel["curvature_folds"])):
            pixels = [line.rsplit(" ", 1)[1] for line in word]
            emissions = sum(sum(row[k] == "1" for row in pixels) ** 2 for k in range(len(pixels[0])))
            curvatures.append(emissions + len(word) ** 2 + (len(word) - 1) ** 2 + 2)
        return math.sqrt(len(curvatures) * sum(c * c for c in curvatures)) / sum(curvatures)

    def _growth(self, panel):
        """Oracle calls to a gap, or primal error where there is no dual, over the number of examples."""
        sizes = self.plan.sizes(panel["sizes"])

        def calls(question):
            label, size, seed = question
            words = self._words(panel, size)
            entry = f"{panel['methods'][label]}:seed={seed}"
            run = self.asker.compare([entry], [
                *words, "--gap-every", str(panel.get("every", 1)), "--gaps", str(panel["until"]),
                "--max-passes", str(self._budget(panel, 2000))])[0]
            optimum = 0.0 if run[-1]["dual"] is not None else self._best_dual(self._optimum(panel, words), [])
            for row in run:
                error = row["relative_gap"]
                if row["primal"] is not None and row["dual"] is None:
                    error = (row["primal"] - optimum) / row["primal"]
                if error is not None and error <= panel["until"]:
                    measures = label in panel.get("charged", ["auto"])
                    return row["n"], row["oracle_calls"] if measures else row["passes"] * row["n"]
            return run[-1]["n"], None

        questions = [(label, size, seed) for label in panel["methods"] for size in sizes
                     for seed in self._seeds(panel, label)]
        found = dict(zip(questions, at_once(calls, questions)))
        return Panel(panel["title"], "n", "oracle_calls", [
            Method(label, [Curve(sorted(found[label, size, seed] for size in sizes))
                           for seed in self._seeds(panel, label)]) for label in panel["methods"]])

    def _excess(self, panel):
        """How far the softened optimum is above the relaxed one, over the number of examples."""
        sizes = self.plan.sizes(panel["sizes"])
        until = ["--gap-every", "10", "--max-passes", str(self._budget(panel, 1000))]

        def excess(question):
            label, size = question
            words = [*self._words(panel, size), *until]
            soft = self.asker.compare([panel["methods"][label]], [*words, "--gaps", "1e-6"])[0]
            hard = self.asker.compare(["auto"], [*words, "--gaps", "1e-4"])[0]
            lowest = min(row["soft_primal"] for row in soft)
            return hard[-1]["n"], max(1e-12, (lowest - hard[-1]["dual"]) / hard[-1]["dual"])

        questions = [(label, size) for label in panel["methods"] for size in sizes]
        found = dict(zip(questions, at_once(excess, questions)))
        return Panel(panel["title"], "n", "excess", [
            Method(label, [Curve(sorted(found[label, size] for size in sizes))]) for label in panel["methods"]])

    def _path(self, panel):
        """Passes from the largest lambda down, added up, for a path and for grids."""
        words = [*self.data.options(panel["data"], size=panel.get("size")), "--threads", "1"]
        for option in ("--test", "--test-folds"):
            if option in words:
                at = words.index(option)
                del words[at : at + 2]
        low = panel["lambda_min"]

        def points_of(options):
            if self.plan.name == "smoke":
                return self.asker.path([*words, "--lambda-min", "1"])
            return self.asker.path([*words, *options, "--max-passes", "100000",
                                    *(["--lambda-min", str(low)] if "--grid" not in options else [])])

        methods = []
        for label, points in zip(panel["methods"], at_once(points_of, panel["methods"].values())):
            total, curve = 0.0, []
            for point in sorted(points, key=lambda p: -p["lambda"]):
                total += point["oracle_calls"] / panel["n"]
                curve.append((1.0 / point["lambda"], total))
            methods.append(Method(label, [Curve(curve)]))
        return Panel(panel["title"], "1 / lambda", "effective passes, added up", methods)

    def _table(self, panel):
        """Test scores at a lambda that development data chose, for each method."""
        multiples = self.plan.few(panel["multiples"])

        def score(label, part, multiple):
            solver, *rest = panel["methods"][label].split(":")
            own = {"max-passes": str(self._budget(panel, 15)), **dict(pair.split("=") for pair in rest)}
            if multiple:
                own["lambda"] = f"{multiple}/n"
            words = ["--solver", solver, "--threads", "1", *(word for name, value in own.items() for word in ("--" + name, value))]
            return score_of(self.asker.json(["train", *self.data.options(panel["data"], part), *words])["test"])

        def final(label):
            choices = multiples if label not in panel.get("without_lambda", []) else [0]
            scores = at_once(lambda multiple: score(label, "develop", multiple), choices)
            best = choices[scores.index(max(scores))]
            return best, score(label, "train", best)

        methods = [Method(label, [Curve([found])])
                   for label, found in zip(panel["methods"], at_once(final, panel["methods"]))]
        return Panel(panel["title"], "lambda n", "test score", methods)


def score_of(test):
    """The first of these that a task has."""
    return next(test[name] for name in ("f1", "las", "uas", "token_accuracy", "accuracy", "hamming_accuracy") if name in test)


def value_of(row, y, optimum, spread):
    if y == "suboptimality":
        return None if row["primal"] is None else max(row["primal"] - optimum, 1e-12)
    if y == "dual_suboptimality":
        return None if row.get("dual") is None else max(optimum - row["dual"], 1e-12)
    if y in ("gap", "relative_gap"):
        return None if row[y] is None else max(row[y], 1e-12)
    if y == "estimate":
        return row["foreseen_gap"] / row["gap"] if row.get("foreseen_gap") and row["gap"] else None
    if y == "improvement":
        return row["gap_unevenness"] ** 3 / spread if row.get("gap_unevenness") else None
    if y.startswith("test."):
        name = y[5:]
        test = row.get("test") or {}
        value = test.get(name.removeprefix("1-"))
        return None if value is None else (1.0 - value if name.startswith("1-") else value)
    return row.get(y)
