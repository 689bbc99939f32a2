#!/bin/bash
# The verdicts of `heddle check`: last line, status, trace, files.
. "$(dirname "$0")/common.sh"
write_race race.c
write_locked locked.c

run check --property unreach-call race.c --json result.json --save-schedule schedule.json
want_status 1
[ "$(head -n 1 .out)" = "property: unreach-call" ] || complain "the first line does not name the property"
want_last "result: UNSAFE"
want_out "thread 0 (main)"
want_out "thread 1 (worker)"
want_out "race.c:5"
want_out "counter: 0 -> 1"
want_out "violation: "
grep -q '"answer": "UNSAFE"' result.json || complain "result.json has no answer"
grep -q '"heddle-schedule"' result.json || complain "result.json has no schedule"
grep -q '"seconds":' result.json || complain "result.json has no statistics"
grep -q '"format": "heddle-schedule"' schedule.json || complain "schedule.json is not a schedule"

run check --property unreach-call race.c --quiet
want_status 1
[ "$(cat .out)" = $'property: unreach-call\nresult: UNSAFE' ] || complain "more than two lines"
run check --property unreach-call race.c --full
want_status 1
want_last "result: UNSAFE"

run check --property unreach-call locked.c --save-schedule other.json
want_status 0
want_last "result: SAFE"
want_out "this rests on:"
want_out "memory is sequentially consistent"
want_absent other.json

run check --property=no-data-race race.c
want_status 1
want_last "result: UNSAFE"
want_out "property: no-data-race"
run check --property=no-data-race locked.c
want_last "result: SAFE"
run check --property=no-deadlock --data-model=ILP32 locked.c
want_last "result: SAFE"

# Options for clang, and several files.
printf 'int limit(void) { return LIMIT; }\n' >limit.c
printf '#include <assert.h>\nint limit(void);\nint main(void) { assert(limit() == 3); return 0; }\n' >user.c
run check --property unreach-call user.c limit.c -- -DLIMIT=3
want_last "result: SAFE"
run check --property unreach-call user.c limit.c -- -DLIMIT=4
want_last "result: UNSAFE"
want_no_leftovers
# Lines of source are found from wherever the command is run, also where both names begin alike.
mkdir near far
write_race far/race.c
cd near || exit 1
run check --property unreach-call "$work/far/race.c" --time-limit 20s
cd ..
want_status 1
want_out "counter = counter + 1;"

finish
