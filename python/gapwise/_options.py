"""Parameters of estimators as the options by name that the library takes."""

import os
from typing import Any, Dict, Mapping, Optional

import numpy as np

from ._errors import OptionError

# Threads do not survive a fork, and the library would wait for them.
_is_forked = False


def _note_fork() -> None:
    global _is_forked
    _is_forked = True


os.register_at_fork(after_in_child=_note_fork)


def text_of(name: str, value: Any) -> str:
    """A value as the program takes it on its command line."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    raise OptionError(f"{name} = {value!r} is of type {type(value).__name__}; a number, a text or "
                      "a truth value is expected")


def options_by_name(parameters: Mapping[str, Any], defaults: Mapping[str, Any],
                    names: Mapping[str, str]) -> Dict[str, str]:
    """Those parameters that differ from their defaults. An option that is given at all must mean
    something to the solver."""
    options = {}
    for parameter, option in names.items():
        value = parameters[parameter]
        if option == "threads":
            threads = thread_count(value)
            if threads is not None:
                options[option] = str(threads)
        elif value is not None:
            default = defaults[parameter]
            text = text_of(parameter, value)
            if default is None or text != text_of(parameter, default):
                options[option] = text
    return options


def thread_count(n_jobs: Any) -> Optional[int]:
    """How many threads `n_jobs` stands for; None: all cores."""
    if _is_forked:
        return 1
    if n_jobs is None or n_jobs == -1:
        return None
    if isinstance(n_jobs, (bool, np.bool_)) or not isinstance(n_jobs, (int, np.integer)):
        raise OptionError(f"n_jobs = {n_jobs!r} must be a whole number, None or -1")
    return int(n_jobs)
