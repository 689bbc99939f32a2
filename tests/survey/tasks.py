#!/usr/bin/env python3
"""Surveys the tasks that are known to have a data race, or a deadlock by locks: one in which everything about these is
proved is an error.

usage: tasks.py HEDDLE [TASK.yml...]     without tasks: all of ../tasks
"""
import pathlib
import re
import subprocess
import sys
import tempfile


# Their deadlocks are not about locks that a survey knows: signals and posts that are missed, joins in a ring, stdio's lock.
OTHER_DEADLOCKS = """
barrier_of_three_with_two_threads condvar_broadcast_does_not_wake_later_waiters condvar_lost_signal
condvar_predicate_without_mutex condvar_signal_wakes_only_one deadlock_join_cycle_of_three
equal_threads_post_between_joins file_lock_held_while_other_prints futex_wake_before_the_wait_is_lost
futex_wakes_one_of_two producer_consumer_one_condition_variable semaphore_missing_post_deadlocks
signal_ends_semaphore_wait
""".split()


def has_deadlock(task, text):
    return re.search(r"no-deadlock\.prp'?\s*\n\s*expected_verdict: false", text) is not None and task.stem not in OTHER_DEADLOCKS


def has_race(text):
    return re.search(r"no-data-race\.prp'?\s*\n\s*expected_verdict: false", text) is not None


def survey(heddle, task, text):
    """Its exit status, and what it printed."""
    files = re.findall(r"^input_files:[ \t]*(.*)$", text, re.M)[0]
    names = re.findall(r"[\w./+-]+\.[ci]\b", files) or re.findall(r"^\s*-\s*'?([\w./+-]+\.[ci])'?\s*$", text, re.M)
    model = "ILP32" if "ILP32" in text else "LP64"
    with tempfile.TemporaryDirectory(prefix="heddle-survey-") as folder:
        words = [heddle, "survey", *(str(task.parent / name) for name in names), "--data-model", model, "--config", "none",
                 "--no-suppressions", "--time-limit", "60s"]
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", cwd=folder, timeout=120)
    return done.returncode, done.stdout + done.stderr


def main(heddle, names):
    heddle = str(pathlib.Path(heddle).resolve())
    tasks = [pathlib.Path(name).resolve() for name in names] or sorted((pathlib.Path(__file__).parent / "../tasks").resolve().glob("*.yml"))
    wrong, looked, locks, seen = [], 0, 0, {0: 0, 3: 0}
    for task in tasks:
        text = task.read_text()
        if has_deadlock(task, text):
            locks += 1
            output = survey(heddle, task, text)[1]
            if "lock finding" not in output:
                wrong.append(task.stem)
                print(f"{task.stem}: no finding about locks", flush=True)
        if not has_race(text):
            continue
        looked += 1
        status, output = survey(heddle, task, text)
        seen[status] = seen.get(status, 0) + 1
        if status != 3:
            wrong.append(task.stem)
            print(f"{task.stem}: status {status}\n" + "".join(f"  {line}\n" for line in output.strip().split("\n")[-12:]), flush=True)
    print(f"{looked} tasks with a race: {seen[3]} warned of or open, {seen[0]} proved; "
          f"{locks} with a deadlock by locks; {len(wrong)} errors")
    return bool(wrong) or not looked + locks


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
