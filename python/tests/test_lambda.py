"""lambda chosen by the library: lam="auto", LambdaSearchCV, grids."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, cross_val_score

import gapwise
from conftest import make_points, make_sentences
from gapwise import LambdaSearchCV, MulticlassSVM, MultilabelSVM, SequenceTagger, StructuredSVM
from test_manners import interrupt_soon
from test_problem import Matching, Multiclass, matchings

FILES = [gapwise.Parser, gapwise.Aligner, gapwise.Segmenter, gapwise.PoseFinder,
         gapwise.FactorGraphSVM]


@pytest.fixture(autouse=True)
def quietly():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gapwise.ConvergenceWarning)
        yield


def trained_by_program(program, tmp_path, task, data, *options):
    program("train", "--task", task, "--data", data, "--lambda", "auto", "--model",
            tmp_path / "model", "--quiet", *options)
    return (tmp_path / "model").read_bytes()


@pytest.mark.parametrize("kind", [SequenceTagger, MulticlassSVM, MultilabelSVM, *FILES])
def test_auto_is_that_of_the_program(program, samples, tmp_path, kind):
    data = samples(kind._task)
    expected = trained_by_program(program, tmp_path, kind._task, data, "--max-passes", "3")
    estimator = kind(lam="auto", max_passes=3).fit(data)
    assert estimator.to_bytes() == expected
    tried = estimator.search_
    assert estimator.lam_ == tried["lam"][tried["chosen"]]
    assert tried["scores"].shape == (len(tried["lam"]), 2) and (np.diff(tried["lam"]) < 0).all()
    assert pickle.loads(pickle.dumps(estimator)).search_["metric"] == tried["metric"]


def test_auto_takes_validation_examples_if_there_are_any(sentences):
    X, y = sentences
    tagger = SequenceTagger(lam="auto").fit(X[:40], y[:40], X_val=X[40:], y_val=y[40:])
    assert tagger.search_["scores"].shape[1] == 1
    assert tagger.score(X[40:], y[40:]) > 0.8 and tagger.certified_
    assert SequenceTagger(lam=0.1).fit(X, y).search_ is None


def test_auto_for_problems_of_ones_own(points):
    X, y = matchings(24)
    svm = StructuredSVM(Matching(), lam="auto").fit(X, y)
    assert svm.search_["metric"] == "loss" and svm.score(*matchings(30)) > 0.9
    own = StructuredSVM(Multiclass(*points), lam="auto").fit()
    assert own.search_["scores"].shape[1] == 2 and own.certified_
    given = Multiclass(*points)
    without = gapwise.Problem.from_functions(given.n_examples, given.n_features,
                                             given.loss_augmented)
    with pytest.raises(gapwise.OptionError, match="predict"):
        StructuredSVM(without, lam="auto").fit()


def test_tells_what_it_tries(sentences, capsys):
    tagger = SequenceTagger(lam="auto", verbose=1).fit(*sentences)
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("lambda") for line in lines) == tagger.search_["scores"].size


def slow_search(**settings):
    X, y = make_sentences(3000, seed=8)
    return SequenceTagger(relative_gap=1e-9, max_passes=10**6, **settings), X, y


def test_ctrl_c_ends_a_search():
    tagger, X, y = slow_search(lam="auto", solver="bcfw")
    timer = interrupt_soon(0.5)
    with pytest.warns(gapwise.ConvergenceWarning, match="interrupted"):
        tagger.fit(X, y)
    timer.join()
    assert tagger.status_ == "interrupted" and len(tagger.predict(X[:2])) == 2
    tagger, X, y = slow_search(solver="bcfw")
    interrupt_soon(0.5)
    with pytest.raises(KeyboardInterrupt):
        LambdaSearchCV(tagger, lams="1:1e-6:2", cv=2).fit(X, y)


def test_an_exception_while_it_searches_arrives(monkeypatch):
    def fails(*given):
        raise LookupError("no room")

    monkeypatch.setattr("gapwise._show._point_line", fails)
    with pytest.raises(LookupError, match="no room"):
        SequenceTagger(lam="auto", verbose=1).fit(*make_sentences(40))


@pytest.mark.parametrize("lams", [None, "auto", [0.003, 0.03, 0.3], "1:0.01:10"])
def test_search_finds_what_is_good(lams):
    X, y = make_points(120, seed=2)
    search = LambdaSearchCV(MulticlassSVM(), lams=lams, cv=3, lambda_min=1e-2).fit(X, y)
    results = search.cv_results_
    assert search.n_splits_ == 3 and search.status_ == "converged"
    assert search.best_score_ == results["mean_test_score"].max() > 0.7
    assert search.best_params_["lam"] == results["param_lam"][search.best_index_]
    assert results["rank_test_score"][search.best_index_] == 1
    folds = np.column_stack([results[f"split{k}_test_score"] for k in range(3)])
    assert results["mean_test_score"] == pytest.approx(folds.mean(axis=1))
    assert search.best_estimator_.lam == search.best_params_["lam"]
    assert search.predict(X).shape == y.shape and search.score(X, y) > 0.8
    assert search.classes_.tolist() == [0, 1, 2, 3]
    assert search.metrics(X, y)["accuracy"] == search.score(X, y)


def test_search_agrees_with_that_of_scikit_learn():
    X, y = make_points(120, seed=3)
    lams = [1e-1, 1e-2, 1e-3]
    folds = list(KFold(4).split(X))
    svm = MulticlassSVM(relative_gap=1e-4)
    ours = LambdaSearchCV(svm, lams=lams, cv=folds).fit(X, y)
    theirs = GridSearchCV(svm, {"lam": lams}, cv=folds).fit(X, y)
    assert ours.cv_results_["param_lam"].tolist() == lams
    assert ours.cv_results_["mean_test_score"] == pytest.approx(
        theirs.cv_results_["mean_test_score"], abs=0.01)


def test_search_keeps_groups_together(sentences):
    X, y = sentences
    groups = np.arange(len(X)) // 20
    search = LambdaSearchCV(SequenceTagger(), lams=[0.1, 0.01], cv=3).fit(X, y, groups=groups)
    assert search.n_splits_ == 3
    with pytest.raises(gapwise.OptionError, match="group"):
        LambdaSearchCV(SequenceTagger(), lams=[0.1], cv=4).fit(X, y, groups=groups)
    with pytest.raises(gapwise.InputError, match="60 examples, but 3 groups"):
        LambdaSearchCV(SequenceTagger(), lams=[0.1]).fit(X, y, groups=[1, 2, 3])
    split = LambdaSearchCV(SequenceTagger(), lams=[0.1, 0.01], cv=GroupKFold(3))
    assert split.fit(X, y, groups=groups).best_score_ > 0.7


def test_search_of_every_kind(samples, sentences):
    for kind in FILES:
        search = LambdaSearchCV(kind(max_passes=3), lams="auto", cv=2).fit(samples(kind._task))
        assert np.isfinite(search.best_score_) and type(search.best_estimator_) is kind
    X, y = sentences
    held = LambdaSearchCV(SequenceTagger(), cv=None, lams=[0.1, 0.01]).fit(X, y)
    assert held.n_splits_ == 1
    given = LambdaSearchCV(SequenceTagger(), cv=None, lams=[0.1, 0.01], select="exact")
    assert given.fit(X, y, X_val=X[:20], y_val=y[:20]).metric_ == "exact"
    X, y = matchings(20)
    own = LambdaSearchCV(StructuredSVM(Matching()), lams=[1.0, 0.01], cv=2).fit(X, y)
    assert own.metric_ == "loss" and own.best_score_ <= 0.0 and len(own.predict(X)) == 20


def test_search_has_the_manners_of_scikit_learn(points):
    X, y = points
    search = LambdaSearchCV(MulticlassSVM(relative_gap=0.1), lams=[0.1, 0.01], cv=2,
                            one_standard_error=True)
    assert clone(search).get_params()["estimator__relative_gap"] == 0.1
    with pytest.raises(Exception, match="not fitted"):
        search.predict(X)
    assert np.isfinite(cross_val_score(search, X, y, cv=2)).all()
    again = pickle.loads(pickle.dumps(search.fit(X, y)))
    assert (again.predict(X) == search.predict(X)).all()
    table = search.cv_results_
    near = table["mean_test_score"] >= table["mean_test_score"].max() - table["standard_error"][
        table["mean_test_score"].argmax()]
    assert search.best_index_ == np.flatnonzero(near)[0]
    assert not hasattr(LambdaSearchCV(MulticlassSVM(), lams=[1.0], refit=False).fit(X, y),
                       "best_estimator_")


@pytest.mark.parametrize("settings, text", [
    ({"lams": [0.1, -1]}, "positive"), ({"lams": []}, "empty"), ({"lams": "many"}, "grid"),
    ({"lams": [None]}, "no grid"), ({"cv": 1}, "folds"), ({"select": "beauty"}, "no metric"),
    ({"cv": None, "one_standard_error": True}, "folds"), ({"relative_epsilon": -1.0}, "epsilon"),
])
def test_search_says_what_is_wrong(points, settings, text):
    with pytest.raises(gapwise.OptionError, match=text):
        LambdaSearchCV(MulticlassSVM(), **settings).fit(*points)
    with pytest.raises(gapwise.OptionError, match="one of this package"):
        LambdaSearchCV(3).fit(*points)


def test_a_grid_has_weights_of_its_values_only(points):
    path = gapwise.lambda_path(MulticlassSVM(), *points, grid=[0.01, 0.1])
    assert [point.lam for point in path.points] == [0.1, 0.01]
    assert path.estimator(0.1).predict(points[0]).shape == points[1].shape
    with pytest.raises(gapwise.OptionError):
        path.at(0.05)
