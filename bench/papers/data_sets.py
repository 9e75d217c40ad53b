"""The data sets of data.toml, made ready for `gapwise`."""

import threading
import tomllib
from pathlib import Path

import cuts

HERE = Path(__file__).parent


class Missing(Exception):
    """A data set that is not on this machine."""


class DataSets:
    """Knows where everything is; `smoke` replaces all of it by small samples."""

    def __init__(self, root, scratch, program, smoke):
        self.root = Path(root)
        self.scratch = Path(scratch)
        self.program = program
        self.smoke = smoke
        with open(HERE / "data.toml", "rb") as file:
            self.table = tomllib.load(file)
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.making = threading.RLock()

    def options(self, name, part="train", size=None):
        """Words that tell `gapwise` to read a set; `part` "develop" holds out what lambda is chosen by,
        `size` takes so many examples from everywhere in the training set."""
        with self.making:
            return self._options(name, part, size)

    def _options(self, name, part, size):
        entry = self.table[name]
        words = ["--task", entry.get("task", "sequence")]
        if self.smoke:
            return words + self._sample(entry["sample"], size)
        source = self.root / entry["file"]
        if not source.exists():
            raise Missing(f"{entry['file']} is not below {self.root}")
        if "graphs" in entry:
            return words + self._graphs(name, entry, source, size)
        if "every" in entry:
            size = len(list(cuts.lines_of(source))) // entry["every"]
        if "labels" in entry:
            return words + self._label_sets(name, entry, source)
        if size:
            return words + self._few(name, entry, source, size)
        words += entry.get("options", [])
        if "split" in entry or "first" in entry or (part == "develop" and "develop" not in entry):
            train, test = self._cut(name, entry, source, part)
            return words + ["--data", train, "--test", test]
        words += ["--data", str(source)]
        test = entry.get("develop" if part == "develop" else "test")
        return words + (["--test", str(self.root / test)] if test else [])

    def words(self, name, folds):
        """Words of a set of letters, as lists of lines."""
        entry = self.table[name]
        return cuts.words(self.root / entry["file"], folds)

    def _sample(self, task, size):
        words = []
        for option, seed, count in (("--data", 1, 30), ("--test", 2, 15)):
            few = {"segmentation": 5, "pose": 4}.get(task, count if size is None or size > 500 else 20)
            path = self.scratch / f"sample-{task}-{seed}-{few}"
            if not path.exists():
                self.program.run(["sample", "--task", task, "--examples", str(few), "--seed", str(seed),
                                  "--output", str(path)])
            words += [option, str(path)]
        return words

    def _few(self, name, entry, source, size):
        """So many examples of letters or of lines."""
        path = self.scratch / f"{name}.{size}"
        if not path.exists():
            if "few_folds" in entry:
                words = cuts.words(source, set(entry["few_folds"]))
                cuts.write(path, (line for word in cuts.evenly(words, size) for line in word))
            else:
                cuts.write(path, cuts.evenly(list(cuts.lines_of(source)), size))
        return ["--data", str(path), *(["--test", str(self.root / entry["test"])] if "test" in entry else [])]

    def _graphs(self, name, entry, source, size):
        columns, rows, count = entry["graphs"]
        path = self.scratch / f"{name}.{size or count}"
        if not path.exists():
            maps = self.root / entry["maps"]
            cuts.write(path, cuts.picture_graphs(source, maps, columns, rows, size or count))
        return ["--data", str(path)]

    def _label_sets(self, name, entry, source):
        paths = []
        for which, file in (("train", source), ("test", self.root / entry["test"])):
            paths.append(self.scratch / f"{name}.{which}")
            if not paths[-1].exists():
                cuts.write(paths[-1], cuts.frequent_labels(file, source, entry["labels"]))
        return ["--data", str(paths[0]), "--test", str(paths[1])]

    def _cut(self, name, entry, source, part):
        """Files of the first part of the sentences and of the rest that is tested on."""
        train, test = (self.scratch / f"{name}.{part}.{which}" for which in ("train", "test"))
        if not (train.exists() and test.exists()):
            blocks = list(cuts.sentences(source, entry.get("columns")))
            blocks = blocks[: int(entry.get("until", 1.0) * len(blocks))]
            if "first" in entry:
                ends = entry["first"], len(blocks)
            else:
                low, high = (int(share * len(blocks)) for share in entry.get("split", [0.9, 1.0]))
                ends = (low, high) if part == "develop" else (high, len(blocks))
            if part == "develop" and "first" in entry:
                ends = int(0.8 * entry["first"]), entry["first"]
            tests = blocks[ends[0] : ends[1]]
            if "first_tests" in entry and part == "train":
                tests = list(cuts.sentences(self.root / entry["test"]))[: entry["first_tests"]]
            cuts.write_sentences(train, blocks[: ends[0]])
            cuts.write_sentences(test, tests)
        own_test = entry.get("test") if "first_tests" not in entry else None
        return str(train), str(self.root / own_test) if own_test and part == "train" else str(test)
