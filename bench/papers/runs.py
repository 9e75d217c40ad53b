"""Runs `gapwise`, once for each question: what was asked before is read from a cache."""

import hashlib
import json
import os
import subprocess
from pathlib import Path


class Failed(Exception):
    """`gapwise` did not do what it was asked to."""


class Program:
    """The program, and what it is known by."""

    def __init__(self, path):
        self.path = str(Path(path).resolve())
        with open(self.path, "rb") as file:
            self.digest = hashlib.file_digest(file, "sha256").hexdigest()

    def run(self, words):
        """What it prints."""
        done = subprocess.run([self.path, *words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failed(f"gapwise {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout


def digest_of_files(words):
    """Changes when a file that is named among the words changes."""
    digest = hashlib.sha256()
    for word in words:
        if os.path.isfile(word):
            digest.update(f"{os.path.getsize(word)} {os.stat(word).st_mtime_ns}".encode())
    return digest.hexdigest()


class Cache:
    """Answers of the program by everything they depend on."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def _answer(self, words, ask):
        key = json.dumps([self.program.digest, words, digest_of_files(words)])
        path = self.folder / (hashlib.sha256(key.encode()).hexdigest()[:24] + ".json")
        if path.exists():
            return json.loads(path.read_text())
        answer = ask()
        part = path.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(answer))
        part.rename(path)
        return answer

    def compare(self, entries, words):
        """The measurements of each entry of `gapwise compare`, in order."""
        words = ["compare", "--solvers", ",".join(entries), "--quiet", *words]

        def ask():
            folder = self.folder / f"compare.{os.getpid()}.{hashlib.md5(repr(words).encode()).hexdigest()}"
            self.program.run([*words, "--output", str(folder)])
            summary = json.loads((folder / "summary.json").read_text())
            traces = []
            for run in summary:
                if "error" in run:
                    raise Failed(f"{run['label']}: {run['error']}")
                lines = (folder / f"{run['label']}.jsonl").read_text().splitlines()
                traces.append([json.loads(line) for line in lines])
            for file in folder.iterdir():
                file.unlink()
            folder.rmdir()
            return traces

        return self._answer(words, ask)

    def json(self, words):
        """The JSON that a verb prints."""
        return self._answer(words, lambda: json.loads(self.program.run([*words, "--json", "--quiet"])))

    def path(self, words):
        """The points of a path or a grid."""
        def ask():
            file = self.folder / f"path.{os.getpid()}.{hashlib.md5(repr(words).encode()).hexdigest()}"
            answer = json.loads(self.program.run(["path", "--path", str(file), *words, "--json", "--quiet"]))
            for left in self.folder.glob(file.name + "*"):
                left.unlink()
            return answer["points"]

        return self._answer(["path", *words], ask)
