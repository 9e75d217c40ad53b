"""Runs `gapwise`, once for each question: what was asked before is read from a cache."""

import hashlib
import heapq
import json
import os
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


class Failed(Exception):
    """`gapwise` did not do what it was asked to."""


class Turnstile:
    """Lets so many in at a time; of those that wait, the ones of the first figure go first."""

    def __init__(self, places):
        self.free = places
        self.waiting = []
        self.arrivals = 0
        self.changed = threading.Condition()

    def enter(self, rank):
        with self.changed:
            self.arrivals += 1
            mine = (rank, self.arrivals)
            heapq.heappush(self.waiting, mine)
            self.changed.wait_for(lambda: self.free > 0 and self.waiting[0] == mine)
            heapq.heappop(self.waiting)
            self.free -= 1
            self.changed.notify_all()

    def leave(self):
        with self.changed:
            self.free += 1
            self.changed.notify_all()


class Program:
    """The program, what it is known by, and how many of it may run at a time."""

    def __init__(self, path, jobs=1):
        self.path = str(Path(path).resolve())
        self.turnstile = Turnstile(jobs)
        with open(self.path, "rb") as file:
            self.digest = hashlib.file_digest(file, "sha256").hexdigest()

    def run(self, words, rank=0):
        """What it prints, the seconds of processor time it took, and those on the clock."""
        self.turnstile.enter(rank)
        try:
            begin = time.monotonic()
            with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as complaints:
                process = subprocess.Popen([self.path, *words], stdout=out, stderr=complaints)
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                complaints.seek(0)
                if process.returncode != 0:
                    said = complaints.read().decode(errors="replace").strip()
                    raise Failed(f"gapwise {' '.join(words)}: {said}")
                out.seek(0)
                return out.read().decode(), usage.ru_utime + usage.ru_stime, time.monotonic() - begin
        finally:
            self.turnstile.leave()


def digest_of_files(words):
    """Changes when a file that is named among the words changes."""
    digest = hashlib.sha256()
    for word in words:
        if os.path.isfile(word):
            digest.update(f"{os.path.getsize(word)} {os.stat(word).st_mtime_ns}".encode())
    return digest.hexdigest()


def at_once(ask, questions):
    """The answers to all questions, in order; the turnstile decides how many are really under way."""
    questions = list(questions)
    with ThreadPoolExecutor(max_workers=max(1, len(questions))) as pool:
        return list(pool.map(ask, questions))


class Cache:
    """Answers of the program by everything they depend on."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = threading.Lock()
        self.under_way = {}

    def find(self, words, ask):
        """What `ask` returned for these words, now or an earlier time: an answer and its seconds."""
        key = json.dumps([self.program.digest, words, digest_of_files(words)])
        path = self.folder / (hashlib.sha256(key.encode()).hexdigest()[:24] + ".json")
        with self.lock:
            mine = self.under_way.setdefault(path.name, threading.Lock())
        with mine:  # who asks the same at the same time waits for the answer
            if path.exists():
                return json.loads(path.read_text())
            with tempfile.TemporaryDirectory() as scratch:
                answer = ask(Path(scratch))
            part = path.with_suffix(f".{os.getpid()}")
            part.write_text(json.dumps(answer))
            part.rename(path)
            return answer


class Asker:
    """Asks for one figure and adds up the processor time of its answers, those of the cache included."""

    def __init__(self, cache, rank):
        self.cache = cache
        self.rank = rank
        self.seconds = {}

    def _answer(self, words, ask):
        answer, seconds = self.cache.find(words, ask)
        self.seconds[tuple(words)] = seconds
        return answer

    def processor_seconds(self):
        return sum(self.seconds.values())

    def compare(self, entries, words):
        """The measurements of each entry of `gapwise compare`, in order. `seconds` in them are of the
        processor: those on the clock, times the share of the processor that the program got."""
        words = ["compare", "--solvers", ",".join(entries), "--quiet", *words]

        def ask(scratch):
            folder = scratch / "runs"
            _, seconds, clock = self.cache.program.run([*words, "--output", str(folder)], self.rank)
            traces = []
            for run in json.loads((folder / "summary.json").read_text()):
                if "error" in run:
                    raise Failed(f"{run['label']}: {run['error']}")
                lines = (folder / f"{run['label']}.jsonl").read_text().splitlines()
                rows = [json.loads(line) for line in lines]
                for row in rows:
                    row["seconds"] *= min(1.0, seconds / clock)
                traces.append(rows)
            return traces, seconds

        return self._answer(words, ask)

    def json(self, words):
        """The JSON that a verb prints."""
        def ask(_):
            text, seconds, _ = self.cache.program.run([*words, "--json", "--quiet"], self.rank)
            return json.loads(text), seconds

        return self._answer(words, ask)

    def path(self, words):
        """The points of a path or a grid."""
        def ask(scratch):
            file = ["--path", str(scratch / "path")]
            text, seconds, _ = self.cache.program.run(["path", *file, *words, "--json", "--quiet"], self.rank)
            return json.loads(text)["points"], seconds

        return self._answer(["path", *words], ask)
