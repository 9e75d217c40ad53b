"""The data sets of data.toml, made ready for `gapwise`."""

import gzip
import re
import tomllib
from pathlib import Path

HERE = Path(__file__).parent


class Missing(Exception):
    """A data set that is not on this machine."""


def read_blocks(path):
    """Sentences as lists of lines; comments of the treebank are left out."""
    opened = gzip.open if path.suffix == ".gz" else open
    block = []
    with opened(path, "rt", encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if re.fullmatch(r"# wsj_\d{4}\.\d+", line):
                continue
            if line.strip():
                block.append(line)
            elif block:
                yield block
                block = []
    if block:
        yield block


def write_blocks(path, blocks, columns):
    """Written whole or not at all."""
    part = path.with_suffix(".part")
    with open(part, "w", encoding="utf-8") as file:
        for block in blocks:
            for line in block:
                if columns:
                    cells = line.split("\t")
                    line = "\t".join(cells[k] for k in columns)
                file.write(line + "\n")
            file.write("\n")
    part.rename(path)


class DataSets:
    """Knows where everything is; `smoke` replaces all of it by small samples."""

    def __init__(self, root, scratch, program, smoke, table=HERE / "data.toml"):
        self.root = Path(root)
        self.scratch = Path(scratch)
        self.program = program
        self.smoke = smoke
        with open(table, "rb") as file:
            self.table = tomllib.load(file)
        self.scratch.mkdir(parents=True, exist_ok=True)

    def options(self, name, part="train"):
        """Words that tell `gapwise` to read a set; `part` "develop" holds out what lambda is chosen by."""
        entry = self.table[name]
        words = ["--task", entry.get("task", "sequence")]
        if self.smoke:
            return words + self._sample(entry["sample"])
        source = self.root / entry["file"]
        if not source.exists():
            raise Missing(f"{entry['file']} is not below {self.root}")
        words += entry.get("options", [])
        if "split" in entry or "first" in entry or (part == "develop" and "develop" not in entry):
            train, test = self._cut(name, entry, source, part)
            return words + ["--data", train, "--test", test]
        words += ["--data", str(source)]
        test = entry.get("develop" if part == "develop" else "test")
        return words + (["--test", str(self.root / test)] if test else [])

    def _sample(self, task):
        words = []
        for option, seed, count in (("--data", 1, 30), ("--test", 2, 15)):
            path = self.scratch / f"sample-{task}-{seed}"
            if not path.exists():
                few = {"segmentation": 5, "pose": 4}.get(task, count)
                self.program.run(["sample", "--task", task, "--examples", str(few), "--seed", str(seed),
                                  "--output", str(path)])
            words += [option, str(path)]
        return words

    def _cut(self, name, entry, source, part):
        """Files of the first part of the sentences and of the rest that is tested on."""
        train, test = (self.scratch / f"{name}.{part}.{which}" for which in ("train", "test"))
        if not (train.exists() and test.exists()):
            blocks = list(read_blocks(source))
            if "first" in entry:
                cuts = entry["first"], len(blocks)
            else:
                low, high = (int(share * len(blocks)) for share in entry.get("split", [0.9, 1.0]))
                cuts = (low, high) if part == "develop" else (high, len(blocks))
            write_blocks(train, blocks[: cuts[0]], entry.get("columns"))
            write_blocks(test, blocks[cuts[0] : cuts[1]], entry.get("columns"))
        own_test = entry.get("test")
        return str(train), str(self.root / own_test) if own_test and part == "train" else str(test)
