"""Small data of every kind, and the program to compare with."""

import os
import pathlib
import random
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program():
    """Runs the program; skipped where it was not built."""
    path = os.environ.get("GAPWISE_PROGRAM", str(ROOT / "build" / "gapwise"))
    if not os.path.exists(path):
        pytest.skip("the program was not built")

    def run(*arguments):
        return subprocess.run([path, *map(str, arguments)], check=True, capture_output=True).stdout

    return run


def make_sentences(count, seed=0):
    """Sentences of a toy language as lists of dicts, and their tags."""
    rng = random.Random(seed)
    words = {"DET": ["the", "a", "this"], "ADJ": ["small", "red", "old", "run"],
             "NOUN": ["dog", "ship", "sea", "run", "old"], "VERB": ["sees", "run", "likes"]}
    order = list(words)
    X, y = [], []
    for _ in range(count):
        kind = rng.randrange(2) * 2
        tokens, tags = [], []
        for _ in range(rng.randint(2, 6)):
            word = rng.choice(words[order[kind]])
            tokens.append({"word": word, "length": len(word) / 4, "ends": [word[-1], word[-2:]]})
            tags.append(order[kind])
            kind = (kind + 1 + (rng.random() < 0.3)) % 4
        X.append(tokens)
        y.append(tags)
    return X, y


def make_points(count, features=6, classes=4, seed=0):
    """Noisy points around one centre per class."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(classes), rng.integers(classes, size=count - classes)])
    X = np.eye(classes, features)[y] + rng.uniform(-0.8, 0.8, size=(count, features))
    return np.round(X, 3), y


@pytest.fixture(scope="session")
def sentences():
    return make_sentences(60)


@pytest.fixture(scope="session")
def points():
    return make_points(80)


@pytest.fixture(scope="session")
def samples(program, tmp_path_factory):
    """A file with a small data set of each task."""
    folder = tmp_path_factory.mktemp("samples")

    def path_of(task, examples=20):
        path = folder / f"{task}-{examples}"
        if not path.exists():
            program("sample", "--task", task, "--examples", examples, "--output", path)
        return path

    return path_of
