"""Redoes figures of the papers with `gapwise` and checks what the papers say of them. README.md tells how."""

import argparse
import csv
import json
import math
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import curves
from data_sets import DataSets, Missing
from document import value_text, write_document
from drawing import draw
from panels import Filler
from runs import Asker, Cache, Failed, Program, at_once

HERE = Path(__file__).parent


class Plan:
    """How much is done: everything, enough for a look in minutes, or a smoke run on samples."""

    def __init__(self, name):
        self.name = name

    def seeds(self, wanted):
        return {"full": wanted, "quick": min(wanted, 2), "smoke": 1}[self.name]

    def most_passes(self, wanted):
        return {"full": wanted, "quick": wanted, "smoke": min(wanted, 3)}[self.name]

    def optimum_gap(self):
        return {"full": 1e-5, "quick": 1e-4, "smoke": 0.1}[self.name]

    def sizes(self, wanted):
        return wanted if self.name != "smoke" else wanted[:2]

    def few(self, wanted):
        return wanted if self.name != "smoke" else wanted[:1]


def write_numbers(folder, name, figure, panels, verdicts, seconds):
    """All that is drawn, as CSV, and the verdicts with it as JSON."""
    rows = [(panel.title, label, x, low, middle, high) for panel in panels
            for label, method in panel.methods.items() for x, low, middle, high in method.band()]
    with open(folder / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["panel", "method", "x", "lowest", "median", "highest"])
        writer.writerows(rows)
    finite = [{**v, "figures": {k: x if not isinstance(x, float) or math.isfinite(x) else str(x)
                                for k, x in v["figures"].items()}} for v in verdicts]
    table = [(panel.title, label, *method.curves[0].points[0]) for panel in panels if panel.y == "test score"
             for label, method in panel.methods.items()]
    told = {"name": name, "plan": folder.name, "data": figure["data"], "processor_seconds": round(seconds),
            "claims": finite, "table": table}
    (folder / f"{name}.json").write_text(json.dumps(told, indent=1))


def merged(table, change):
    """A table with the entries of another one, tables in it likewise."""
    result = dict(table)
    for name, value in change.items():
        both = isinstance(value, dict) and isinstance(result.get(name), dict)
        result[name] = merged(result[name], value) if both else value
    return result


def expanded(panels, plan):
    """Panels as the plan wants them; one with `each` stands for a panel for each table of that list,
    and one with `skip` is left out."""
    for panel in panels:
        panel = merged(panel, panel.get(plan.name, {}))
        for change in panel.get("each", [{}]):
            each = merged(merged(panel, change), change.get(plan.name, {}))
            if not each.get("skip"):
                yield each


def gather(path, asker, data, plan):
    """The panels of a figure; all runs there are."""
    with open(path, "rb") as file:
        figure = tomllib.load(file)
    panels = list(expanded(figure["panel"], plan))
    figure["data"] = list(dict.fromkeys(panel["data"] for panel in panels))
    return figure, at_once(Filler(asker, data, plan).fill, panels)


def finish(path, figure, panels, asker, output, plan):
    """Checks, draws and tells of one figure; how many claims do not hold, and how many there are."""
    verdicts = curves.check(figure.get("claim", []), panels)
    seconds = asker.processor_seconds()
    write_numbers(output, path.stem, figure, panels, verdicts, seconds)
    draw(figure, panels, output / f"{path.stem}.svg")
    print(f"{path.stem}: {figure['title']} ({seconds:.0f} s of the processor)", flush=True)
    if plan.name == "smoke":  # says nothing about the claims but that they can be checked
        return 0, len(verdicts)
    for panel in panels:
        if panel.y == "test score":
            for label, method in panel.methods.items():
                x, y = method.curves[0].points[0]
                print(f"    {panel.title:10} {label:12} {y:.4f} at {x:g}/n")
    for verdict in verdicts:
        told = ", ".join(f"{name} {value_text(value)}" for name, value in verdict["figures"].items())
        print(f"  {'agrees ' if verdict['holds'] else 'DIFFERS'}  {verdict['paper']}" + (f" [{told}]" if told else ""))
        if verdict["because"]:
            print(f"           because {verdict['because']}")
    sys.stdout.flush()
    return sum(not verdict["holds"] for verdict in verdicts), len(verdicts)


def arguments(names):
    parser = argparse.ArgumentParser(prog="reproduce.sh", description="Redoes figures of the papers with gapwise.")
    parser.add_argument("names", nargs="+", choices=[*names, "all"], metavar="NAME",
                        help="all, or some of " + ", ".join(names))
    parser.add_argument("--quick", action="store_true", help="smaller data and fewer seeds, for a look")
    parser.add_argument("--smoke", action="store_true", help="samples instead of data: only whether everything runs")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="runs at a time, each on one thread (2)")
    parser.add_argument("--data", default="../shared/data", help="folder of the data sets")
    parser.add_argument("--output", default="build/papers", help="where figures, numbers and the cache go")
    parser.add_argument("--document", metavar="DIR", help="write papers.md there, of all figures that have been redone, "
                        "with its pictures in images/papers")
    parser.add_argument("--gapwise", default="build/gapwise", help="the program")
    return parser.parse_args()


def main():
    names = sorted(path.stem for path in (HERE / "figures").glob("*.toml"))
    given = arguments(names)
    plan = Plan("smoke" if given.smoke else "quick" if given.quick else "full")
    output = Path(given.output) / plan.name
    program = Program(given.gapwise, max(1, given.jobs))
    cache = Cache(program, Path(given.output) / "cache")
    data = DataSets(given.data, Path(given.output) / "data" / ("samples" if given.smoke else "cut"), program, given.smoke)
    output.mkdir(parents=True, exist_ok=True)
    differing = claims = skipped = broken = 0
    asked = names if "all" in given.names else given.names
    # Two figures at a time, so that no place stays empty while the last run of one goes on.
    with ThreadPoolExecutor(max_workers=2) as pool:
        askers = [Asker(cache, rank) for rank in range(len(asked))]
        gathered = [pool.submit(gather, HERE / "figures" / f"{name}.toml", asker, data, plan)
                    for name, asker in zip(asked, askers)]
        for name, asker, future in zip(asked, askers, gathered):
            try:
                figure, panels = future.result()
                wrong, number = finish(HERE / "figures" / f"{name}.toml", figure, panels, asker, output, plan)
                differing += wrong
                claims += number
            except Missing as missing:
                print(f"{name}: skipped, {missing}")
                skipped += 1
            except Failed as failure:
                print(f"{name}: BROKEN, {failure}")
                broken += 1
    verdict = f"{claims} claims can be checked" if given.smoke else f"{claims - differing} of {claims} claims hold"
    spent = sum(asker.processor_seconds() for asker in askers)
    print(f"{verdict}{f', {skipped} figures skipped' if skipped else ''}; {spent:.0f} s of the processor; "
          f"figures and numbers are in {output}")
    if given.document:
        write_document(Path(given.document), Path(given.output), names)
    # Small data decide little; the full run is the one that decides.
    return 1 if broken or (differing and plan.name == "full") else 0


if __name__ == "__main__":
    sys.exit(main())
