"""Learning the costs of an assignment from demonstrated solutions.

Somebody assigned workers to jobs, day after day. What did they care about? Each pair has features;
the weights are learned so that scipy's solver makes the same choices.
"""

import numpy as np
from scipy.optimize import linear_sum_assignment

import gapwise

WORKERS, FEATURES = 6, 4
rng = np.random.default_rng(0)
what_they_care_about = np.array([1.0, -0.5, 2.0, 0.0])
days = rng.normal(size=(80, WORKERS, WORKERS, FEATURES))


def solve(scores):
    return linear_sum_assignment(-scores)[1]


done = np.array([solve(day @ what_they_care_about) for day in days])


class Assignment(gapwise.Problem):
    """The score of an assignment is the sum over its pairs of <w, features>."""

    n_examples, n_features = 60, FEATURES

    def features(self, i, jobs):
        return days[i][np.arange(WORKERS), jobs].sum(axis=0)

    def loss_augmented(self, i, w):
        scores = days[i] @ w + 1.0  # a wrong job costs 1
        scores[np.arange(WORKERS), done[i]] -= 1.0
        jobs = solve(scores)
        psi = self.features(i, done[i]) - self.features(i, jobs)
        return psi, float((jobs != done[i]).sum())


problem = Assignment()
print(gapwise.check_oracle(problem))
svm = gapwise.StructuredSVM(problem, lam=0.01).fit()
right = np.mean([(solve(days[i] @ svm.coef_) == done[i]).mean() for i in range(60, 80)])
print(f"{svm.status_}, gap {svm.gap_:.2g}, {svm.n_oracle_calls_} calls of the solver")
print("weights", (svm.coef_ / svm.coef_[0]).round(2), f"new days: {right:.1%} of the jobs")
