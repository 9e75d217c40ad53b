"""How each kind of panel is filled: which runs it takes, and what of them it shows."""

from curves import Curve, Method, Panel

WORDS = {"passes": "passes over the data", "effective_passes": "effective passes", "oracle_calls": "oracle calls",
         "seconds": "seconds", "suboptimality": "primal suboptimality", "dual_suboptimality": "dual suboptimality",
         "relative_gap": "relative duality gap", "gap": "duality gap", "soft_gap": "gap of the softened problem",
         "n": "training examples", "lambda": "lambda"}


def words_for(name):
    if name.startswith("test."):
        return "test " + name[5:].replace("_", " ").replace("1-", "1 - ")
    return WORDS.get(name, name.replace("_", " "))


class Filler:
    """Fills panels with runs; `plan` says how long and how often."""

    def __init__(self, cache, data, plan):
        self.cache = cache
        self.data = data
        self.plan = plan

    def fill(self, panel):
        return getattr(self, "_" + panel.get("kind", "curves"))(panel)

    def _words(self, panel):
        words = self.data.options(panel["data"])
        if "lambda" in panel:
            words += ["--lambda", str(panel["lambda"])]
        # Clocks are only asked for one run at a time.
        return words + ["--threads", "1", *panel.get("options", [])]

    def _budget(self, panel, default):
        return self.plan.most_passes(panel.get("passes", default))

    def _curves(self, panel):
        words = self._words(panel)
        y = panel["y"]
        common = [*words, "--max-passes", str(self._budget(panel, 50)), "--gap-every", str(panel.get("every", 1)),
                  "--gaps", str(panel.get("until", 1e-4))]
        if y.startswith("test."):
            common += ["--trace-test"]
        if "seconds" in panel:
            common += ["--max-seconds", str(self.plan.most_seconds(panel["seconds"]))]
        traces = {}
        for label, entry in panel["methods"].items():
            seeds = range(1, self.plan.seeds(panel.get("seeds", 1)) + 1)
            if not label_is_random(panel, label):
                seeds = [1]
            options = list(common)
            entries = [f"{entry}:seed={seed}" for seed in seeds]
            traces[label] = self.cache.compare(entries, options)
        optimum = None
        if y in ("suboptimality", "dual_suboptimality"):
            optimum = self._optimum(panel, words, traces)
        methods = []
        for label, runs in traces.items():
            x = panel.get("x", "passes")
            if x == "passes" and label in panel.get("charged", ["auto"]):
                x = "effective_passes"
            methods.append(Method(label, [Curve((row[x], value_of(row, y, optimum)) for row in run) for run in runs]))
        return Panel(panel["title"], panel.get("x", "passes"), y, methods)

    def _optimum(self, panel, words, traces):
        """The best dual value that any run found, and one that is there to find it."""
        entry = panel.get("optimum", "auto")
        rows = self.cache.compare([entry], [*words, "--gaps", str(self.plan.optimum_gap()), "--max-passes",
                                            str(self._budget(panel, 50) * 20)])[0]
        objective = rows[-1]["objective"]
        duals = [row["dual"] for run in [rows, *(r for runs in traces.values() for r in runs)] for row in run
                 if row.get("dual") is not None and row["objective"] == objective]
        return max(duals)

    def _growth(self, panel):
        """Oracle calls to a gap over the number of examples."""
        methods = {label: [] for label in panel["methods"]}
        sizes = self.plan.sizes(panel["folds"])
        for folds in sizes:
            base = self.data.options(panel["data"])
            if "--train-folds" in base:
                base[base.index("--train-folds") + 1] = folds
            words = [*base, "--lambda", str(panel["lambda"]), "--threads", "1", "--gap-every",
                     str(panel.get("every", 5)), "--gaps", str(panel["until"]), "--max-passes",
                     str(self._budget(panel, 2000))]
            for label, entry in panel["methods"].items():
                run = self.cache.compare([entry], words)[0]
                calls = next((row["oracle_calls"] for row in run
                              if row["relative_gap"] is not None and row["relative_gap"] <= panel["until"]), None)
                methods[label].append((run[-1]["n"], calls))
        return Panel(panel["title"], "n", "oracle_calls",
                     [Method(label, [Curve(sorted(points))]) for label, points in methods.items()])

    def _path(self, panel):
        """Passes from the largest lambda down, added up, for a path and for grids."""
        words = [*self.data.options(panel["data"]), "--threads", "1"]
        if "--test" in words:
            del words[words.index("--test") : words.index("--test") + 2]
        if "--test-folds" in words:
            del words[words.index("--test-folds") : words.index("--test-folds") + 2]
        low = panel["lambda_min"]
        methods = []
        for label, options in panel["methods"].items():
            points = self.cache.path([*words, *options, "--max-passes", "100000",
                                      *(["--lambda-min", str(low)] if "--grid" not in options else [])])
            total, curve = 0.0, []
            for point in sorted(points, key=lambda p: -p["lambda"]):
                total += point["oracle_calls"] / panel["n"] if panel.get("x") != "seconds" else point["seconds"]
                curve.append((1.0 / point["lambda"], total))
            methods.append(Method(label, [Curve(curve)]))
        return Panel(panel["title"], "1/lambda", "effective passes, added up", methods)

    def _table(self, panel):
        """Test scores at a lambda that development data chose, for each method."""
        multiples = self.plan.few(panel["multiples"])
        methods = []
        for label, entry in panel["methods"].items():
            solver, *rest = entry.split(":")
            own = [word for pair in rest for word in ("--" + pair.split("=")[0], pair.split("=")[1])]
            common = ["--solver", solver, *own, "--threads", "1"]
            if "relative-gap" not in entry:
                common += ["--max-passes", str(self._budget(panel, 15))]
            scores = []
            for multiple in multiples if label not in panel.get("without_lambda", []) else [None]:
                words = self.data.options(panel["data"], "develop")
                at = ["--lambda", f"{multiple}/n"] if multiple is not None else []
                scores.append((score_of(self.cache.json(["train", *words, *common, *at])["test"]), at))
            best = max(scores, key=lambda pair: pair[0])
            final = self.cache.json(["train", *self.data.options(panel["data"]), *common, *best[1]])
            multiple = float(best[1][1].split("/")[0]) if best[1] else 0.0
            methods.append(Method(label, [Curve([(multiple, score_of(final["test"]))])]))
        return Panel(panel["title"], "lambda n", "test score", methods)


def label_is_random(panel, label):
    return label not in panel.get("without_seed", [])


def score_of(test):
    """The first of these that a task has."""
    return next(test[name] for name in ("f1", "las", "uas", "token_accuracy", "accuracy", "hamming_accuracy") if name in test)


def value_of(row, y, optimum):
    if y == "suboptimality":
        return None if row["primal"] is None else max(row["primal"] - optimum, 1e-12)
    if y == "dual_suboptimality":
        return None if row.get("dual") is None else max(optimum - row["dual"], 1e-12)
    if y.startswith("test."):
        name = y[5:]
        test = row.get("test") or {}
        value = test.get(name.removeprefix("1-"))
        return None if value is None else (1.0 - value if name.startswith("1-") else value)
    return row.get(y)
