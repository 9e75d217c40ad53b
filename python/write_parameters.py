"""Writes gapwise/_parameters.py: what the estimators are constructed with, from the option tables.

    write_parameters.py FOLDER     where the package with its extension lies
"""

import pathlib
import sys
import textwrap
import types

# The names of options that Python spells differently.
RENAMED = {"lambda": "lam", "threads": "n_jobs"}

# What only Python has, for every estimator.
OWN = [
    ("warm_start", "bool", "False",
     "go on from the solution of the last `fit` if it was of the same examples"),
    ("verbose", "int", "0", "1: print a line for every measurement; 2: a progress bar, with tqdm"),
    ("interrupt", "str", "'keep'",
     "what Ctrl-C does besides ending the run: 'keep' the model reached so far, or also 'raise' "
     "KeyboardInterrupt"),
]

HEAD = '''"""What estimators are constructed with. Written by write_parameters.py: do not edit."""

from typing import Any, ClassVar, Dict, Optional, Union

Number = Union[int, float, str]

'''


def load_native(folder):
    """The extension alone: the package around it needs what is written here."""
    package = types.ModuleType("gapwise")
    package.__path__ = [str(folder)]
    sys.modules["gapwise"] = package
    from gapwise import _native

    return _native


def literal(option):
    """The default of an option as Python source."""
    if option.is_flag:
        return repr(option.value == "yes")
    if not option.value:
        return "None"
    for kind in (int, float):
        try:
            return repr(kind(option.value))
        except ValueError:
            pass
    return repr(option.value)


def annotation(option, default):
    """The type of a parameter as Python source."""
    if option.name == "lambda":
        return "Union[float, str]"
    if default == "None":
        is_text = len(option.placeholder) > 1
        return "Optional[str]" if is_text else "Optional[Number]"
    return type(eval(default)).__name__


def rows_of(options):
    """(parameter, type, default, help, option) of each."""
    rows = []
    for option in options:
        default = literal(option)
        name = RENAMED.get(option.name, option.name.replace("-", "_"))
        text = option.help
        if "|" in option.placeholder and not option.is_flag and option.name != "lambda":
            text += "; " + ", ".join(option.placeholder.split("|"))
        if option.fallback and default == "None":
            text += f" (default: {option.fallback})"
        rows.append((name, annotation(option, default), default, text, option.name))
    return rows


def write_class(name, task_rows, train_rows, has_problem=False):
    own = [(key, kind, default, text, None) for key, kind, default, text in OWN]
    rows = task_rows + train_rows + own
    lines = [f"class {name}:", '    """Parameters', "    ----------"]
    if has_problem:
        lines += ["    problem : Problem or model", "        what to learn; see above"]
    for key, kind, default, text, _ in rows:
        shown = kind.replace("Optional[", "").replace("Union[", "").replace("]", "")
        shown = shown.replace("Number", "number").replace(", ", " or ")
        lines.append(f"    {key} : {shown}, default={default}")
        lines += textwrap.wrap(text, 92, initial_indent=" " * 8, subsequent_indent=" " * 8)
    lines += ['    """', ""]
    for title, chosen in (("TASK_OPTIONS", task_rows), ("TRAIN_OPTIONS", train_rows)):
        lines.append(f"    {title}: ClassVar[Dict[str, str]] = {{")
        lines += [f"        {key!r}: {option!r}," for key, _, _, _, option in chosen]
        lines += ["    }"]
    lines += ["", "    def __init__(", "        self,"]
    lines += ["        problem: Any = None,"] if has_problem else []
    lines += ["        *,"]
    lines += [f"        {key}: {kind} = {default}," for key, kind, default, _, _ in rows]
    lines += ["    ) -> None:"]
    lines += ["        self.problem = problem"] if has_problem else []
    lines += [f"        self.{key} = {key}" for key, *_ in rows]
    return "\n".join(lines) + "\n\n\n"


def class_name(task):
    """FactorGraphParameters for factor-graph."""
    return "".join(word.capitalize() for word in task.split("-")) + "Parameters"


def main():
    folder = pathlib.Path(sys.argv[1])
    native = load_native(folder)
    train_rows = rows_of(native.train_options())
    text = HEAD
    for task in native.tasks():
        text += "\n" + write_class(class_name(task.name), rows_of(task.options), train_rows)
    text += "\n" + write_class("OwnParameters", [], train_rows, has_problem=True)
    target = folder / "_parameters.py"
    text = text.rstrip("\n") + "\n"
    if not target.exists() or target.read_text() != text:
        target.write_text(text)


if __name__ == "__main__":
    main()
