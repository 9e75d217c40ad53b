"""What a model gets wrong, with intervals, and how two models differ."""

import json

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support

import gapwise
from conftest import make_points, make_sentences
from gapwise import MulticlassSVM, MultilabelSVM, SequenceTagger


def test_agrees_with_scikit_learn():
    X, y = make_points(200, seed=5)
    svm = MulticlassSVM().fit(X[:100], y[:100])
    found = svm.evaluate(X[100:], y[100:])
    predicted = svm.predict(X[100:])
    precision, recall, f1, support = precision_recall_fscore_support(y[100:], predicted)
    assert found.labels.tolist() == ["0", "1", "2", "3"]
    assert found.precision == pytest.approx(precision) and found.recall == pytest.approx(recall)
    assert found.f1 == pytest.approx(f1) and found.support.tolist() == support.tolist()
    assert (found.confusion_matrix() == confusion_matrix(y[100:], predicted)).all()
    assert found.metrics == svm.metrics(X[100:], y[100:]) and not found.intervals
    assert all(right != said for right, said, _ in found.confusions)


def test_intervals_hold_their_figures(sentences):
    X, y = make_sentences(80, seed=9)
    tagger = SequenceTagger(relative_gap=0.99).fit(*sentences)
    found = tagger.evaluate(X, y, confidence=95, worst=3)
    low, high = found.intervals["token_accuracy"]
    assert low < found.metrics["token_accuracy"] < high
    wider = tagger.evaluate(X, y, confidence=99).intervals["token_accuracy"]
    assert wider[0] <= low and wider[1] >= high
    assert [row.errors for row in found.worst] == sorted(
        (row.errors for row in found.worst), reverse=True)
    predicted = tagger.predict(X)
    wrong = [sum(a != b for a, b in zip(p, t)) for p, t in zip(predicted, y)]
    assert found.worst[0].errors == max(wrong) == wrong[found.worst[0].example]
    assert "label" in repr(found) and "<table>" in found._repr_html_()


def test_is_that_of_the_program(program, samples, tmp_path):
    for kind in (SequenceTagger, gapwise.Parser, gapwise.Segmenter, gapwise.FactorGraphSVM,
                 gapwise.Aligner, gapwise.PoseFinder, MultilabelSVM):
        data = samples(kind._task)
        estimator = kind(max_passes=2, relative_gap=0.99).fit(data)
        estimator.save(tmp_path / "model")
        told = json.loads(program("evaluate", "--model", tmp_path / "model", "--data", data,
                                  "--json", "--by-label", "--confidence", "90"))
        found = estimator.evaluate(data, confidence=90)
        for name, value in found.metrics.items():
            assert told[name] == pytest.approx(value)


def test_compares_models(sentences):
    X, y = make_sentences(80, seed=9)
    good = SequenceTagger().fit(*sentences)
    poor = SequenceTagger(lam=100.0).fit(*sentences)
    found = good.compare(poor, X, y)
    assert found.metric == "token_accuracy" and found.by == pytest.approx(found.first - found.second)
    assert found.interval[0] > 0 and found.p_value < 0.01
    assert good.compare(good, X, y).by == 0.0
    with pytest.raises(gapwise.OptionError):
        good.compare(MulticlassSVM().fit(*make_points(20)), X, y)


@pytest.mark.parametrize("wrong", [{"confidence": 0.95}, {"confidence": 100}, {"worst": -1},
                                   {"resamples": 0}, {"seed": 1.5}])
def test_says_what_is_wrong(sentences, wrong):
    with pytest.raises(gapwise.OptionError):
        SequenceTagger().fit(*sentences).evaluate(*sentences, **wrong)


def chunks():
    """Words whose chunks begin anywhere."""
    rng = np.random.default_rng(0)
    X, y = [], []
    for _ in range(40):
        tags = ["O"]
        for _ in range(6):
            inside = tags[-1] != "O" and rng.random() < 0.5
            tags.append(f"I-{tags[-1][2:]}" if inside else rng.choice(["O", "B-A", "B-C"]))
        X.append([{"tag": tag if rng.random() < 0.5 else rng.choice(["O", "I-A", "I-C"])}
                  for tag in tags])
        y.append([str(tag) for tag in tags])
    return X, y


def breaks(y):
    """How often the inside of a chunk follows something else."""
    return sum(b[:2] == "I-" and a[2:] != b[2:] for row in y for a, b in zip(["O", *row], row))


@pytest.mark.parametrize("form", ["name", "file"])
def test_labels_keep_rules_of_succession(tmp_path, form):
    X, y = chunks()
    free = SequenceTagger(lam=1.0).fit(X, y)
    rules = tmp_path / "rules"
    pairs = ["O I-A", "O I-C", "B-A I-C", "I-A I-C", "B-C I-A", "I-C I-A", "<start> I-A",
             "<start> I-C"]
    rules.write_text("".join(f"forbid {pair}\n" for pair in pairs))
    kept = SequenceTagger(lam=1.0, constraints="bio" if form == "name" else rules).fit(X, y)
    assert breaks(y) == 0 and breaks(kept.predict(X)) == 0 and kept.certified_
    assert breaks(free.predict(X)) > 0
    assert breaks(gapwise.load(kept.to_bytes()).predict(X)) == 0
    broken = [["I-A"] * len(row) for row in y]
    with pytest.raises(gapwise.InputError, match="I-A"):
        SequenceTagger(constraints="bio").fit(X, broken)
    with pytest.raises(gapwise.Error):
        SequenceTagger(constraints=tmp_path / "missing").fit(X, y)
