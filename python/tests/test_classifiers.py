"""MulticlassSVM and MultilabelSVM."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import gapwise
from gapwise import MulticlassSVM, MultilabelSVM


@parametrize_with_checks([MulticlassSVM()])
def test_keeps_the_rules_of_scikit_learn(estimator, check):
    check(estimator)


def test_learns_classes(points):
    X, y = points
    svm = MulticlassSVM(bias=True).fit(X, y)
    assert svm.certified_ and svm.status_ == "converged" and svm.score(X, y) > 0.8
    assert svm.classes_.tolist() == [0, 1, 2, 3] and svm.classes_.dtype == y.dtype
    scores = X @ svm.coef_.T + svm.intercept_
    assert (svm.classes_[scores.argmax(axis=1)] == svm.predict(X)).all()
    assert svm.metrics(X, y)["accuracy"] == svm.score(X, y)


@pytest.mark.parametrize("names", [["d", "c", "b", "a"], [5.0, 1.0, 2.0, -3.0], [10, 9, 100, 2],
                                   ["1", "b", "2.5", "x y"]])
def test_keeps_classes_of_any_kind(points, names):
    X, y = points
    labels = np.array(names)[y]
    svm = MulticlassSVM().fit(X, labels)
    assert svm.classes_.tolist() == np.unique(labels).tolist()
    assert svm.predict(X).dtype == labels.dtype and svm.score(X, labels) > 0.7
    again = pickle.loads(pickle.dumps(svm))
    assert (again.predict(X) == svm.predict(X)).all()
    loaded = gapwise.load(svm.to_bytes())
    assert loaded.score(X, loaded.predict(X)) == 1.0


def test_works_in_searches_and_pipelines(points):
    X, y = points
    search = GridSearchCV(make_pipeline(StandardScaler(), MulticlassSVM()),
                          {"multiclasssvm__lam": [1e-2, 1.0]}, cv=3, n_jobs=2).fit(X, y)
    assert search.best_score_ > 0.6
    assert cross_val_predict(MulticlassSVM(), sp.csr_matrix(X), y, cv=3).shape == y.shape


def test_learns_sets_of_labels(points):
    X, _ = points
    y = (X[:, :3] > 0.4).astype(int)
    for form in (np.asarray, sp.csr_matrix):
        svm = MultilabelSVM(bias=True).fit(form(X), form(y))
        assert svm.certified_ and svm.score(X, y) > 0.9
        assert svm.predict(X).shape == y.shape and (svm.predict(X) == y).mean() > 0.9
    names = [[f"l{k}" for k in np.flatnonzero(row)] for row in y]
    listed = MultilabelSVM(bias=True).fit(X, names)
    assert listed.predict(X)[0] == [f"l{k}" for k in np.flatnonzero(svm.predict(X)[0])]
    assert listed.metrics(X, names) == pytest.approx(svm.metrics(X, y))
    assert svm.coef_.shape == (3, X.shape[1]) and svm.intercept_.shape == (3,)


def test_sets_of_labels_in_a_search(points):
    X, _ = points
    y = (X[:, :3] > 0.4).astype(int)
    assert (cross_val_score(MultilabelSVM(), X, y, cv=3) > 0.7).all()
    search = GridSearchCV(MultilabelSVM(), {"couplings": ["none", "bias"]}, cv=2).fit(X, y)
    assert pickle.loads(pickle.dumps(search)).predict(X).shape == y.shape


def test_a_label_that_never_occurs_is_never_predicted(points):
    X, _ = points
    y = np.column_stack([X[:, 0] > 0.4, np.zeros(len(X), bool), X[:, 1] > 0.4]).astype(int)
    svm = MultilabelSVM().fit(X, y)
    assert svm.predict(X).shape == y.shape and not svm.predict(X)[:, 1].any()
    assert svm.classes_.tolist() == [0, 2]
