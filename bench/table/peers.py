"""Other programs on the same data: the primal of their weights, by our objective, after how many seconds."""

import gzip
import math
import shutil
from pathlib import Path

from measure import run
from runs import Failed


def read_svmlight(path):
    """Labels, and rows of (index, value)."""
    opened = gzip.open if path.endswith(".gz") else open
    labels, rows = [], []
    with opened(path, "rt", encoding="utf-8") as file:
        for line in file:
            fields = line.split("#")[0].split()
            if not fields:
                continue
            labels.append(fields[0])
            rows.append([(int(index), float(value)) for index, value in (field.split(":") for field in fields[1:])])
    return labels, rows


class Primal:
    """lambda/2 |W|^2 + mean of max over k of (k is wrong) + (w_k - w_y) x, by its definition."""

    def __init__(self, path, lambda_):
        import numpy  # the rest of the table does without

        self.numpy = numpy
        labels, rows = read_svmlight(path)
        self.names = sorted(set(labels), key=float)
        width = max(index for row in rows for index, _ in row)
        self.inputs = numpy.zeros((len(rows), width))
        for at, row in enumerate(rows):
            for index, value in row:
                self.inputs[at, index - 1] = value
        self.truth = numpy.array([self.names.index(label) for label in labels])
        self.lambda_ = lambda_

    def of(self, weights, names):
        """`weights` has a row for each feature and a column for each of `names`."""
        scores = self.inputs[:, : weights.shape[0]] @ weights
        columns = [names.index(name) for name in self.names]
        scores = scores[:, columns]
        rows = self.numpy.arange(len(self.truth))
        true_scores = scores[rows, self.truth].copy()
        scores += 1.0
        scores[rows, self.truth] -= 1.0
        return 0.5 * self.lambda_ * float((weights ** 2).sum()) + float((scores.max(axis=1) - true_scores).mean())


def read_liblinear(path, numpy):
    """The weights of a model file, and the labels of their columns."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    head, start = {}, lines.index("w")
    for line in lines[:start]:
        name, *values = line.split()
        head[name] = values
    weights = numpy.array([[float(x) for x in line.split()] for line in lines[start + 1:] if line.split()])
    if float(head["bias"][0]) >= 0:
        weights = weights[:-1]
    return weights, head["label"]


def liblinear(question, sections, trainer, scratch):
    """Crammer and Singer's machine: `liblinear-train -s 4`, whose C is 1 / (lambda n)."""
    program = shutil.which("liblinear-train") or shutil.which("train-liblinear")
    if program is None:
        return None, "liblinear-train is not installed (Debian's liblinear-tools)"
    words = sections.options(question["data"])
    source = words[words.index("--data") + 1]
    plain = Path(scratch) / "liblinear.svm"
    opened = gzip.open if source.endswith(".gz") else open
    with opened(source, "rb") as file, open(plain, "wb") as copy:
        shutil.copyfileobj(file, copy)
    objective = Primal(str(plain), question["lambda"])
    n = len(objective.truth)
    rows = []
    for gap in question["gaps"]:
        found = trainer.train(["--task", "multiclass", "--data", str(plain), "--lambda", str(question["lambda"]),
                               "--relative-gap", str(gap), "--max-passes", "100000", "--threads", "1"])
        rows.append({"what": "digits", "who": f"gapwise auto, gap {gap:g}", "seconds": found["command_seconds"],
                     "processor_seconds": found["processor_seconds"], "primal": found["primal"], "dual": found["dual"]})
    best_dual = max(row["dual"] for row in rows)
    for tolerance in question["tolerances"]:
        model = Path(scratch) / "liblinear.model"
        cost = repr(1.0 / (question["lambda"] * n))
        _, seconds, used = run([program, "-q", "-s", "4", "-c", cost, "-e", str(tolerance), str(plain), str(model)])
        primal = objective.of(*read_liblinear(model, objective.numpy))
        rows.append({"what": "digits", "who": f"LIBLINEAR -s 4 -e {tolerance:g}", "seconds": seconds,
                     "processor_seconds": used, "primal": primal})
    expect_above(rows, best_dual)
    return rows, None


def dlib(question, sections, trainer, scratch, program):
    """dlib's structural_sequence_labeling_trainer by a program of ours (bench/peers), which reads the same
    letters, prints seconds and the primal by our objective for each tolerance."""
    if program is None or not Path(program).exists():
        return None, "bench/peers is not built (GAPWISE_BENCH_PEERS, Debian's libdlib-dev)"
    words = sections.options(question["data"])
    source = words[words.index("--data") + 1]
    folds = words[words.index("--train-folds") + 1] if "--train-folds" in words else "all"
    rows = []
    for gap in question["gaps"]:
        found = trainer.train([*words, "--loss", "hamming", "--lambda", str(question["lambda"]), "--relative-gap",
                               str(gap), "--max-passes", "100000", "--threads", "1"])
        rows.append({"what": "letters, n = 626", "who": f"gapwise auto, gap {gap:g}", "seconds": found["seconds"],
                     "processor_seconds": found["processor_seconds"], "primal": found["primal"], "dual": found["dual"]})
    best_dual = max(row["dual"] for row in rows)
    for tolerance in question["tolerances"]:
        printed, _, used = run([program, source, folds, str(question["lambda"]), str(tolerance)])
        seconds, primal = (float(x) for x in printed.split())
        rows.append({"what": "letters, n = 626", "who": f"dlib, epsilon {tolerance:g}", "seconds": seconds,
                     "processor_seconds": used, "primal": primal})
    expect_above(rows, best_dual)
    return rows, None


def expect_above(rows, dual):
    """Weights of anybody have a primal that is not below our certified dual, and each row says how far above."""
    for row in rows:
        if not math.isfinite(row["primal"]) or row["primal"] < dual * (1 - 1e-6):
            raise Failed(f"{row['who']}: the primal {row['primal']} is below the certified dual {dual}; "
                         "its weights were not understood")
        row["above_dual"] = row["primal"] / dual - 1.0
