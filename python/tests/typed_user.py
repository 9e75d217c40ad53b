"""What a user of the package writes, for the type checker."""

from typing import List, Optional

import numpy as np
from numpy.typing import NDArray

import gapwise


def train(X: List[List[List[str]]], y: List[List[str]]) -> Optional[float]:
    tagger = gapwise.SequenceTagger(lam=0.1, relative_gap=0.01, hash_bits=None).fit(X, y)
    weights: NDArray[np.float64] = tagger.coef_
    print(weights.shape, tagger.predict(X)[0], tagger.score(X, y))
    tagger.save("model")
    return tagger.gap_


def stop(progress: gapwise.Progress, validation: Optional[object]) -> bool:
    return progress.gap is not None and progress.gap < 0.1


class Mine(gapwise.Problem):
    n_examples = 3
    n_features = 2

    def loss_augmented(self, i: int, w: NDArray[np.float64]) -> "tuple[NDArray[np.float64], float]":
        return np.ones(2), float(w.sum() < 1)


gapwise.StructuredSVM(Mine(), lam="1/n").fit(callbacks=[stop])


def choose(X: List[List[List[str]]], y: List[List[str]]) -> float:
    tagger = gapwise.SequenceTagger(lam="auto").fit(X, y)
    found: gapwise.Evaluation = tagger.evaluate(X, y, confidence=95.0, worst=2)
    scores: NDArray[np.float64] = found.f1
    print(found.intervals["token_accuracy"][0], scores.mean(), found.worst[0].errors)
    search = gapwise.LambdaSearchCV(tagger, lams=[0.1, 0.01], cv=2).fit(X, y, groups=[1, 2, 3])
    print(search.best_params_["lam"], search.cv_results_, search.predict(X))
    return tagger.compare(search.best_estimator_, X, y).p_value


def together(indices: NDArray[np.int64], w: NDArray[np.float64]) -> "List[tuple[object, ...]]":
    return [Mine().loss_augmented(int(i), w) for i in indices]


with gapwise.Problem.from_functions(3, 2, Mine().loss_augmented, batch=together).in_processes(
        2) as problem:
    gapwise.StructuredSVM(problem, lam="1/n").fit()
