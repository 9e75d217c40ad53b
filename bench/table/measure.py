"""Runs programs and measures what they take."""

import json
import os
import resource
import statistics
import subprocess
import time

from runs import Failed


def processor_seconds():
    """Of all programs that were run so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(words):
    """What a program prints, and the seconds that the whole command took: by the clock, and of processors,
    which say more where other programs run beside it."""
    start, used = time.monotonic(), processor_seconds()
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    seconds, used = time.monotonic() - start, processor_seconds() - used
    if done.returncode != 0:
        raise Failed(f"{' '.join(words)}: exit code {done.returncode}: {done.stderr.strip()[-500:]}")
    return done.stdout, seconds, used


class Trainer:
    """`gapwise train`, one run after the other; nothing is kept from one to the next."""

    def __init__(self, program):
        self.program = program

    def train(self, words):
        """The summary of a run, with what the whole command took."""
        printed, seconds, used = run([self.program, "train", *words, "--json", "--quiet"])
        return {**json.loads(printed), "command_seconds": seconds, "processor_seconds": used}

    def medians(self, all_words, repeats, check):
        """Of several commands, each run `repeats` times, in turn so that drifts of the machine meet all:
        the run with the median processor seconds of each. `check` sees every answer."""
        runs = [[] for _ in all_words]
        for _ in range(repeats):
            for words, mine in zip(all_words, runs):
                mine.append(self.train(words))
                check(words, mine[-1])
        return [middle(mine, "processor_seconds") for mine in runs]


def middle(runs, key):
    """The run whose figure is the median (the lower one of two)."""
    wanted = statistics.median_low(run[key] for run in runs)
    return next(run for run in runs if run[key] == wanted)


def machine():
    """Words on where this was measured."""
    name = "unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    return {"processor": name, "cores": len(os.sched_getaffinity(0)), "load": round(os.getloadavg()[0], 1)}
