"""Measures `gapwise` against itself and its peers: one table, one JSON. README.md tells how."""

import argparse
import json
import sys
import time
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "papers"))

import peers  # noqa: E402
from data_sets import DataSets, Missing  # noqa: E402
from measure import Trainer, machine  # noqa: E402
from runs import Failed, Program  # noqa: E402
from sections import Sections  # noqa: E402

PARTS = ["kernels", "solvers", "threads", "growth", "liblinear", "dlib"]

COLUMNS = {
    "solvers": [("what", "job"), ("who", "solver"), ("seconds", "seconds"),
                ("processor_seconds", "whole command, processor"), ("effective_passes", "passes"),
                ("oracle_calls", "oracle calls"), ("relative_gap", "gap"), ("peak_rss_bytes", "peak MB")],
    "threads": [("what", "job"), ("who", "threads"), ("seconds", "seconds"), ("command_seconds", "whole command"),
                ("processor_seconds", "processor")],
    "growth": [("what", "more"), ("who", "how many"), ("n", "n"), ("dimension", "d"), ("bytes", "file MB"),
               ("seconds", "seconds of 3 passes"), ("reading_seconds", "the rest"),
               ("processor_seconds", "processor"), ("peak_rss_bytes", "peak MB")],
    "liblinear": [("who", "who"), ("seconds", "seconds"), ("processor_seconds", "processor"), ("primal", "primal"),
                  ("above_dual", "above the dual")],
    "dlib": [("who", "who"), ("seconds", "seconds of training"), ("processor_seconds", "processor, whole command"),
             ("primal", "primal"), ("above_dual", "above the dual")],
    "kernels": [("what", "kernel"), ("who", "size"), ("nanoseconds", "ns")],
}


def cell(key, value):
    if value is None:
        return "-"
    if key in ("peak_rss_bytes", "bytes"):
        return f"{value / 1e6:.0f}" if value >= 1e7 else f"{value / 1e6:.2g}"
    if key in ("relative_gap", "above_dual"):
        return f"{100 * value:.2f} %"
    if key.endswith("seconds"):
        return f"{value:.1f}" if key == "nanoseconds" else f"{value:.2f}"
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def write_table(parts, where, path):
    lines = [f"Measured on {where['cores']} cores of {where['processor']}, load {where['load']} before it; medians "
             f"of {where['repeats']}, {where['minutes']:.0f} minutes in all."]
    for name, found in parts.items():
        lines += ["", f"## {name}", ""]
        if isinstance(found, str):
            lines.append(f"Skipped: {found}.")
            continue
        columns = COLUMNS[name]
        lines += ["| " + " | ".join(title for _, title in columns) + " |", "|---" * len(columns) + "|"]
        lines += ["| " + " | ".join(cell(key, row.get(key)) for key, _ in columns) + " |" for row in found]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(prog="bench.sh", description="Measures gapwise: one table, one JSON.")
    parser.add_argument("part", nargs="*", help="some of " + ", ".join(PARTS) + "; all by default")
    parser.add_argument("--smoke", action="store_true", help="samples in place of data: only whether everything runs")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each, of which the median counts (3)")
    parser.add_argument("--only", metavar="TEXT", default="", help="of solvers and threads, the jobs whose title holds it")
    parser.add_argument("--data", default="../shared/data", help="folder of the data sets")
    parser.add_argument("--output", default="build/bench-table", help="where table.md and table.json go")
    parser.add_argument("--gapwise", default="build/gapwise", help="the program")
    parser.add_argument("--kernels", default="build-bench/bench/bench_kernels", help="the benchmarks of kernels")
    parser.add_argument("--dlib", default="build-bench/bench/dlib_chain", help="the program of bench/peers")
    given = parser.parse_args()
    if unknown := set(given.part) - set(PARTS):
        parser.error(f"{', '.join(sorted(unknown))}: no such part; there are {', '.join(PARTS)}")

    start = time.monotonic()
    where = {**machine(), "repeats": 1 if given.smoke else given.repeats}
    output = Path(given.output)
    scratch = output / "data" / ("samples" if given.smoke else "cut")
    program = Program(given.gapwise)
    data = DataSets(given.data, scratch, program, given.smoke, HERE / "data.toml")
    with open(HERE / "questions.toml", "rb") as file:
        questions = tomllib.load(file)
    trainer = Trainer(program.path)
    sections = Sections(questions, data, trainer, where["repeats"], scratch, given.smoke,
                        given.only)
    kernels = Path(given.kernels)
    ways = {
        "kernels": lambda: (sections.kernels(str(kernels)), None) if kernels.exists()
        else (None, f"{kernels} is not built (cmake --preset bench)"),
        "solvers": lambda: (sections.solvers(), None),
        "threads": lambda: (sections.threads(), None),
        "growth": lambda: (sections.growth(), None),
        "liblinear": lambda: peers.liblinear(questions["liblinear"], sections, trainer, scratch),
        "dlib": lambda: peers.dlib(questions["dlib"], sections, trainer, scratch, given.dlib),
    }
    parts, broken = {}, 0
    for name in given.part or PARTS:
        try:
            rows, why_not = ways[name]()
            parts[name] = why_not if rows is None else rows
        except Missing as missing:
            parts[name] = str(missing)
        except Failed as failure:
            parts[name] = f"BROKEN, {failure}"
            broken += 1
        told = parts[name] if isinstance(parts[name], str) else f"{len(parts[name])} rows"
        print(f"{name}: {told}", flush=True)
        where["minutes"] = (time.monotonic() - start) / 60
        write_table(parts, where, output / "table.md")
        (output / "table.json").write_text(json.dumps({"machine": where, "parts": parts}, indent=1), encoding="utf-8")
    print(f"{output / 'table.md'}, {output / 'table.json'}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
