"""One label for every example, or any number of them."""

from contextlib import AbstractContextManager
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, TypeVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_consistent_length

from . import _native
from ._errors import InputError
from ._estimator import LabelledEstimator, main_score
from ._labels import LabelNames, array_of
from ._parameters import MulticlassParameters, MultilabelParameters
from ._rows import matrix_examples, ready
from ._show import Callback
from ._sources import is_source, open_source, refuse_labels
from ._weights import Weights, weighted

Self = TypeVar("Self", bound="_MatrixEstimator")


class _MatrixEstimator(LabelledEstimator):
    """An estimator whose inputs are rows of a matrix, dense or sparse, or a file."""

    n_features_in_: int

    def _checked(self, X: Any, y: Any = None, reset: bool = False) -> Any:
        """X, and y if there is one, as scikit-learn wants them checked."""
        if not reset and not hasattr(self, "n_features_in_"):  # a model that came from a file
            return check_array(X, accept_sparse="csr", dtype=np.float64)
        given = {"X": X} if y is None else {"X": X, "y": y}
        settings = {"accept_sparse": "csr", "dtype": np.float64, "reset": reset}
        try:
            from sklearn.utils.validation import validate_data
        except ImportError:  # before scikit-learn 1.6
            return self._validate_data(**given, **settings)
        return validate_data(self, **given, **settings)

    def _open(self, X: Any, texts: Optional[List[Any]], for_model: bool = False
              ) -> "AbstractContextManager[_native.Examples]":
        """Examples of a checked matrix or of a file. A fitted model knows its options."""
        options = {} if for_model else self._task_options()
        if is_source(X):
            return open_source(self._task, options, X, texts)
        return ready(matrix_examples(self._task, options, X, texts))

    def _check_labelled(self, X: Any, y: Any) -> Tuple[Any, Any]:
        """A matrix to train on and what `y` says of its rows, checked."""
        raise NotImplementedError

    def _name_labels(self, y: Any) -> LabelNames:
        """All labels of checked examples."""
        raise NotImplementedError

    def fit(self: Self, X: Any, y: Any = None, sample_weight: Any = None, *, X_val: Any = None,
            y_val: Any = None, callbacks: Iterable[Callback] = ()) -> Self:
        """Trains on labelled examples.

        Parameters
        ----------
        X : matrix or file
            See the class.
        y : optional
            What is right for each row, as the class says; None if it is in the file.
        sample_weight : array-like, optional
            How many times each example counts; 0 leaves it out.
        X_val, y_val, callbacks : optional
            Examples to test on at every measurement, and functions: see :class:`Estimator`.

        Returns
        -------
        self
        """
        names, texts = None, None
        if is_source(X):
            refuse_labels(y)
        else:
            X, y = self._check_labelled(X, y)
        X, y, weights, _ = self._weigh(X, y, sample_weight)
        if not is_source(X):
            names = self._name_labels(y)
            texts = self._texts_of(y, names)
        self._train(X, texts, weights, names, self._validation(X_val, y_val, names), callbacks)
        self._keep_form(y)
        self._tell_end()
        return self

    def _keep_form(self, y: Any) -> None:
        """Remembers in which form predictions are wanted; None: the labels were in a file."""

    def _train(self, X: Any, texts: Optional[List[Any]], weights: Weights,
               names: Optional[LabelNames],
               validation: "Optional[AbstractContextManager[_native.Examples]]",
               callbacks: Iterable[Callback]) -> None:
        with self._open(X, texts) as unweighted:
            examples = weighted(unweighted, weights)
            fit = self._run(ready(examples), validation, callbacks)
            self._remember(examples, fit)
        self._set_labels(names)

    def _texts_of(self, y: Any, names: LabelNames) -> List[Any]:
        """What `y` holds for each row, as texts."""
        raise NotImplementedError

    def _validation(self, X: Any, y: Any, names: Optional[LabelNames]
                    ) -> "Optional[AbstractContextManager[_native.Examples]]":
        """Examples to test on, if there are any."""
        if X is None:
            return None
        if is_source(X):
            return self._open(X, None)
        texts = self._texts_of(y, names or LabelNames([]))
        return self._open(self._checked(X), texts)

    def _open_labelled(self, X: Any, y: Any = None) -> "AbstractContextManager[_native.Examples]":
        if is_source(X):
            return self._open(X, None)
        X = check_array(X, accept_sparse="csr", dtype=np.float64)
        return self._open(X, self._texts_of(y, LabelNames([])))

    def _open_test(self, X: Any, y: Any = None) -> "AbstractContextManager[_native.Examples]":
        if is_source(X):
            return self._open(X, None, True)
        return self._open(self._checked(X), self._texts_of(y, self._names), True)

    def _predicted(self, X: Any) -> List[List[str]]:
        model = self._fitted()
        given = X if is_source(X) else self._checked(X)
        with self._open(given, None, True) as examples:
            return model.predict(examples, self._threads())[0]

    def _weights(self) -> Dict[str, NDArray[np.float64]]:
        rows, _, values = self._matrix("features")
        return dict(zip(rows, values))

    @property
    def coef_(self) -> NDArray[np.float64]:
        """Weights, a row for each of `classes_` and a column for each feature."""
        by_name = self._weights()
        by_name.pop("bias", None)
        if not all(name.isdigit() for name in by_name):
            return np.array(list(by_name.values())).T  # a file whose features have names
        columns = getattr(self, "n_features_in_", max(map(int, by_name), default=0))
        coef = np.zeros((len(self._fitted().names("labels")), columns))
        for name, values in by_name.items():
            coef[:, int(name) - 1] = values
        return coef

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """Weights of the constant feature of option `bias`, one for each class; 0 without it."""
        nothing = np.zeros(len(self._fitted().names("labels")))
        return self._weights().get("bias", nothing)


