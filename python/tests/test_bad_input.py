"""Whatever is given: an exception of the right kind with a text that helps, and no crash."""

import os
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gapwise
from gapwise import InputError, MulticlassSVM, MultilabelSVM, SequenceTagger

NAN = float("nan")

TAGGER = [
    ([], [], "no sequences"),
    ([[]], [[]], "sequence 1, token 1: the sequence is empty"),
    ([[{"a": 1}]], None, "y is missing"),
    (None, [["A"]], "X is missing"),
    ([[{"a": 1}]], [["A"], ["B"]], "1 sequences but 2 sequences of labels"),
    ([[{"a": 1}, {"b": 1}]], [["A"]], "sequence 1 has 2 tokens but 1 labels"),
    ([[{"a": NAN}]], [["A"]], "sequence 1, token 1: value nan of attribute 'a'"),
    ([[{"a": None}]], [["A"]], "the value of 'a' is of type NoneType"),
    ([[{"a": object()}]], [["A"]], "the value of 'a' is of type object"),
    ([[{1: 2}]], [["A"]], "the name of an attribute is of type int"),
    ([[{"a": [1]}]], [["A"]], "an attribute is of type int"),
    ([["word"]], [["A"]], "sequence 1, token 1: it is of type str"),
    (["word"], [["A"]], "the sequence is of type str; a list of tokens"),
    ([[3]], [["A"]], "it is of type int"),
    ([[{"a": 1}]], [[None]], "a label is None"),
    ([[{"a": 1}]], [[NAN]], "a label is nan"),
    ([[{"a": 1}]], [[("x",)]], "a label is of type tuple"),
    ([[{"a": 1}, {}]], [[1, "1"]], "two labels have the same text"),
    ([[{"": 1}]], [["A"]], "an attribute has no name"),
    ([[{"a": 1}]], [[""]], "the token has no label"),
    ({"a": 1}, [["A"]], "X is of type dict"),
    (3, [["A"]], "X is of type int"),
    ([np.ones((2, 3)), np.ones((2, 4))], [["A", "B"]] * 2, "sequence 2 has 4 features"),
    ([np.ones((2, 3)), [["a"]]], [["A", "B"]] * 2, "sequence 2 is no matrix"),
    ([np.ones((2, 3))], [["A"]], "sequence 1 has 2 tokens but 1 labels"),
    ([np.full((2, 3), NAN)], [["A", "B"]], "value nan of attribute '1'"),
    ([np.array([["a", "b"]])], [["A"]], "numbers are expected"),
    (np.ones((2, 3)), ["A", "B"], "need either lengths or groups"),
]


@pytest.mark.parametrize("X, y, text", TAGGER)
def test_of_a_tagger(X, y, text):
    with pytest.raises(InputError) as caught:
        SequenceTagger().fit(X, y)
    assert text in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("lengths, text", [
    ([3], "lengths add up to 3, but there are 2 rows"), ([2, 0], "at least 1"),
    ([1.0, 1.0], "whole numbers"), ([3, -1], "at least 1"),
])
def test_of_lengths(lengths, text):
    with pytest.raises(InputError, match=text):
        SequenceTagger().fit(np.ones((2, 3)), ["A", "B"], lengths=lengths)


def test_unseen_labels_and_attributes_are_wrong_but_no_error(sentences):
    tagger = SequenceTagger().fit(*sentences)
    assert tagger.metrics([[{"never": 1}]], [["never"]])["token_accuracy"] == 0.0
    assert len(tagger.predict([[{"never": 1}], [{}]])) == 2
    assert len(tagger.predict([])) == 0


@pytest.mark.parametrize("kind", [MulticlassSVM, MultilabelSVM])
@pytest.mark.parametrize("X, y, text", [
    (np.empty((0, 3)), [], "sample"), ([[1.0, NAN]], [0], "NaN"), ([[1.0, None]], [0], "NaN|None"),
    ([["a", "b"]], [0], "convert"), ([1.0, 2.0], [0, 1], "2D"),
    ([[1.0], [2.0]], [0], "inconsistent|collection"), ([[1.0], [2.0, 3.0]], [0, 1], ""),
    ([[1.0], [2.0]], None, "requires y"), ([[1e300], [1.0]], [[0], [1]], ""),
    ([[1.0], [2.0]], [[None], [1]], "None|label type"),
])
def test_of_classifiers(kind, X, y, text):
    with pytest.raises(ValueError, match=text):
        kind().fit(X, y)


