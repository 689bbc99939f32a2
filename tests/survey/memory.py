#!/usr/bin/env python3
"""Dereferences that `heddle survey` excludes, beside those that `heddle check` executes.

usage: memory.py HEDDLE N [SEED] [--output DIR]

A line that an invalid dereference was executed at (`check --property valid-memsafety`) may not be one on which the survey says
that no dereference can be null, freed or out of range. Looked at are the tasks of ../tasks that violate valid-memsafety, and N
random programs with pointers to variables, arrays, blocks and members, from SEED on. Programs that show an error stay in DIR.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

# What a pointer to int may be; a statement about one; what a pointer to a struct may be. One of each is taken at random.
POINTERS = """&g
a
a + 1
a + i
&a[i]
&x
&s->v
s ? &s->v : 0
s->p
gp
gs.p
t.p
p
q
p + 1
0
malloc(4)
malloc(8)
calloc(2, 4)
pick(p, i)
pick(&x, 1)
made(i)
&gs.w[i]
u ? q : p
(int *)(i ? 4L : 0L)""".split("\n")
STRUCTS = """&gs
&t
s
s->next
gs.next
gsp
0
malloc(sizeof(struct s))
calloc(1, sizeof(struct s))
own(s)""".split("\n")
INDICES = ["nondet() & 3", "nondet() & 1", "(unsigned)nondet() % 4", "(unsigned)nondet() % 2", "(unsigned char)nondet() & 7", "nondet() > 0 ? 1 : 0",
           "1", "2", "-1", "i + 1", "(nondet() & 7) / 2", "i * 2"]
ACCESSES = ["*p = 1;", "*q = 2;", "x = *p;", "p[i] = 1;", "p[1] = 1;", "a[i] = 1;", "a[i & 1] = 1;", "s->v = 1;", "s->w[i] = 1;", "s->w[1] = i;",
            "s->next->v = 1;", "*s->p = 1;", "*gp = 1;", "gsp->v = 1;", "t.w[i] = 1;", "t = *s;", "*s = gs;", "table[i] = 1;", "x = table[(unsigned)x % 4];",
            "use(p);", "use(&x);", "use(a);", "set(s, i);", "set(&t, 1);", "p[-1] = 1;"]
HEAD = """#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct s { int v; int w[2]; int *p; struct s *next; };
int g, table[4], *gp;
struct s gs, *gsp;
static int nondet(void) { return __VERIFIER_nondet_int() & 7; }
"""


class Body:
    def __init__(self, dice):
        self.dice, self.lines, self.depth = dice, [], 0

    def put(self, text):
        self.lines.append("  " * (self.depth + 1) + text)

    def block(self, head, size):
        self.put(head + " {")
        self.depth += 1
        for _ in range(size):
            self.statement()
        self.depth -= 1
        self.put("}")

    def assignment(self):
        d = self.dice
        return d.choice([lambda: f"{d.choice(['p', 'q', 'gp', 's->p', 't.p', 'gs.p'])} = {d.choice(POINTERS)};",
                         lambda: f"{d.choice(['p', 'q'])} = {d.choice(POINTERS)};",
                         lambda: f"{d.choice(['s', 'gsp', 's->next', 'gs.next', 't.next', 's'])} = {d.choice(STRUCTS)};",
                         lambda: f"i = {d.choice(INDICES)};", lambda: "u = nondet();"])()

    def idiom(self):
        d = self.dice
        array, size = d.choice([("a", 2), ("table", 4), ("t.w", 2), ("gs.w", 2)])
        bound = size + d.choice([-1, 0, 0, 0, 1])
        lines = d.choice([
            [f"for (int k = {d.choice(['0', '0', '1', '-1'])}; k {d.choice(['<', '<', '<='])} {bound}; k++)", f"  {array}[{d.choice(['k', 'k', 'k + 1', 'k - 1'])}] = 1;"],
            [f"for (unsigned k = 0; k {d.choice(['<', '<='])} {bound}; k++)", f"  {array}[k] = 1;"],
            [f"if ({d.choice(['i >= 0 && ', 'i > 0 && ', '', 'i > -2 && '])}i < {bound})", f"  {array}[i] = 1;"],
            [f"{array}[nondet() {d.choice(['& ', '% '])}{d.choice([str(bound), str(max(bound - 1, 1))])}] = 1;"],
            ["{", "  int z = 0;", "  use(&z);", f"  {d.choice(['p', 'q'])} = &z;", d.choice(["  if (p)", "}\nif (q)", "}\nif (p)"]),
             d.choice(["  *p = 1;", "  *q = 1;"])],
            [f"{d.choice(['s = malloc(sizeof *s);', 's = &t;', 's = calloc(1, sizeof *s);', 's = &gs;'])}", "if (s && s->p)", "  *s->p = 1;"],
            ["if (gp)", "  *gp = 1;"],
            ["q = malloc(8);", "if (!q) return 0;", d.choice(["gp = q;", "s->p = q;", "use(q);"]), d.choice(["free(gp);", "free(q);", "i = 1;", "use(gp);"]),
             d.choice(["q[1] = 1;", "q[2] = 1;", "*q = 1;"])]])
        text = "\n".join(lines).split("\n")
        text += ["}"] * (text.count("{") - text.count("}"))
        for line in text:
            self.put(line)

    def scope(self):
        name = f"y{len(self.lines)}"
        self.put("{")
        self.depth += 1
        self.put(f"int {name}[2] = {{0}};")
        self.put(self.dice.choice([f"p = {name};", f"q = &{name}[1];", f"gp = {name};", f"use({name});", f"p = u ? p : {name};"]))
        for _ in range(self.dice.randint(0, 2)):
            self.statement()
        self.put(f"{name}[{self.dice.choice(['0', '1', 'i', 'i & 1'])}] = 1;")
        self.depth -= 1
        self.put("}")

    def statement(self):
        d, kind = self.dice, self.dice.random()
        deep = self.depth > 2
        if kind < 0.2:
            self.idiom()
        elif kind < 0.4 or deep:
            self.put(self.assignment())
        elif kind < 0.6:
            self.put(d.choice(ACCESSES))
        elif kind < 0.72:
            self.block(d.choice(["if (p)", "if (q)", "if (s)", "if (u)", "if (p && q)", "if (i < 2)", "if (i >= 0 && i < 4)", "if (s && s->p)", "if (!p)"]),
                       d.randint(1, 2))
        elif kind < 0.8:
            self.block(d.choice(["for (i = 0; i < 2; i++)", "for (i = 0; i < 4; i++)", "for (unsigned k = 0; k < 3; k++)", "for (i = 3; i >= 0; i--)",
                                 "for (i = 0; i <= 2; i++)"]), d.randint(1, 2))
        elif kind < 0.87:
            self.put(d.choice(["if (!p) return 0;", "if (!s) return 0;", "if (!q) exit(0);", "if (i < 0 || i > 1) return 0;"]))
        elif kind < 0.92:
            self.put(d.choice(["free(p);", "free(s);", "free(q);", "p = realloc(p, 4);"]))
        else:
            self.scope()


def function(dice, head, size, first, end):
    body = Body(dice)
    for line in first:
        body.put(line)
    while len(body.lines) < size:
        body.statement()
    body.put(end)
    return [head + " {", *body.lines, "}"]


def program(seed):
    dice = random.Random(seed)
    locals_ = [f"int x = 0, a[2] = {{0}}, i = {dice.choice(['0', 'nondet()'])}, u = nondet();", f"int *q{dice.choice(['', ' = 0', ' = &x', ' = &g', ' = a'])};",
               f"struct s t{dice.choice(['', ' = {0}', ' = {0}'])};"]
    pick = dice.choice(["return k ? r : r + 1;", "return k > 4 ? 0 : r;", "if (!r) exit(0);\n  return r;", "gp = r;\n  return r;"])
    use = dice.choice(["*r = 1;", "if (r) *r = 1;", "r[1] = 1;", "if (!r) return;\n  r[0]++;"])
    text = [HEAD + "static int *pick(int *r, int k) {", "  " + pick, "}", "static int *made(int k) {",
            "  int *r = malloc(k > 2 ? 8 : 4);", "  " + dice.choice(["if (!r) abort();", "if (!r) exit(0);", ";"]), "  return r;", "}",
            "static struct s *own(struct s *r) {", "  " + dice.choice(["return r ? r->next : 0;", "if (!r) r = &gs;\n  return r;", "gsp = r;\n  return r;"]), "}",
            "static void use(int *r) {", "  " + use, "}",
            "static void set(struct s *r, int k) {", "  " + dice.choice(["r->v = k;", "if (r) r->w[k & 1] = 1;", "r->w[k] = 1;", "r->p = &r->v;\n  *r->p = 1;"]), "}"]
    text += function(dice, "static int work(int *p, struct s *s)", dice.randint(6, 14), locals_, "return 0;")
    threads = dice.random() < 0.3
    if threads:
        text += ["static void *worker(void *argument) {", "  " + dice.choice(["int *p = argument;\n  *p = 1;", "struct s *s = argument;\n  s->v = 1;"]), "  return 0;", "}"]
    calls = [f"work({dice.choice(['&g', '0', 'b', '&b[1]', 'malloc(4)', 'gs.w'])}, {dice.choice(['&gs', '0', '&m', 'gsp'])});" for _ in range(dice.randint(1, 2))]
    start = [f"pthread_create(&thread, 0, worker, {dice.choice(['&g', '&gs', 'b', 'malloc(4)', '0'])});"] if threads else []
    text += ["int main(void) {", "  int b[2] = {0};", "  struct s m = {0};", "  pthread_t thread;", f"  {dice.choice(['gp = &g;', 'gsp = &gs;', 'gp = b;', ';'])}",
             *("  " + line for line in start + calls), "  return 0;", "}"]
    return "\n".join(text) + "\n"


def run(words, folder):
    return subprocess.run(words, capture_output=True, text=True, errors="replace", cwd=folder, timeout=120)


def errors(heddle, files, options, limit):
    """Lines with an invalid dereference among the excluded ones; how many invalid dereferences were executed, and how many lines are excluded."""
    with tempfile.TemporaryDirectory(prefix="heddle-memory-") as folder:
        shared = [*files, "--config", "none", "--no-suppressions", "--quiet", *options]
        surveyed = run([heddle, "survey", *shared, "--time-limit", "20s", "--json", "survey.json"], folder)
        checked = run([heddle, "check", *shared, "--property", "valid-memsafety", "--time-limit", limit, "--json", "check.json"], folder)
        try:
            survey, check = (json.loads((pathlib.Path(folder) / name).read_text()) for name in ("survey.json", "check.json"))
        except (OSError, json.JSONDecodeError):
            return [f"no answer: {surveyed.stderr.strip()[-300:]} {checked.stderr.strip()[-300:]}"], 0, 0
    excluded = {(place["file"], place["line"]) for function_ in survey["functions"] for place in function_["excluded"]}
    excluded -= {(place["file"], place["line"]) for function_ in survey["functions"] for place in function_["left"]}
    found = [re.match(r"invalid dereference at (.*):(\d+) in thread", finding["violation"]) for finding in check["findings"]]
    places = [(match.group(1), int(match.group(2))) for match in found if match]
    return [f"{file}:{line} is excluded" for file, line in places if (file, line) in excluded], len(places), len(excluded)


def tasks():
    for task in sorted((pathlib.Path(__file__).parent / "../tasks").resolve().glob("*.yml")):
        text = task.read_text()
        if not re.search(r"valid-memsafety\.prp'?\s*\n\s*expected_verdict: false", text):
            continue
        files = re.findall(r"^input_files:[ \t]*(.*)$", text, re.M)[0]
        names = re.findall(r"[\w./+-]+\.[ci]\b", files) or re.findall(r"^\s*-\s*'?([\w./+-]+\.[ci])'?\s*$", text, re.M)
        yield task.stem, [str(task.parent / name) for name in names], ["--data-model", "ILP32" if "ILP32" in text else "LP64"]


def programs(first, count, folder):
    for seed in range(first, first + count):
        path = pathlib.Path(folder) / f"memory_{seed}.c"
        path.write_text(program(seed))
        yield f"program {seed}", [str(path)], []


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("heddle")
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--output", default="build/survey")
    arguments = parser.parse_args()
    heddle, wrong, looked, invalid, lines = str(pathlib.Path(arguments.heddle).resolve()), 0, 0, 0, 0
    os.makedirs(arguments.output, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="heddle-memory-") as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [(name, files, pool.submit(errors, heddle, files, options, "5s"))
                for name, files, options in [*tasks(), *programs(arguments.seed, arguments.count, folder)]]
        for name, files, job in jobs:
            told, executed, excluded = job.result()
            looked, invalid, lines, wrong = looked + 1, invalid + executed, lines + excluded, wrong + bool(told)
            for line in told:
                print(f"{name}: {line}", flush=True)
            if told and name.startswith("program"):
                (pathlib.Path(arguments.output) / pathlib.Path(files[0]).name).write_text(pathlib.Path(files[0]).read_text())
    print(f"{looked} programs: {invalid} invalid dereferences were executed, {lines} lines are excluded; {wrong} errors")
    return bool(wrong) or not invalid


if __name__ == "__main__":
    sys.exit(main())
