#!/bin/bash
# Readers that go away, disks that are full.
. "$(dirname "$0")/common.sh"
write_race race.c

command_line="heddle check race.c into a closed pipe"
{ "$heddle" check --property unreach-call race.c --full 2>.err; echo $? >status; } | true
: >.out
status=$(cat status)
want_status 1
[ ! -s .err ] || complain "a broken pipe is not an error"

if [ -w /dev/full ]; then
  command_line="heddle check race.c >/dev/full"
  "$heddle" check --property unreach-call race.c >/dev/full 2>.err
  status=$?
  want_status 2
  want_err "No space left"
  run check --property unreach-call race.c --json /dev/full
  want_status 2
  want_err "cannot write /dev/full: No space left"
  want_last "result: UNSAFE"
fi

command_line="heddle check race.c >&-"
timeout 20 "$heddle" check --property unreach-call race.c --json closed.json >&- 2>.err
status=$?
want_status 2
want_err "cannot write to standard output: Bad file descriptor"
grep -q '"answer"' closed.json || complain "closed.json was not written"

# An old result is replaced as a whole, or not at all.
echo old >result.json
run check --property unreach-call missing.c --json result.json
want_status 2
[ "$(cat result.json)" = old ] || complain "result.json was touched"
run check --property unreach-call race.c --json result.json
want_status 1
grep -q '"answer"' result.json || complain "result.json was not replaced"

# A symbolic link stays one, and so does a name below /dev (seen through a link, to be sure not to harm the real one).
echo old >target.json
ln -s target.json link.json
run check --property unreach-call race.c --json link.json
want_status 1
[ -L link.json ] || complain "the link was replaced"
grep -q '"answer"' target.json || complain "the link's target was not written"
ln -s /proc/self/fd/1 descriptor
run check --property unreach-call race.c --json descriptor
want_input_error "is standard output"
command_line="heddle check --property unreach-call race.c --json descriptor | cat"
"$heddle" check --property unreach-call race.c --json descriptor 2>.err | cat >.out
status=${PIPESTATUS[0]}
want_status 1
[ -L descriptor ] || complain "the link to a descriptor was replaced"
want_out '"answer"'
want_last "result: UNSAFE"
want_no_leftovers
finish