def test_of_one_class():
    X = np.random.default_rng(0).normal(size=(10, 2))
    with pytest.raises(ValueError, match="class"):
        MulticlassSVM().fit(X, np.zeros(10))


def test_of_sets_of_labels():
    X = np.eye(3)
    for y, text in (([[0, 2, 1]] * 3, ""), ([["a"], "b", ["c"]], "example 2 is no collection"),
                    (np.array([[0, 2]] * 3), "zeros and ones"), ([[None]] * 3, "a label is None"),
                    ([["a", 1, "1"]] * 3, "same text")):
        if text:
            with pytest.raises(InputError, match=text):
                MultilabelSVM().fit(X, y)
        else:
            MultilabelSVM().fit(X, y)


def test_of_files(tmp_path):
    (tmp_path / "bad").write_text("1 1:0.5\n2 1:zero\n")
    with pytest.raises(InputError, match="bad:2"):
        MulticlassSVM().fit(tmp_path / "bad")
    with pytest.raises(InputError, match="leave y out"):
        MulticlassSVM().fit(tmp_path / "bad", [1, 2])
    for wrong in (b"", b"nonsense", b"\x89gapwise" + bytes(50)):
        with pytest.raises(InputError):
            gapwise.load(wrong)
    with pytest.raises(InputError):
        gapwise.load(tmp_path / "missing")


FILES = {
    gapwise.Parser: [
        ("", "no sentence|empty|sample"), ("1\tdog\n\n", "columns|fields"),
        ("1\ta\ta\tX\t_\t_\t9\troot\t_\t_\n\n", "head"),
        ("1\ta\ta\tX\t_\t_\tx\troot\t_\t_\n\n", "head|number"),
        ("1\ta\ta\tX\t_\t_\t1\troot\t_\t_\n\n", "head|root|cycle"),
    ],
    gapwise.Aligner: [
        ("", "no |empty"), ("one two\n", "\\|\\|\\|"), ("a ||| b ||| 1-9\n", "9|link"),
        ("a ||| b ||| x\n", "link|x"), ("a ||| b\n", "link|label|\\|"),
    ],
    gapwise.Segmenter: [
        ("", "no |empty"), ("graph\nnode 0 a:nan\n", "nan|number"), ("node 0 a:1\n", "graph"),
        ("graph\nnode 0 a:one\n", "one|number"), ("graph\nnode 7 a:1\n", "7|label"),
        ("graph\nnode 0 a:1\nedge 0 5 a:1\n", "5|node"),
    ],
    gapwise.PoseFinder: [
        ("", "no |empty|grid"), ("figure\n", "grid|joint"), ("grid 0x3\n", "grid|0"),
        ("grid 4x4\njoint neck\nfigure\nat neck nan 1\n", "no torso"),
        ("grid 4x4\njoint a\njoint b a\ntorso a b\nfigure\nat a nan 1\n", "nan|number"),
        ("grid 4x4\njoint neck\nfigure\ncell 9 9 neck:1\n", "9|grid|cell"),
    ],
    gapwise.FactorGraphSVM: [
        ("", "no |empty|states"), ("graph\n", "states|variable|no "),
        ("states a x y\ngraph\nvariable a z bias\n", "z"),
        ("states a x y\ngraph\nvariable b x bias\n", "b"),
        ("states a x y\ngraph\nvariable a x f:nan\n", "nan|number"),
    ],
}


@pytest.mark.parametrize("kind, text, told", [
    (kind, text, told) for kind, rows in FILES.items() for text, told in rows])
def test_of_tasks_with_files(kind, text, told, tmp_path):
    format = {"parsing": "conllu", "alignment": "alignment", "segmentation": "graph",
              "pose": "score-maps", "factor-graph": "factors"}[kind._task]
    path = tmp_path / "data"
    path.write_text(text)
    for source in (gapwise.Text(text, format), gapwise.File(path, format)):
        with pytest.raises(InputError, match=told):
            kind().fit(source)


@pytest.mark.parametrize("kind", [SequenceTagger, MulticlassSVM, MultilabelSVM, *FILES])
def test_of_files_that_are_none(kind, tmp_path):
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 4)
    for wrong in (tmp_path / "binary", tmp_path, tmp_path / "missing", "", "\0"):
        with pytest.raises((gapwise.Error, ValueError)):
            kind().fit(wrong)
    with pytest.raises(gapwise.OptionError, match="format"):
        kind().fit(gapwise.File(tmp_path / "binary", "nonsense"))
    for early in ("predict", "score", "metrics", "evaluate"):
        with pytest.raises(Exception, match="not fitted"):
            getattr(kind(), early)(tmp_path / "binary")


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(), st.text(max_size=3),
              st.binary(max_size=2)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.tuples(inner),
                            st.dictionaries(st.text(max_size=2), inner, max_size=2)),
    max_leaves=8)