class MulticlassSVM(MulticlassParameters, ClassifierMixin, _MatrixEstimator):  # type: ignore[misc]
    """Puts every example into one of several classes: the multiclass SVM of Crammer and Singer.

    `X` is a matrix, dense or sparse, `y` a class for each row; or `X` is a path, a :class:`File` or
    a :class:`Text` in format svmlight, without `y`.

    Attributes
    ----------
    classes_ : array
        The classes.
    coef_ : array of shape (classes, features)
        The weights.
    intercept_ : array
        Weights of the constant feature of option `bias`.
    """

    _task = "multiclass"

    def _check_labelled(self, X: Any, y: Any) -> Tuple[Any, Any]:
        if y is None:
            raise InputError("requires y to be passed, but the target y is None")
        X, y = self._checked(X, y, reset=True)
        check_classification_targets(y)
        return X, y

    def _name_labels(self, y: Any) -> LabelNames:
        classes = np.unique(y)
        if len(classes) == 1:
            raise InputError(f"all examples are of one class, {classes[0]!r}; give examples of at "
                             "least two")
        return LabelNames(classes.tolist())

    def _keep_form(self, y: Any) -> None:
        if y is not None:
            self.classes_ = np.unique(y)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row, or of each example of a file."""
        texts = [row[0] for row in self._predicted(X)]
        return np.asarray(self._names.to_labels(texts), dtype=self.classes_.dtype)

    def _texts_of(self, y: Any, names: LabelNames) -> List[Any]:
        if y is None:
            raise InputError("y is missing")
        return names.to_texts(np.asarray(y).tolist())

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The share of examples that are put into their class."""
        if is_source(X):
            return self.metrics(X)["accuracy"]
        score: float = super().score(X, y, sample_weight)
        return score


class MultilabelSVM(MultilabelParameters, _MatrixEstimator):
    """Gives every example any number of labels, with weights for pairs of labels.

    `X` is a matrix, dense or sparse. `y` is a matrix of zeros and ones, a column for each label, or
    a list with the labels of each example; predictions have the same form. Or `X` is a path, a
    :class:`File` or a :class:`Text` in format svmlight or arff, without `y`.

    Attributes
    ----------
    classes_ : array
        The labels; the numbers of columns if `y` was a matrix.
    coef_ : array of shape (labels, features)
        The weights of features. Labels that never occur have none.
    intercept_ : array
        Weights of the constant feature of option `bias`.
    """

    _task = "multilabel"

    def _more_tags(self) -> Dict[str, Any]:
        return {"multilabel": True, "requires_y": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags

    def _check_labelled(self, X: Any, y: Any) -> Tuple[Any, Any]:
        X = self._checked(X, reset=True)
        check_consistent_length(X, _label_sets(y))
        return X, y

    def _name_labels(self, y: Any) -> LabelNames:
        return LabelNames(set().union(*_label_sets(y)))

    def _keep_form(self, y: Any) -> None:
        self.n_columns_ = np.shape(y)[1] if _is_indicator(y) else None

    def _take_model(self, model: _native.Model) -> None:
        super()._take_model(model)
        self.n_columns_ = None

    def predict(self, X: Any) -> NDArray[Any]:
        """The labels of each row: a matrix of zeros and ones, or an array of lists, as `y` was."""
        labels = [self._names.to_labels(row) for row in self._predicted(X)]
        if self.n_columns_ is None:
            return array_of(labels)
        matrix = np.zeros((len(labels), self.n_columns_), dtype=np.int64)
        for row, on in enumerate(labels):
            matrix[row, on] = 1
        return matrix

    def score(self, X: Any, y: Any = None) -> float:
        """The share of all decisions, label by label, that are right."""
        return main_score(self._evaluate(X, y))

    def _texts_of(self, y: Any, names: LabelNames) -> List[Any]:
        return [names.to_texts(row) for row in _label_sets(y)]


def _is_indicator(y: Any) -> bool:
    return sp.issparse(y) or getattr(y, "ndim", 0) == 2


def _label_sets(y: Any) -> List[Sequence[Any]]:
    """The labels of each example, each once."""
    if y is None:
        raise InputError("requires y to be passed, but the target y is None")
    if _is_indicator(y):
        matrix = sp.csr_matrix(y)
        if matrix.nnz and not np.isin(matrix.data, (0, 1)).all():
            raise InputError("y is a matrix, but not of zeros and ones")
        matrix.eliminate_zeros()
        return [sorted(matrix.indices[a:b].tolist())
                for a, b in zip(matrix.indptr[:-1], matrix.indptr[1:])]
    sets: List[Sequence[Any]] = []
    for k, row in enumerate(y, start=1):
        if isinstance(row, (str, bytes)) or not hasattr(row, "__iter__"):
            raise InputError(f"y of example {k} is no collection of labels")
        sets.append(list(dict.fromkeys(row)))
    return sets
