#!/bin/bash
# Programs that are too large to inline all calls: a note at once, verdicts on demand, schedules that can be replayed, and
# reasons that name the functions.
tasks=$(cd "$(dirname "$0")/../tasks" && pwd)
. "$(dirname "$0")/common.sh"

run check "$tasks/large_program_calls_reached.c" --property no-data-race --save-schedule race.json --time-limit 60s
want_status 1
want_err "too large to inline all calls (about "
want_err "most in step1 ("
grep -q '"on_demand": \["' race.json || complain "race.json does not say which calls were inlined"
run replay "$tasks/large_program_calls_reached.c" race.json --quiet
want_status 1
want_last "result: UNSAFE"
sed 's/"on_demand": \["[0-9a-f]*"/"on_demand": ["17"/' race.json >odd.json
run replay "$tasks/large_program_calls_reached.c" odd.json
want_input_error '"on_demand" of "lowering" is malformed'

# All calls of a tree are reached: it is too large, and says where. A survey does not inline.
{
  echo 'int total; static void step0(int way) { total += way; }'
  for n in $(seq 1 20); do
    echo "static void step$n(int way) { step$((n - 1))(way); step$((n - 1))(way + total); }"
  done
  echo 'int main(void) { step20(1); if (total == 3) total = 4; return 0; }'
} >tree.c
run check tree.c --property no-data-race --engine replay --time-limit 4s
want_status 3
want_out "too large"
want_out "most in step0 (tree.c:1), step1 (tree.c:2)"
run check tree.c --property no-data-race --time-limit 4s
want_status 0
want_no_leftovers
finish
