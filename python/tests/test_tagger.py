"""SequenceTagger: inputs of every kind, results, files, scikit-learn."""

import io
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.feature_extraction import DictVectorizer
from sklearn.model_selection import (GridSearchCV, GroupKFold, cross_val_predict, cross_val_score)
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

import gapwise
from gapwise import SequenceTagger


@pytest.fixture(scope="module")
def tagger(sentences):
    return SequenceTagger(lam=0.01).fit(*sentences)


def test_learns_and_certifies(tagger, sentences):
    X, y = sentences
    assert tagger.status_ == "converged" and tagger.certified_
    assert 0 <= tagger.gap_ <= 0.01 * tagger.primal_ + 1e-12
    assert tagger.primal_ - tagger.dual_ == pytest.approx(tagger.gap_)
    assert tagger.score(X, y) > 0.9
    assert tagger.metrics(X, y)["token_accuracy"] == tagger.score(X, y)
    assert sorted(tagger.classes_) == ["ADJ", "DET", "NOUN", "VERB"]
    predicted = tagger.predict(X)
    assert predicted.dtype == object and [len(row) for row in predicted] == [len(row) for row in y]
    assert tagger.history_["oracle_calls"][-1] == tagger.n_oracle_calls_
    assert tagger.history_["gap"][-1] == pytest.approx(tagger.gap_)


def test_shows_its_weights(tagger):
    labels = len(tagger.classes_)
    assert tagger.coef_.shape == (labels, len(tagger.attributes_))
    assert tagger.transitions_.shape == (labels, labels)
    assert tagger.start_.shape == tagger.end_.shape == (labels,)
    assert "word:the" in tagger.attributes_ and "length" in tagger.attributes_
    with pytest.raises(ValueError):
        tagger.coef_[0, 0] = 1.0
    column = tagger.coef_[:, tagger.attributes_.index("word:the")]
    assert tagger.classes_[column.argmax()] == "DET"
    assert "transitions" in tagger.top_weights(3)


def test_takes_names_instead_of_dicts(sentences, tagger):
    X, y = sentences

    def names(token):
        return [f"word:{token['word']}", *(f"ends:{end}" for end in dict.fromkeys(token["ends"]))]

    listed = [[names(token) for token in row] for row in X]
    dicts = [[{"word": token["word"], "ends": set(token["ends"])} for token in row] for row in X]
    nested = [[{"word": token["word"], "ends": {end: True for end in token["ends"]}}
               for token in row] for row in X]
    expected = SequenceTagger().fit(listed, y)
    assert SequenceTagger().fit(nested, y).to_bytes() == expected.to_bytes()
    assert np.isclose(SequenceTagger().fit(dicts, y).primal_, expected.primal_, rtol=0.02)


def matrix_of(X):
    vectorizer = DictVectorizer()
    flat = [{f"{key}={value}" if isinstance(value, str) else key: 1.0
             for key, value in (("word", t["word"]), ("length", t["length"]))}
            for row in X for t in row]
    return vectorizer.fit_transform(flat)


def test_takes_matrices_in_every_form(sentences):
    X, y = sentences
    matrix = matrix_of(X)
    lengths = np.array([len(row) for row in X])
    groups = np.repeat(np.arange(len(X)), lengths)
    flat = [tag for row in y for tag in row]
    starts = np.concatenate(([0], np.cumsum(lengths)))
    listed = [matrix[a:b] for a, b in zip(starts, starts[1:])]
    dense = [part.toarray() for part in listed]
    expected = SequenceTagger().fit(matrix, flat, lengths=lengths)
    for other in (SequenceTagger().fit(matrix.tocoo(), flat, groups=groups),
                  SequenceTagger().fit(matrix.toarray(), np.array(flat), lengths=lengths.tolist()),
                  SequenceTagger().fit(listed, y), SequenceTagger().fit(dense, y),
                  SequenceTagger().fit(dense, [np.array(row) for row in y])):
        assert other.to_bytes() == expected.to_bytes()
    predicted = expected.predict(matrix, lengths=lengths)
    assert predicted.shape == (matrix.shape[0],)
    assert [tag for row in expected.predict(listed) for tag in row] == predicted.tolist()
    assert expected.score(matrix, flat, groups=groups) == expected.score(dense, y)


def test_takes_frames_with_groups(sentences):
    X, y = sentences
    rows = [{"sentence": k, "word": token["word"], "length": token["length"], "tag": tag}
            for k, (tokens, tags) in enumerate(zip(X, y)) for token, tag in zip(tokens, tags)]
    frame = pd.DataFrame(rows)
    tagger = SequenceTagger().fit(frame[["word", "length"]], frame["tag"],
                                  groups=frame["sentence"])
    dicts = [[{"word": t["word"], "length": t["length"]} for t in row] for row in X]
    assert tagger.to_bytes() == SequenceTagger().fit(dicts, y).to_bytes()
    assert len(tagger.predict(frame[["word", "length"]], groups=frame["sentence"])) == len(frame)
    with pytest.raises(gapwise.InputError, match="sort by group"):
        mixed = frame.iloc[::-1].sort_values("word", kind="stable")
        tagger.predict(mixed[["word", "length"]], groups=mixed["sentence"])


