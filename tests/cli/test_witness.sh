#!/bin/bash
# Witnesses: what check writes has the published form and is confirmed by validate; what was tampered with is rejected.
# With a second argument `all`, every expected violation of tests/tasks is tried (2 s each), and numbers are printed.
tests=$(realpath "$(dirname "$0")")
tasks=$(realpath "$tests/../tasks")
. "$tests/common.sh"

# witness TASK: checks it and writes TASK.yml; false if it is not decided. $model is its data model afterwards.
witness() {
  model=$(sed -n 's/.*data_model: *//p' "$tasks/$1.yml")
  cp "$tasks/$1.c" "$1.c" || return 1
  run check --property unreach-call "$1.c" --data-model "$model" --time-limit "${2:-10s}" --quiet --witness "$1.w.yml"
  [ "$status" = 1 ]
}
confirm() {
  run validate "$1.c" "$1.w.yml" --data-model "$model" --time-limit 10s --quiet
  want_status 0
  want_last "witness: CONFIRMED"
}
# reject TASK WHAT: mutated.yml must be rejected.
reject() {
  run validate "$1.c" mutated.yml --data-model "$model" --time-limit 10s --quiet
  want_status 1
  tail -n 1 .out | grep -q "^witness: REJECTED (" || complain "not rejected: $2"
}
# mutate TASK PYTHON: `e` is the entry, `c` its content, `w(i)` the first waypoint of a segment.
mutate() {
  python3 - "$1.w.yml" "$2" >mutated.yml <<'END'
import sys, yaml
entries = yaml.safe_load(open(sys.argv[1]))
e, c = entries[0], entries[0]["content"]
w = lambda i: c[i]["segment"][-1]["waypoint"]
exec(sys.argv[2])
print(yaml.safe_dump(entries))
END
}

