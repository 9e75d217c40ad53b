"""The same data and seed give the same model bytes in memory, from a file and by the program."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

import gapwise
from conftest import make_points, make_sentences


def crfsuite_text(X, y):
    """The attributes of dicts as they lie in a file."""
    lines = []
    for tokens, tags in zip(X, y):
        for token, tag in zip(tokens, tags):
            attributes = [f"word\\:{token['word']}", f"length:{token['length']!r}"]
            attributes += [f"ends\\:{end}" for end in token["ends"]]
            lines.append("\t".join([tag, *attributes]))
        lines.append("")
    return "\n".join(lines) + "\n"


def svmlight_text(X, labels):
    rows = []
    for row, label in zip(X, labels):
        entries = " ".join(f"{k + 1}:{value!r}" for k, value in enumerate(row.tolist()) if value)
        rows.append(f"{label} {entries}")
    return "\n".join(rows) + "\n"


def trained_by_program(program, tmp_path, task, data, *options):
    model = tmp_path / "model"
    program("train", "--task", task, "--data", data, "--model", model, "--quiet", *options)
    return model.read_bytes()


def test_of_sequences(program, tmp_path):
    X, y = make_sentences(40)
    path = tmp_path / "train.txt"
    path.write_text(crfsuite_text(X, y))
    expected = trained_by_program(program, tmp_path, "sequence", path, "--seed", "7",
                                  "--lambda", "0.05")
    tagger = gapwise.SequenceTagger(seed=7, lam=0.05)
    assert tagger.fit(X, y).to_bytes() == expected
    assert tagger.fit(str(path)).to_bytes() == expected
    assert tagger.fit(gapwise.Text(path.read_text())).to_bytes() == expected
    assert tagger.set_params(n_jobs=1).fit(X, y).to_bytes() == expected


@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix, sp.coo_matrix, sp.csc_matrix])
def test_of_classes(program, tmp_path, form):
    X, y = make_points(60)
    path = tmp_path / "train.txt"
    path.write_text(svmlight_text(X, y))
    expected = trained_by_program(program, tmp_path, "multiclass", path, "--bias")
    svm = gapwise.MulticlassSVM(bias=True)
    assert svm.fit(form(X), y).to_bytes() == expected
    assert svm.fit(path).to_bytes() == expected


def test_of_sets_of_labels(program, tmp_path):
    X, _ = make_points(60)
    y = (X[:, :3] > 0.4).astype(int)
    labels = [",".join(str(k) for k in np.flatnonzero(row)) for row in y]
    path = tmp_path / "train.txt"
    path.write_text(svmlight_text(X, labels))
    expected = trained_by_program(program, tmp_path, "multilabel", path, "--loss", "hamming")
    assert gapwise.MultilabelSVM(loss="hamming").fit(sp.csr_matrix(X), y).to_bytes() == expected
    assert gapwise.MultilabelSVM(loss="hamming").fit(path).to_bytes() == expected


@pytest.mark.parametrize("kind", [gapwise.Parser, gapwise.Aligner, gapwise.Segmenter,
                                  gapwise.PoseFinder, gapwise.FactorGraphSVM,
                                  gapwise.SequenceTagger, gapwise.MulticlassSVM,
                                  gapwise.MultilabelSVM])
def test_of_files(program, samples, tmp_path, kind):
    data = samples(kind._task)
    expected = trained_by_program(program, tmp_path, kind._task, data, "--max-passes", "5",
                                  "--solver", "bcfw")
    estimator = kind(max_passes=5, solver="bcfw")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gapwise.ConvergenceWarning)
        assert estimator.fit(data).to_bytes() == expected
        assert estimator.fit(gapwise.Text(data.read_bytes())).to_bytes() == expected


def test_predictions_are_those_of_the_program(program, samples, tmp_path):
    data = samples("sequence", 30)
    tagger = gapwise.SequenceTagger().fit(data)
    tagger.save(tmp_path / "model")
    tagger.write_predictions(data, tmp_path / "mine")
    assert (tmp_path / "mine").read_bytes() == program(
        "predict", "--model", tmp_path / "model", "--data", data)