FAST = dict(solver="bcfw", max_passes=1, relative_gap=0.9, n_jobs=1)
CASES = int(os.environ.get("GAPWISE_CASES", 100))  # of each test; 1300 make 10,000
MANY = settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def quiet(call):
    """Nothing but a result, or an exception that is meant."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call()
        except (gapwise.Error, ValueError, TypeError):
            return None


@MANY
@given(st.lists(st.lists(VALUES, max_size=3), max_size=3),
       st.lists(st.lists(VALUES, max_size=3), max_size=3))
def test_anything_to_a_tagger(X, y):
    quiet(lambda: SequenceTagger(**FAST).fit(X, y).predict(X))


@MANY
@given(VALUES, VALUES)
def test_anything_at_all(X, y):
    for kind in (SequenceTagger, MulticlassSVM, MultilabelSVM):
        if not isinstance(X, str):
            quiet(lambda: kind(**FAST).fit(X, y).predict(X))


TOKENS = st.dictionaries(st.text(min_size=1, max_size=2),
                         st.one_of(st.floats(-9, 9), st.booleans(), st.text(max_size=2),
                                   st.lists(st.text(min_size=1, max_size=2), max_size=2)),
                         max_size=3)
ROWS = st.lists(st.tuples(TOKENS, st.sampled_from(["A", "B", "\u00e9", " x"])), min_size=1,
                max_size=4)


@MANY
@given(st.lists(ROWS, min_size=1, max_size=4))
def test_whatever_is_good_is_learned(examples):
    X = [[token for token, _ in row] for row in examples]
    y = [[label for _, label in row] for row in examples]
    tagger = quiet(lambda: SequenceTagger(**FAST).fit(X, y))
    if tagger is not None:
        assert [len(row) for row in tagger.predict(X)] == [len(row) for row in y]


@MANY
@given(VALUES)
def test_any_answer_of_an_oracle(answer):
    problem = gapwise.Problem.from_functions(3, 4, lambda i, w: answer)
    quiet(lambda: gapwise.StructuredSVM(problem, solver="bcfw", max_passes=1).fit())


@MANY
@given(st.tuples(VALUES, VALUES, VALUES))
def test_any_triple_of_an_oracle(answer):
    problem = gapwise.Problem.from_functions(3, 4, lambda i, w: answer)
    quiet(lambda: gapwise.StructuredSVM(problem, solver="bcfw", max_passes=1).fit())


@MANY
@given(st.integers(0, 5), st.lists(st.integers(-1, 6), max_size=8), st.data())
def test_any_sparse_matrix(rows, columns, data):
    values = data.draw(st.lists(st.floats(), min_size=len(columns), max_size=len(columns)))
    at = data.draw(st.lists(st.integers(0, max(rows - 1, 0)), min_size=len(columns),
                            max_size=len(columns)))
    try:
        X = sp.coo_matrix((values, (at, columns)), shape=(max(rows, 1), 7))
    except ValueError:
        return
    y = data.draw(st.lists(st.integers(0, 2), min_size=X.shape[0], max_size=X.shape[0]))
    quiet(lambda: MulticlassSVM(**FAST).fit(X, y).predict(X))


@MANY
@given(VALUES)
def test_any_batch_of_an_oracle(answer):
    problem = gapwise.Problem.from_functions(3, 4, lambda i, w: ([], [], 0.0),
                                             batch=lambda indices, w: answer)
    quiet(lambda: gapwise.StructuredSVM(problem, solver="fw", max_passes=1).fit())


@MANY
@given(st.sampled_from(list(FILES)), st.one_of(VALUES, st.text(), st.lists(st.sampled_from(
    ["graph", "node 0", " a:1", "\n", "edge 0 1", "states a x", "variable a x", "grid 4x4", "joint n",
     "figure", "at n 1 1", "1\t", "_\t", "0\t", "|||", " 1-1", "a "])).map("".join)))
def test_anything_to_tasks_with_files(kind, text):
    given = gapwise.Text(text) if isinstance(text, (str, bytes)) else text
    quiet(lambda: kind(max_passes=1, n_jobs=1).fit(given))
