#!/usr/bin/env python3
"""Programs that grow with a number n of threads, all of them safe:
  bench/growth/programs.py FAMILY N
prints one. What the threads do is written out, with a global variable for each cell of the algorithms' arrays.
"""
import sys

CRITICAL_SECTION = ["inside = inside + 1;", "assert(inside == 1);", "inside = inside - 1;"]
FAMILIES = {}


def family(function):
    """Registers a function of n that returns the globals, the statements of each thread, and what main asserts or None."""
    FAMILIES[function.__name__] = function
    return function


def others(i, n):
    return [j for j in range(n) if j != i]


def names(name, indices):
    return ", ".join(f"{name}{i}" for i in indices)


def wait_while(condition):
    return [f"while ({condition})", "  ;"]


@family
def filter_lock(n):
    """Peterson's algorithm for n processes: each of n - 1 levels holds back one that came to it."""
    variables = [f"atomic_int {names('level', range(n))};", f"atomic_int {names('last', range(1, n))};", "int inside;"]
    threads = []
    for i in range(n):
        statements = []
        for step in range(1, n):
            ahead = " || ".join(f"level{j} >= {step}" for j in others(i, n))
            statements += [f"level{i} = {step};", f"last{step} = {i};"]
            statements += wait_while(f"last{step} == {i} && ({ahead})")
        threads.append(statements + CRITICAL_SECTION + [f"level{i} = 0;"])
    return variables, threads, None


@family
def bakery(n):
    """Lamport's bakery: the smallest ticket enters. Each enters once, so no ticket is larger than n."""
    variables = [f"atomic_int {names('choosing', range(n))};", f"atomic_int {names('ticket', range(n))};", "int inside;"]
    threads = []
    for i in range(n):
        statements = ["int seen, most = 0;", f"choosing{i} = 1;"]
        for j in others(i, n):
            statements += [f"seen = ticket{j};", "if (seen > most)", "  most = seen;"]
        statements += ["most = most + 1;", f"ticket{i} = most;", f"choosing{i} = 0;"]
        for j in others(i, n):
            before = "<=" if j < i else "<"
            statements += wait_while(f"choosing{j}")
            statements += wait_while(f"(seen = ticket{j}) != 0 && seen {before} most")
        threads.append(statements + CRITICAL_SECTION + [f"ticket{i} = 0;"])
    return variables, threads, None


@family
def test_and_set(n):
    """A lock that is taken by an indivisible exchange."""
    statements = wait_while("atomic_exchange(&lock, 1)") + CRITICAL_SECTION + ["lock = 0;"]
    return ["atomic_int lock;", "int inside;"], [statements] * n, None


@family
def independent(n):
    """Each thread writes three times to a variable of its own."""
    threads = [[f"own{i} = {value};" for value in (1, 2, 3)] for i in range(n)]
    return [f"int {names('own', range(n))};"], threads, " && ".join(f"own{i} == 3" for i in range(n))


def program(name, n):
    """The C text of a family's program for n threads."""
    variables, threads, claim = FAMILIES[name](n)
    lines = ["#include <assert.h>", "#include <pthread.h>", "#include <stdatomic.h>", "", *variables]
    for i, statements in enumerate(threads):
        lines += ["", f"void *thread{i}(void *argument) {{"]
        lines += [f"  {statement}" for statement in statements]
        lines += ["  return 0;", "}"]
    lines += ["", "int main(void) {", f"  pthread_t handles[{n}];"]
    lines += [f"  pthread_create(&handles[{i}], 0, thread{i}, 0);" for i in range(n)]
    lines += [f"  pthread_join(handles[{i}], 0);" for i in range(n)]
    lines += [f"  assert({claim});"] if claim else []
    return "\n".join(lines + ["  return 0;", "}", ""])


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in FAMILIES or not sys.argv[2].isdigit() or int(sys.argv[2]) < 2:
        sys.exit(f"usage: {sys.argv[0]} FAMILY N, with N at least 2 and FAMILY one of {', '.join(FAMILIES)}")
    print(program(sys.argv[1], int(sys.argv[2])), end="")
