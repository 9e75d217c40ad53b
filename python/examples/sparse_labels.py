"""Sets of labels from sparse input: words of short texts."""

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import gapwise

rng = np.random.default_rng(0)
words = {"sport": "ball goal team run win".split(), "money": "bank pay win price sell".split(),
         "travel": "ship sea run road map".split()}
labels = [[name for name in words if rng.random() < 0.4] for _ in range(150)]
texts = [" ".join(rng.choice(words[name], 4).tolist()[k] for name in row for k in range(4)) or "x x"
         for row in labels]

model = make_pipeline(CountVectorizer(), gapwise.MultilabelSVM(lam=0.01, bias=True))
model.fit(texts, labels)
print(model.predict(["the team will win the ball", "a ship on the sea"]))
print("share of right decisions", cross_val_score(model, texts, labels, cv=3).round(3))
