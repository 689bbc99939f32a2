#!/usr/bin/env python3
"""Checks what the library models do with their arguments' memory against functions.txt.

usage: run.py HEDDLE [--sample N | --all] [--only PART] [--jobs N] [--keep DIRECTORY]

For each pointer argument of each function, two threads: one calls the function, the other reads, writes or frees the
argument's memory, unordered or under a mutex that the first one holds, too. The expected answer follows from the table. A
wrong answer fails; an UNKNOWN is counted.
"""
import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TYPES = {"char_pointer": "char *", "void_pointer": "void *", "addrinfo_pointer": "struct addrinfo *"}
ARGUMENT = re.compile(r'^([A-Z]) (r|w|rw|-) (\w+) (\d+)(?: (".*?"|\{.*?\}))?(?: @(\d+))?(?: !(\d+))?$')
# What calls may mention besides their arguments: declaration, and what main does first.
SURROUNDINGS = {
    "four": ("static int four;", "four = 4;"),
    "compare": ("static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }", ""),
    "nothing": ("static void *nothing(void *u) { return u; }", ""),
    "third": ("static pthread_t third;\nstatic void *short_life(void *u) { return u; }",
              "pthread_create(&third, 0, short_life, 0);"),
    "own": ("static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;", ""),
    "condition": ("static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;", ""),
    "lock": ("static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;", ""),
    "key": ("static pthread_key_t key;", "pthread_key_create(&key, 0);"),
    "attributes": ("static pthread_attr_t attributes;", "pthread_attr_init(&attributes);"),
    "semaphore": ("static sem_t semaphore;", "sem_init(&semaphore, 0, 1);"),
    "strlcpy": ("size_t strlcpy(char *, const char *, size_t);", ""), # not in every <string.h>
    "strlcat": ("size_t strlcat(char *, const char *, size_t);", ""),
    "text": ("static char text[] = \"a b\";", ""),
    "forward": ("""static int forward(char *to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = to ? vsnprintf(to, 8, format, list) : vprintf(format, list);
  va_end(list);
  return length;
}""", ""),
}


class Argument:
    def __init__(self, text):
        match = ARGUMENT.match(text)
        if not match:
            sys.exit("functions.txt: not an argument: " + text)
        self.letter, self.effect, kind, count, self.contents, at, apart = match.groups()
        self.count = int(count)
        self.type = TYPES.get(kind, kind.replace("struct_", "struct ") if kind.startswith("struct_") else kind)
        self.at = int(at or 0)
        self.apart = int(apart) if apart else None


class Case:
    """One program, its property and the answer expected."""

    def __init__(self, row, argument, action, ordered, at, prop, expected):
        self.name, self.headers, self.call, self.arguments = row
        self.argument, self.action, self.ordered, self.at = argument, action, ordered, at
        self.property, self.expected = prop, expected

    def title(self):
        order = "under a mutex" if self.ordered else "unordered"
        return f"{self.name}, argument {self.argument.letter}, byte {self.at} {self.action} {order}, {self.property}"

    def source(self):
        call, locals_, begin, around = self.call, [], [], []
        for argument in self.arguments:
            place = "block" if argument is self.argument else argument.letter.lower() + "_place"
            call = re.sub(rf"\b{argument.letter}\b", place, call)
            if argument is not self.argument:
                contents = argument.contents or "{0}"
                locals_.append(f"  {argument.type} {place}[{argument.count}] = {contents};")
        for word, (declaration, first) in SURROUNDINGS.items():
            if re.search(rf"\b{word}\b", self.call + str([a.contents for a in self.arguments])):
                around.append(declaration)
                begin.append("  " + first)
        own = self.argument
        if own.contents:
            begin.append(f"  {own.type} contents[{own.count}] = {own.contents};")
            begin.append("  memcpy(block, contents, sizeof contents);")
        lock, unlock = ("  pthread_mutex_lock(&guard);", "  pthread_mutex_unlock(&guard);") if self.ordered else ("", "")
        act = {"read": f"  char seen = ((char *)block)[{self.at}];\n  (void)seen;",
               "written": f"  ((char *)block)[{self.at}] = 0;",
               "freed": "  free(block);"}[self.action]
        headers = dict.fromkeys(["pthread.h", "stdlib.h", "string.h"] + self.headers)
        lines = ["#define _GNU_SOURCE"] + [f"#include <{h}>" for h in headers] + around
        lines += [f"static {own.type} *block;", "static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;",
                  "static void *caller(void *unused) {", *locals_, lock, f"  {call};", unlock, "  return 0;", "}",
                  "static void *other(void *unused) {", lock, act, unlock, "  return 0;", "}",
                  "int main(void) {", "  pthread_t one, two;",
                  f"  block = calloc({own.count}, sizeof *block);", *begin,
                  "  pthread_create(&one, 0, caller, 0);", "  pthread_create(&two, 0, other, 0);",
                  "  pthread_join(one, 0);", "  pthread_join(two, 0);", "  return 0;", "}"]
        return "\n".join(line for line in lines if line.strip()) + "\n"


def rows(path):
    with open(path, encoding="utf-8") as table:
        for line in table:
            if not line.strip() or line.startswith("#"):
                continue
            fields = [field.strip() for field in line.split(" ; ")]
            yield fields[0], fields[1].split(), fields[2], [Argument(text) for text in fields[3:]]


def cases(row):
    for argument in row[3]:
        touches, writes = argument.effect != "-", "w" in argument.effect
        for action in ("read", "written", "freed"):
            racing = touches and (writes or action != "read")
            for ordered in (False, True):
                yield Case(row, argument, action, ordered, argument.at, "no-data-race", ordered or not racing)
        yield Case(row, argument, "freed", False, argument.at, "valid-memsafety", not touches)
        if argument.apart is not None:
            yield Case(row, argument, "written", False, argument.apart, "no-data-race", True)


def check(heddle, case, number, folder):
    path = os.path.join(folder, f"case{number}.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(case.source())
    command = [heddle, "check", path, "--property", case.property, "--first", "--time-limit", "20s", "--jobs", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    last = (done.stdout.strip().splitlines() or [""])[-1]
    if not last.startswith("result: "):
        return case, "ERROR", done.stderr.strip()[-300:], path
    return case, last.split()[1], last, path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    chosen = [case for row in rows(os.path.join(HERE, "functions.txt")) for case in cases(row)
              if options.only in case.name]
    if not options.all and not options.only and len(chosen) > options.sample:
        chosen = random.Random(options.seed).sample(chosen, options.sample)
    counts = {"right true": 0, "right false": 0, "unknown": 0, "wrong": 0, "error": 0}
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            jobs = [pool.submit(check, options.heddle, case, i, folder) for i, case in enumerate(chosen)]
            for job in jobs:
                case, answer, text, path = job.result()
                kind = "right true" if answer == "SAFE" else "right false"
                if answer not in ("SAFE", "UNSAFE"):
                    kind = "unknown" if answer == "UNKNOWN" else "error"
                elif (answer == "SAFE") != case.expected:
                    kind = "wrong"
                counts[kind] += 1
                if kind in ("wrong", "error") or (kind == "unknown" and options.verbose):
                    print(f"{kind.upper()}: {case.title()}: expected {'true' if case.expected else 'false'}, {text}"
                          + (f" ({path})" if options.keep else ""), flush=True)
    print(f"{len(chosen)} programs: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return 1 if counts["wrong"] or counts["error"] else 0


if __name__ == "__main__":
    sys.exit(main())
