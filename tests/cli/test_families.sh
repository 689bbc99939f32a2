#!/bin/bash
# The generated families: always the same, and their small members have the verdicts that they claim.
generate=$(realpath "$(dirname "$0")/../families/generate")
. "$(dirname "$0")/common.sh"

command_line="tests/families/generate"
"$generate" once 4 && "$generate" again 4 || complain "it failed"
diff -r once again || complain "two runs differ"
[ "$(find once -mindepth 1 -maxdepth 1 | wc -l)" -ge 11 ] || complain "families are missing"
for family in once/*/; do
  [ "$family" = once/properties/ ] && continue
  for verdict in true false; do
    grep -lq "expected_verdict: $verdict" "$family"/*.yml || complain "$family has no task with verdict $verdict"
  done
done

run bench once --engine replay --expect --time-limit 20s --jobs 2
want_status 0

command_line="tests/families/generate without arguments"
"$generate" 2>.err
status=$?
[ "$status" -ne 0 ] && grep -q usage: .err || complain "there is no usage"
finish
