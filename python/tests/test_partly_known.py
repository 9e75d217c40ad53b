"""Labels that are not known."""

import pytest

import gapwise
from conftest import make_sentences
from gapwise import SequenceTagger
from test_bytes import crfsuite_text, trained_by_program


def hidden(y, every=3):
    count = 0
    rows = []
    for row in y:
        rows.append(list(row))
        for t in range(len(row)):
            count += 1
            if count % every == 0:
                rows[-1][t] = "?"
    return rows


def test_are_completed_as_the_program_does(program, tmp_path):
    X, y = make_sentences(40)
    (tmp_path / "data").write_text(crfsuite_text(X, hidden(y)))
    expected = trained_by_program(program, tmp_path, "sequence", tmp_path / "data",
                                  "--label-rounds", "3")
    tagger = SequenceTagger().fit(X, hidden(y), label_rounds=3)
    assert tagger.to_bytes() == expected
    assert SequenceTagger().fit(tmp_path / "data", label_rounds=3).to_bytes() == expected
    assert "?" not in tagger.classes_
    assert tagger.score(X, y) > 0.8
    assert tagger.label_rounds_["unknown"] == sum(row.count("?") for row in hidden(y))
    assert all(step["certified"] for step in tagger.label_rounds_["rounds"])
    assert SequenceTagger().fit(X, y).label_rounds_ is None


def test_may_be_written_otherwise_or_not_be_at_all():
    X, y = make_sentences(20)
    named = [["_" if label == "?" else label for label in row] for row in hidden(y)]
    assert "_" not in SequenceTagger(unknown_label="_").fit(X, named).classes_
    assert "?" in SequenceTagger(unknown_label="none").fit(X, hidden(y)).classes_


def test_are_refused_where_they_have_no_meaning():
    X, y = make_sentences(20)
    with pytest.raises(gapwise.InputError, match="labels are not known"):
        SequenceTagger().fit(X, hidden(y), sample_weight=[1.0] * 20)
    with pytest.raises(gapwise.InputError, match="labels are not known"):
        SequenceTagger(lam="auto").fit(X, hidden(y))
    with pytest.raises(gapwise.InputError, match="labels are not known"):
        gapwise.lambda_path(SequenceTagger(), X, hidden(y))
    with pytest.raises(gapwise.OptionError, match="label-rounds = 1 must be >= 2"):
        SequenceTagger().fit(X, hidden(y), label_rounds=1)
    with pytest.raises(gapwise.InputError, match="no label is known"):
        SequenceTagger().fit(X, hidden(y, every=1))
