"""Every estimator that takes examples one by one, in everything that scikit-learn does with it."""

import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import (GridSearchCV, GroupKFold, cross_val_predict, cross_val_score)
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

import gapwise
from conftest import make_points, make_sentences
from gapwise import (Aligner, MulticlassSVM, MultilabelSVM, Parser, Segmenter, SequenceTagger,
                     StructuredSVM)
from test_problem import Matching, matchings

FAST = dict(relative_gap=0.5, max_passes=5)


def texts_of(path, first):
    """The examples of a file, each of which begins with a word."""
    parts = path.read_text().split(first)
    return np.array([first + part for part in parts[1:]], dtype=object)


def objects(items):
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


@pytest.fixture(params=["tagger", "tagger, sparse", "multiclass", "multilabel", "own", "parser",
                        "aligner", "segmenter"])
def case(request, samples):
    """(estimator, X, y), with y of any form that scikit-learn can split."""
    X, labels = make_points(24)
    files = {"parser": (Parser, "parsing", "# sent_id"), "segmenter": (Segmenter, "segmentation",
                                                                        "graph ")}
    if request.param == "tagger":
        return SequenceTagger(**FAST), *map(objects, make_sentences(24))
    if request.param == "tagger, sparse":
        rows = [sp.csr_matrix(X[k:k + 2]) for k in range(23)]
        return SequenceTagger(**FAST), rows, [labels[k:k + 2].tolist() for k in range(23)]
    if request.param == "multiclass":
        return MulticlassSVM(**FAST), sp.csr_matrix(X), labels
    if request.param == "multilabel":
        return MultilabelSVM(**FAST), X, (X[:, :3] > 0.4).astype(int)
    if request.param == "own":
        X, y = matchings(24)
        return StructuredSVM(Matching(), **FAST), X, y
    if request.param == "aligner":
        return Aligner(**FAST), samples("alignment").read_text().splitlines(), None
    kind, task, first = files[request.param]
    return kind(**FAST), texts_of(samples(task), first), None


def test_works_with_scikit_learn(case):
    estimator, X, y = case
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        copy = clone(estimator)
        assert copy.get_params().keys() == estimator.get_params().keys()
        assert copy.set_params(seed=3).fit(X, y) is copy
        assert len(cross_val_predict(estimator, X, y, cv=2)) == n
        scores = cross_val_score(estimator, X, y, cv=GroupKFold(2), groups=np.arange(n) // 3)
        assert np.isfinite(scores).all()
        search = GridSearchCV(estimator, {"lam": [0.01, 1.0]}, cv=2, n_jobs=2, error_score="raise")
        alone = clone(search).set_params(n_jobs=None)
        assert np.isfinite(search.fit(X, y).best_score_)
        assert alone.fit(X, y).cv_results_["mean_test_score"] == pytest.approx(
            search.cv_results_["mean_test_score"])
        again = pickle.loads(pickle.dumps(search))
        assert again.score(X, y) == search.score(X, y)
        pipe = Pipeline([("same", FunctionTransformer()), ("last", estimator)]).fit(X, y)
        assert np.isfinite(pipe.score(X, y)) and len(pipe.predict(X)) == n


def test_loads_and_saves_what_a_worker_made(samples):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for kind in (gapwise.PoseFinder, gapwise.FactorGraphSVM):  # whole files only
            estimator = kind(**FAST)
            assert clone(estimator).get_params() == estimator.get_params()
            fitted = pickle.loads(pickle.dumps(estimator.fit(samples(kind._task))))
            assert fitted.score(samples(kind._task)) == estimator.score(samples(kind._task))
