"""Examples that lie in files, or that are text in the format of a file."""

import contextlib
import os
import tempfile
from dataclasses import dataclass
from typing import Any, Dict, Iterator, Optional, Tuple, Union

from . import _native
from ._errors import InputError


@dataclass(frozen=True)
class File:
    """Examples in a file, plain or gzipped.

    Parameters
    ----------
    path : str or path-like
        Where it lies.
    format : str, optional
        One of the formats of the task; told from the file if left out.
    folds : str, optional
        Which folds to take, as in "0", "1,3,5-7" or "all but 1", for formats with folds.
    """

    path: Union[str, "os.PathLike[str]"]
    format: Optional[str] = None
    folds: Optional[str] = None


@dataclass(frozen=True)
class Text:
    """Examples as text, in one of the formats of the task.

    Parameters
    ----------
    text : str or bytes
        What a file would hold.
    format : str, optional
        As for :class:`File`.
    """

    text: Union[str, bytes]
    format: Optional[str] = None


Source = Union[str, "os.PathLike[str]", File, Text]


def is_source(given: Any) -> bool:
    """Whether examples are to be read from a file or a text."""
    return isinstance(given, (str, os.PathLike, File, Text))


@contextlib.contextmanager
def on_disk(source: Source) -> Iterator[Tuple[str, str, str]]:
    """Path, format and folds of a source; a text lies in a file meanwhile."""
    if isinstance(source, Text):
        data = source.text.encode() if isinstance(source.text, str) else source.text
        with tempfile.NamedTemporaryFile(prefix="gapwise-text-", suffix=".txt") as file:
            file.write(data)
            file.flush()
            yield file.name, source.format or "", ""
        return
    given = source if isinstance(source, File) else File(source)
    yield os.fsdecode(given.path), given.format or "", given.folds or ""


def refuse_labels(y: Any) -> None:
    """Complains about labels beside a file."""
    if y is not None:
        raise InputError("a file has its labels inside; leave y out")


@contextlib.contextmanager
def open_source(task: str, options: Dict[str, str], source: Source,
                y: Any) -> Iterator[_native.Examples]:
    """The examples of a source, to be used inside the block: they are read when they are needed."""
    refuse_labels(y)
    with on_disk(source) as (path, format, folds):
        yield _native.from_file(task, options, path, format, folds)
