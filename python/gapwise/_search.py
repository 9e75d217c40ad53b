"""lambda by cross-validation, with runs that start where others ended."""

import numbers
import time
from contextlib import ExitStack
from typing import Any, Dict, Iterable, List, Optional, Union

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import check_cv
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.validation import _num_samples

from . import _native
from ._errors import InputError, OptionError
from ._estimator import Estimator, _handles_interrupts
from ._evaluation import Evaluation
from ._path import grid_of, sweep_options
from ._show import Listener
from ._weights import Weights, check_length, checked_weights, weighted


class LambdaSearchCV(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Chooses `lam` of an estimator by the scores of examples that were not trained on.

    What GridSearchCV does for one parameter, in a fraction of the time: each lambda starts where
    the one before ended, and folds run at the same time.

    Parameters
    ----------
    estimator : estimator
        Of this package.
    lams : None, "auto", list of numbers or str
        None: the break points of a path, at which nothing between them is more than
        `relative_epsilon` away from its optimum. "auto": falling values, each solved roughly, until
        the score falls, as `lam="auto"`. Otherwise a grid, such as [1, 0.1] or "2^5:2^-5", each
        solved to the gap of the estimator.
    cv : int, splitter, iterable of splits or None, default=5
        How many folds, which keep `groups` of examples together, drawn by `seed` of the estimator;
        or as scikit-learn takes it. None: `X_val` of `fit` decides, or a fifth of the examples.
    select : str, optional
        The metric to choose by; the main one of the task if left out.
    one_standard_error : bool, default=False
        Take the largest lambda whose score is within a standard error of the best.
    relative_epsilon, lambda_min : float
        Of the path, as :func:`lambda_path` has them.
    refit : bool, default=True
        Train on all examples with the lambda that was chosen.
    verbose : int, default=0
        1: print a line for every lambda of every fold.

    Attributes
    ----------
    best_params_ : dict
        `{"lam": ...}`.
    best_score_ : float
        Its mean score, so that more is better.
    best_index_ : int
        Its row in `cv_results_`.
    cv_results_ : dict of arrays
        By falling lambda: "param_lam", "params", "split0_test_score", ..., "mean_test_score",
        "std_test_score", "rank_test_score", "standard_error", "oracle_calls" and "train_seconds" of
        all folds together.
    metric_ : str
        What was looked at; its sign is turned in the scores if less of it is better.
    status_ : str
        "converged", or why the search ended early. Ctrl-C raises KeyboardInterrupt and keeps the
        table as far as it is.
    best_estimator_ : estimator
        Trained on all examples, with `refit`.
    n_splits_ : int
        Folds.
    refit_time_ : float
        Seconds that this took.
    """

    def __init__(self, estimator: Any, *, lams: Union[None, str, Iterable[float]] = None,
                 cv: Any = 5, select: Optional[str] = None, one_standard_error: bool = False,
                 relative_epsilon: float = 0.1, lambda_min: float = 1e-5, refit: bool = True,
                 verbose: int = 0) -> None:
        self.estimator = estimator
        self.lams = lams
        self.cv = cv
        self.select = select
        self.one_standard_error = one_standard_error
        self.relative_epsilon = relative_epsilon
        self.lambda_min = lambda_min
        self.refit = refit
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, groups: Any = None,
            X_val: Any = None, y_val: Any = None, **inputs: Any) -> "LambdaSearchCV":
        """Chooses lambda, and trains with it.

        Parameters
        ----------
        X, y : examples
            As for `fit` of the estimator; so are further inputs such as `lengths`.
        sample_weight : array-like, optional
            How many times each example counts in training; 0 leaves it out altogether. Scores are
            not weighted.
        groups : array-like, optional
            The group of each example, which is never torn apart.
        X_val, y_val : optional
            Examples to score on, with `cv=None`.

        Returns
        -------
        self
        """
        if not isinstance(self.estimator, Estimator):
            raise OptionError(f"estimator is of type {type(self.estimator).__name__}; one of this "
                              "package is expected")
        if X_val is not None and self.cv is not None:
            raise OptionError("lambda is chosen by folds or by X_val: give one, and cv=None for X_val")
        is_native = self.cv is None or isinstance(self.cv, numbers.Integral)
        listener = Listener((), self.verbose)
        weights = checked_weights(sample_weight)
        if is_native:
            found = self._search(listener, X, y, weights, groups, X_val, y_val, inputs)
        else:
            found = self._search_splits(listener, X, y, weights, groups, inputs)
        if len(found.lams):
            self._keep(found)
        if found.status == "interrupted":
            raise KeyboardInterrupt
        if self.refit:
            began = time.perf_counter()
            chosen = clone(self.estimator).set_params(**self.best_params_)
            if weights is not None:
                inputs["sample_weight"] = weights
            self.best_estimator_ = chosen.fit(X, y, **inputs)
            self.refit_time_ = time.perf_counter() - began
        return self

    def _settings(self) -> _native.LambdaSearchSettings:
        path = _native.PathSettings()
        path.relative_epsilon = float(self.relative_epsilon)
        path.lambda_min = float(self.lambda_min)
        path.keeps_weights = False
        is_quick = isinstance(self.lams, str) and self.lams == "auto"
        path.grid = [] if is_quick else grid_of(self.lams)
        settings = _native.LambdaSearchSettings()
        settings.path = path
        settings.is_quick = is_quick
        settings.select = self.select or ""
        settings.one_standard_error = bool(self.one_standard_error)
        return settings

    def _search(self, listener: Listener, X: Any, y: Any, weights: Weights, groups: Any, X_val: Any,
                y_val: Any, inputs: Dict[str, Any]) -> _native.LambdaSearch:
        """Folds of the library."""
        settings = self._settings()
        if groups is not None and weights is not None:
            check_length(weights, len(groups))
            groups = np.asarray(groups)[weights > 0.0]
        X, y, weights, inputs = self.estimator._weigh(X, y, weights, **inputs)
        settings.folds = 0 if self.cv is None else int(self.cv)
        settings.groups = [] if groups is None else [str(group) for group in np.asarray(groups)]
        options = sweep_options(self.estimator, settings.is_quick or bool(settings.path.grid))
        with ExitStack() as stack:
            train = weighted(
                stack.enter_context(self.estimator._open_labelled(X, y, **inputs)), weights)
            if groups is not None and len(settings.groups) != train.size():
                raise InputError(f"there are {train.size()} examples, but {len(settings.groups)} "
                                 "groups")
            if X_val is not None:
                path = settings.path
                path.validation = stack.enter_context(self.estimator._open_labelled(X_val, y_val))
                settings.path = path
            found = _native.search_lambda(train, options, settings, listener.or_none,
                                          _handles_interrupts())
        return found

    def _search_splits(self, listener: Listener, X: Any, y: Any, weights: Weights, groups: Any,
                       inputs: Dict[str, Any]) -> _native.LambdaSearch:
        """Folds that scikit-learn makes."""
        settings = self._settings()
        if settings.is_quick:
            raise OptionError("lams='auto' needs cv to be a number or None")
        if inputs:
            raise OptionError(f"{', '.join(inputs)}: with a splitter, give a list with an item for "
                              "each example")
        is_classifier = getattr(self.estimator, "_estimator_type", None) == "classifier"
        splitter = check_cv(self.cv, y, classifier=is_classifier)
        options = sweep_options(self.estimator, bool(settings.path.grid))
        paths: List[_native.Path] = []
        if weights is not None:
            check_length(weights, _num_samples(X))
        for train, test in splitter.split(X, y, groups):
            if weights is not None:
                train, test = (part[weights[part] > 0.0] for part in map(np.asarray, (train, test)))
            X_train, y_train = _safe_split(self.estimator, X, y, train)
            X_test, y_test = _safe_split(self.estimator, X, y, test, train)
            path = settings.path
            with ExitStack() as stack:
                examples = weighted(
                    stack.enter_context(self.estimator._open_labelled(X_train, y_train)),
                    None if weights is None else weights[train])
                path.validation = stack.enter_context(
                    self.estimator._open_labelled(X_test, y_test))
                paths.append(_native.fit_path(examples, options, path, listener.or_none,
                                              _handles_interrupts()))
        return _native.choose_lambda(paths, settings)

    def _keep(self, found: _native.LambdaSearch) -> None:
        sign = 1.0 if found.higher_is_better else -1.0
        scores = sign * found.scores
        means = sign * found.means
        self.n_splits_ = scores.shape[1]
        self.metric_ = found.metric
        self.status_ = found.status
        self.best_index_ = found.chosen
        self.best_score_ = float(means[found.chosen])
        self.best_params_ = {"lam": float(found.lams[found.chosen])}
        self.cv_results_: Dict[str, Any] = {
            "param_lam": found.lams,
            "params": [{"lam": float(lam)} for lam in found.lams],
            **{f"split{k}_test_score": scores[:, k] for k in range(self.n_splits_)},
            "mean_test_score": means,
            "std_test_score": scores.std(axis=1),
            "rank_test_score": 1 + (means[None, :] > means[:, None]).sum(axis=1),
            "standard_error": found.errors,
            "oracle_calls": found.oracle_calls,
            "train_seconds": found.seconds,
        }

    # What the estimator that was found does

    def _best(self) -> Any:
        found = self.__dict__.get("best_estimator_")
        if found is None:
            raise NotFittedError("this LambdaSearchCV is not fitted yet, or was without refit")
        return found

    def __sklearn_is_fitted__(self) -> bool:
        return "best_index_" in self.__dict__

    def predict(self, X: Any, **inputs: Any) -> NDArray[Any]:
        """Outputs of the best estimator."""
        predicted: NDArray[Any] = self._best().predict(X, **inputs)
        return predicted

    def score(self, X: Any, y: Any = None, **inputs: Any) -> float:
        """The score of the best estimator."""
        return float(self._best().score(X, y, **inputs))

    def metrics(self, X: Any, y: Any = None, **inputs: Any) -> Dict[str, float]:
        """All figures of merit of the best estimator, by name."""
        metrics: Dict[str, float] = self._best().metrics(X, y, **inputs)
        return metrics

    def evaluate(self, X: Any, y: Any = None, **settings: Any) -> Evaluation:
        """How good the best estimator is, and where it is not."""
        evaluation: Evaluation = self._best().evaluate(X, y, **settings)
        return evaluation

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes or labels of the best estimator."""
        classes: NDArray[Any] = self._best().classes_
        return classes

    @property
    def _estimator_type(self) -> Any:
        return getattr(self.estimator, "_estimator_type", None)

    def _more_tags(self) -> Dict[str, Any]:
        tags: Dict[str, Any] = dict(self.estimator._get_tags())
        return tags

    def __sklearn_tags__(self) -> Any:
        return self.estimator.__sklearn_tags__()
