"""Labels for every token of a sequence."""

from contextlib import AbstractContextManager
from itertools import chain
from typing import Any, Dict, Iterable, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _num_samples

from . import _native
from ._errors import InputError
from ._estimator import LabelledEstimator, main_score
from ._labels import LabelNames, array_of
from ._parameters import SequenceParameters
from ._rows import (frame_tokens, is_frame, is_matrix, matrix_examples, ready, row_lengths, split,
                    stack)
from ._show import Callback
from ._sources import is_source, open_source
from ._weights import Weights, check_length, checked_weights, items_at, weighted


class SequenceTagger(SequenceParameters, LabelledEstimator):
    """Labels every token of a sequence: tagging, chunking, named entities, handwriting.

    A linear chain: each attribute of a token has a weight for each label, each pair of labels that
    follow each other has one, and so have first and last labels. Trained to the certified gap that
    is asked for.

    `X` may be

    - a list of sequences, each a list of tokens. A token is a dict of attributes, or a list of
      attribute names. In a dict, numbers and truth values are values of attributes; a text makes
      the attribute "name:text"; a list of texts makes one such attribute for each; a dict within a
      dict puts its name before those of its entries;
    - a list with a matrix for each sequence, tokens x features, dense or sparse;
    - one such matrix, dense or sparse, or a pandas frame, for the tokens of all sequences, with
      `lengths`, or with `groups` that tell the sequence of each token. Labels are then flat, too;
    - a path, a :class:`File` or a :class:`Text` in one of the formats of the program, without `y`.

    Labels are texts or numbers.

    Attributes
    ----------
    classes_ : array
        The labels, in the order of the columns of the weights.
    coef_ : array of shape (labels, attributes)
        Weights of attributes; `attributes_` names them. Attributes without weight are left out.
    transitions_ : array of shape (labels, labels)
        Weights of a label (row) that is followed by another one (column).
    start_, end_ : arrays
        Weights of first and last labels.
    """

    _task = "sequence"

    def _more_tags(self) -> Dict[str, Any]:
        return {"X_types": ["dict"], "no_validation": True, "requires_y": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.no_validation = True
        tags.target_tags.required = True
        return tags

    def _open(self, X: Any, y: Any, lengths: Any, groups: Any, names: Optional[LabelNames],
              for_model: bool = False) -> "AbstractContextManager[_native.Examples]":
        """The examples; with names, their labels are given. A fitted model knows its options."""
        options = {} if for_model else self._task_options()
        if is_source(X):
            return open_source(self._task, options, X, y)
        labels = None if names is None else _texts(y, names)
        if is_matrix(X):
            sizes = row_lengths(X.shape[0], lengths, groups)
            return ready(matrix_examples(self._task, options, X, labels, sizes))
        if is_frame(X):
            sizes = row_lengths(len(X), lengths, groups)
            tokens = split(frame_tokens(X), sizes)
            nested = None if labels is None else split(_same_size(labels, len(X)), sizes)
            return ready(_native.from_tokens(self._task, options, tokens, nested))
        if lengths is not None or groups is not None:
            raise InputError("lengths and groups are for matrices and frames, not for lists")
        sequences = _as_list(X, "X")
        if sequences and any(is_matrix(item) for item in sequences):
            matrix, sizes = stack(sequences)
            flat = None if labels is None else _flatten(labels, sizes)
            return ready(matrix_examples(self._task, options, matrix, flat, sizes))
        return ready(_native.from_tokens(self._task, options, sequences, labels))

    def _weigh(self, X: Any, y: Any, sample_weight: Any, **inputs: Any
               ) -> Tuple[Any, Any, Weights, Dict[str, Any]]:
        if is_source(X) or all(given is None for given in inputs.values()):
            return super()._weigh(X, y, sample_weight, **inputs)
        weights = checked_weights(sample_weight)
        if weights is None or weights.all():
            return X, y, weights, inputs
        sizes = row_lengths(_num_samples(X), inputs.get("lengths"), inputs.get("groups"))
        check_length(weights, len(sizes))
        rows = np.flatnonzero(np.repeat(weights, sizes))
        return (items_at(X, rows), items_at(y, rows), weights[weights > 0.0],
                {"lengths": sizes[weights > 0.0], "groups": None})

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, lengths: Any = None,
            groups: Any = None, X_val: Any = None, y_val: Any = None,
            callbacks: Iterable[Callback] = (), label_rounds: int = 2) -> "SequenceTagger":
        """Trains on labelled sequences.

        Parameters
        ----------
        X : sequences
            See the class.
        y : labels, optional
            For each sequence the list of its labels; None if they are in the file.
        sample_weight : array-like, optional
            How many times each sequence counts; 0 leaves it out.
        lengths, groups : array-like, optional
            Which rows of a matrix or a frame make a sequence.
        X_val, y_val : optional
            Examples to test on at every measurement, in lists or in a file.
        callbacks : iterable of functions
            See :class:`Estimator`.
        label_rounds : int, default=2
            How often to train if labels are not known (`unknown_label`, "?"): first on what is
            known alone, then on labels completed by the round before.

        Returns
        -------
        self
        """
        X, y, weights, inputs = self._weigh(X, y, sample_weight, lengths=lengths, groups=groups)
        names = None if is_source(X) else LabelNames(_different(y))
        validation = None
        if X_val is not None:
            validation = self._open(X_val, y_val, None, None, names)
        with self._open_labelled(X, y, **inputs) as unweighted:
            examples = weighted(unweighted, weights)
            fit = self._run(ready(examples), validation, callbacks, label_rounds)
            self._remember(examples, fit)
        self._set_labels(names)
        self._tell_end()
        return self

    def _open_labelled(self, X: Any, y: Any = None, lengths: Any = None, groups: Any = None
                       ) -> "AbstractContextManager[_native.Examples]":
        names = None if is_source(X) else LabelNames(_different(y))
        return self._open(X, y, lengths, groups, names)

    def predict(self, X: Any, *, lengths: Any = None, groups: Any = None) -> NDArray[Any]:
        """The labels of each sequence.

        Parameters
        ----------
        X : sequences
            As for `fit`.
        lengths, groups : array-like, optional
            As for `fit`.

        Returns
        -------
        array
            Of lists, one for each sequence; with `lengths` or `groups` flat, a label for each row.
        """
        model = self._fitted()
        with self._open(X, None, lengths, groups, None, True) as examples:
            texts, _ = model.predict(examples, self._threads())
        labels = [self._names.to_labels(row) for row in texts]
        if lengths is not None or groups is not None:
            return np.asarray(list(chain.from_iterable(labels)))
        return array_of(labels)

    def score(self, X: Any, y: Any = None, *, lengths: Any = None, groups: Any = None) -> float:
        """F1 of chunks if labels look like B-X and I-X, otherwise the accuracy of tokens."""
        return main_score(self._evaluate(X, y, lengths=lengths, groups=groups))

    def _open_test(self, X: Any, y: Any = None, *, lengths: Any = None, groups: Any = None
                   ) -> "AbstractContextManager[_native.Examples]":
        names = None if is_source(X) else self._names
        return self._open(X, y, lengths, groups, names, True)

    @property
    def coef_(self) -> NDArray[np.float64]:
        """Weights of attributes, a row for each label."""
        return self._matrix("features")[2].T

    @property
    def attributes_(self) -> List[str]:
        """What the columns of `coef_` stand for."""
        return self._matrix("features")[0]

    @property
    def transitions_(self) -> NDArray[np.float64]:
        """Weights of a label (row) that is followed by another one (column)."""
        return self._matrix("transitions")[2]

    @property
    def start_(self) -> NDArray[np.float64]:
        """Weights of first labels."""
        start: NDArray[np.float64] = self._matrix("start")[2][0]
        return start

    @property
    def end_(self) -> NDArray[np.float64]:
        """Weights of last labels."""
        end: NDArray[np.float64] = self._matrix("end")[2][0]
        return end


