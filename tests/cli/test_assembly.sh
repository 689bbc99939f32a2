#!/bin/bash
# Inline assembly: what statements do on this processor, they do in the model (tests/assembly); and what is said of
# statements that are not understood.
tests=$(realpath "$(dirname "$0")/../assembly")
. "$(dirname "$0")/common.sh"

# The statements run here, and print a program that asserts what came out. Where that program ends is reached, too.
compare_with_this_processor() {
  echo '#include "statements.h"' | cc -E -P -I "$tests" -x c - | grep -oE 'static void [a-z0-9_]+\(' |
    sed 's/static void \(.*\)(/ROW(\1),/' >names.h
  cc -w -O1 -mno-red-zone -I "$tests" -I . "$tests/native.c" -o native || exit 1
  for part in 0 1 2 3; do
    ./native $part >part$part.c
    run check part$part.c --time-limit 60s -- -I "$tests"
    want_status 0
    sed 's/^  return 0;/  assert(0);/' part$part.c >ends$part.c
    run check ends$part.c --time-limit 60s -- -I "$tests"
    want_status 1
  done
  # A value that the processor did not give is noticed.
  sed '0,/r\[0\] == 0x\([0-9a-f]*\)u/s//r[0] == 0x1\1u/' part1.c >wrong.c
  run check wrong.c --time-limit 60s -- -I "$tests"
  want_status 1
}
[ "$(uname -m)" != x86_64 ] || compare_with_this_processor

finish
