"""Parser, Aligner, Segmenter, PoseFinder, FactorGraphSVM; paths over lambda."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score

import gapwise
from gapwise import Aligner, FactorGraphSVM, Parser, PoseFinder, Segmenter

KINDS = [Parser, Aligner, Segmenter, PoseFinder, FactorGraphSVM]


@pytest.fixture(autouse=True)
def quietly():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gapwise.ConvergenceWarning)
        yield


@pytest.mark.parametrize("kind", KINDS)
def test_learns_from_files(kind, samples):
    data = samples(kind._task)
    estimator = kind(max_passes=10).fit(data)
    assert estimator.certified_ and estimator.score(data) > -0.5
    assert estimator.metrics(gapwise.File(data)) == estimator.metrics(data)
    outputs = estimator.predict(data)
    assert len(outputs) == 20
    again = pickle.loads(pickle.dumps(estimator))
    assert again.to_bytes() == estimator.to_bytes()
    assert type(gapwise.load(estimator.to_bytes())) is kind
    for wrong in (3, None, [1, 2], b"text", {}):
        with pytest.raises(gapwise.InputError, match="is expected"):
            kind().fit(wrong)
    with pytest.raises(gapwise.InputError, match="missing-file"):
        kind().fit("missing-file")


def test_trees_have_heads_and_labels(samples):
    heads, labels = Parser(max_passes=5).fit(samples("parsing")).predict(samples("parsing"))[0]
    assert len(heads) == len(labels) and 0 in heads


def test_links_are_pairs(samples):
    links = Aligner().fit(samples("alignment")).predict(samples("alignment"))[0]
    assert links.ndim == 2 and links.shape[1] == 2 and links.min() >= 0


def test_lists_of_texts_can_be_split(samples):
    sentences = samples("parsing").read_text().split("\n\n")[:-1]
    assert Parser(max_passes=3).fit(sentences).to_bytes() == Parser(max_passes=3).fit(
        samples("parsing")).to_bytes()
    assert np.isfinite(cross_val_score(Parser(max_passes=3), sentences, cv=2)).all()
    pairs = samples("alignment").read_text().splitlines()
    assert np.isfinite(cross_val_score(Aligner(), np.array(pairs), cv=2)).all()


def test_a_path_holds_what_it_promises(sentences, points):
    X, y = sentences
    path = gapwise.lambda_path(gapwise.SequenceTagger(), X, y, X_val=X[:10], y_val=y[:10],
                               lambda_min=0.01, relative_epsilon=0.05)
    assert path.status == "converged" and path.lambda_end <= 0.01
    lams = [point.lam for point in path.points]
    assert lams == sorted(lams, reverse=True)
    value = path.at(0.02)
    assert value.certified and value.gap <= path.epsilon
    best = gapwise.SequenceTagger(lam=0.02, relative_gap=1e-3).fit(X, y)
    assert value.dual <= best.primal_ and best.dual_ <= value.primal
    tagger = path.estimator(0.02)
    assert tagger.score(X, y) > 0.8
    assert dict((m[0], m[1]) for m in path.points[-1].validation)["token_accuracy"] > 0.8
    X, y = points
    classes = gapwise.lambda_path(gapwise.MulticlassSVM(), X, y, lambda_min=0.1)
    assert classes.estimator(0.1).predict(X).shape == y.shape
    with pytest.raises(gapwise.OptionError):
        classes.at(classes.lambda_end / 10)
