#!/usr/bin/env bash
# Golden counts: states and transitions of the exhaustive search, nodes of the engine reach, under each reduction. A reduction that stops reducing,
# or reduces more than it did, shows here; after a change that is meant to move them, put the new numbers in.
tests=$(realpath "$(dirname "$0")/..")
source "$(dirname "$0")/common.sh"

number() { sed -n "s/.*\"$1\":[[:space:]]*\([0-9]*\).*/\1/p" result.json | head -n 1; }

# TASK REDUCTION STATES TRANSITIONS
check_counts() {
  run check --property unreach-call "$tests/tasks/$1.c" --data-model ILP32 --exhaustive --reduction "$2" --json result.json
  want_last "result: SAFE"
  local found
  found="$(number states) $(number transitions)"
  [ "$found" = "$3 $4" ] || complain "$1 under $2: $found states and transitions instead of $3 $4"
}

check_counts mutex_szymanski none 139 246
check_counts mutex_szymanski persistent 114 196
check_counts mutex_szymanski sleep 114 187
check_counts lock_mcs none 115 187
check_counts lock_mcs persistent 88 127
check_counts lock_mcs sleep 88 100
check_counts readers_writers none 475 925
check_counts readers_writers persistent 96 114
check_counts readers_writers sleep 187 199
check_counts litmus_independent_reads_of_independent_writes none 1282 3172
check_counts litmus_independent_reads_of_independent_writes persistent 258 276
check_counts litmus_independent_reads_of_independent_writes sleep 200 199

# TASK SYMMETRY STATES TRANSITIONS
check_symmetry() {
  run check "$tests/tasks/$1.c" --property unreach-call --engine replay --exhaustive --symmetry "$2" --json result.json
  want_last "result: SAFE"
  local found
  found="$(number states) $(number transitions)"
  [ "$found" = "$3 $4" ] || complain "$1, symmetry $2: $found states and transitions instead of $3 $4"
}

check_symmetry equal_threads_lock auto 88 87
check_symmetry equal_threads_rounds auto 48 47
check_symmetry equal_threads_rounds none 520 1101
check_symmetry equal_threads_deadlock auto 19 18

# TASK REDUCTION FORCE-COVER DEPENDENCE SEARCH ANSWER NODES
check_nodes() {
  run check --property unreach-call "$tests/tasks/$1.c" --data-model ILP32 --engine reach --reduction "$2" --force-cover "$3" \
    --dependence "$4" --search "$5" --json result.json
  want_last "result: $6"
  [ "$(number nodes)" = "$7" ] || complain "$1 under $2, force cover $3, $4: $(number nodes) nodes instead of $7"
}

check_nodes reach_cover_hides_a_switch local no conditional bfs UNSAFE 13
check_nodes reach_cover_hides_a_switch local yes conditional bfs UNSAFE 13
check_nodes reach_cover_hides_a_switch monotone no conditional bfs UNSAFE 19
check_nodes reach_cover_hides_a_switch monotone yes conditional bfs UNSAFE 19
check_nodes reach_cover_hides_a_switch monotone yes static bfs UNSAFE 19
check_nodes reach_conditional_dependence local yes conditional dfs SAFE 434
check_nodes reach_conditional_dependence monotone no conditional dfs SAFE 1209
check_nodes reach_conditional_dependence monotone yes conditional dfs SAFE 225
check_nodes reach_conditional_dependence monotone yes static dfs SAFE 357
check_nodes mutex_peterson local yes conditional dfs SAFE 356
check_nodes mutex_peterson monotone no conditional dfs SAFE 986
check_nodes mutex_peterson monotone yes conditional dfs SAFE 225
check_nodes mutex_peterson monotone yes static dfs SAFE 225
check_nodes mutex_dekker local no conditional dfs SAFE 1582
check_nodes mutex_dekker local yes conditional dfs SAFE 238
check_nodes mutex_dekker monotone no conditional dfs SAFE 521
check_nodes mutex_dekker monotone yes conditional dfs SAFE 152
check_nodes mutex_dekker monotone yes static dfs SAFE 152
check_nodes mutex_szymanski local yes conditional dfs SAFE 363
check_nodes mutex_szymanski monotone no conditional dfs SAFE 1769
check_nodes mutex_szymanski monotone yes conditional dfs SAFE 325
check_nodes mutex_szymanski monotone yes static dfs SAFE 325
check_nodes readers_writers local yes conditional dfs SAFE 1485
check_nodes readers_writers monotone no conditional dfs SAFE 7535
check_nodes readers_writers monotone yes conditional dfs SAFE 1301
check_nodes readers_writers monotone yes static dfs SAFE 1301
check_nodes mutex_peterson persistent yes conditional dfs SAFE 239
check_nodes mutex_peterson aware yes conditional dfs SAFE 239
check_nodes mutex_dekker persistent yes conditional dfs SAFE 194
check_nodes readers_writers persistent yes conditional dfs SAFE 904
check_nodes readers_writers aware yes conditional dfs SAFE 904

# TASK REDUCTION SYMMETRY NODES: equal threads that begin in order
check_order() {
  run check --property unreach-call "$tests/tasks/$1.c" --engine reach --reduction "$2" --symmetry "$3" --json result.json
  want_last "result: SAFE"
  [ "$(number nodes)" = "$4" ] || complain "$1 under $2, symmetry $3: $(number nodes) nodes instead of $4"
}

check_order equal_threads_joined_backwards_safe monotone none 301
check_order equal_threads_joined_backwards_safe monotone auto 100
check_order equal_threads_joined_backwards_safe persistent none 198
check_order equal_threads_joined_backwards_safe persistent auto 69

# TASK PROPERTY REDUCTION NODES: for goals of several threads, the reduction of its own choice is by persistent sets
check_joint() {
  run check --property "$2" "$tests/tasks/$1.c" --engine reach --reduction "$3" --json result.json
  want_last "result: SAFE"
  [ "$(number nodes)" = "$4" ] || complain "$1 under $2, $3: $(number nodes) nodes instead of $4"
}

check_joint equal_threads_joined_backwards_safe no-data-race auto 75
check_joint equal_threads_joined_backwards_safe no-data-race monotone 147
check_joint equal_threads_joined_backwards_safe no-deadlock auto 99
check_joint equal_threads_joined_backwards_safe no-deadlock monotone 171

# TASK OPTIONS NODES REFINEMENTS: domains with a precision
check_precision() {
  # shellcheck disable=SC2086 # several words
  run check --property unreach-call "$tests/tasks/$1.c" --data-model ILP32 --engine reach --domain $2 --json result.json
  want_last "result: SAFE"
  local found
  found="$(number nodes) $(number refinements)"
  [ "$found" = "$3 $4" ] || complain "$1 with $2: $found nodes and refinements instead of $3 $4"
}

check_precision mutex_peterson "explicit" 328 6
check_precision mutex_peterson "predicate --abstraction cartesian" 338 7
check_precision mutex_peterson "predicate --abstraction boolean" 338 7
check_precision mutex_peterson "predicate --precision location" 625 11
check_precision reach_created_after_choice_safe "explicit" 239 3
check_precision reach_created_after_choice_safe "explicit --precision location" 237 3

finish
