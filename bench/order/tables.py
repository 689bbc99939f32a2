#!/usr/bin/env python3
"""The tables of `./dev bench order`, from the file that it wrote:
  bench/order/tables.py COMPARISON.csv
Prints Markdown. The rows of the file are tasks; `suite`, `task` and `expected` are followed by the columns MODE_answer,
MODE_seconds, ... of each mode. An answer is `true`, `false`, `bound` (no violation up to the unwinding), or why there is
none. A task is finished by a mode whose answer is right or `bound`.
"""
import csv
import math
import statistics
import sys

STATISTICS = (
    "engine_seconds unwinding nodes events links abstraction_clauses clauses refinements refinement_clauses"
    " refinement_literals fallbacks"
).split()
COLUMNS = ["answer", "seconds"] + STATISTICS
SHORTEST = 0.001  # seconds; anything less is noise, and a ratio to it says nothing
PAPER = "*Yogar-CBMC*"  # the row of the paper's own figures
COMPLEX = 2.0  # seconds that the eager encoding needs for what the paper calls a complex task


class Run:
    """What one mode did with one task."""

    def __init__(self, row, mode, expected):
        self.answer = row[f"{mode}_answer"]
        self.seconds = float(row[f"{mode}_seconds"] or 0)
        decided = self.answer in ("true", "false")
        self.wrong = decided and expected not in ("", self.answer)
        self.right = decided and not self.wrong
        self.finished = self.right or self.answer == "bound"
        self.values = {name: float(row[f"{mode}_{name}"]) for name in STATISTICS if row.get(f"{mode}_{name}")}

    def value(self, name):
        """A statistic, or None if the run has none."""
        return self.values.get(name)


class Task:
    def __init__(self, row, modes):
        self.suite = row["suite"]
        self.runs = {mode: Run(row, mode, row["expected"]) for mode in modes if row[f"{mode}_answer"]}

    def finished_by(self, *modes):
        return all(mode in self.runs and self.runs[mode].finished for mode in modes)


