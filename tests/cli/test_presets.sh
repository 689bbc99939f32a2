#!/usr/bin/env bash
# Presets on two small programs, one with a violation and one without: sums that grow, as in the example of CPAchecker's
# analyses of threads.
tests=$(realpath "$(dirname "$0")/..")
source "$(dirname "$0")/common.sh"

# TASK PRESET STATUS
check_preset() {
  run check --property unreach-call "$tests/tasks/$1.c" --preset "$2" --time-limit 20s
  [ "$status" = "$3" ] || complain "$1 with $2: status $status instead of $3"
}

run check --property unreach-call --help
presets=$(sed -n '/^presets:/,/^$/s/^  \([^ ]*\) .*/\1/p' .out)
[ "$(wc -w <<<"$presets")" -ge 8 ] || complain "too few presets in the help: $presets"
for preset in $presets; do
  check_preset reach_adding_each_other "$preset" 1
  check_preset reach_adding_each_other_bounded "$preset" 0
done
for preset in theta-predicate cpa-predicate; do
  check_preset mutex_peterson "$preset" 0
  check_preset mutex_peterson_stores_swapped "$preset" 1
done

finish
