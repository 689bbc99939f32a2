#!/bin/bash
# Malformed input: one clear line on standard error that names the culprit, status 2, nothing written, no crash.
. "$(dirname "$0")/common.sh"
write_race race.c

run check --property unreach-call missing.c --json result.json
want_input_error missing.c
want_absent result.json

printf 'int main(void) { return 0 }\n' >syntax.c
run check --property unreach-call syntax.c --json result.json --save-schedule schedule.json
want_status 2
want_no_output
want_err "syntax.c:1:26: error: expected ';'" # clang's own words
want_err "heddle: syntax.c"
want_absent result.json
want_absent schedule.json

printf 'int helper(void) { return 0; }\n' >no_main.c
run check --property unreach-call no_main.c --json result.json
want_input_error main
want_absent result.json

run check --property unreach-call race.c --propert unreach-call
want_input_error "did you mean --property?"
run check race.c --property beauty
want_input_error beauty
run check race.c --property missing.prp
want_input_error missing.prp
printf 'CHECK( init(main()), LTL(F end) )\n' >overflow.prp
run check race.c --property overflow.prp
want_input_error "overflow.prp:1: property Fend is not supported"
run check --property unreach-call race.c --engine steam
want_input_error steam
run check --property unreach-call race.c --preset steam
want_input_error "unknown preset 'steam'; known are impara"
run check --property unreach-call race.c --engine order --preset impara
want_input_error "--preset impara is of the engine reach and does not go with --engine order"
run check --property unreach-call
want_input_error "wants a file"
run weave race.c
want_input_error weave
run
want_input_error "no command"
run check --property unreach-call .
want_status 2
want_one_error_line

# Files that are not what their names say.
printf 'BC\300\336 and then nothing of the kind' >torn.bc
run check --property unreach-call torn.bc --json result.json
want_input_error torn.bc
: >empty.bc
run check --property unreach-call empty.bc
want_input_error empty.bc
if clang-19 -g -emit-llvm -c race.c -o whole.bc 2>/dev/null; then
  for part in 4 64 500 1500; do
    head -c "$part" whole.bc >torn.bc
    run check --property unreach-call torn.bc
    want_input_error torn.bc
  done
fi
head -c 5000 /dev/urandom >random.c
run check --property unreach-call random.c
want_status 2
want_no_output

run check --property unreach-call race.c --json no/such/directory/result.json
want_input_error no/such/directory/result.json
run check --property unreach-call race.c --save-schedule no/such/directory/schedule.json
want_input_error no/such/directory/schedule.json
run check --property unreach-call race.c -- --no-such-clang-option
want_status 2
want_no_output
want_err no-such-clang-option
want_no_leftovers
finish
