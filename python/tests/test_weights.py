"""Examples that count more than others."""

import inspect
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.model_selection import GridSearchCV, KFold

import gapwise
from conftest import make_points, make_sentences
from gapwise import (Aligner, MulticlassSVM, MultilabelSVM, Parser, Segmenter, SequenceTagger,
                     StructuredSVM)
from test_bytes import crfsuite_text, trained_by_program
from test_problem import Matching, matchings

EVERY = [Parser, Aligner, Segmenter, gapwise.PoseFinder, gapwise.FactorGraphSVM, SequenceTagger,
         MulticlassSVM, MultilabelSVM]


def some_weights(count, seed=3):
    return np.random.default_rng(seed).integers(1, 4, size=count)


def texts(path, first):
    parts = path.read_text().split(first)
    return [first + part for part in parts[1:]]


@pytest.fixture(params=["tagger", "tagger, sparse", "multiclass", "multilabel", "own", "parser",
                        "aligner", "segmenter"])
def case(request, samples):
    """(kind, X, y) with lists or arrays of examples."""
    X, labels = make_points(24)
    if request.param == "tagger":
        return SequenceTagger, *make_sentences(24)
    if request.param == "tagger, sparse":
        return (SequenceTagger, [sp.csr_matrix(X[k:k + 2]) for k in range(23)],
                [labels[k:k + 2].tolist() for k in range(23)])
    if request.param == "multiclass":
        return MulticlassSVM, X, labels
    if request.param == "multilabel":
        return MultilabelSVM, X, (X[:, :3] > 0.4).astype(int)
    if request.param == "own":
        return lambda **options: StructuredSVM(Matching(), **options), *matchings(24)
    if request.param == "aligner":
        return Aligner, samples("alignment").read_text().splitlines(), None
    if request.param == "parser":
        return Parser, texts(samples("parsing"), "# sent_id"), None
    return Segmenter, texts(samples("segmentation"), "graph "), None


def repeated(items, counts):
    if items is None:
        return None
    if isinstance(items, np.ndarray):
        return np.repeat(items, counts, axis=0)
    return [item for item, count in zip(items, counts) for _ in range(count)]


def test_a_weight_is_so_many_copies(case):
    """With lam = 1/n the objectives differ by a factor only: n lambda is 1 in both."""
    kind, X, y = case
    counts = some_weights(len(X))
    counts[2] = 0
    options = dict(lam="1/n", relative_gap=1e-3, max_passes=5000)
    weighted = kind(**options).fit(X, y, counts)
    copies = kind(**options).fit(repeated(X, counts), repeated(y, counts))
    factor = counts.sum() / np.count_nonzero(counts)
    assert weighted.certified_ and copies.certified_
    assert weighted.status_ == copies.status_ == "converged"
    assert weighted.dual_ <= factor * copies.primal_  # bounds of the same number
    assert factor * copies.dual_ <= weighted.primal_


def test_leaves_examples_out_that_weigh_nothing(case):
    kind, X, y = case
    weights = np.ones(len(X))
    weights[[1, 4]] = 0.0
    kept = np.delete(np.arange(len(X)), [1, 4])
    fewer = [X[k] for k in kept] if isinstance(X, list) else X[kept]
    labels = None if y is None else [y[k] for k in kept] if isinstance(y, list) else y[kept]
    options = dict(relative_gap=1e-3, max_passes=5000)
    mine = kind(**options).fit(X, y, sample_weight=weights)
    assert mine.primal_ == pytest.approx(kind(**options).fit(fewer, labels).primal_, rel=1e-2)
    assert mine._fitted().settings["example_weights"] == str(len(X) - 2)


@pytest.mark.parametrize("kind", EVERY)
def test_bytes_are_those_of_the_program(program, samples, tmp_path, kind):
    data = samples(kind._task)
    weights = some_weights(20) / 2
    (tmp_path / "weights").write_text("".join(f"{weight!r}\n" for weight in weights.tolist()))
    expected = trained_by_program(program, tmp_path, kind._task, data, "--max-passes", "5",
                                  "--solver", "bcfw", "--example-weights", tmp_path / "weights")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gapwise.ConvergenceWarning)
        estimator = kind(max_passes=5, solver="bcfw").fit(data, sample_weight=weights)
    assert estimator.to_bytes() == expected
    with pytest.raises(gapwise.InputError, match="sample_weight has 19 numbers, but there are 20"):
        kind().fit(data, sample_weight=weights[:19])
    with pytest.raises(gapwise.InputError, match="example 20 is 0; leave it out of the file"):
        kind().fit(data, sample_weight=np.append(weights[:19], 0.0))


