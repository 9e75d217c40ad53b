"""Weights for every lambda at once."""

from contextlib import ExitStack
from typing import Any, Dict, Iterable, List, Optional, Union

from . import _native
from ._errors import OptionError
from ._estimator import Estimator, _handles_interrupts
from ._load import estimator_of
from ._show import Callback, Listener
from ._weights import weighted


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


def lambda_path(estimator: Estimator, X: Any, y: Any = None, sample_weight: Any = None, *,
                X_val: Any = None, y_val: Any = None, epsilon: Optional[float] = None,
                relative_epsilon: float = 0.1, lambda_min: float = 1e-5,
                grid: Union[None, str, Iterable[float]] = None,
                callbacks: Iterable[Callback] = (), **inputs: Any) -> LambdaPath:
    """Follows the solution over lambda, from one at which nothing need be learned downwards.

    Parameters
    ----------
    estimator : estimator
        Tells the task and its options; `lam` and the gaps to stop at are the path's own affair.
    X, y : examples
        As for `fit` of the estimator; so are further inputs such as `lengths`.
    sample_weight : array-like, optional
        How many times each example counts; 0 leaves it out.
    X_val, y_val : optional
        Examples to measure every point on.
    epsilon : float, optional
        How far the objective may be above its optimum at any lambda.
    relative_epsilon : float, default=0.1
        The same relative to the objective at w = 0, if no epsilon is given.
    lambda_min : float, default=1e-5
        Where the path ends.
    grid : list of numbers or str, optional
        Only these, such as [1, 0.1] or "2^5:2^-5", each to the gap of the estimator, with any
        solver. Nothing is promised in between.
    callbacks : iterable of functions
        As for `fit`.

    Returns
    -------
    LambdaPath
    """
    settings = _native.PathSettings()
    settings.epsilon = epsilon
    settings.relative_epsilon = relative_epsilon
    settings.lambda_min = lambda_min
    settings.grid = grid_of(grid)
    listener = Listener(callbacks, estimator.verbose)
    X, y, weights, inputs = estimator._weigh(X, y, sample_weight, **inputs)
    with ExitStack() as stack:
        stack.callback(listener.close)
        train = weighted(stack.enter_context(estimator._open_labelled(X, y, **inputs)), weights)
        if X_val is not None:
            settings.validation = stack.enter_context(estimator._open_labelled(X_val, y_val))
        path = _native.fit_path(train, sweep_options(estimator, bool(settings.grid)), settings,
                                listener.or_none, _handles_interrupts())
    return LambdaPath(path)


def grid_of(grid: Union[None, str, Iterable[float]]) -> List[float]:
    """The values of a grid, by falling value; none for a path."""
    if grid is None:
        return []
    if isinstance(grid, str):
        return _native.parse_grid(grid)
    try:
        values = sorted({float(value) for value in grid}, reverse=True)
    except (TypeError, ValueError):
        raise OptionError(f"{grid!r} is no grid of numbers; give a list of them, or a text as in "
                          "'2^5:2^-5' or '1,0.1,0.01'") from None
    if not values:
        raise OptionError("the grid is empty; give one number at the least")
    return values


def sweep_options(estimator: Estimator, is_grid: bool) -> Dict[str, str]:
    """Options of the runs of a path, whose gaps are its own affair, or of a grid."""
    own = ("lambda",) if is_grid else ("lambda", "gap", "relative-gap")
    return {name: text for name, text in estimator._train_options().items() if name not in own}
