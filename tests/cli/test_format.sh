#!/bin/bash
# --format gcc: messages as compilers print them.
. "$(dirname "$0")/common.sh"
write_race race.c
write_locked locked.c
run race.c --property no-data-race --format gcc
want_status 1
want_last "result: UNSAFE"
grep -qE '^race\.c:(5|11):[0-9]+: error: .*counter.*\[no-data-race\]$' .out || complain "no error line at an access"
grep -qE '^race\.c:(5|11):[0-9]+: note: the other access, a (read|write) in ' .out || complain "no note for the other access"
[ "$(grep -c ': error: ' .out)" = 1 ] || complain "not exactly one error"
grep -vE '^(property|result): |: (error|note|warning): ' .out && complain "a line is no message"
run race.c --property unreach-call --format gcc --save-schedule s.json
grep -qE '^race\.c:13:[0-9]+: error: ' .out || complain "the assertion has no error line"
grep -qE '^race\.c:13:[0-9]+: note: why: ' .out || complain "no explanation"
run replay race.c s.json --format gcc
grep -qE '^race\.c:13:[0-9]+: error: ' .out || complain "replay has no error line"
run locked.c --property unreach-call --format gcc
want_status 0
want_out "heddle: note: this rests on: "
grep -q ': error:' .out && complain "an error without a violation"
want_last "result: SAFE"
run race.c --property unreach-call --format text
want_out "violation: "
run race.c --property unreach-call --format gc
want_input_error "did you mean gcc?"
finish
