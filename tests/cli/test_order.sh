#!/usr/bin/env bash
# The engine order as a user runs it: the paper's running example, a graph that the rules cannot refute, bounds, bad
# values, schedules that replay accepts, proofs of waiting loops, and golden counts.
tests=$(realpath "$(dirname "$0")/..")
source "$(dirname "$0")/common.sh"

number() { sed -n "s/.*\"$1\":[[:space:]]*\([0-9]*\).*/\1/p" result.json | head -n 1; }

# TASK OPTION...
check() {
  local task=$1
  shift
  rm -f result.json
  run check --property unreach-call "$tests/tasks/$task.c" --data-model ILP32 --engine order --time-limit 60s --json result.json "$@"
}

# STATISTIC LEAST MOST: of the last check
want_between() {
  local found
  found=$(number "$1")
  [ -n "$found" ] && [ "$found" -ge "$2" ] && [ "$found" -le "$3" ] || complain "$1 is '$found', not from $2 to $3"
}

# --- the running example (section 3.2 of the paper: three refinements, seven clauses) ---

check order_running_example --refine graph
want_last "result: SAFE"
want_between refinements 0 3
want_between refinement_clauses 0 7
want_between fallbacks 0 0
check order_running_example --refine solver
want_last "result: SAFE"
want_between refinements 1 60
check order_running_example --refine eager
want_last "result: SAFE"
want_between refinements 0 0

# --- the butterfly: infeasible, but not by the rules ---

check order_butterfly --refine graph
want_last "result: SAFE"
want_between fallbacks 1 20
check order_butterfly --refine solver
want_last "result: SAFE"
check order_butterfly --refine eager
want_last "result: SAFE"

# --- schedules: what is UNSAFE in any mode has a schedule that runs ---

for task in order_butterfly_one_read_less order_running_example_early_look order_wait_loop_lock_seen_held \
  order_constants_in_a_circle_entered order_seqlock_two_versions_parity_only; do
  for mode in graph solver eager; do
    check "$task" --first --refine "$mode" --save-schedule schedule.json
    want_last "result: UNSAFE"
    want_status 1
    run replay "$tests/tasks/$task.c" schedule.json --data-model ILP32
    want_status 1
  done
done

# --- bounds ---

check order_loop_input_bounds_rounds --unwind 2
want_status 3
want_last "result: UNKNOWN (no violation up to unwinding 2; try a larger --unwind, or --engine reach or circuit, which prove loops)"
want_out "covered: all executions up to unwinding 2"
want_between unwinding 2 2
check order_loop_input_bounds_rounds --unwind 5
want_last "result: SAFE"
check order_loop_input_bounds_rounds
want_last "result: SAFE"
check order_loop_input_bounds_rounds_off_by_one --unwind 2
want_last "result: UNKNOWN (no violation up to unwinding 2; try a larger --unwind, or --engine reach or circuit, which prove loops)"
check order_loop_input_bounds_rounds_off_by_one --unwind 5
want_last "result: UNSAFE"
# A loop that only waits is no matter of unwinding.
check order_lock_ticket_three_threads --unwind 1
want_last "result: SAFE"

# --- bad values ---

write_locked good.c
for value in fast GRAPH 1; do
  run check --property unreach-call good.c --engine order --refine "$value"
  want_input_error "--refine wants graph|solver|eager"
done
for value in -1 two 3x 99999999999999999999; do
  run check --property unreach-call good.c --engine order --unwind "$value"
  want_input_error "--unwind wants a whole number"
done
for option in --refine --unwind; do
  run check --property unreach-call good.c --engine order "$option"
  want_input_error "$option wants a value"
  run check --property unreach-call good.c --engine order "$option" ""
  want_input_error "$option wants"
done
run check good.c --engine order --ltl 'G F 1'
want_input_error "ltl"

# --- waiting loops are proved at the first bounds ---

# TASK MOST: the last unwinding
proves() {
  check "$1"
  want_last "result: SAFE"
  want_between unwinding 1 "$2"
}
proves lock_spin_exchange 1
proves lock_spin_cas 3
proves lock_ticket 3
proves lock_mcs 2
proves mutex_peterson 1
proves mutex_peterson_two_rounds 3
proves mutex_szymanski 1
proves mutex_dekker 2
proves mutex_bakery 2
proves seqlock 1
proves order_seqlock_two_versions 2
proves order_condvar_ping_pong 2
proves order_barrier_by_condition 3
proves order_lock_test_and_test_and_set 2
proves order_lock_ticket_three_threads 1
proves order_filter_lock 1
proves order_constant_through_memory 1
proves order_wait_loop_asks_again 4

# --- golden counts: a lost reduction shows as more nodes or links, a lost kind of reason as more refinements ---

# TASK NODES LINKS REFINEMENTS: at most
golden() {
  check "$1"
  want_last "result: SAFE"
  want_between nodes 2 "$2"
  want_between links 1 "$3"
  want_between refinements 0 "$4"
}
golden order_running_example 19 16 3
golden mutex_szymanski 29 60 25
golden mutex_bakery 28 28 25
golden lock_spin_exchange 16 22 15
golden lock_mcs 30 40 25
golden double_checked_locking 25 32 30
golden order_filter_lock 50 79 120
golden order_condvar_ping_pong 45 90 50
golden barrier_reused 18 47 20

finish
