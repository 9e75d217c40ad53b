"""The questions of questions.toml: each function gives the rows of one part of the table."""

import json
from pathlib import Path

import cuts
from measure import run
from runs import Failed


def row(what, who, run_, **more):
    """A row of the table of something that `gapwise train` did."""
    keys = ("seconds", "command_seconds", "processor_seconds", "effective_passes", "oracle_calls", "relative_gap",
            "primal", "dual", "peak_rss_bytes")
    figures = {key: run_[key] for key in keys}
    return {"what": what, "who": who, **figures, **more}


def expect_certified(words, found):
    """An answer counts if it ends at a certified gap that was asked for."""
    if found["status"] != "converged" or not found["certified"]:
        raise Failed(f"gapwise train {' '.join(words)} ended with status {found['status']}, "
                     f"certified {found['certified']}; it cannot be timed")


def expect_one_optimum(rows):
    """No primal lies below the dual of another run of the same problem."""
    for mine in rows:
        for other in rows:
            if mine["primal"] < other["dual"] * (1 - 1e-9):
                raise Failed(f"{mine['what']}: the primal {mine['primal']} of {mine['who']} is below the dual "
                             f"{other['dual']} of {other['who']}; one of them is wrong")


class Sections:
    """Knows the data, the program and how often to repeat; smoke runs are on samples. Of jobs with a title,
    those whose title holds `only`."""

    def __init__(self, questions, data, trainer, repeats, scratch, smoke, only=""):
        self.questions = questions
        self.data = data
        self.trainer = trainer
        self.repeats = repeats
        self.scratch = Path(scratch)
        self.smoke = smoke
        self.only = only

    def jobs(self, part):
        return [job for job in self.questions[part] if self.only.lower() in job["title"].lower()]

    def options(self, name):
        """Words for the examples to train on, without any to test on."""
        words = self.data.options(name)
        while "--test" in words:
            at = words.index("--test")
            words = words[:at] + words[at + 2:]
        return words

    def repeats_of(self, question):
        return min(self.repeats, question.get("repeats", self.repeats))

    def solvers(self):
        rows = []
        for question in self.jobs("solvers"):
            options = question.get("smoke", question["options"]) if self.smoke else question["options"]
            base = [*self.options(question["data"]), *options, "--threads", "1", "--max-passes", "100000"]
            all_words = [[*base, "--solver", *entry.split()] for entry in question["solvers"]]
            found = self.trainer.medians(all_words, self.repeats_of(question), expect_certified)
            mine = [row(question["title"], who, run_) for who, run_ in zip(question["solvers"], found)]
            expect_one_optimum(mine)
            rows += mine
        return rows

    def threads(self):
        rows = []
        for question in self.jobs("threads"):
            base = [*self.options(question["data"]), *question["options"], "--max-passes", "100000"]
            all_words = [[*base, "--threads", str(k)] for k in (1, 2)]
            found = self.trainer.medians(all_words, self.repeats_of(question), expect_certified)
            for key in ("primal", "dual", "oracle_calls"):
                if found[0][key] != found[1][key]:
                    raise Failed(f"{question['title']}: {key} depends on the number of threads")
            rows += [row(question["title"], f"{k} thread{'s' * (k > 1)}", run_) for k, run_ in zip((1, 2), found)]
        return rows

    def growth(self):
        """Seconds of passes, of everything else and memory, by sentences, tokens a sentence and dimension."""
        growth = self.questions["growth"]
        rows = []
        cases = [("sentences", count, self._sentences(first=count), []) for count in self._few(growth["sentences"])]
        most = self._few(growth["sentences"])[-1]
        cases += [("sentences joined", k, self._sentences(first=most, joined=k), [])
                  for k in self._few(growth["joined"])]
        cases += [("least count of an attribute", k, self._sentences(first=most), ["--min-count", str(k)])
                  for k in self._few(growth["counts"])]
        all_words = [["--task", "sequence", "--data", path, *growth["options"], *more] for _, _, path, more in cases]
        found = self.trainer.medians(all_words, self.repeats, lambda words, answer: None)
        for (what, size, path, _), run_ in zip(cases, found):
            rows.append(row(what, str(size), run_, n=run_["n"], dimension=run_["dimension"],
                            bytes=Path(path).stat().st_size, passes=run_["passes"],
                            reading_seconds=run_["command_seconds"] - run_["seconds"]))
        return rows

    def _few(self, sizes):
        return [max(1, size // 50) if size > 50 else size for size in sizes[:2]] if self.smoke else sizes

    def _sentences(self, first, joined=1):
        """A file of the first sentences, several of which are made one."""
        words = self.options("chunking")
        path = self.scratch / f"chunking.{first}.{joined}"
        blocks = list(cuts.sentences(Path(words[words.index("--data") + 1])))[:first]
        whole = [sum(blocks[k:k + joined], []) for k in range(0, len(blocks), joined)]
        cuts.write_sentences(path, whole)
        return str(path)

    def kernels(self, program):
        """What bench_kernels says, which checks every kernel before it times it."""
        words = [program, "--benchmark_format=json", f"--benchmark_min_time={0.001 if self.smoke else 0.1}"]
        rows = []
        for entry in json.loads(run(words)[0])["benchmarks"]:
            if entry.get("error_occurred"):
                raise Failed(f"kernel {entry['name']}: {entry['error_message']}")
            unit = {"ns": 1.0, "us": 1e3, "ms": 1e6}[entry["time_unit"]]
            rows.append({"what": entry["name"].split("/")[0], "who": "/".join(entry["name"].split("/")[1:]) or "-",
                         "nanoseconds": entry["cpu_time"] * unit})
        return rows