if [ "${2:-}" = all ]; then
  written=0
  for yml in "$tasks"/*.yml; do
    task=$(basename "$yml" .yml)
    grep -A1 unreach-call.prp "$yml" | grep -q 'expected_verdict: false' || continue
    [ -f "$tasks/$task.c" ] && witness "$task" 2s || continue
    written=$((written + 1))
    confirm "$task"
  done
  "$tests/witness_form.py" ./*.w.yml || failures=$((failures + 1))
  echo "$written witnesses written, $failures failures"
  exit $((failures > 0))
fi

# Without programs too large to inline: validate does not inline on demand (docs/weaknesses.md).
sample=$(cd "$tasks" && grep -l -A1 unreach-call.prp ./*.yml | xargs grep -lE 'expected_verdict: false' | sed 's#^./##; s#\.yml$##' |
  grep -v '^large_program_' | awk 'NR % 15 == 3')
for task in $sample; do
  if [ -f "$tasks/$task.c" ] && witness "$task"; then confirm "$task"; fi
done
[ -n "$(ls ./*.w.yml)" ] || complain "no witness was written"
"$tests/witness_form.py" ./*.w.yml || complain "a witness has the wrong form"

cat >lost.c <<'END'
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int count;
void *worker(void *argument) {
  count++;
  return 0;
}
int main(void) {
  pthread_t a, b;
  int wanted = __VERIFIER_nondet_int();
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (count == 1 && wanted == 3)
    reach_error();
  return 0;
}
END
model=LP64
run check --property unreach-call lost.c --quiet --witness lost.w.yml --time-limit 10s
want_status 1
confirm lost
"$tests/witness_form.py" lost.w.yml || complain "wrong form"
mutate lost 'e["metadata"]["task"]["input_file_hashes"]["lost.c"] = "0" * 64' && reject lost "another hash"
mutate lost 'e["metadata"]["task"]["specification"] = "G ! data-race"' && reject lost "another specification"
mutate lost 'e["metadata"]["format_version"] = "1.0"' && reject lost "another format"
mutate lost 'w(-1)["location"].update(line=19, column=3)' && reject lost "the target elsewhere"
mutate lost 'w(-1)["thread_id"] = 7' && reject lost "no such thread"
mutate lost 'w(-1)["thread_id"] = 1' && reject lost "another thread"
mutate lost 'c.reverse()' && reject lost "segments reversed"
mutate lost '[x["segment"][0]["waypoint"].__setitem__("constraint", {"value": "\\result == 4"}) for x in c if x["segment"][0]["waypoint"]["type"] == "function_return"]' &&
  reject lost "another input"
mutate lost '[x["segment"][0]["waypoint"].__setitem__("constraint", {"value": "count == 9"}) for x in c if x["segment"][0]["waypoint"]["type"] == "assumption"]' &&
  reject lost "assumptions that never hold"
echo "- nothing" >mutated.yml && reject lost "no witness at all"
# Another tool's: without thread ids, and with nothing but the target.
mutate lost 'e["metadata"]["format_version"] = "2.0"; [x["segment"][0]["waypoint"].pop("thread_id", None) for x in c]'
run validate lost.c mutated.yml --time-limit 10s --quiet
want_last "witness: CONFIRMED"
mutate lost 'e["content"] = c[-1:]; w = e["content"][0]["segment"][0]["waypoint"]; w.pop("thread_id"); w["location"].pop("column")'
run validate lost.c mutated.yml --time-limit 10s --quiet
want_last "witness: CONFIRMED"

# A constraint that cannot be read was not followed, and is named; one that has no value any more is told.
cat >unread.c <<'END'
extern void reach_error(void);
int seen;
int twice(int n) {
  int unused = n;
  return 2 * n;
}
int main(void) {
  int i = 1;
  seen = twice(3);
  seen = seen + i;
  if (seen == 7) reach_error();
  return 0;
}
END
model=LP64
run check --property unreach-call unread.c --time-limit 10s --quiet --witness unread.w.yml
want_last "result: UNSAFE"
# first CONSTRAINT [FORMAT]: an assumption in front, at the second statement of main
first() {
  mutate unread "c.insert(0, {'segment': [{'waypoint': {'type': 'assumption', 'action': 'follow', 'location': {'file_name': 'unread.c', 'line': ${3:-10}, 'column': 3}, 'constraint': {'value': '$1', 'format': '${2:-c_expression}'}}}]})"
  run validate unread.c mutated.yml --time-limit 10s
}
unread() {
  first "$1" "$2"
  want_status 3
  tail -n 1 .out | grep -qF "witness: UNKNOWN (the constraint \`$1\` (line " || complain "the constraint is not named"
  want_out "cannot be read: ${3:-}"
}
unread 'nowhere == 1' c_expression "the program has no nowhere"
unread '1/0' c_expression "its value cannot be computed"
unread 'seen % 0 == 1' c_expression "its value cannot be computed"
unread '*&seen == 0' c_expression "its value cannot be computed"
unread 'seen[3] == 0' c_expression "its value cannot be computed"
unread 'seen.member == 0' c_expression "its value cannot be computed"
unread 'strange(' acsl "its format is not known"
unread 'seen == 6 || nowhere' c_expression "the program has no nowhere"
first 'unused == 3' c_expression 10
want_last "witness: CONFIRMED"
want_out 'not checked: the constraint `unused == 3` (line '
first '1'
want_last "witness: CONFIRMED"
! grep -q "not checked" .out || complain "what was checked is told as not checked"
first 'seen == 99'
want_status 1

# The error is in an included file: that is where the target is; the hashes are those of the named file.
mkdir -p parts
cat >parts/guard.h <<'END'
static int inside;
static void enter(void) {
  int seen = inside;
  inside = seen + 1;
  if (inside != 1)
    reach_error();
}
END
cat >included.c <<'END'
#include <pthread.h>
extern void reach_error(void);
#include "parts/guard.h"
void *worker(void *argument) {
  enter();
  inside = inside - 1;
  return argument;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, worker, 0);
  worker(0);
  return 0;
}
END
run check --property unreach-call included.c --quiet --witness included.w.yml --time-limit 10s
want_status 1
confirm included
"$tests/witness_form.py" included.w.yml || complain "wrong form"
tail -n 5 included.w.yml | grep -q 'parts/guard.h' || complain "the target is not in the included file"
mutate included 'w(-1)["location"].update(line=4, column=3)' && reject included "the target elsewhere in the included file"
# A function of the old style has no statements that we find: no witness rather than a wrong one.
cat >old.c <<'END'
extern void reach_error(void);
int main(count, words)
int count;
char **words;
{
  reach_error();
  return 0;
}
END
run check --property unreach-call old.c --witness old.w.yml --time-limit 10s -- -std=gnu89 -w
want_status 1
[ ! -e old.w.yml ] || complain "a witness without a target"
want_err "old.w.yml is not written"

sed -i 's/count == 1/count == 3/' lost.c
run check --property unreach-call lost.c --quiet --witness safe.yml --engine reach --time-limit 20s
want_status 0
"$tests/witness_form.py" safe.yml || complain "wrong form"
run validate lost.c safe.yml --quiet
want_status 3
run check --property unreach-call "$tests/../../examples/peterson.c" --quiet --witness peterson.yml --time-limit 20s
want_status 0
"$tests/witness_form.py" peterson.yml || complain "wrong form"
grep -qF 'value: "0 <= interested[0] && interested[0] <= 1 &&' peterson.yml || complain "no invariant"
run validate lost.c
want_status 2
run validate lost.c absent.yml
want_status 2
[ "$failures" = 0 ]
