"""Tasks whose examples lie in files, or are text in the format of a file."""

from contextlib import AbstractContextManager
from typing import Any, ClassVar, Dict, Iterable, List, Optional, Tuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._errors import InputError
from ._estimator import Estimator, main_score
from ._labels import array_of
from ._parameters import (AlignmentParameters, FactorGraphParameters, ParsingParameters,
                          PoseParameters, SegmentationParameters)
from ._rows import ready
from ._show import Callback
from ._sources import Text, is_source, open_source
from ._weights import weighted

Self = TypeVar("Self", bound="_FileEstimator")


class _FileEstimator(Estimator):
    """An estimator that reads its examples, labels included."""

    # What lies between two examples of a file; None if a file is more than its examples.
    _between: ClassVar[Optional[str]] = None

    def _more_tags(self) -> Dict[str, Any]:
        return {"X_types": ["string"], "no_validation": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.no_validation = True
        return tags

    def _open_labelled(self, X: Any, y: Any = None) -> "AbstractContextManager[_native.Examples]":
        """The examples; labels are inside, if there are any."""
        return open_source(self._task, self._task_options(), self._as_source(X), None)

    def _as_source(self, X: Any) -> Any:
        if is_source(X):
            return X
        texts = None if X is None or isinstance(X, (bytes, dict)) else _as_texts(X)
        if texts is None or self._between is None:
            wanted = "a path, a gapwise.File or a gapwise.Text"
            if self._between is not None:
                wanted += ", or a list with the text of each example,"
            raise InputError(f"X is of type {type(X).__name__}; {wanted} is expected")
        if not texts:
            raise InputError("X has no examples")
        return Text("".join(text.rstrip("\n") + "\n" + self._between for text in texts))

    def fit(self: Self, X: Any, y: Any = None, sample_weight: Any = None, *, X_val: Any = None,
            callbacks: Iterable[Callback] = ()) -> Self:
        """Trains on examples with what is right of them inside, each of which counts
        `sample_weight` times; `y` is not used."""
        X, _, weights, _ = self._weigh(X, None, sample_weight)
        validation = None if X_val is None else self._open_labelled(X_val)
        with self._open_labelled(X) as unweighted:
            examples = weighted(unweighted, weights)
            fit = self._run(ready(examples), validation, callbacks)
            self._remember(examples, fit)
        self._tell_end()
        return self

    def _outputs(self, X: Any) -> Tuple[List[List[str]], List[NDArray[np.int64]]]:
        model = self._fitted()
        with open_source(self._task, {}, self._as_source(X), None) as examples:
            return model.predict(examples, self._threads())

    def score(self, X: Any, y: Any = None) -> float:
        """The main one of the `metrics`, so that more is better."""
        return main_score(self._evaluate(X))

    def _open_test(self, X: Any, y: Any = None) -> "AbstractContextManager[_native.Examples]":
        return open_source(self._task, {}, self._as_source(X), None)


def _as_texts(X: Any) -> Optional[List[str]]:
    """The items, if they are all texts."""
    try:
        items = list(X)
    except TypeError:
        return None
    return [str(item) for item in items] if all(isinstance(item, str) for item in items) else None


class Parser(ParsingParameters, _FileEstimator):
    """Finds the dependency tree of every sentence: heads and their labels.

    `X` is a path, a :class:`File` or a :class:`Text` in format conllu, conllx or malttab, or a list
    with the text of each sentence.
    """

    _task = "parsing"
    _between = "\n"

    def predict(self, X: Any) -> NDArray[Any]:
        """For each sentence (heads, labels): the head of each word, 0 for the root, and the label
        of its arc, if trees have labels."""
        labels, heads = self._outputs(X)
        return array_of(list(zip(heads, labels)))


class Aligner(AlignmentParameters, _FileEstimator):
    """Links the words of two sentences, or the points of two sets, one to one.

    `X` is a path, a :class:`File` or a :class:`Text` in format alignment, parallel or points, or a
    list with the line of each pair in format alignment.
    """

    _task = "alignment"
    _between = ""

    def predict(self, X: Any) -> NDArray[Any]:
        """The links of each pair, as an array of rows (source, target), counted from 0."""
        return array_of([links.reshape(-1, 2) for links in self._outputs(X)[1]])


class Segmenter(SegmentationParameters, _FileEstimator):
    """Tells foreground from background: pixels of images, nodes of graphs.

    `X` is a path, a :class:`File` or a :class:`Text` in format graph, a path to a list of images,
    or a list with the text of each graph.
    """

    _task = "segmentation"
    _between = ""

    def predict(self, X: Any) -> NDArray[Any]:
        """For each graph or image 1 for foreground and 0 for background, node by node."""
        return array_of(self._outputs(X)[1])


class PoseFinder(PoseParameters, _FileEstimator):
    """Finds the joints of figures on a grid from score maps.

    `X` is a path, a :class:`File` or a :class:`Text` in format score-maps or joints.
    """

    _task = "pose"

    def predict(self, X: Any) -> NDArray[Any]:
        """The joints of each figure, as an array of rows (x, y)."""
        return array_of([joints.reshape(-1, 2) for joints in self._outputs(X)[1]])


class FactorGraphSVM(FactorGraphParameters, _FileEstimator):
    """Finds the states of the variables of factor graphs.

    `X` is a path, a :class:`File` or a :class:`Text` in format factors.
    """

    _task = "factor-graph"

    def predict(self, X: Any) -> NDArray[Any]:
        """The states of the variables of each graph, by name."""
        return array_of(self._outputs(X)[0])
