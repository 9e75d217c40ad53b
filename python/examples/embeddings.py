"""Embeddings as features: a matrix of tokens x dimensions for each sentence."""

import numpy as np

import gapwise

rng = np.random.default_rng(0)
vectors = rng.normal(size=(30, 16))  # of words: take your own
kinds = np.array(["DET", "NOUN", "VERB"])[np.arange(30) % 3]


def sentences(count):
    words = [rng.integers(30, size=rng.integers(3, 9)) for _ in range(count)]
    return [vectors[row] for row in words], [kinds[row] for row in words]


X, y = sentences(200)
X_test, y_test = sentences(50)
tagger = gapwise.SequenceTagger(lam=0.01).fit(X, y)
print(f"accuracy {tagger.score(X_test, y_test):.3f}, gap {tagger.gap_:.2g}, {tagger.status_}")
print(tagger.predict(X_test[:1])[0])