def test_bytes_in_memory_are_those_of_the_program(program, tmp_path):
    X, y = make_sentences(30)
    weights = some_weights(30)
    (tmp_path / "data").write_text(crfsuite_text(X, y))
    (tmp_path / "weights").write_text("".join(f"{weight}\n" for weight in weights))
    expected = trained_by_program(program, tmp_path, "sequence", tmp_path / "data",
                                  "--example-weights", tmp_path / "weights")
    assert SequenceTagger().fit(X, y, weights).to_bytes() == expected


def test_weights_of_sequences_that_are_rows():
    X, labels = make_points(40)
    lengths = np.array([3, 2, 5] * 4)
    weights = np.array([1.0, 2.0, 0.0] * 4)
    groups = np.repeat(np.arange(12), lengths)
    flat = SequenceTagger().fit(X, labels.tolist(), weights, lengths=lengths)
    by_group = SequenceTagger().fit(sp.csr_matrix(X), labels.tolist(), weights, groups=groups)
    starts = np.cumsum(lengths) - lengths
    pieces = [(X[a:a + size], labels[a:a + size].tolist())
              for a, size, weight in zip(starts, lengths, weights) if weight]
    nested = SequenceTagger().fit(*map(list, zip(*pieces)), weights[weights > 0])
    assert flat.to_bytes() == by_group.to_bytes() == nested.to_bytes()
    with pytest.raises(gapwise.InputError, match="sample_weight has 11 numbers, but there are 12"):
        SequenceTagger().fit(X, labels.tolist(), weights[:11], lengths=lengths)


@pytest.mark.parametrize("weights, message", [
    ([1.0, 2.0], "sample_weight has 2 numbers, but there are 24 examples"),
    ([-1.0] + [1.0] * 23, "sample_weight of example 1 is -1.0"),
    ([1.0] * 5 + [float("nan")] * 19, "sample_weight of example 6 is nan"),
    ([1.0] * 23 + [float("inf")], "sample_weight of example 24 is inf"),
    ([0.0] * 24, "zero for all examples"),
    (["heavy"] * 24, "no number"),
    ([[1.0]] * 24, r"has the shape \(24, 1\)"),
    (2.0, r"has the shape \(\)"),
    ([1e60] * 24, "weight of example 1 is 1e.60"),
    ([0.0, 1.0], "sample_weight has 2 numbers, but there are 24 examples"),
])
def test_refuses_what_is_no_weight(weights, message):
    X, labels = make_points(24)
    cases = [(MulticlassSVM(), X, labels), (MultilabelSVM(), X, (X[:, :3] > 0.4).astype(int)),
             (SequenceTagger(), *make_sentences(24)), (StructuredSVM(Matching()), *matchings(24))]
    for estimator, examples, y in cases:
        with pytest.raises(ValueError, match=message):
            estimator.fit(examples, y, sample_weight=weights)
        assert not estimator.__sklearn_is_fitted__()


def test_one_class_is_left():
    X, labels = make_points(24)
    with pytest.raises(gapwise.InputError, match="all examples are of one class"):
        MulticlassSVM().fit(X, labels, sample_weight=(labels == 1).astype(float))


def test_with_grid_search(case):
    kind, X, y = case
    weights = some_weights(len(X)).astype(float)
    search = GridSearchCV(kind(max_passes=3), {"lam": [0.1, 1.0]}, cv=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gapwise.ConvergenceWarning)
        search.fit(X, y, sample_weight=weights)
        again = kind(max_passes=3, **search.best_params_).fit(X, y, weights)
    assert search.best_estimator_.to_bytes() == again.to_bytes()


