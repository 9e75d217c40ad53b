"""What a run tells while it goes, and what an estimator shows of itself in a notebook."""

import html
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _native

Metrics = List[Tuple[str, float, bool, bool]]  # name, value, more is better, is main
Callback = Callable[[_native.Progress, Optional[Dict[str, float]]], Any]


def values_of(metrics: Optional[Metrics]) -> Optional[Dict[str, float]]:
    """Metrics by name."""
    return None if metrics is None else {name: value for name, value, _, _ in metrics}


def _line(progress: _native.Progress) -> str:
    text = f"pass {progress.passes:<4d} {progress.seconds:8.1f} s"
    if progress.primal is not None:
        text += f"  primal {progress.primal:<10.6g}"
    if progress.dual is not None:
        text += f"  dual {progress.dual:<10.6g}"
    if progress.relative_gap is not None:
        text += f"  gap {100 * progress.relative_gap:.3g} %"
    return text + f"  {progress.oracle_calls:,} calls"


def _point_line(point: _native.PathPoint, metrics: Optional[Metrics]) -> str:
    text = f"lambda {point.lam:<10.5g}"
    for name, value, _, is_main in metrics or []:
        if is_main:
            text += f"  {name} {value:.4f}"
    return text + f"  {point.oracle_calls:,} calls"


class _Bar:
    """A bar of the passes, with the gap beside it; lines if there is no tqdm."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._bar = None
        else:
            self._bar = tqdm(unit=" pass")

    def show(self, event: str, progress: _native.Progress) -> None:
        if self._bar is None:
            if event == "measure":
                print(_line(progress), flush=True)
            return
        self._bar.update(progress.passes - self._bar.n)
        if progress.relative_gap is not None:
            self._bar.set_postfix_str(f"gap {100 * progress.relative_gap:.3g} %")

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class Listener:
    """Passes on what a run tells: to the screen and to callbacks."""

    def __init__(self, callbacks: Iterable[Callback], verbose: int) -> None:
        self._callbacks: List[Callback] = list(callbacks)
        self._verbose = verbose
        self._bar = _Bar() if verbose >= 2 else None
        self.has_stopped = False  # a callback wanted it

    @property
    def or_none(self) -> Optional["Listener"]:
        """Nobody, if there is nothing to be told: then the run need not ask for the interpreter."""
        return self if self._callbacks or self._verbose else None

    def __call__(self, event: str, progress: Any, metrics: Optional[Metrics]) -> bool:
        if event == "point":  # of a search for lambda
            if self._verbose:
                print(_point_line(progress, metrics), flush=True)
            return False
        if self._bar is not None:
            self._bar.show(event, progress)
        elif self._verbose and event == "measure":
            print(_line(progress), flush=True)
        for callback in self._callbacks:
            if callback(progress, values_of(metrics)):
                self.has_stopped = True
        return self.has_stopped

    def close(self) -> None:
        """After the run."""
        if self._bar is not None:
            self._bar.close()


def _polyline(x: NDArray[np.float64], y: NDArray[np.float64], colour: str) -> str:
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y))
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>'


def gap_curve(history: Mapping[str, NDArray[Any]]) -> str:
    """The relative gap over the oracle calls, both axes logarithmic, as SVG; "" if there is none."""
    calls = history["oracle_calls"].astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        gaps = 100.0 * history["gap"] / history["primal"]
    good = np.isfinite(gaps) & (gaps > 0.0) & (calls > 0.0)
    if good.sum() < 2:
        return ""
    x, y = np.log10(calls[good]), np.log10(gaps[good])
    width, height, left, bottom = 320.0, 120.0, 46.0, 20.0
    span_x, span_y = max(np.ptp(x), 1e-9), max(np.ptp(y), 1e-9)
    at_x = left + (x - x.min()) / span_x * (width - left - 8)
    at_y = 8 + (y.max() - y) / span_y * (height - bottom - 16)
    text = 'font-size="10" fill="currentColor"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'role="img" aria-label="relative gap over oracle calls">'
        f'<text x="2" y="16" {text}>{10 ** y.max():.3g} %</text>'
        f'<text x="2" y="{height - bottom - 4:.0f}" {text}>{10 ** y.min():.3g} %</text>'
        f'<text x="{left:.0f}" y="{height - 4:.0f}" {text}>{10 ** x.min():,.0f} calls</text>'
        f'<text x="{width - 8:.0f}" y="{height - 4:.0f}" text-anchor="end" {text}>'
        f"{10 ** x.max():,.0f}</text>" + _polyline(at_x, at_y, "#3b7dd8") + "</svg>")


def table_of(rows: Sequence[Any]) -> str:
    """Names and values as a table of a page."""
    cells = "".join(f"<tr><th style='text-align:left'>{html.escape(str(key))}</th>"
                    f"<td style='text-align:left'>{html.escape(str(value))}</td></tr>"
                    for key, value in rows)
    return f"<table>{cells}</table>"


def page_of(name: str, settings: Sequence[Any], results: Sequence[Any], curve: str) -> str:
    """What a notebook shows of an estimator."""
    parts = [f"<div><strong>{html.escape(name)}</strong>"]
    if settings:
        parts.append(f"<details><summary>settings</summary>{table_of(settings)}</details>")
    if results:
        parts.append(table_of(results))
    return "".join(parts) + curve + "</div>"
