#!/bin/bash
# Manners of the command line: files without `check`, standard input, options of compilers, misspelt values, the time limit.
. "$(dirname "$0")/common.sh"
write_race race.c
write_locked locked.c
write_endless endless.c

# --- check is what is meant ---
run race.c --property unreach-call --quiet
want_status 1
want_last "result: UNSAFE"
run --quiet locked.c
want_status 0
run missing.c --property unreach-call
want_input_error "missing.c: No such file"
run check ""
want_input_error "an operand is the empty string: name a file"
run chekc
want_input_error "did you mean check?"
run -V
want_status 0
grep -qE '^heddle [0-9]' .out || complain "no version"
run --verison
want_input_error "did you mean --version?"

# --- standard input ---
piped() {
  command_line="heddle $*"
  "$heddle" "$@" >.out 2>.err
  status=$?
}
piped - --save-schedule s.json --witness w.yml --report r.html <race.c
want_status 1
want_last "result: UNSAFE"
want_out "/dev/stdin:13"
want_out "assert(counter == 2);"
grep -q 'counter = counter + 1' r.html || complain "the page lacks the source"
piped replay - s.json <race.c
want_last "result: UNSAFE"
piped validate - w.yml <race.c
want_last "witness: CONFIRMED"
piped show cells - <race.c
want_status 0
want_out "counter"
piped check - --ltl 'G counter < 2' <race.c
want_last "result: UNSAFE"
echo '#define TWO 2' >two.h
sed 's/counter == 2/counter == TWO/; 1i#include "two.h"' locked.c | piped - -- -DUNUSED
want_last "result: SAFE"
run check --property unreach-call race.c --save-schedule s.json --quiet
piped replay race.c - <s.json
want_last "result: UNSAFE"
piped - - <race.c
want_input_error "standard input (-) can be one file only"
piped - --stdin - <race.c
want_input_error "--stdin wants another file"
piped - </dev/null
want_status 2

# --- options of compilers ---
mkdir include
echo '#define WANTED 2' >include/wanted.h
sed '1i#include "wanted.h"' locked.c | sed 's/counter == 2/counter == WANTED + EXTRA/' >options.c
for include in -Iinclude "-I include" "-include include/wanted.h -Iinclude"; do
  # shellcheck disable=SC2086
  run options.c --property unreach-call --quiet $include -DEXTRA=0 -std=gnu11 -UNOTHING
  want_last "result: SAFE"
  # shellcheck disable=SC2086
  run options.c --property unreach-call --quiet $include -D EXTRA=1
  want_last "result: UNSAFE"
done
printf '#include <assert.h>\nint main(void) { assert(sizeof(long) == 4); return 0; }\n' >long.c
run long.c --property unreach-call --quiet -m32
want_last "result: SAFE"
run long.c --property unreach-call --quiet -m64
want_last "result: UNSAFE"
run long.c --property unreach-call --quiet --data-model ILP32
want_last "result: SAFE"

# --- other languages ---
for name in a.cc a.cpp a.cxx a.C a.hpp; do
  cp race.c "$name"
  run check --property unreach-call "$name"
  want_input_error "$name is a C++ file"
done
cp race.c a.m
run check --property unreach-call a.m
want_input_error "a.m is an Objective-C file"
for line in 'class A { int x; };' 'template <class T> T f(T x) { return x; }' 'namespace n { int x; }' 'using T = int;' \
  '#include <iostream>'; do
  printf '%s\nint main(void) { return 0; }\n' "$line" >cpp.c
  run check --property unreach-call cpp.c
  want_status 2
  want_err "heddle: cpp.c: clang cannot compile this file; this looks like C++; heddle checks C"
done
run race.c --property unreach-call -x c++
want_input_error "C++"
run race.c --property unreach-call -- -xc++
want_input_error "C++"
run race.c --property unreach-call -std=c++17
want_input_error "C++"
run race.c --property unreach-call --quiet -x c
want_status 1

# --- misspelt values ---
run race.c --property unreach-call --engine ordr
want_input_error "did you mean order?"
run race.c --property no-data-races
want_input_error "did you mean no-data-race?"
run race.c --property unreach-call --preset impra
want_input_error "did you mean impara?"
run race.c --property unreach-call --data-model lp64
want_input_error "did you mean LP64?"
run race.c --property unreach-call --search exhaustiv
want_input_error "did you mean exhaustive?"
run race.c --property xyzzyxyzzy
want_input_error "unknown property"
grep -q "did you mean" .err && complain "a suggestion for what is like nothing"

# --- the time limit ---
for lifted in none 0; do
  run race.c --property unreach-call --time-limit "$lifted" --quiet
  want_last "result: UNSAFE"
done
run race.c --property unreach-call --time-limit nonsense
want_input_error "--time-limit wants"
run bench . --time-limit none
want_input_error "--time-limit wants"
run race.c --property unreach-call
grep -q "time limit" .err && complain "the limit is told without a terminal"
if command -v script >/dev/null; then # standard error is a terminal
  script -qec "$heddle race.c --property unreach-call" terminal.txt </dev/null >.out 2>.err
  grep -q "time limit: 5 minutes" terminal.txt || complain "the limit is not told on a terminal"
  script -qec "$heddle race.c --property unreach-call --time-limit none" terminal.txt </dev/null >.out 2>.err
  grep -q "time limit:" terminal.txt && complain "a limit is told that was lifted"
  script -qec "stty cols 200; $heddle endless.c --property unreach-call --time-limit 3s --jobs 2" terminal.txt </dev/null >.out 2>.err
  grep -q "round 1: [0-9]* s; .*states" terminal.txt || complain "the progress line lacks phase or states"
fi
run check --property unreach-call endless.c --time-limit 1s
want_status 3
want_out "out of time"
finish
