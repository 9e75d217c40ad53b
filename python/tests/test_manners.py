"""Callbacks, Ctrl-C, warnings, threads, forks, memory, what is shown."""

import multiprocessing
import os
import resource
import signal
import threading
import time
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning, NotFittedError

import gapwise
from conftest import make_sentences
from gapwise import MulticlassSVM, Problem, SequenceTagger, StructuredSVM


def endless(delay=0.0):
    """A problem, and a solver that never knows that it is there."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 20))
    y = rng.integers(2, size=50) * 2 - 1

    def oracle(i, w):
        if delay:
            time.sleep(delay)
        return (2 * y[i] * X[i], 1.0) if y[i] * (w @ X[i]) * 2 < 1 else (np.zeros(20), 0.0)

    return StructuredSVM(Problem.from_functions(50, 20, oracle), solver="ssg", max_passes=10**9)


def test_callbacks_see_progress_and_stop(sentences):
    seen = []

    def callback(progress, validation):
        seen.append((progress.passes, progress.gap, validation))
        return progress.passes >= 2

    tagger = SequenceTagger(relative_gap=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it was asked for
        tagger.fit(*sentences, callbacks=[callback])
    assert tagger.status_ == "interrupted" and seen and all(v is None for *_, v in seen)
    assert tagger.predict(sentences[0]).shape == (60,)
    X, y = sentences
    SequenceTagger().fit(X, y, X_val=X, y_val=y, callbacks=[callback, lambda p, v: False])
    assert any(validation and "token_accuracy" in validation for *_, validation in seen)


def test_an_exception_in_a_callback_arrives(sentences):
    def callback(progress, validation):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        SequenceTagger().fit(*sentences, callbacks=[callback])


def test_prints_a_line_per_measurement(sentences, capsys):
    tagger = SequenceTagger(verbose=1).fit(*sentences)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(tagger.history_["gap"]) and "gap" in lines[-1]
    SequenceTagger(verbose=2).fit(*sentences)
    SequenceTagger().fit(*sentences)
    assert capsys.readouterr().out == ""


def test_warns_when_a_budget_ends_the_run(sentences):
    with pytest.warns(gapwise.ConvergenceWarning, match="max_passes"):
        tagger = SequenceTagger(max_passes=1, relative_gap=1e-9).fit(*sentences)
    assert tagger.status_ == "max_passes"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SequenceTagger().fit(*sentences)


def interrupt_soon(seconds=0.3):
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


@pytest.mark.parametrize("delay", [0.0, 0.002])
def test_ctrl_c_keeps_the_model(delay):
    svm = endless(delay)
    interrupt_soon()
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        svm.fit()
    assert svm.status_ == "interrupted" and svm.coef_.any()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_raises_if_asked():
    svm = endless().set_params(interrupt="raise")
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        svm.fit()
    assert svm.status_ == "interrupted" and svm.coef_.any()
    with pytest.raises(gapwise.OptionError, match="interrupt"):
        endless().set_params(interrupt="perhaps").fit()


def test_a_handler_of_the_user_runs_meanwhile():
    heard = []

    def on_alarm(number, frame):
        heard.append(number)
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(TimeoutError):
            endless().fit()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert heard == [signal.SIGALRM]


def test_other_threads_run_meanwhile():
    X, y = make_sentences(2000, seed=3)
    ticks = []
    is_over = threading.Event()

    def tick():
        while not is_over.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.perf_counter()
        tagger = SequenceTagger(max_seconds=0.5, solver="ssg", max_passes=10**9).fit(X, y)
        end = time.perf_counter()
    is_over.set()
    thread.join()
    assert tagger.status_ == "max_seconds"
    assert sum(start < at < end for at in ticks) > 20


def test_two_threads_give_the_same_bytes(sentences, points):
    def problem():
        rng = np.random.default_rng(1)
        X = rng.normal(size=(40, 6))
        return StructuredSVM(Problem.from_functions(
            40, 6, lambda i, w: (X[i], 1.0) if w @ X[i] < 1 else (np.zeros(6), 0.0)))

    def train(results, k):
        results[k] = (SequenceTagger().fit(*sentences).to_bytes(),
                      MulticlassSVM().fit(*points).to_bytes(), problem().fit().to_bytes())

    alone, together = {}, {}
    train(alone, 0)
    threads = [threading.Thread(target=train, args=(together, k)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together[0] == together[1] == alone[0]


def bytes_of(data):
    return SequenceTagger().fit(*data).to_bytes()


def test_works_after_a_fork(sentences):
    expected = bytes_of(sentences)  # threads of the library have been at work
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(bytes_of, [sentences] * 4) == [expected] * 4


def test_n_jobs_is_checked(sentences):
    for wrong in (0, -2, "all", 1.5, True):
        with pytest.raises(gapwise.OptionError):
            SequenceTagger(n_jobs=wrong).fit(*sentences)
    assert SequenceTagger(n_jobs=-1).fit(*sentences).to_bytes() == bytes_of(sentences)


def test_shows_itself_in_a_notebook(sentences):
    tagger = SequenceTagger(lam=0.5)
    assert "lam" in tagger._repr_html_() and "<svg" not in tagger._repr_html_()
    page = tagger.set_params(relative_gap=1e-4).fit(*sentences)._repr_html_()
    assert "<svg" in page and "certified gap" in page and "converged" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert tagger._repr_mimebundle_()["text/html"] == page


def test_says_that_it_is_not_fitted(sentences):
    for call in (lambda: SequenceTagger().predict([]), lambda: SequenceTagger().to_bytes(),
                 lambda: StructuredSVM().predict([]), lambda: MulticlassSVM().predict([[1.0]])):
        with pytest.raises(NotFittedError):
            call()


def test_parameters_are_those_of_the_program(sentences):
    names = SequenceTagger().get_params()
    assert {"lam", "relative_gap", "max_passes", "hash_bits", "min_count", "solver"} <= set(names)
    assert names["lam"] == "1/n" and names["seed"] == 1 and names["hash_bits"] is None
    assert "hash_bits : number, default=None" in SequenceTagger.__doc__
    with pytest.raises(TypeError):
        SequenceTagger(lambd=1)
    for wrong in ({"lam": -1.0}, {"lam": "1/m"}, {"solver": "none"}, {"lam": float("nan")},
                  {"hash_bits": 99}, {"lam": [1.0]}, {"max_planes": 5}):
        with pytest.raises(gapwise.OptionError):
            SequenceTagger(**wrong).fit(*sentences)
    assert SequenceTagger(hash_bits=12).fit(*sentences).score(*sentences) > 0.8


def test_memory_stays_flat():
    X, y = make_sentences(10)

    def many(count):
        for _ in range(count):
            SequenceTagger(max_passes=3, relative_gap=0.5).fit(X, y).predict(X)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = many(100)
        assert many(400) < before + 3000  # kB
