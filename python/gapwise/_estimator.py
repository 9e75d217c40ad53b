"""What all estimators have in common: options, runs, results, files."""

import os
import signal
import threading
import warnings
from contextlib import AbstractContextManager, ExitStack
from typing import IO, Any, ClassVar, Dict, Iterable, List, Mapping, Optional, Tuple, TypeVar, Union

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.validation import _num_samples

from . import _native
from ._errors import OptionError
from ._evaluation import Difference, Evaluation, settings_of
from ._labels import LabelNames
from ._options import options_by_name, thread_count
from ._show import Callback, Listener, Metrics, gap_curve, page_of, values_of
from ._sources import Source, is_source, on_disk
from ._weights import Weights, check_length, checked_weights, items_at

Self = TypeVar("Self", bound="Estimator")
Opened = AbstractContextManager  # of examples


# Stands among the attributes of every estimator.
_ATTRIBUTES_OF_RUNS = """\
    status_, gap_, certified_, primal_, dual_, history_, ...
        As for every estimator: see :class:`Estimator`.
"""


class Estimator(BaseEstimator):  # type: ignore[misc]
    """Base of the estimators.

    The `callbacks` of `fit` are called with a `Progress`, and the metrics on the validation
    examples or None, after every pass, measurement and test; true ends the run. What a run left
    behind:

    Attributes
    ----------
    status_ : str
        Why the run ended: "converged", "max_passes", "max_seconds", "max_oracle_calls",
        "interrupted" or "stalled".
    gap_ : float or None
        How far the objective is above its optimum at the most, if `certified_`.
    certified_ : bool
        Whether the gap is proven.
    primal_, dual_ : float or None
        The objective, and a lower bound of its optimum.
    lam_ : float
        lambda as a number.
    n_oracle_calls_, n_passes_ : int
        What the run took.
    history_ : dict of arrays
        Every measurement: "passes", "oracle_calls", "cached_steps", "seconds", "primal", "dual",
        "gap", and "val_..." of each metric on the validation examples.
    train_loss_ : float or None
        Mean loss of the predictions on the training examples.
    validation_ : dict or None
        Metrics on the validation examples.
    search_ : dict or None
        With `lam="auto"`, what was tried: "lam", "mean_score", "scores" (a column for each fold),
        "oracle_calls", the name of the "metric" and which was "chosen".
    label_rounds_ : dict or None
        If labels were not known: how many ("unknown"), and the "rounds" that completed them before
        the last one, each with "changed", "status", "primal", "gap" and "certified".
    """

    _task: ClassVar[str]
    TASK_OPTIONS: ClassVar[Dict[str, str]]
    TRAIN_OPTIONS: ClassVar[Dict[str, str]]
    verbose: int
    interrupt: str
    warm_start: bool

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for base in cls.__mro__[1:]:
            if base.__name__.endswith("Parameters") and cls.__doc__ and base.__doc__:
                summary, _, rest = cls.__doc__.partition("\n\n")
                body, _, own = rest.partition("    Attributes\n    ----------\n")
                # The parameters are documented where they are written from the option tables.
                cls.__doc__ = (f"{summary}\n\n{body.rstrip()}\n\n    {base.__doc__.rstrip()}\n\n"
                               f"    Attributes\n    ----------\n{own.rstrip(' ')}"
                               f"{_ATTRIBUTES_OF_RUNS}    ")

    # Options

    def _defaults(self) -> Dict[str, Any]:
        defaults: Dict[str, Any] = type(self)().get_params(deep=False)
        return defaults

    def _task_options(self) -> Dict[str, str]:
        return options_by_name(self.get_params(deep=False), self._defaults(), self.TASK_OPTIONS)

    def _train_options(self) -> Dict[str, str]:
        return options_by_name(self.get_params(deep=False), self._defaults(), self.TRAIN_OPTIONS)

    def _threads(self) -> Optional[int]:
        return thread_count(self.get_params(deep=False)["n_jobs"])

    # Runs

    def _weigh(self, X: Any, y: Any, sample_weight: Any, **inputs: Any
               ) -> Tuple[Any, Any, Weights, Dict[str, Any]]:
        """X, y, weights and further inputs of the examples that count, which are those of a weight
        other than 0. A file is left as it is."""
        weights = checked_weights(sample_weight)
        if weights is None or weights.all() or X is None or is_source(X):
            return X, y, weights, inputs
        check_length(weights, _num_samples(X))
        kept = np.flatnonzero(weights)
        return items_at(X, kept), items_at(y, kept), weights[kept], inputs

    def _run(self, train: "Opened[_native.Examples]",
             validation: Optional["Opened[_native.Examples]"],
             callbacks: Iterable[Callback], label_rounds: int = 2) -> _native.Fit:
        """Trains, and keeps what comes of it."""
        if self.interrupt not in ("keep", "raise"):
            raise OptionError(f"interrupt = {self.interrupt!r} must be 'keep' or 'raise'")
        options = self._train_options()
        listener = Listener(callbacks, self.verbose)
        with ExitStack() as stack:
            examples = stack.enter_context(train)
            tests = stack.enter_context(validation) if validation is not None else None
            stack.callback(listener.close)
            fit = _native.fit(examples, options, listener.or_none, tests, self._start(examples),
                              _handles_interrupts(), label_rounds)
        self._keep(fit)
        self._was_stopped = listener.has_stopped
        return fit

    def _start(self, examples: _native.Examples) -> Optional[_native.Fit]:
        """The run to go on from, if it was one of the same examples."""
        last: Optional[Tuple[int, _native.Fit]] = self.__dict__.get("_last_run")
        if not self.warm_start or last is None or last[0] != examples.fingerprint():
            return None
        return last[1]

    def _remember(self, examples: _native.Examples, fit: _native.Fit) -> None:
        self._last_run = (examples.fingerprint(), fit) if self.warm_start else None

    def _keep(self, fit: _native.Fit) -> None:
        progress = fit.progress
        self._model: _native.Model = fit.model
        self.status_ = fit.status
        self.gap_ = progress.gap
        self.certified_ = bool(progress.primal is not None and progress.certified)
        self.primal_ = progress.primal
        self.dual_ = progress.dual
        self.lam_ = fit.lam
        self.n_oracle_calls_ = progress.oracle_calls
        self.n_passes_ = progress.passes
        self.history_ = fit.history
        self.train_loss_ = fit.train_loss
        self.validation_ = values_of(fit.validation)
        self.search_ = None if fit.search is None else tried_by(fit.search)
        self.label_rounds_ = fit.label_rounds

    def _tell_end(self) -> None:
        """After everything is kept."""
        if self._was_stopped:
            return
        if self.status_ == "interrupted" and self.interrupt == "raise":
            raise KeyboardInterrupt
        if self.status_ != "converged":
            reached = "no gap" if self.gap_ is None else f"gap {self.gap_:.3g}"
            warnings.warn(f"the run ended by {self.status_} with {reached}, before the gap asked "
                          "for was reached", ConvergenceWarning, stacklevel=3)

    def _fitted(self) -> _native.Model:
        model: Optional[_native.Model] = self.__dict__.get("_model")
        if model is None:
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet; call fit first")
        return model

    def __sklearn_is_fitted__(self) -> bool:
        return self.__dict__.get("_model") is not None

    # Results

    def _matrix(self, name: str) -> Tuple[List[str], List[str], NDArray[np.float64]]:
        for title, rows, columns, values in self._fitted().weight_matrices():
            if title == name:
                return rows, columns, values
        raise AttributeError(f"this model has no weights {name}")

    def top_weights(self, count: int = 10) -> Dict[str, List[Tuple[str, float]]]:
        """The largest and smallest weights of each group, by its title.

        Parameters
        ----------
        count : int, default=10
            How many of either.
        """
        return dict(self._fitted().top_weights(count))

    @property
    def settings_(self) -> Dict[str, str]:
        """How the model was read and trained, as its file says it."""
        return self._fitted().settings

    # How good it is

    def _open_labelled(self, *given: Any, **inputs: Any) -> "Opened[_native.Examples]":
        """Examples to train on, as `fit` takes them."""
        raise NotImplementedError

    def _open_test(self, *given: Any, **inputs: Any) -> "Opened[_native.Examples]":
        """The same, to be looked at by the model."""
        raise NotImplementedError

    def _evaluate(self, X: Any, y: Any = None, **inputs: Any) -> Metrics:
        model = self._fitted()
        with self._open_test(X, y, **inputs) as examples:
            return model.evaluate(examples, self._threads())

    def metrics(self, X: Any, y: Any = None, **inputs: Any) -> Dict[str, float]:
        """All figures of merit on labelled examples, by name.

        Parameters
        ----------
        X, y : examples
            As for `fit`; so are further inputs such as `lengths`.
        """
        return values_of(self._evaluate(X, y, **inputs)) or {}

    def evaluate(self, X: Any, y: Any = None, *, confidence: Optional[float] = None,
                 worst: int = 0, resamples: int = 1000, seed: int = 1, **inputs: Any) -> Evaluation:
        """How good the model is on labelled examples, and where it is not.

        Parameters
        ----------
        X, y : examples
            As for `fit`; so are further inputs such as `lengths`.
        confidence : float, optional
            With intervals that hold with so many percent, by drawing examples anew (the bootstrap).
        worst : int, default=0
            With so many examples that have the most errors.
        resamples, seed : int
            How often examples are drawn anew, and how.
        """
        model = self._fitted()
        settings = settings_of(confidence, worst, resamples, seed)
        with self._open_test(X, y, **inputs) as examples:
            return Evaluation(_native.evaluate_in_detail(model, examples, settings,
                                                         self._threads()))

    def compare(self, other: "Estimator", X: Any, y: Any = None, *, confidence: float = 95.0,
                resamples: int = 1000, seed: int = 1, **inputs: Any) -> Difference:
        """How much better this model is than another one on the same examples.

        Parameters
        ----------
        other : Estimator
            A fitted one of the same kind.
        X, y : examples
            As for `fit`; so are further inputs such as `lengths`.
        confidence, resamples, seed
            As for `evaluate`.
        """
        first, second = self._fitted(), other._fitted()
        settings = settings_of(confidence, 0, resamples, seed)
        with self._open_test(X, y, **inputs) as examples:
            found = _native.compare_models(first, second, examples, settings, self._threads())
        (name, mine, _, _), (_, its, _, _) = found["metrics"]
        return Difference(name, mine, its, found["by"], found["interval"], found["p_value"])

    # Files

    def to_bytes(self) -> bytes:
        """The model as the bytes of a file, the same that the program writes."""
        return self._fitted().bytes()

    def save(self, target: Union[str, "os.PathLike[str]", IO[bytes]]) -> None:
        """Writes the model to a path, which is replaced whole or not at all, or to a file object.

        Parameters
        ----------
        target : str, path-like or binary file object
            Where to.
        """
        if isinstance(target, (str, os.PathLike)):
            self._fitted().save(os.fsdecode(target))
        else:
            target.write(self.to_bytes())

    def _take_model(self, model: _native.Model) -> None:
        """Becomes what `load` gives: all that a model file knows."""
        self._model = model
        settings = model.settings
        number = {"primal": "primal_", "dual": "dual_", "gap": "gap_", "lambda": "lam_"}
        for key, attribute in number.items():
            setattr(self, attribute, float(settings[key]) if settings.get(key) else None)
        self.status_ = settings.get("status", "")
        self.certified_ = settings.get("certified") == "yes"
        self.n_oracle_calls_ = int(settings.get("oracle_calls", 0))
        self.n_passes_ = int(settings.get("passes", 0))
        names = {**self.TASK_OPTIONS, **self.TRAIN_OPTIONS}
        defaults = self.get_params(deep=False)
        for parameter, option in names.items():
            text = settings.get(option, "")
            is_unset = option == "gap" or (defaults[parameter] is None and text == "0")
            if text and not is_unset:  # "gap" is the one that was reached
                self.set_params(**{parameter: _value_of(text, defaults[parameter])})

    def __getstate__(self) -> Dict[str, Any]:
        state: Dict[str, Any] = dict(super().__getstate__())
        state.pop("_last_run", None)
        state.pop("_last_problem", None)
        model = state.pop("_model", None)
        if model is not None:
            state["_model_bytes"] = model.bytes()
        return state

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        values = dict(state)
        held = values.pop("_model_bytes", None)
        super().__setstate__(values)
        if held is not None:
            self._model = _native.load_model_bytes(held, "pickled model")

    # Predictions that are written as the program writes them

    def write_predictions(self, source: Source, target: Union[str, "os.PathLike[str]", IO[bytes]]
                          ) -> None:
        """Predicts for a file, in the form documented for its format; memory does not grow with it.

        Parameters
        ----------
        source : str, path-like, File or Text
            What to predict for.
        target : str, path-like or binary file object
            Where the text goes.
        """
        model = self._fitted()
        with on_disk(source) as (path, format, folds), ExitStack() as stack:
            if isinstance(target, (str, os.PathLike)):
                target = stack.enter_context(open(target, "wb"))
            model.write_predictions(path, format, folds, target.write, self._threads())

    # Shown in notebooks

    def _repr_html_(self) -> str:
        changed = [(name, value) for name, value in self.get_params(deep=False).items()
                   if name not in ("problem",) and value != self._defaults().get(name)]
        results: List[Tuple[str, Any]] = []
        curve = ""
        if self.__sklearn_is_fitted__():
            kind = "certified gap" if self.certified_ else "gap, not certified"
            results = [("status", self.status_), ("primal", _shown(self.primal_)),
                       ("dual", _shown(self.dual_)), (kind, _shown(self.gap_)),
                       ("lambda", _shown(self.lam_)), ("oracle calls", f"{self.n_oracle_calls_:,}")]
            results += sorted((self.__dict__.get("validation_") or {}).items())
            history = self.__dict__.get("history_")
            curve = gap_curve(history) if history else ""
        return page_of(type(self).__name__, changed, results, curve)

    def _repr_mimebundle_(self, **kwargs: Any) -> Dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def tried_by(search: _native.LambdaSearch) -> Dict[str, Any]:
    """A search for lambda as arrays."""
    return {"lam": search.lams, "mean_score": search.means, "scores": search.scores,
            "oracle_calls": search.oracle_calls, "metric": search.metric,
            "chosen": search.chosen}


def _shown(value: Optional[float]) -> str:
    return "" if value is None else f"{value:.6g}"


def _value_of(text: str, default: Any) -> Any:
    """A setting of a model as a parameter, of the type of its default."""
    if isinstance(default, bool):
        return text == "yes"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _handles_interrupts() -> bool:
    """Whether Ctrl-C would raise KeyboardInterrupt here and now."""
    return (threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler)


class LabelledEstimator(Estimator):
    """An estimator whose outputs are labels that may be any Python objects."""

    def _set_labels(self, names: Optional[LabelNames]) -> None:
        texts = self._fitted().names("labels")
        self._names = names if names is not None else LabelNames(texts)
        self.classes_ = np.asarray(self._names.to_labels(texts))

    def _take_model(self, model: _native.Model) -> None:
        super()._take_model(model)
        self._set_labels(None)


def main_score(metrics: Metrics) -> float:
    """The metric to judge a model by, so that more is better."""
    for _, value, is_higher_better, is_main in metrics:
        if is_main:
            return value if is_higher_better else -value
    raise OptionError("these examples have no labels to compare with")
