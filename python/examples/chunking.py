"""Chunking from a CoNLL file: train, test, look at the weights, save.

    chunking.py TRAIN TEST [MODEL]
"""

import sys

import gapwise

train, test = sys.argv[1:3]
tagger = gapwise.SequenceTagger(lam=0.002, relative_gap=0.05, verbose=1).fit(train, X_val=test)
print(f"{tagger.status_}: within {tagger.gap_:.3g} of the optimum")
print(", ".join(f"{name} {value:.4f}" for name, value in tagger.validation_.items()))
for title, rows in list(tagger.top_weights(3).items())[:2]:
    print(title, rows)
if len(sys.argv) > 3:
    tagger.save(sys.argv[3])  # for the program, too: gapwise predict --model MODEL --data NEW
