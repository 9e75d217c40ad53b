from typing import Any, Callable, Dict, Final, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

__version__: str

Metrics = List[Tuple[str, float, bool, bool]]
Listener = Callable[[str, Any, Optional[Metrics]], bool]

class OptionInfo:
    name: str
    placeholder: str
    help: str
    fallback: str
    value: str
    is_flag: bool

class TaskInfo:
    name: str
    help: str
    formats: List[str]
    takes_rows: bool
    options: List[OptionInfo]

def tasks() -> List[TaskInfo]: ...
def train_options() -> List[OptionInfo]: ...
def solvers() -> List[Tuple[str, str]]: ...

class Examples:
    task: Final[str]
    def size(self) -> int: ...
    def describe(self) -> str: ...
    def fingerprint(self) -> int: ...
    def with_weights(self, weights: NDArray[np.float64]) -> Examples: ...

def from_tokens(
    task: str, options: Dict[str, str], sequences: List[Any], labels: Optional[List[Any]]
) -> Examples: ...
def from_dense(
    task: str,
    options: Dict[str, str],
    matrix: NDArray[Any],
    labels: Optional[List[Any]],
    lengths: Optional[NDArray[np.int64]],
) -> Examples: ...
def from_csr(
    task: str,
    options: Dict[str, str],
    starts: NDArray[Any],
    columns: NDArray[Any],
    values: NDArray[Any],
    labels: Optional[List[Any]],
    lengths: Optional[NDArray[np.int64]],
) -> Examples: ...
def from_file(
    task: str, options: Dict[str, str], path: str, format: str, folds: str
) -> Examples: ...

class Model:
    task: Final[str]
    settings: Final[Dict[str, str]]
    def save(self, path: str) -> None: ...
    def bytes(self) -> bytes: ...
    def names(self, kind: str) -> List[str]: ...
    def weights(self) -> NDArray[np.float64]: ...
    def weight_matrices(self) -> List[Tuple[str, List[str], List[str], NDArray[np.float64]]]: ...
    def top_weights(self, count: int) -> List[Tuple[str, List[Tuple[str, float]]]]: ...
    def predict(
        self, examples: Examples, threads: Optional[int]
    ) -> Tuple[List[List[str]], List[NDArray[np.int64]]]: ...
    def write_predictions(
        self,
        path: str,
        format: str,
        folds: str,
        write: Callable[[Any], Any],
        threads: Optional[int],
    ) -> None: ...
    def evaluate(self, examples: Examples, threads: Optional[int]) -> Metrics: ...

def load_model(path: str) -> Model: ...
def load_model_bytes(bytes: bytes, name: str) -> Model: ...

class Progress:
    n: Final[int]
    passes: Final[int]
    steps: Final[int]
    oracle_calls: Final[int]
    cached_steps: Final[int]
    seconds: Final[float]
    oracle_seconds: Final[float]
    dual: Final[Optional[float]]
    primal: Final[Optional[float]]
    gap: Final[Optional[float]]
    relative_gap: Final[Optional[float]]
    certified: Final[bool]

class Fit:
    label_rounds: Final[Optional[Dict[str, Any]]]
    model: Final[Model]
    progress: Final[Progress]
    status: Final[str]
    lam: Final[float]
    w: Final[NDArray[np.float64]]
    train_loss: Final[Optional[float]]
    validation: Final[Optional[Metrics]]
    history: Final[Dict[str, NDArray[Any]]]
    search: Final[Optional[LambdaSearch]]
    def save_proof(self, path: str) -> None: ...

def fit(
    examples: Examples,
    options: Dict[str, str],
    listener: Optional[Listener],
    validation: Optional[Examples],
    start: Optional[Fit],
    catches_interrupts: bool,
    label_rounds: int,
) -> Fit: ...

class PathPoint:
    lam: Final[float]
    primal: Final[float]
    dual: Final[float]
    certified: Final[bool]
    oracle_calls: Final[int]
    seconds: Final[float]
    validation: Final[Optional[Metrics]]

class PathValue:
    point: Final[int]
    primal: Final[float]
    dual: Final[float]
    gap: Final[float]
    certified: Final[bool]

class Path:
    points: Final[List[PathPoint]]
    epsilon: Final[float]
    lambda_end: Final[float]
    status: Final[str]
    def at(self, lam: float) -> PathValue: ...
    def weights(self, lam: float) -> NDArray[np.float64]: ...
    def model(self, lam: float) -> Model: ...

class PathSettings:
    epsilon: Optional[float]
    relative_epsilon: float
    lambda_min: float
    validation: Optional[Examples]
    grid: List[float]
    keeps_weights: bool

def fit_path(
    examples: Examples,
    options: Dict[str, str],
    settings: PathSettings,
    listener: Optional[Listener],
    catches_interrupts: bool,
) -> Path: ...

class LambdaSearchSettings:
    path: PathSettings
    folds: int
    hold_out: float
    groups: List[str]
    is_quick: bool
    select: str
    one_standard_error: bool

class LambdaSearch:
    lams: Final[NDArray[np.float64]]
    scores: Final[NDArray[np.float64]]
    means: Final[NDArray[np.float64]]
    errors: Final[NDArray[np.float64]]
    oracle_calls: Final[NDArray[np.int64]]
    seconds: Final[NDArray[np.float64]]
    best: Final[int]
    chosen: Final[int]
    metric: Final[str]
    higher_is_better: Final[bool]
    status: Final[str]

def search_lambda(
    examples: Examples,
    options: Dict[str, str],
    settings: LambdaSearchSettings,
    listener: Optional[Listener],
    catches_interrupts: bool,
) -> LambdaSearch: ...
def choose_lambda(folds: List[Path], settings: LambdaSearchSettings) -> LambdaSearch: ...
def parse_grid(text: str) -> List[float]: ...

class EvaluationSettings:
    worst: int
    confidence: Optional[float]
    resamples: int
    seed: int

def evaluate_in_detail(
    model: Model, examples: Examples, settings: EvaluationSettings, threads: Optional[int]
) -> Dict[str, Any]: ...
def compare_models(
    first: Model,
    second: Model,
    examples: Examples,
    settings: EvaluationSettings,
    threads: Optional[int],
) -> Dict[str, Any]: ...
def make_problem(
    num_examples: int,
    dimension: int,
    functions: Dict[str, Optional[Callable[..., Any]]],
    batch_size: int,
) -> Examples: ...
def check_oracle(
    examples: Examples, count: int, points: int, seed: int, allows_twins: bool
) -> Dict[str, int]: ...
