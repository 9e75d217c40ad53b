"""Weights for every lambda at once."""

from contextlib import ExitStack
from typing import Any, Dict, Iterable, List, Optional

from . import _native
from ._errors import OptionError
from ._estimator import Estimator, _handles_interrupts
from ._load import estimator_of
from ._show import Callback, Listener


class LambdaPath:
    """Weights for every lambda from `lambda_end` on, each within `epsilon` of its optimum."""

    def __init__(self, path: _native.Path) -> None:
        self._path = path

    @property
    def points(self) -> List[_native.PathPoint]:
        """Where weights were found, by falling lambda."""
        return self._path.points

    @property
    def epsilon(self) -> float:
        """How far the objective may be above its optimum at any lambda."""
        return self._path.epsilon

    @property
    def lambda_end(self) -> float:
        """The guarantee holds from here on; 0: everywhere."""
        return self._path.lambda_end

    @property
    def status(self) -> str:
        """"converged", or why the path broke off."""
        return self._path.status

    def at(self, lam: float) -> _native.PathValue:
        """What the path guarantees at a lambda: bounds of the objective and of its optimum."""
        return self._path.at(lam)

    def estimator(self, lam: float) -> Estimator:
        """A fitted estimator with the weights of a lambda."""
        return estimator_of(self._path.model(lam))

    def __repr__(self) -> str:
        return (f"<LambdaPath: {len(self.points)} points down to {self.lambda_end:g}, "
                f"epsilon {self.epsilon:g}, {self.status}>")


def lambda_path(estimator: Estimator, X: Any, y: Any = None, *, X_val: Any = None,
                y_val: Any = None, epsilon: Optional[float] = None, relative_epsilon: float = 0.1,
                lambda_min: float = 1e-5, callbacks: Iterable[Callback] = (),
                **inputs: Any) -> LambdaPath:
    """Follows the solution over lambda, from one at which nothing need be learned downwards.

    Parameters
    ----------
    estimator : estimator
        Tells the task and its options; `lam` and the gaps to stop at are the path's own affair.
    X, y : examples
        As for `fit` of the estimator; so are further inputs such as `lengths`.
    X_val, y_val : optional
        Examples to measure every point on.
    epsilon : float, optional
        How far the objective may be above its optimum at any lambda.
    relative_epsilon : float, default=0.1
        The same relative to the objective at w = 0, if no epsilon is given.
    lambda_min : float, default=1e-5
        Where the path ends.
    callbacks : iterable of functions
        As for `fit`.

    Returns
    -------
    LambdaPath
    """
    opened = getattr(estimator, "_open_labelled", None)
    if opened is None:
        raise OptionError(f"{type(estimator).__name__} has no path")
    own = ("lambda", "gap", "relative-gap")
    options: Dict[str, str] = {name: text for name, text in estimator._train_options().items()
                               if name not in own}
    listener = Listener(callbacks, estimator.verbose)
    with ExitStack() as stack:
        stack.callback(listener.close)
        train = stack.enter_context(opened(X, y, **inputs))
        tests = None
        if X_val is not None:
            tests = stack.enter_context(opened(X_val, y_val))
        path = _native.fit_path(train, options, epsilon, relative_epsilon, lambda_min, tests,
                                listener.or_none, _handles_interrupts())
    return LambdaPath(path)
