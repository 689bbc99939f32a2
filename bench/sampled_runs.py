"""What the benches share that compare configurations on a sample of SV-COMP tasks: the sample, what the command can do, the
runs and what they answered."""
import argparse
import csv
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from reach_runs import number_from

LARGE_FOLDER = "pthread-wmm"  # most of the tasks, and much alike


# ---- the command line


def parser_of(name, description):
    """A parser of what all these benches take."""
    parser = argparse.ArgumentParser(prog=f"./dev bench {name}", description=description)
    parser.add_argument("heddle", help=argparse.SUPPRESS)
    parser.add_argument("folder", metavar="FOLDER", type=pathlib.Path, help="SV-COMP tasks: all definitions below it")
    parser.add_argument("--time-limit", default="10s", help="wall time of each run (default 10s)")
    parser.add_argument("--memory-limit", default="4GB", help="for each run (default 4GB)")
    parser.add_argument("--tasks", default=60, type=number_from(0), metavar="N",
                        help=f"so many are drawn, half of them not from {LARGE_FOLDER} (default 60; 0: all)")
    parser.add_argument("--seed", default=1, type=number_from(0), metavar="N", help="of the draw (default 1)")
    parser.add_argument("--jobs", default=1, type=number_from(1), metavar="N", help="so many runs at once (default 1)")
    parser.add_argument("--csv", metavar="FILE", help="keep the rows of `heddle bench`")
    return parser


# ---- the sample


def draw_tasks(folder, count, seed):
    """Definitions below the folder that say something about unreach-call: so many, the same ones for the same seed. Half of
    them are from LARGE_FOLDER; where one half has too few, the other has more. No count: all."""
    paths = sorted(path for path in folder.rglob("*.yml") if "unreach-call" in path.read_text(encoding="utf-8"))
    if not count:
        return paths
    large = [path for path in paths if path.parent.name == LARGE_FOLDER]
    others = [path for path in paths if path.parent.name != LARGE_FOLDER]
    from_large = min(count // 2, len(large))
    from_others = min(count - from_large, len(others))
    from_large = min(count - from_others, len(large))
    draw = random.Random(seed)
    return sorted(draw.sample(others, from_others) + draw.sample(large, from_large))


def describe_sample(arguments, tasks):
    large = sum(path.parent.name == LARGE_FOLDER for path in tasks)
    drawn = f"drawn with seed {arguments.seed}" if arguments.tasks else "all there are"
    return (f"{len(tasks)} tasks, {drawn}, {len(tasks) - large} of them not from {LARGE_FOLDER}; {arguments.time_limit} of wall"
            f" time and {arguments.memory_limit} for each run.")


# ---- what the command can do


def help_of_option(heddle, option):
    """What `heddle check --help` says about an option, on one line: its values and its text."""
    run = subprocess.run([heddle, "check", "--help"], capture_output=True, text=True, check=False)
    entry = re.search(rf"^  --{option} (.*(?:\n   .*)*)", run.stdout, re.MULTILINE)
    if run.returncode != 0 or not entry:
        sys.exit(f"{heddle} check --help says nothing about --{option}")
    return " ".join(entry[1].split())


def domains_of(heddle):
    return help_of_option(heddle, "domain").split()[0].split("|")


def reductions_of_reach(heddle):
    """The option's values are those of all engines; its text says which are whose."""
    text = help_of_option(heddle, "reduction")
    names = re.search(r"\breach: ([\w, ]+)", text)
    if not names:
        sys.exit(f"{heddle} check --help does not say which reductions reach has: {text}")
    return names[1].replace(" ", "").split(",")


# ---- runs


class Run:
    """A task with a variant: what was expected and answered (true, false, or why not), and its figures."""

    def __init__(self, row):
        self.task, self.variant = row["task"], row["variant"]
        self.expected, self.answer, self.reason = row["expected"], row["verdict"], row["reason"]
        self.cpu = float(row["cpu"])
        statistics = dict(item.split("=", 1) for item in row["statistics"].split(";") if item)
        self.nodes = int(float(statistics.get("nodes", 0)))
        decided = self.answer in ("true", "false")
        self.solved = decided and self.answer == self.expected
        self.wrong = decided and bool(self.expected) and self.answer != self.expected


def run_variants(arguments, tasks, variants):
    """Runs all tasks with all variants (options by name). Returns the runs by variant, then by task."""
    with tempfile.TemporaryDirectory() as folder:
        rows = arguments.csv or f"{folder}/rows.csv"
        command = [arguments.heddle, "bench", *map(str, tasks), "--csv", rows, "--jobs", str(arguments.jobs),
                   "--time-limit", arguments.time_limit, "--memory-limit", arguments.memory_limit]
        for name, options in variants.items():
            command += ["--variant", f"{name}={options}"]
        status = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
        if status not in (0, 1):  # 1: some verdict was wrong, which is found below, too
            sys.exit(f"{arguments.heddle} bench failed with status {status}")
        with open(rows, newline="", encoding="utf-8") as file:
            runs = [Run(row) for row in csv.DictReader(file)]
    by_variant = {name: {} for name in variants}
    for run in runs:
        by_variant[run.variant][run.task] = run
    short = [name for name, by_task in by_variant.items() if len(by_task) != len(tasks)]
    if short:
        sys.exit(f"{arguments.heddle} bench: not one row for each task with {', '.join(short)}")
    return by_variant


def report_wrong(bench, by_variant):
    """Names every wrong answer, on both outputs; returns how many there are."""
    wrong = [run for by_task in by_variant.values() for run in by_task.values() if run.wrong]
    if wrong:
        print(f"\n### WRONG ANSWERS: {len(wrong)}\n")
    for run in wrong:
        text = f"{run.task}, {run.variant}: expected {run.expected}, got {run.answer}"
        print(f"- {text}")
        print(f"bench {bench}: WRONG: {text}", file=sys.stderr)
    return len(wrong)
