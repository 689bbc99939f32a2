#!/bin/bash
# `heddle show circuit`: what is in the file, and that ABC, which knows nothing of Heddle, finds in it what is so.
tasks=$(realpath "$(dirname "$0")/../tasks")
. "$(dirname "$0")/common.sh"
command -v berkeley-abc >/dev/null || { echo "berkeley-abc is not installed"; exit 1; }

abc() { timeout 60 berkeley-abc -s -q "$1" 2>&1; }

# The first line of an AIGER file, as: variables inputs latches outputs gates bads constraints.
read_header() { read -r format variables inputs latches outputs gates bads constraints < <(head -n 1 "$1" | tr -d '\0'); }

want_header() { # file format
  read_header "$1"
  [ "$format" = "$2" ] || complain "$1 is not $2"
  [ "$variables" = $((inputs + latches + gates)) ] || complain "$1: the numbers of its header do not add up"
  [ "$outputs $constraints" = "0 1" ] || complain "$1: outputs or constraints are wrong in its header"
  [ "$bads" = 1 ] || [ "$bads" = 2 ] || complain "$1 has $bads bad states"
  grep -aq '^b0 error$' "$1" || complain "$1: the error has no name"
  grep -aq '^c0 moves$' "$1" || complain "$1: the constraint has no name"
  [ "$2" = aag ] || return # in a binary file the first name does not begin a line
  [ "$(grep -ac '^i[0-9]* ' "$1")" = "$inputs" ] || complain "$1: not every input has a name"
  [ "$(grep -ac '^l[0-9]* ' "$1")" = "$latches" ] || complain "$1: not every latch has a name"
}

# --- what ABC makes of a constraint ---
# A latch follows an input. It is bad if it is 1; with a constraint that forbids or demands the input, or without.
printf 'aig 2 1 1 0 0 1 1\n2\n4\n3\n' >forbids.aig
printf 'aig 2 1 1 0 0 1 1\n2\n4\n2\n' >demands.aig
printf 'aig 2 1 1 0 0 1 1\n2\n4\n1\n' >allows.aig
command_line="berkeley-abc"
abc "read_aiger forbids.aig; fold; pdr" | grep -q 'Property proved' || complain "a constraint is not kept"
for file in demands allows; do
  abc "read_aiger $file.aig; fold; bmc3 -F 5" | grep -q 'Output 0 .* in frame 1\.' || complain "$file.aig: not in frame 1"
done

# --- tasks, all schedules ---

# Within how many steps there is a violation, by Heddle's own search, which looks at several frames at once.
depth_of() { # task schedule
  run check --property unreach-call "$tasks/$1.c" --engine circuit --method bmc --schedule "$2" --time-limit 60s --first --verbose
  want_last "result: UNSAFE"
  depth=$(sed -n 's/^depth: //p' .err .out | head -n 1)
}

unsafe="barrier_missing double_checked_locking_checked_once enabledness_lock_lock_dependent
  enabledness_lock_lock_dependent_mirrored ignoring_shared_spinner_hides_bug lock_spin_test_then_set
  lock_ticket_drawn_in_two_steps rwlock_readers_share"
safe="ignoring_two_spinners_safe join_copy_of_handle mutex_trylock_never_blocks semaphore_counts"
for schedule in interleaved stubborn transactions; do
  for task in $unsafe $safe; do
    run show circuit "$tasks/$task.c" --schedule "$schedule" -o "$task.aig"
    want_status 0
    want_no_output
    want_header "$task.aig" aig
    [ "$schedule" = interleaved ] || continue
    run show circuit "$tasks/$task.c" --schedule "$schedule" -o "$task.aag"
    want_header "$task.aag" aag
  done
  for task in $unsafe; do
    depth_of "$task" "$schedule"
    abc "read_aiger $task.aig; fold; bmc3 -F 60" >.abc
    frame=$(sed -n 's/^Output 0 .*was asserted in frame \([0-9]*\)\..*/\1/p' .abc)
    [ -n "$frame" ] && [ "$frame" -lt "${depth:-0}" ] || {
      cat .abc
      complain "ABC finds no violation within $depth steps ($schedule)"
    }
  done
  for task in $safe; do
    run check --property unreach-call "$tasks/$task.c" --engine circuit --method pdr --schedule "$schedule" --time-limit 60s
    want_last "result: SAFE"
    abc "read_aiger $task.aig; fold; pdr" | grep -q 'Property proved' || complain "ABC does not prove it ($schedule)"
  done
done

# --- forms ---
write_locked locked.c
run show circuit locked.c -o locked.aag
want_status 0
want_header locked.aag aag
run show circuit locked.c
want_status 0
cmp -s .out locked.aag || complain "standard output gets something else than a file"
for name in 'select\[0\]' 'pc\.0\.0(worker)\[0\]' 'counter\[0\]' '0:.*\[[0-9]*\]'; do
  grep -q "^[il][0-9]* $name\$" locked.aag || complain "nothing is named $name"
done
run show circuit locked.c -o locked.aig
read_header locked.aag
ascii="$variables $inputs $latches $gates"
read_header locked.aig
[ "$ascii" = "$variables $inputs $latches $gates" ] || complain "the two forms differ"
run show circuit locked.c --schedule round-robin
want_input_error round-robin
run show circuit locked.c --property no-data-race
want_status 0
run show circuit locked.c --property no-such-property
want_input_error no-such-property
finish