def test_keeps_labels_that_are_numbers(sentences):
    X, y = sentences
    codes = {"DET": 3, "ADJ": 10, "NOUN": -1, "VERB": 0}
    numbers = [[codes[tag] for tag in row] for row in y]
    tagger = SequenceTagger().fit(X, numbers)
    assert set(tagger.classes_.tolist()) == set(codes.values())
    assert type(tagger.predict(X)[0][0]) is int
    assert tagger.score(X, numbers) > 0.9


def test_is_the_same_after_pickle_bytes_and_files(tagger, sentences, tmp_path):
    X, _ = sentences
    expected = tagger.predict(X).tolist()
    tagger.save(tmp_path / "model")
    buffer = io.BytesIO()
    tagger.save(buffer)
    assert buffer.getvalue() == (tmp_path / "model").read_bytes() == tagger.to_bytes()
    for other in (pickle.loads(pickle.dumps(tagger)), gapwise.load(tmp_path / "model"),
                  gapwise.load(str(tmp_path / "model")), gapwise.load(tagger.to_bytes()),
                  gapwise.load(io.BytesIO(tagger.to_bytes()))):
        assert type(other) is SequenceTagger
        assert other.predict(X).tolist() == expected
        assert other.to_bytes() == tagger.to_bytes()
        assert other.gap_ == pytest.approx(tagger.gap_) and other.certified_
        assert other.lam == 0.01
    with pytest.raises(gapwise.InputError):
        gapwise.load(pickle.dumps(tagger))


def test_goes_on_from_its_last_solution(sentences):
    X, y = sentences
    tagger = SequenceTagger(lam=0.05, warm_start=True, relative_gap=0.001).fit(X, y)
    calls = tagger.n_oracle_calls_
    again = tagger.fit(X, y)
    assert again.n_oracle_calls_ < calls / 2 and again.status_ == "converged"
    cold = SequenceTagger(lam=0.04, relative_gap=0.001).fit(X, y)
    assert tagger.set_params(lam=0.04).fit(X, y).primal_ == pytest.approx(cold.primal_, rel=0.002)
    other = tagger.fit(X[:30], y[:30])  # other examples: from the beginning
    assert other.to_bytes() == SequenceTagger(lam=0.04, relative_gap=0.001).fit(
        X[:30], y[:30]).to_bytes()


def test_tests_on_the_way(sentences):
    X, y = sentences
    tagger = SequenceTagger().fit(X[:40], y[:40], X_val=X[40:], y_val=y[40:])
    assert tagger.validation_ == pytest.approx(tagger.metrics(X[40:], y[40:]))
    assert len(tagger.history_["val_token_accuracy"]) == len(tagger.history_["gap"])
    assert np.isfinite(tagger.history_["val_token_accuracy"]).any()


def test_works_with_scikit_learn(sentences):
    X, y = sentences
    X, y = np.array(X, dtype=object), np.array(y, dtype=object)
    tagger = SequenceTagger(relative_gap=0.1)
    assert clone(tagger).get_params() == tagger.get_params()
    search = GridSearchCV(tagger, {"lam": [0.01, 1.0]}, cv=3).fit(X, y)
    assert search.best_params_["lam"] in (0.01, 1.0) and search.best_score_ > 0.7
    groups = np.arange(len(X)) // 5
    scores = cross_val_score(tagger, X, y, groups=groups, cv=GroupKFold(3))
    assert scores.shape == (3,) and np.isfinite(scores).all()
    assert [len(row) for row in cross_val_predict(tagger, X, y, cv=3)] == [len(row) for row in y]
    pipe = Pipeline([("same", FunctionTransformer()), ("tag", tagger)]).fit(X, y)
    assert pipe.score(X, y) > 0.8
    parallel = cross_val_score(tagger, X, y, cv=2, n_jobs=2)
    assert parallel == pytest.approx(cross_val_score(tagger, X, y, cv=2))


def test_works_on_sparse_matrices_in_a_search(sentences):
    X, y = sentences
    listed = [sp.csr_matrix(matrix_of([row])) for row in X]
    width = max(part.shape[1] for part in listed)
    listed = [sp.csr_matrix((part.data, part.indices, part.indptr), (part.shape[0], width))
              for part in listed]
    assert np.isfinite(cross_val_score(SequenceTagger(relative_gap=0.2), listed, y, cv=2)).all()
