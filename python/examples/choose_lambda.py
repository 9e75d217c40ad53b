"""lambda by cross-validation, and what every lambda would give, with a plot.

    choose_lambda.py [PICTURE]
"""

import sys

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import gapwise

X, y = load_digits(return_X_y=True)
X, X_test, y, y_test = train_test_split(X / 16, y, train_size=300, random_state=0)

lams = [1e-1, 1e-2, 1e-3]
search = gapwise.LambdaSearchCV(gapwise.MulticlassSVM(relative_gap=0.05), lams=lams, cv=3).fit(X, y)
print(f"best lambda {search.best_params_['lam']:g}, test {search.score(X_test, y_test):.3f}")

path = gapwise.lambda_path(gapwise.MulticlassSVM(), X, y, X_val=X_test, y_val=y_test,
                           lambda_min=1e-2)
print(path)
if len(sys.argv) > 1:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    accuracy = [dict(row[:2] for row in point.validation)["accuracy"] for point in path.points]
    pyplot.semilogx([point.lam for point in path.points], accuracy, drawstyle="steps-post",
                    label="path")
    pyplot.semilogx(lams, search.cv_results_["mean_test_score"], "o", label="cross-validation")
    pyplot.xlabel("lambda")
    pyplot.ylabel("accuracy")
    pyplot.legend()
    pyplot.savefig(sys.argv[1])
