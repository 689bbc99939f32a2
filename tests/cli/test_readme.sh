#!/bin/bash
# What README.md and the pages in docs show is what the command prints: each `$ ./dev run ...` in a block of code is run, and
# the lines below it must be its output. A line `...` stands for any lines. Several engines look at a program side by side,
# and the first answer is told: so a command without --engine must show what one of them prints.
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/cli/common.sh"
cd "$root" || exit 1
command_line="transcripts"
cat >"$work/transcripts.py" <<'END'
import pathlib, shlex, subprocess, sys

heddle, root = sys.argv[1], pathlib.Path(sys.argv[2])
PROMPT = "$ ./dev run "


def engines(command):
    if "--engine" in command:
        return [[]]
    return [[], ["--engine", "replay"], ["--engine", "circuit" if "--ltl" in command else "order"]]


def transcripts(path):
    """(line, command, lines shown) of each command in the blocks of a page."""
    inside, command, found = False, None, []
    for number, line in enumerate(path.read_text().split("\n"), 1):
        if line.startswith("```"):
            inside, command = not inside, None
        elif inside and line.startswith("$ "):
            command = None
            if line.startswith(PROMPT):
                command = []
                found.append((number, line[len(PROMPT):], command))
        elif inside and command is not None:
            command.append(line)
    return found


def matches(shown, lines):
    """Do the lines shown, in which `...` is any lines, stand for these?"""
    reach = {0}
    for line in shown:
        if line == "...":
            reach = set(range(min(reach), len(lines) + 1)) if reach else set()
        else:
            reach = {i + 1 for i in reach if i < len(lines) and lines[i] == line}
    return len(lines) in reach


def run(command, engine):
    words = [heddle, "check"] + shlex.split(command) + engine
    return subprocess.run(words, cwd=root, stdout=subprocess.PIPE, text=True, timeout=120).stdout.splitlines()


count = bad = 0
for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
    for number, command, shown in transcripts(page):
        count += 1
        outputs = []
        for engine in engines(command):
            outputs.append(run(command, engine))
            if matches(shown, outputs[-1]):
                break
        else:
            bad += 1
            print(f"{page.name}:{number}: ./dev run {command} prints something else:")
            print("\n".join(outputs[-1]))
if count == 0:
    sys.exit("no transcript is found")
sys.exit(bad != 0)
END
status=none
python3 "$work/transcripts.py" "$heddle" "$root" >"$work/.out" || complain "a transcript is not what is printed"
# The comparison itself can fail: a line that is not printed, one that is missing.
mkdir "$work/page" "$work/page/docs" "$work/page/examples"
cp "$root/examples/peterson.c" "$work/page/examples"
readme() { # the lines shown
  printf '%s\n' '```' '$ ./dev run examples/peterson.c --engine replay' "$@" '```' >"$work/page/README.md"
  python3 "$work/transcripts.py" "$heddle" "$work/page" >"$work/.out"
}
readme "property: unreach-call" ... "result: SAFE" || complain "an elision does not match"
! readme "property: unreach-call" "result: SAFE" || complain "missing lines are not seen"
! readme "property: unreach-call" ... "  memory is weak" ... "result: SAFE" || complain "an invented line is not seen"
finish
