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
