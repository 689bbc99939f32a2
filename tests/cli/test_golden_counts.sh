#!/usr/bin/env bash
# Golden counts of the exhaustive search: states and transitions under each reduction. A reduction that stops reducing,
# or reduces more than it did, shows here; after a change that is meant to move them, put the new numbers in.
tests=$(realpath "$(dirname "$0")/..")
source "$(dirname "$0")/common.sh"

number() { sed -n "s/.*\"$1\":[[:space:]]*\([0-9]*\).*/\1/p" result.json | head -n 1; }

# TASK REDUCTION STATES TRANSITIONS
check_counts() {
  run check "$tests/tasks/$1.c" --data-model ILP32 --exhaustive --reduction "$2" --json result.json
  want_last "result: SAFE"
  local found
  found="$(number states) $(number transitions)"
  [ "$found" = "$3 $4" ] || complain "$1 under $2: $found states and transitions instead of $3 $4"
}

check_counts mutex_szymanski none 150 267
check_counts mutex_szymanski persistent 118 203
check_counts mutex_szymanski sleep 118 191
check_counts lock_mcs none 123 202
check_counts lock_mcs persistent 93 136
check_counts lock_mcs sleep 93 105
check_counts readers_writers none 475 925
check_counts readers_writers persistent 187 229
check_counts readers_writers sleep 187 199
check_counts litmus_independent_reads_of_independent_writes none 1282 3172
check_counts litmus_independent_reads_of_independent_writes persistent 558 934
check_counts litmus_independent_reads_of_independent_writes sleep 538 612

finish
