"""The page papers.md: every figure with what the paper says of it and what came out."""

import json
import shutil
import tomllib
from pathlib import Path

HERE = Path(__file__).parent

OPENING = """# The papers' experiments

Every figure and table below is made by one command, `scripts/reproduce.sh NAME` (bench/papers/README.md), which also checks the claims:
each is an assertion on the numbers of the figure, not a look at it. This page is made by `scripts/reproduce.sh all{option} --document
docs`{what}. Keys of papers are those of [references.md](references.md). A line is the median over seeds, a band reaches from the best to
the worst; between two measurements the last one holds. Claims in parentheses, "(ours)", are about `auto`.

"""

WHAT = {"full": "", "quick": ", on smaller data with fewer seeds and passes"}


def value_text(value):
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, list):
        return " ".join(value_text(v) for v in value)
    return str(value)


def section(name, figure, result, pictures):
    lines = [f"## [{figure['paper']}] {figure['title']}", "", f"`scripts/reproduce.sh {name}`", ""]
    if (pictures / f"{name}.svg").exists():
        lines += [f"![{figure['title']}](images/papers/{name}.svg)", ""]
    if result["table"]:
        columns = list(dict.fromkeys(row[0] for row in result["table"]))
        lines += ["| method | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
        for label in dict.fromkeys(row[1] for row in result["table"]):
            cells = {row[0]: f"{row[3]:.4f} ({row[2]:g}/n)" if row[2] else f"{row[3]:.4f}"
                     for row in result["table"] if row[1] == label}
            lines.append(f"| {label} | " + " | ".join(cells.get(column, "") for column in columns) + " |")
        lines.append("")
    lines += ["| the paper says | verdict | figures |", "|---|---|---|"]
    for claim in result["claims"]:
        figures = ", ".join(f"{key} {value_text(value)}" for key, value in claim["figures"].items())
        verdict = "agrees" if claim["holds"] else "differs" + (f": {claim['because']}" if claim["because"] else "")
        lines.append(f"| {claim['paper']} | {verdict} | {figures} |")
    return lines + [""]


def write_document(folder, output, names, plan):
    pictures = folder / "images" / "papers"
    pictures.mkdir(parents=True, exist_ok=True)
    sections, held, all_claims = [], 0, 0
    for name in names:
        if not (output / f"{name}.json").exists():
            continue
        result = json.loads((output / f"{name}.json").read_text())
        with open(HERE / "figures" / f"{name}.toml", "rb") as file:
            figure = tomllib.load(file)
        if (output / f"{name}.svg").exists():
            shutil.copy(output / f"{name}.svg", pictures / f"{name}.svg")
        sections.append((figure["paper"], section(name, figure, result, pictures)))
        held += sum(claim["holds"] for claim in result["claims"])
        all_claims += len(result["claims"])
    text = OPENING.format(option="" if plan == "full" else f" --{plan}", what=WHAT.get(plan, ""))
    text += f"{held} of {all_claims} claims hold.\n\n"
    text += "\n".join(line for _, lines in sorted(sections, key=lambda pair: pair[0]) for line in lines)
    (folder / "papers.md").write_text(text.rstrip("\n") + "\n")
