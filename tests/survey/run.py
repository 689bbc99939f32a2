#!/usr/bin/env python3
"""Random programs on which `heddle survey` may not prove what exhaustive search refutes.

usage: run.py [--heddle PATH] [--output DIR] [--time-limit TIME] [--jobs N] N [SEED]

Each of N programs (generate.py), from SEED on, is surveyed and checked by `heddle check --property no-data-race --engine
replay`. A race that was executed must be told by the survey: a pair with the same two lines, or the object (a pair that is told
stands for all with the same threads and locks), and `check --engine survey` may not say SAFE. Otherwise the survey proved something false: it is printed, and the
program with as few parts as still show it is kept in DIR. The last line counts.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import generate  # noqa: E402


def run(words, seconds=120):
    return subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=seconds)


def survey(heddle, path, folder):
    """The survey's JSON; or a complaint as a text."""
    output = folder / "survey.json"
    done = run([heddle, "survey", path, "--config", "none", "--json", output, "--quiet"])
    if done.returncode not in (0, 3):
        return f"survey ended with status {done.returncode}: {done.stderr.strip()[:500]}"
    if not output.exists():
        return f"survey did not come to an end: {done.stdout.strip()[-300:]}"
    told = json.loads(output.read_text())
    if (done.returncode == 0) != (told["complete"] and all(o["standing"] == "proved" for o in told["objects"] + told["locks"])):
        return f"survey ended with status {done.returncode}, which is not what it told"
    return told


def check(heddle, path, folder, limit):
    """The answer of exhaustive search, and the races that it executed."""
    output = folder / "check.json"
    words = [heddle, "check", path, "--property", "no-data-race", "--engine", "replay", "--time-limit", limit, "--config", "none",
             "--json", output, "--quiet"]
    done = run(words)
    if done.returncode == 2:
        raise RuntimeError(f"check: {done.stderr.strip()[:500]}")
    told = json.loads(output.read_text())
    return told["answer"], [f for f in told["findings"] if f["kind"] == "data race"]


def as_engine(heddle, path):
    """Does check say SAFE by the survey, in its strict mode?"""
    done = run([heddle, "check", path, "--property", "no-data-race", "--engine", "survey", "--config", "none", "--quiet"])
    if done.returncode not in (0, 3):
        raise RuntimeError(f"check --engine survey: {done.stderr.strip()[:500]}")
    return done.returncode == 0


def lines_of(pair):
    return sorted({pair["first"]["line"], pair["second"]["line"]})


def part_of(name):
    """The part that is named behind the object, without indices: ".head" of "queue.head", "" of "list[2]"."""
    name = re.sub(r"\[[^]]*\]", "", name)
    return name[name.index("."):] if "." in name else ""


def is_about(finding, item):
    """May the object of the survey be where the race is? Parts must agree, as far as both are named."""
    raced = re.match(r"data race on (.*?): ", finding["violation"]).group(1)
    block = any(goal.startswith("block of") and goal.endswith(f":{item['line']}") for goal in finding["goals"])
    if block:
        own = re.sub(r"^.*\)", "", item["name"])  # "malloc in f (a.c:3).next"
        return own.startswith(part_of(raced)) or part_of(raced).startswith(own)
    named = any(item["name"] == goal or item["name"].startswith((goal + ".", goal + "[")) for goal in finding["goals"])
    ours, theirs = (re.sub(r"\[[^]]*\]", "", name) for name in (item["name"], raced))
    return named and (ours.startswith(theirs) or theirs.startswith(ours))


def is_told(finding, told):
    """Does the survey leave the race open?"""
    lines = sorted({place["line"] for place in finding["places"]})
    for item in told["objects"]:
        if item["standing"] != "proved" and (any(lines_of(pair) == lines for pair in item["pairs"]) or is_about(finding, item)):
            return True
    return not told["complete"]


def examine(heddle, parts, start, seed, limit):
    """(complaint or None, the survey, the answer, races) of a program."""
    with tempfile.TemporaryDirectory(prefix="heddle-survey-") as name:
        folder = pathlib.Path(name)
        path = folder / "program.c"
        path.write_text(generate.make(parts, start, seed))
        told = survey(heddle, path, folder)
        if isinstance(told, str):
            return told, None, None, []
        answer, races = check(heddle, path, folder, limit)
        for finding in races:
            if not is_told(finding, told):
                return f"not told: {finding['violation']}", told, answer, races
        if as_engine(heddle, path):
            told["safe"] = True
            if races:
                return f"check says SAFE by the survey: {races[0]['violation']}", told, answer, races
            if any(o["standing"] != "proved" for o in told["objects"]):
                return "check says SAFE by a survey that proves less", told, answer, races
        return None, told, answer, races


def reduce(heddle, parts, start, seed, limit):
    """As few parts as still give a complaint."""
    for i in range(len(parts)):
        fewer = parts[:i] + parts[i + 1:]
        if fewer and examine(heddle, fewer, start, seed, limit)[0]:
            return reduce(heddle, fewer, start, seed, limit)
    return parts


def keep(options, seed, parts, start, complaint):
    parts = reduce(options.heddle, parts, start, seed, options.time_limit)
    folder = pathlib.Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"survey-{seed}.c"
    path.write_text(generate.make(parts, start, seed))
    print(f"seed {seed}, parts {parts}: {complaint}\n  {path}", flush=True)


def one(options, seed):
    parts, start = generate.choose(seed)
    complaint, told, answer, races = examine(options.heddle, parts, start, seed, options.time_limit)
    if complaint:
        keep(options, seed, parts, start, complaint)
    return complaint, told, answer, len(races)


def tell(results):
    """The last line."""
    good = [r for r in results if not r[0]]
    counts = {standing: sum(r[1]["totals"][standing] for r in good) for standing in ("proved", "warned", "open")}
    clean = [not r[1]["totals"]["warned"] and not r[1]["totals"]["open"] for r in good]
    races = sum(r[3] for r in good)
    false = sum(r[2] == "SAFE" and not c for r, c in zip(good, clean))
    print(f"{len(results)} programs: {len(results) - len(good)} errors; objects: {counts['proved']} proved, {counts['warned']} warned, "
          f"{counts['open']} open; {races} races executed, all of them told; programs: {sum(r[2] == 'SAFE' for r in good)} without a race, "
          f"{false} of them with a warning; {sum('safe' in r[1] for r in good)} decided by the survey")


def main():
    parser = argparse.ArgumentParser(description="Random programs: survey beside exhaustive search.")
    parser.add_argument("--heddle", default="build/heddle")
    parser.add_argument("--output", default="build/survey")
    parser.add_argument("--time-limit", default="2s")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda seed: one(options, seed), range(options.seed, options.seed + options.count)))
    tell(results)
    return any(result[0] for result in results)


if __name__ == "__main__":
    sys.exit(main())
