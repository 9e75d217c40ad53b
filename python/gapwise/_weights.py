"""Examples of which some count more than others."""

from typing import Any, Optional

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from . import _native
from ._errors import InputError

Weights = Optional[NDArray[np.float64]]


def checked_weights(sample_weight: Any) -> Weights:
    """Numbers that are not negative, of which one is more than zero; None if none are given."""
    if sample_weight is None:
        return None
    try:
        weights: NDArray[np.float64] = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("sample_weight holds something that is no number; give a number for each "
                         "example") from None
    if weights.ndim != 1:
        raise InputError(f"sample_weight has the shape {weights.shape}; a number for each example "
                         "is expected")
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0.0)))
    if bad.size:
        raise InputError(f"sample_weight of example {bad[0] + 1} is {weights[bad[0]]}; give finite "
                         "numbers that are not negative")
    if weights.size and not weights.any():
        raise InputError("sample_weight is zero for all examples, so there is nothing to train on")
    return weights


def check_length(weights: NDArray[np.float64], count: int) -> None:
    """Complains unless there is a weight for each example."""
    if weights.size != count:
        raise InputError(f"sample_weight has {weights.size} numbers, but there are {count} "
                         "examples; give one for each")


def items_at(items: Any, kept: NDArray[np.int64]) -> Any:
    """Some of the items of a list, an array or a frame, or rows of a matrix."""
    if items is None:
        return None
    return _safe_indexing(items.tocsr() if sp.issparse(items) else items, kept)


def weighted(examples: _native.Examples, weights: Weights) -> _native.Examples:
    """The same examples, each of which counts as many times as it weighs."""
    if weights is None:
        return examples
    check_length(weights, examples.size())
    zeros = np.flatnonzero(weights == 0.0)
    if zeros.size:
        raise InputError(f"sample_weight of example {zeros[0] + 1} is 0; leave it out of the file "
                         "or of the problem, if it should not count")
    return examples.with_weights(weights)
