"""Examples in memory: what users have, as rows of the library. Copied once."""

import contextlib
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from . import _native
from ._errors import InputError

Lengths = Optional[NDArray[np.int64]]


def is_frame(given: Any) -> bool:
    """Whether it is a pandas frame, or something like one."""
    return hasattr(given, "iloc") and hasattr(given, "columns")


def is_matrix(given: Any) -> bool:
    """Whether it has rows and columns of numbers."""
    return sp.issparse(given) or (getattr(given, "ndim", 0) == 2 and not is_frame(given))


def matrix_examples(task: str, options: Dict[str, str], matrix: Any, labels: Optional[List[Any]],
                    lengths: Lengths = None) -> _native.Examples:
    """Rows of features that are numbered from 1."""
    if sp.issparse(matrix):
        rows = matrix.tocsr()
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
        values = as_numbers(rows.data)
        return _native.from_csr(task, options, rows.indptr, rows.indices, values, labels, lengths)
    return _native.from_dense(task, options, as_numbers(np.asarray(matrix)), labels, lengths)


def as_numbers(values: NDArray[Any]) -> NDArray[np.float64]:
    """The same as floating point numbers."""
    if values.dtype.kind in "fiub":
        return values.astype(np.float64, copy=False)
    if values.dtype.kind == "O":
        try:
            return values.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(f"features are no numbers: {error}") from None
    raise InputError(f"features are of dtype {values.dtype}; numbers are expected")


def lengths_of_groups(groups: Any, rows: int) -> NDArray[np.int64]:
    """How many rows each group has; its rows lie next to each other."""
    values = np.asarray(groups)
    if values.shape != (rows,):
        raise InputError(f"there are {rows} rows, but groups have the shape {values.shape}")
    if rows == 0:
        return np.zeros(0, dtype=np.int64)
    starts = np.flatnonzero(np.concatenate(([True], values[1:] != values[:-1])))
    firsts = values[starts]
    if len(set(firsts.tolist())) < len(firsts):
        raise InputError("the rows of a group do not lie next to each other; sort by group")
    return np.diff(np.append(starts, rows)).astype(np.int64)


def row_lengths(rows: int, lengths: Any, groups: Any) -> NDArray[np.int64]:
    """The lengths of sequences whose tokens are rows."""
    if (lengths is None) == (groups is None):
        raise InputError("rows of tokens need either lengths or groups, to tell which of them make "
                         "a sequence; or give a list with an array for each sequence")
    if groups is not None:
        return lengths_of_groups(groups, rows)
    values = np.asarray(lengths)
    if values.ndim != 1 or values.dtype.kind not in "iu":
        raise InputError("lengths must be whole numbers, one for each sequence")
    return values.astype(np.int64, copy=False)


def frame_tokens(frame: Any) -> List[Dict[str, Any]]:
    """A mapping of column names to values for each row: texts and numbers as tokens have them."""
    names = [str(name) for name in frame.columns]
    columns = [frame.iloc[:, k].tolist() for k in range(len(names))]
    return [dict(zip(names, row)) for row in zip(*columns)]


def split(items: Sequence[Any], lengths: NDArray[np.int64]) -> List[Sequence[Any]]:
    """Runs of items of these lengths."""
    if int(lengths.sum()) != len(items):
        raise InputError(f"the lengths add up to {int(lengths.sum())}, but there are {len(items)} "
                         "rows")
    ends = np.cumsum(lengths).tolist()
    return [items[end - size:end] for end, size in zip(ends, lengths.tolist())]


def stack(matrices: Sequence[Any]) -> Tuple[Any, NDArray[np.int64]]:
    """One matrix of the rows of all, and how many each has."""
    columns = None
    for k, matrix in enumerate(matrices, start=1):
        if not is_matrix(matrix):
            raise InputError(f"sequence {k} is no matrix, but others are: give each as tokens x "
                             "features")
        columns = matrix.shape[1] if columns is None else columns
        if matrix.shape[1] != columns:
            raise InputError(f"sequence {k} has {matrix.shape[1]} features, but the first one has "
                             f"{columns}")
    lengths = np.array([matrix.shape[0] for matrix in matrices], dtype=np.int64)
    if any(sp.issparse(matrix) for matrix in matrices):
        return sp.vstack(matrices, format="csr"), lengths
    return np.concatenate([as_numbers(np.asarray(matrix)) for matrix in matrices]), lengths


@contextlib.contextmanager
def ready(examples: _native.Examples) -> Iterator[_native.Examples]:
    """Examples that need nothing around them, where others are opened."""
    yield examples