def _as_list(given: Any, name: str) -> List[Any]:
    if given is None:
        raise InputError(f"{name} is missing")
    if isinstance(given, dict) or not hasattr(given, "__iter__"):
        raise InputError(f"{name} is of type {type(given).__name__}; a list with an item for each "
                         "sequence is expected")
    return given if type(given) is list else list(given)


def _is_flat(y: List[Any]) -> bool:
    return bool(y) and (isinstance(y[0], (str, bytes)) or not hasattr(y[0], "__iter__"))


def _different(y: Any) -> List[Any]:
    """The labels that occur, each once."""
    rows = _as_list(y, "y")
    try:
        return list(set(rows)) if _is_flat(rows) else list(set().union(*rows))
    except TypeError as error:
        raise InputError(f"y does not hold labels: {error}") from None


def _texts(y: Any, names: LabelNames) -> List[Any]:
    rows = _as_list(y, "y")
    if names.are_texts:
        return rows
    if _is_flat(rows):
        return names.to_texts(rows)
    return [names.to_texts(row) for row in rows]


def _same_size(labels: List[Any], rows: int) -> List[Any]:
    if len(labels) != rows:
        raise InputError(f"there are {rows} rows but {len(labels)} labels")
    return labels


def _flatten(labels: List[Any], sizes: NDArray[np.int64]) -> List[str]:
    """The labels of all sequences in a row."""
    if len(labels) != len(sizes):
        raise InputError(f"there are {len(sizes)} sequences but {len(labels)} sequences of labels")
    if _is_flat(labels):
        raise InputError("y is flat, but X is a list: give a list of labels for each sequence")
    for k, (row, size) in enumerate(zip(labels, sizes), start=1):
        if len(row) != size:
            raise InputError(f"sequence {k} has {size} tokens but {len(row)} labels")
    return list(chain.from_iterable(labels))