@pytest.mark.parametrize("cv", [3, KFold(3), None])
def test_with_lambda_search(cv):
    X, labels = make_points(60)
    weights = some_weights(60).astype(float)
    weights[:6] = 0.0
    search = gapwise.LambdaSearchCV(MulticlassSVM(), lams=[1.0, 0.1, 0.01], cv=cv)
    search.fit(X, labels, weights)
    assert search.best_estimator_.settings_["example_weights"] == f"{weights.sum():g}"
    without = gapwise.LambdaSearchCV(MulticlassSVM(), lams=[1.0, 0.1, 0.01], cv=cv)
    without.fit(X[6:], labels[6:], weights[6:])
    if cv is None or isinstance(cv, int):
        assert search.best_params_ == without.best_params_
        assert (search.cv_results_["mean_test_score"]
                == without.cv_results_["mean_test_score"]).all()
    with pytest.raises(gapwise.InputError, match="has 59 numbers, but there are 60"):
        search.fit(X, labels, weights[1:])


def test_lambda_search_leaves_groups_out_with_their_examples():
    X, labels = make_points(60)
    weights = np.array([0.0] * 6 + [2.0] * 54)
    groups = np.arange(60) // 3
    search = gapwise.LambdaSearchCV(MulticlassSVM(), lams=[1.0, 0.1], cv=3)
    search.fit(X, labels, weights, groups=groups)
    again = gapwise.LambdaSearchCV(MulticlassSVM(), lams=[1.0, 0.1], cv=3)
    again.fit(X[6:], labels[6:], weights[6:], groups=groups[6:])
    assert (search.cv_results_["mean_test_score"] == again.cv_results_["mean_test_score"]).all()


def test_with_lambda_chosen_by_itself_and_paths():
    X, labels = make_points(60)
    weights = some_weights(60)
    svm = MulticlassSVM(lam="auto").fit(X, labels, weights)
    assert svm.search_ is not None and svm.settings_["example_weights"] == str(weights.sum())
    path = gapwise.lambda_path(MulticlassSVM(), X, labels, weights, grid=[1.0, 0.1])
    alone = MulticlassSVM(lam=0.1).fit(X, labels, weights)
    assert path.points[-1].primal == pytest.approx(alone.primal_, rel=0.05)


def test_goes_on_only_with_the_same_weights():
    X, labels = make_points(40)
    weights = some_weights(40)
    svm = MulticlassSVM(warm_start=True).fit(X, labels, weights)
    calls = svm.n_oracle_calls_
    assert svm.fit(X, labels, weights).n_oracle_calls_ < calls
    plain = MulticlassSVM().fit(X, labels).to_bytes()
    assert svm.fit(X, labels).to_bytes() == plain


def test_own_problem_weighs_its_examples():
    class Signs(gapwise.Problem):
        n_examples, n_features = 3, 1

        def loss_augmented(self, i, w):
            psi = np.array([1.0, 1.0, -1.0])[i:i + 1]
            return (psi, 1.0) if w @ psi < 1 else (0 * psi, 0.0)

    problem = Signs()
    options = dict(lam=0.5, relative_gap=1e-6, warm_start=True)
    equal = StructuredSVM(problem, **options).fit()
    heavy = StructuredSVM(problem, **options).fit(sample_weight=[1, 1, 9])
    assert equal.coef_[0] > 0 > heavy.coef_[0]
    assert equal.fit(sample_weight=[1, 1, 9]).coef_ == pytest.approx(heavy.coef_)
    with pytest.raises(gapwise.InputError, match="example 2 is 0; leave it out"):
        equal.fit(sample_weight=[1, 0, 9])
    with pytest.raises(gapwise.InputError, match="there are 3 examples"):
        equal.fit(sample_weight=[1, 1])


def test_weights_of_labels_are_a_parameter(program, samples, tmp_path):
    data = samples("sequence")
    expected = trained_by_program(program, tmp_path, "sequence", data, "--label-weights",
                                  "balanced")
    assert SequenceTagger(label_weights="balanced").fit(data).to_bytes() == expected
    for kind in (MulticlassSVM, MultilabelSVM, SequenceTagger, Segmenter):
        assert "label_weights" in inspect.signature(kind).parameters
