"""The page papers.md: every figure with what the paper says of it and what came out."""

import json
import shutil
import tomllib
from pathlib import Path

HERE = Path(__file__).parent

OPENING = """# The papers' experiments

gapwise has the systems of four papers. Every figure and table of their experiments that our data allow is made again by one
command, `scripts/reproduce.sh NAME`, and this page by `scripts/reproduce.sh all --document docs`. Each claim is checked by the
script as an assertion on the numbers of the figure; nothing is judged by eye. What the papers say is told in our words; their keys are those of
[references.md](references.md), the terms those of [notation.md](notation.md). How figures are described, and what a run keeps, is told in
bench/papers/README.md.

A line is the median over seeds, a band reaches from the best to the worst. Between two measurements the last one holds. *Passes* leave
out the gap passes that only measure, as the papers do; for `auto`, which goes on from its gap passes, they count. *Seconds* are those
of one processor. Claims that begin with "(ours)" are about `auto` and other things that no paper has. A *quick run* (`--quick`) has
smaller data, fewer seeds or both; where it says "full run", the data and settings are those of the file in bench/papers/figures.

"""

PLANS = {"full": "full run", "quick": "quick run", "smoke": "smoke run"}


def value_text(value):
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, list):
        return " ".join(f"({value_text(v)})" if isinstance(v, list) else value_text(v) for v in value)
    return str(value)


def table_lines(table):
    columns = list(dict.fromkeys(row[0] for row in table))
    lines = ["| method | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for label in dict.fromkeys(row[1] for row in table):
        cells = {row[0]: f"{row[3]:.4f}" + (f" ({row[2]:g}/n)" if row[2] else "") for row in table if row[1] == label}
        lines.append(f"| {label} | " + " | ".join(cells.get(column, "") for column in columns) + " |")
    return [*lines, ""]


def section(name, figure, result, pictures):
    seconds = result["processor_seconds"]
    spent = f"{seconds} s" if seconds < 100 else f"{seconds / 60:.0f} min"
    lines = [f"### {figure['title']}", "", f"`{name}`, {PLANS[result['plan']]} on {', '.join(result['data'])}: {spent} of the processor.", ""]
    if (pictures / f"{name}.svg").exists():
        lines += [f"![{figure['title']}](images/papers/{name}.svg)", ""]
    if result["table"]:
        lines += table_lines(result["table"])
    lines += ["| the paper says | verdict | ours |", "|---|---|---|"]
    for claim in result["claims"]:
        figures = "; ".join(f"{key.replace('_', ' ')}: {value_text(value)}" for key, value in claim["figures"].items())
        verdict = "agrees" if claim["holds"] else "**differs**" + (f" because {claim['because']}" if claim["because"] else "")
        lines.append(f"| {claim['paper']} | {verdict} | {figures} |")
    return lines + [""]


def fullest(output, name):
    """The numbers of the fullest run that there is of a figure, and their folder."""
    for plan in PLANS:
        if (output / plan / f"{name}.json").exists():
            return json.loads((output / plan / f"{name}.json").read_text()), output / plan
    return None, None


def write_document(folder, output, names):
    """Of all figures that have been run, from the fullest run of each."""
    pictures = folder / "images" / "papers"
    pictures.mkdir(parents=True, exist_ok=True)
    papers, held, claims, full = {}, 0, 0, 0
    for name in names:
        result, source = fullest(output, name)
        if result is None:
            continue
        with open(HERE / "figures" / f"{name}.toml", "rb") as file:
            figure = tomllib.load(file)
        if (source / f"{name}.svg").exists():
            shutil.copy(source / f"{name}.svg", pictures / f"{name}.svg")
        papers.setdefault(figure["paper"], []).extend(section(name, figure, result, pictures))
        held += sum(claim["holds"] for claim in result["claims"])
        claims += len(result["claims"])
        full += result["plan"] == "full"
    text = OPENING + f"**{held} of {claims} claims hold**; {full} of {len(names)} figures are of a full run.\n"
    for paper in sorted(papers):
        text += f"\n## {paper}\n\n" + "\n".join(papers[paper])
    (folder / "papers.md").write_text(text.rstrip("\n") + "\n")
