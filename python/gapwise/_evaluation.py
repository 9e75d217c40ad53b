"""How good models are, and where they are not."""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._errors import OptionError
from ._labels import array_of
from ._show import table_of, values_of

Floats = NDArray[np.float64]
Interval = Tuple[float, float]


class WorstExample(NamedTuple):
    """An example with errors.

    Attributes
    ----------
    example : int
        Its number, from 0.
    errors : float
        Wrong tokens, labels, pixels, links, arcs or joints.
    confusions : list of (right, said, how often)
        What went wrong there.
    """

    example: int
    errors: float
    confusions: List[Tuple[str, str, float]]


class Evaluation:
    """How good a model is on labelled examples, and where it is not.

    Attributes
    ----------
    metrics : dict
        All figures of merit by name.
    intervals : dict
        (low, high) of each of them, if a confidence was asked for.
    labels : array
        What is told apart: labels, types of chunks, relations, classes of pixels; sorted by name.
    support, predicted, correct : arrays
        How often each is right, how often it was said, and both at once.
    precision, recall, f1 : arrays
        Of each; 0 of none.
    confusions : list of (right, said, how often)
        What was said where something else is right, most frequent first; "" stands for nothing.
    worst : list of WorstExample
        Those with the most errors first, if asked for.
    """

    def __init__(self, found: Dict[str, Any]) -> None:
        self.metrics: Dict[str, float] = values_of(found["metrics"]) or {}
        self.intervals: Dict[str, Interval] = dict(zip(self.metrics, found["intervals"]))
        rows = found["labels"]
        self.labels: NDArray[Any] = array_of([row[0] for row in rows])
        counts = np.array([row[1:] for row in rows], dtype=np.float64).reshape(-1, 3)
        self.support: Floats = counts[:, 0]
        self.predicted: Floats = counts[:, 1]
        self.correct: Floats = counts[:, 2]
        self.confusions: List[Tuple[str, str, float]] = [
            row for row in found["confusions"] if row[0] != row[1]]
        self._cells: List[Tuple[str, str, float]] = found["confusions"]
        self.worst: List[WorstExample] = [WorstExample(*row) for row in found["worst"]]

    @property
    def precision(self) -> Floats:
        """Of what was said, the share that is right."""
        return _ratio(self.correct, self.predicted)

    @property
    def recall(self) -> Floats:
        """Of what is right, the share that was said."""
        return _ratio(self.correct, self.support)

    @property
    def f1(self) -> Floats:
        """The harmonic mean of both."""
        return _ratio(2.0 * self.correct, self.support + self.predicted)

    def confusion_matrix(self, labels: Optional[Sequence[str]] = None) -> Floats:
        """How often something was said (column) where something is right (row).

        Parameters
        ----------
        labels : list of str, optional
            The rows and columns; `self.labels` if left out.
        """
        names: List[str] = self.labels.tolist() if labels is None else list(labels)
        at = {name: k for k, name in enumerate(names)}
        matrix = np.zeros((len(at), len(at)))
        for right, said, count in self._cells:
            if right in at and said in at:
                matrix[at[right], at[said]] += count
        return matrix

    def _rows(self) -> List[Tuple[str, str]]:
        rows = []
        for name, value in self.metrics.items():
            low, high = self.intervals.get(name, (np.nan, np.nan))
            rows.append((name, f"{value:.4f}" if np.isnan(low) else
                         f"{value:.4f}  ({low:.4f} to {high:.4f})"))
        return rows

    def __repr__(self) -> str:
        rows = self._rows()
        width = max(len(name) for name, _ in rows)
        lines = [f"{name:<{width}}  {text}" for name, text in rows]
        if len(self.labels):
            wide = max(5, *(len(str(label)) for label in self.labels))
            lines.append(f"\n{'label':<{wide}}  precision  recall      f1    support")
            lines += [f"{label:<{wide}}  {p:9.4f}  {r:6.4f}  {f:6.4f}  {s:9,.0f}" for label, p, r, f, s
                      in zip(self.labels, self.precision, self.recall, self.f1, self.support)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        figures = [(str(label), f"precision {p:.4f}, recall {r:.4f}, F1 {f:.4f}, {s:,.0f} times")
                   for label, p, r, f, s in zip(self.labels, self.precision, self.recall, self.f1,
                                                self.support)]
        return f"<div>{table_of(self._rows())}{table_of(figures)}</div>"


class Difference(NamedTuple):
    """How two models differ on the same examples, by the main metric of their task.

    Attributes
    ----------
    metric : str
        Its name.
    first, second : float
        Its values.
    by : float
        How much better the first one is; negative: worse.
    interval : (float, float)
        Of `by`, with the confidence asked for.
    p_value : float
        How likely so much, either way, is where there is no difference.
    """

    metric: str
    first: float
    second: float
    by: float
    interval: Interval
    p_value: float


def settings_of(confidence: Optional[float], worst: int, resamples: int, seed: int
                ) -> _native.EvaluationSettings:
    """What the library is asked; the confidence is in percent, as the program has it."""
    if confidence is not None and not 1.0 <= confidence <= 99.9:
        raise OptionError(f"confidence = {confidence} must be between 1 and 99.9 percent")
    for name, number, least in (("worst", worst, 0), ("resamples", resamples, 1),
                                ("seed", seed, 0)):
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < least:
            raise OptionError(f"{name} = {number!r} must be a whole number >= {least}")
    settings = _native.EvaluationSettings()
    settings.confidence = None if confidence is None else confidence / 100.0
    settings.worst, settings.resamples, settings.seed = int(worst), int(resamples), int(seed)
    return settings


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
