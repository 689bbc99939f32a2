"""What the benches of the engine `reach` share: the configurations that are compared, one run, rows of Markdown tables."""
import argparse
import json
import subprocess
import sys
import tempfile

# The configurations of the Impara paper; FC is force cover.
CONFIGURATIONS = {
    "local": ["--reduction", "local", "--force-cover", "no"],
    "local+FC": ["--reduction", "local", "--force-cover", "yes"],
    "monotone": ["--reduction", "monotone", "--force-cover", "no"],
    "monotone+FC": ["--reduction", "monotone", "--force-cover", "yes"],
}


def number_from(least):
    """Type of an argument: a whole number that is not less."""

    def parse(text):
        if not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text} is not a number from {least} on")
        return int(text)

    return parse


class Result:
    """What one run answered: SAFE, UNSAFE or UNKNOWN, why if the latter, and its statistics."""

    def __init__(self, values):
        self.answer = values["answer"]
        self.reason = values.get("reason", "")
        self.statistics = values["statistics"]
        self.nodes = self.statistics.get("nodes", 0)
        self.seconds = self.statistics.get("engine_seconds", 0)


def check(heddle, source, options):
    """Runs `heddle check` with the engine reach. A run without a result ends the bench."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [heddle, "check", str(source), "--engine", "reach", "--data-model", "ILP32", "--quiet", "--first",
                   "--property", "unreach-call", "--json", out.name,
                   *options]
        run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        with open(out.name, encoding="utf-8") as file:  # by its name: heddle put another file in its place
            text = file.read()
    if not text:
        sys.exit(f"{' '.join(command)}: no result, status {run.returncode}: {run.stderr.strip()}")
    return Result(json.loads(text))


def print_head(*names):
    print_row(*names)
    print_row(*["---"] * len(names))


def print_row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)