class Comparison:
    def __init__(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            ending = "_answer"
            self.modes = [name[: -len(ending)] for name in reader.fieldnames if name.endswith(ending)]
            self.tasks = [Task(row, self.modes) for row in reader]

    def suites(self):
        """Pairs of name and tasks, and all tasks at the end if there are several suites."""
        names = list(dict.fromkeys(task.suite for task in self.tasks))
        pairs = [(name, [task for task in self.tasks if task.suite == name]) for name in names]
        return pairs + [("**all**", self.tasks)] if len(pairs) > 1 else pairs

    def wrong(self):
        """How many of Heddle's verdicts are wrong."""
        return sum(run.wrong for task in self.tasks for mode, run in task.runs.items() if mode != "cbmc")


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def quantile(values, share):
    """The smallest value that at least this share of them does not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def fraction(value):
    return f"1/{1 / value:.1f}" if 0 < value < 1 else f"{value:.2f}"


def table(heads, rows):
    lines = [heads, ["---"] + ["--:"] * (len(heads) - 1)] + rows
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in lines)


def verdict_cell(tasks, mode):
    runs = [task.runs[mode] for task in tasks if mode in task.runs]
    right, wrong = sum(run.right for run in runs), sum(run.wrong for run in runs)
    bound = sum(run.answer == "bound" for run in runs)
    return f"{right} / {wrong} / {bound} / {len(runs) - right - wrong - bound}"


def verdict_table(comparison):
    """Right, wrong, bound and open; then the times over the tasks that all modes of Heddle's finished."""
    ours = [mode for mode in comparison.modes if mode != "cbmc"]
    rows = []
    for name, tasks in comparison.suites():
        shared = [task for task in tasks if task.finished_by(*ours)]
        row = [name] + [verdict_cell(tasks, mode) for mode in comparison.modes] + [len(shared)]
        for mode in ours:
            seconds = [task.runs[mode].seconds for task in shared]
            row.append(f"{sum(seconds):.1f} / {statistics.median(seconds):.2f}" if seconds else "-")
        rows.append(row)
    return table(["suite"] + comparison.modes + ["finished by all"] + [f"{mode} [s]" for mode in ours], rows)


def size_cells(tasks):
    """The clauses of the abstraction over those of the eager encoding at the same unwinding: tasks, then averages."""
    ratios = []
    for task in tasks:
        if "graph" not in task.runs or "eager" not in task.runs:
            continue
        graph, eager = task.runs["graph"], task.runs["eager"]
        part, whole = graph.value("abstraction_clauses"), eager.value("clauses")
        if part and whole and graph.value("unwinding") == eager.value("unwinding"):
            ratios.append(part / whole)
    if not ratios:
        return ["0", "-", "-", "-"]
    averages = (geometric_mean(ratios), statistics.median(ratios), min(ratios))
    return [len(ratios)] + [fraction(value) for value in averages]


def refinement_cells(tasks, mode):
    """Refinements (median, 90 %, most), share below 80, reasons per refinement, literals per reason, fallbacks."""
    runs = [task.runs[mode] for task in tasks if task.finished_by(mode)]
    runs = [run for run in runs if run.value("refinements") is not None]
    if not runs:
        return ["-"] * 5
    counts = [run.value("refinements") for run in runs]
    reasons = sum(run.value("refinement_clauses") or 0 for run in runs)
    literals = sum(run.value("refinement_literals") or 0 for run in runs)
    return [
        f"{statistics.median(counts):g} / {quantile(counts, 0.9):g} / {max(counts):g}",
        f"{100 * sum(count < 80 for count in counts) / len(counts):.0f} %",
        f"{reasons / sum(counts):.2f}" if sum(counts) else "-",
        f"{literals / reasons:.2f}" if reasons else "-",
        f"{sum(run.value('fallbacks') or 0 for run in runs):g}",
    ]


def size_table(comparison):
    rows = [[name] + size_cells(tasks) for name, tasks in comparison.suites()]
    rows.append([PAPER, "1047", "1/8", "", "1/1200"])
    return table(["suite", "tasks", "geometric mean", "median", "smallest"], rows)


def refinement_table(comparison):
    rows = []
    for name, tasks in comparison.suites():
        rows.append([name] + refinement_cells(tasks, "graph") + refinement_cells(tasks, "solver"))
    rows.append([PAPER, "", "most", "9.3", "3.06", "0", "", "", "1", "7.5", ""])
    heads = ["refinements", "below 80", "reasons per refinement", "literals per reason", "fallbacks"]
    return table(["suite"] + [f"{mode}: {head}" for mode in ("graph", "solver") for head in heads], rows)


def ratio_cells(tasks, mode, least=0.0):
    """Over the tasks that both the mode (in more than `least` seconds) and `graph` finished: their number, the ratio of
    total times / geometric mean of the ratios of wall times, and the same for the times inside the engine."""
    pairs = [(task.runs[mode], task.runs["graph"]) for task in tasks if task.finished_by(mode, "graph")]
    pairs = [(one, other) for one, other in pairs if one.seconds > least]
    if not pairs:
        return ["0", "-", "-"]
    cells = [len(pairs)]
    for measure in (lambda run: run.seconds, lambda run: run.value("engine_seconds")):
        times = [(measure(one), measure(other)) for one, other in pairs]
        times = [(max(one, SHORTEST), max(other, SHORTEST)) for one, other in times if None not in (one, other)]
        if not times:
            cells.append("-")
            continue
        total = sum(one for one, _ in times) / sum(other for _, other in times)
        cells.append(f"{total:.2f} / {geometric_mean([one / other for one, other in times]):.2f}")
    return cells


def ratio_table(comparison):
    groups = [("solver/graph", "solver", 0.0), ("eager/graph", "eager", 0.0)]
    groups.append((f"eager/graph, eager > {COMPLEX:g} s", "eager", COMPLEX))
    if "cbmc" in comparison.modes:
        groups += [("cbmc/graph", "cbmc", 0.0), (f"cbmc/graph, cbmc > {COMPLEX:g} s", "cbmc", COMPLEX)]
    rows = []
    for name, tasks in comparison.suites():
        rows.append([name] + [cell for _, mode, least in groups for cell in ratio_cells(tasks, mode, least)])
    paper = {("solver", 0.0): ["265", "58", ""], ("eager", COMPLEX): ["56", "35.8 (CBMC)", ""],
             ("cbmc", COMPLEX): ["56", "35.8", ""]}
    rows.append([PAPER] + [cell for _, *group in groups for cell in paper.get(tuple(group), ["", "", ""])])
    heads = [head for title, *_ in groups for head in (f"{title}: tasks", "wall", "engine")]
    return table(["suite"] + heads, rows)


def report(comparison):
    parts = (
        ("Verdicts: right / wrong / bound / open; total / median wall time over the tasks that all finished",
         verdict_table),
        ("Clauses of the abstraction over clauses of the eager encoding", size_table),
        ("Refinements of the finished tasks: median / 90 % / most", refinement_table),
        ("Times over the tasks that both finished: ratio of totals / geometric mean of ratios", ratio_table),
    )
    text = "\n".join(f"### {title}\n\n{make(comparison)}" for title, make in parts)
    if "cbmc" not in comparison.modes:
        text += "\nCBMC was not run: the command `cbmc` is not installed, or it was left out.\n"
    return text + "\nThe rows *Yogar-CBMC* are the paper's own figures, from other tasks and another machine.\n"


def quantiles(comparison):
    """Lines for the quantile plot: the k-th smallest time of a finished task, for each mode."""
    times = []
    for mode in comparison.modes:
        times.append(sorted(task.runs[mode].seconds for task in comparison.tasks if task.finished_by(mode)))
    lines = [",".join(["rank"] + comparison.modes)]
    for rank in range(max((len(column) for column in times), default=0)):
        cells = [f"{max(column[rank], SHORTEST):.3f}" if rank < len(column) else "" for column in times]
        lines.append(",".join([str(rank + 1)] + cells))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} COMPARISON.csv")
    print(report(Comparison(sys.argv[1])), end="")
