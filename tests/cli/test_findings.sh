#!/bin/bash
# All findings of one run: several properties, several violations of each, the table, and the files that hold them.
examples=$(realpath "$(dirname "$0")/../../examples")
. "$(dirname "$0")/common.sh"
cp "$examples/many_bugs.c" .
count() { # TEXT NUMBER: lines of the output that have the text
  [ "$(grep -c -- "$1" .out)" = "$2" ] || complain "'$1' is not on $2 lines"
}

# Five assertions of which two fail, three races, a deadlock, an invalid dereference: exactly these.
run check many_bugs.c --time-limit 120s --json all.json --sarif all.sarif --witness w.yml --save-schedule s.json \
  --report all.html
want_status 1
want_last "result: UNSAFE"
count '^violation: ' 7
count '^violation: an error is reached at ' 2
for line in 34 39; do count "^violation: an error is reached at many_bugs.c:$line " 1; done
count '^violation: data race on ' 3
for object in started last_job stopping; do count "^violation: data race on $object:" 1; done
count '^violation: deadlock: ' 1
count '^violation: invalid dereference at many_bugs.c:50 ' 1
count '^violation 2 of unreach-call$' 1
count '^violation 3 of no-data-race$' 1
count '^there are no other violations$' 4
count '^this rests on:$' 1
count '^why: nothing orders the two accesses of last_job: .*; jobs_lock is held at the other access of last_job, ' 1
count '; in a cycle, thread 1 holds jobs_lock and waits for log_lock, thread 2 holds log_lock and waits for jobs_lock' 1
want_rows() {
  tail -n "$(wc -l <wanted)" .out | sed 's/  */ /g' | cmp -s - wanted || complain "the table and the answers are other ones"
}
cat >wanted <<'TABLE'
 goals proved violated open
unreach-call 5 3 2 0
no-data-race 5 2 3 0
no-deadlock 6 4 2 0
valid-memsafety 5 4 1 0
no-division-by-zero 0 0 0 0
unreach-call: UNSAFE (2 violations)
no-data-race: UNSAFE (3 violations)
no-deadlock: UNSAFE (1 violation)
valid-memsafety: UNSAFE (1 violation)
no-division-by-zero: SAFE
result: UNSAFE
TABLE
want_rows

# The leak is asked for by `all`, and each engine finds the same by itself.
for engine in auto replay order circuit reach; do
  run check many_bugs.c --property all --engine $engine --time-limit 120s --quiet
  for answer in "unreach-call: UNSAFE (2 violations)" "no-data-race: UNSAFE (3 violations)" "no-deadlock: UNSAFE (1 violation)" \
    "valid-memsafety: UNSAFE (1 violation)" "no-division-by-zero: SAFE" "no-overflow: SAFE" "valid-memtrack: UNSAFE (1 violation)" \
    "valid-memcleanup: UNSAFE (1 violation)" "result: UNSAFE"; do
    count "^$answer\$" 1
  done
done

# The files have all of them.
python3 - <<'CHECK' || complain "a file does not have what was found"
import json
whole = json.load(open("all.json"))
assert whole["answer"] == "UNSAFE"
places = sorted((f["property"], f["kind"], [p["line"] for p in f["places"]]) for f in whole["findings"])
assert places == [("no-data-race", "data race", [17, 31]), ("no-data-race", "data race", [21, 39]),
                  ("no-data-race", "data race", [39, 47]), ("no-deadlock", "deadlock", [22, 35]),
                  ("unreach-call", "error reached", [34]), ("unreach-call", "error reached", [39]),
                  ("valid-memsafety", "invalid dereference", [50])], places
assert all(f["schedule"]["format"] == "heddle-schedule" for f in whole["findings"])
assert [p["answer"] for p in whole["properties"]] == 4 * ["UNSAFE"] + ["SAFE"]
assert [row["open"] for row in whole["table"]] == 5 * [0]
run = json.load(open("all.sarif"))["runs"][0]
assert len(run["results"]) == 7 and run["invocations"][0]["exitCode"] == 1
assert len({r["partialFingerprints"]["heddleViolation/v1"] for r in run["results"]}) == 7
uris = [a["location"]["uri"] for a in run["artifacts"]]
for result in run["results"]:
    file = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert uris[file["index"]] == file["uri"]
page = open("all.html").read()
data = json.loads(page[page.index('id="data">') + 10:].split("</script>")[0])
assert len(data["findings"]) == 8 and len(data["table"]) == 5
CHECK
for number in "" -2 -3 -4 -5 -6 -7; do
  [ -s "s$number.json" ] || complain "s$number.json is missing"
  [ -s "w$number.yml" ] || complain "w$number.yml is missing"
done
want_absent s-8.json
want_absent w-8.yml
run replay many_bugs.c s-4.json
want_status 1
want_out "violation: data race on "

# A schedule of a later race passes earlier ones, which do not count.
for number in 2 3 4 5 6 7; do
  run replay many_bugs.c s-$number.json --quiet
  want_status 1
done
run replay many_bugs.c s-5.json
cp .out replayed
run check many_bugs.c --time-limit 120s
grep '^violation: ' .out | sed -n 5p | cmp -s - <(grep '^violation: ' replayed) || complain "another violation is replayed"
sed 's/"settled": \[/&{"kind": "data race"}, /' s-5.json >settled.json
grep -q '"settled": \[{' settled.json || complain "the schedule does not name what was told before"
run replay many_bugs.c settled.json
want_input_error '"settled" is malformed'

# Further files replace what an earlier run has written, and nothing else: no input, no other output, no other file.
cp many_bugs.c kept-2.c
echo "x" >kept-3.c
run check kept-2.c --property no-data-race --quiet --save-schedule kept.c --stdin kept-3.c
want_status 1
want_err "--save-schedule kept-2.c would replace the input kept-2.c"
want_err "--save-schedule kept-3.c would replace the input kept-3.c"
cmp -s many_bugs.c kept-2.c || complain "an input was replaced"
grep -q x kept-3.c || complain "another input was replaced"
run check many_bugs.c --property no-data-race --quiet --save-schedule t.json --json t-2.json --witness mine.h
want_err "--save-schedule t-2.json is the same file as --json t-2.json"
grep -q '"findings"' t-2.json || complain "an output was replaced by another"
echo "int mine;" >mine-2.h
cp t-3.json old.json
run check many_bugs.c --property no-data-race --quiet --save-schedule t.json --witness mine.h
want_err "--witness: mine-2.h is not written: a file of that name is there already"
[ "$(cat mine-2.h)" = "int mine;" ] || complain "a file was replaced"
cmp -s old.json t-3.json || complain "the file of an earlier run is not the same now"

# Each witness leads to its violation, that of a deadlock too.
run validate many_bugs.c w-6.yml --property no-deadlock --quiet
want_status 0

# One property: as ever, and further violations behind it.
run check many_bugs.c --property no-deadlock --json one.json
want_status 1
count '^violation: ' 1
count 'goals' 0
count 'no-deadlock: ' 0
grep -q '"property": "no-deadlock"' one.json || complain "the result of the only property is missing"
run check many_bugs.c --property no-data-race --quiet
[ "$(cat .out)" = $'property: no-data-race\nresult: UNSAFE' ] || complain "more than two lines"
run check many_bugs.c --property no-data-race --format gcc
count ': error: ' 3
want_last "result: UNSAFE"

# Each engine finds all of them. Those that can go on do so in one search; what is settled on the way is in the schedules.
for engine in replay order circuit reach; do
  run check many_bugs.c --property no-data-race --engine $engine --time-limit 120s --verbose --save-schedule e.json
  want_status 1
  count '^violation: data race on ' 3
  count '^there are no other violations$' 1
  if [ $engine != reach ]; then want_err 'violations_told: 3'; fi
  run replay many_bugs.c e-3.json --quiet
  want_status 1
done
run check many_bugs.c --property no-data-race --engine replay --verbose --first
want_err 'violations_told: 0'

# --first stops at the first violation.
run check many_bugs.c --first
want_status 1
count '^violation: ' 1
want_out "unreach-call: UNSAFE (1 violation)"
want_out "no-deadlock: UNKNOWN (not asked: --first ends a run at its first violation)"
run check many_bugs.c --property no-data-race --first
count '^violation: ' 1
count 'goals' 0

# Lists, repeated options, all, and files with several properties.
run check many_bugs.c --property no-deadlock,unreach-call --property no-division-by-zero --quiet
printf '%s\n' "unreach-call: UNSAFE (2 violations)" "no-deadlock: UNSAFE (1 violation)" "no-division-by-zero: SAFE" \
  "result: UNSAFE" | cmp -s - .out || complain "the answers are other ones"
printf 'CHECK( init(main()), LTL(G ! deadlock) )\nCHECK( init(main()), LTL(G ! data-race) )\n' >two.prp
run check many_bugs.c --property two.prp --quiet
printf '%s\n' "no-data-race: UNSAFE (3 violations)" "no-deadlock: UNSAFE (1 violation)" "result: UNSAFE" |
  cmp -s - .out || complain "the answers are other ones"
printf 'int main(void) { return 0; }\n' >empty.c
run check empty.c --property all --quiet
want_status 0
for property in unreach-call no-data-race no-deadlock valid-memsafety no-division-by-zero; do
  want_out "$property: SAFE"
done
! grep -q ltl .out || complain "all has ltl in it"
run check empty.c --property unreach-call,,no-deadlock
want_input_error "unknown property ''"
run check empty.c --property no-deadlock,ltl
want_input_error "the property ltl wants a formula"
run show cfa empty.c --property no-deadlock,unreach-call
want_input_error "asks for several properties"

# What stays open, and why; what static facts exclude is proved all the same.
cat >open.c <<'END_OF_FILE'
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int protected, racy;
void *worker(void *argument) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    protected++;
    pthread_mutex_unlock(&mutex);
    racy++;
  }
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  return 0;
}
END_OF_FILE
run check open.c --property no-data-race,no-deadlock --engine replay --max-states 20 --quiet --json open.json
want_status 3
want_out "no-data-race: UNKNOWN (state limit reached"
want_out "no-deadlock: SAFE"
want_last "result: UNKNOWN (no-data-race: state limit reached; try a larger --max-states)"
python3 - <<'CHECK' || complain "the table is another one"
import json
row = json.load(open("open.json"))["table"][0]
assert (row["goals"], row["proved"], row["violated"], row["open"]) == (2, 1, 0, 1), row
CHECK

# Two objects that race at the same lines, and one that does not: a finding for each, by every engine.
cat >same_lines.c <<'END_OF_FILE'
#include <pthread.h>
int first, second, third, fourth;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int chosen(void);
void set(int *object) {
  *object = 1;
}
void *worker(void *argument) {
  set(chosen() ? &first : &second);
  pthread_mutex_lock(&mutex);
  set(&third);
  pthread_mutex_unlock(&mutex);
  set(&fourth);
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  set(chosen() ? &second : &first);
  pthread_mutex_lock(&mutex);
  set(&third);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  set(&fourth);
  return 0;
}
END_OF_FILE
for engine in auto replay order circuit reach; do
  run check same_lines.c --property no-data-race,no-division-by-zero --engine $engine --time-limit 120s --sarif same.sarif \
    --save-schedule o.json
  count '^violation: data race on ' 2
  for object in first second; do count "^violation: data race on $object: written at same_lines.c:6 " 1; done
  count '^there are no other violations$' 1
  grep -q '^no-data-race  *4  *2  *2  *0$' .out || complain "$engine: the table is another one"
  run replay same_lines.c o-2.json --quiet
  want_status 1
done
[ "$(grep -c '"heddleViolation/v1"' same.sarif)" = "$(grep '"heddleViolation/v1"' same.sarif | sort -u | wc -l)" ] ||
  complain "two races have one fingerprint"
sed 's/"goals": \["[a-z]*"\]/"goals": []/' o-2.json >nameless.json
run replay same_lines.c nameless.json
want_input_error '"settled" is malformed'

# Blocks of several places are left at one end: a finding for each place, and none for what is freed. Other places at
# which the process ends make no findings of their own.
cat >blocks.c <<'END_OF_FILE'
#include <pthread.h>
#include <stdlib.h>
int chosen(void);
void *kept, *freed;
void *worker(void *argument) {
  int *own = malloc(4);
  *own = 1;
  return argument;
}
int main(void) {
  pthread_t thread;
  kept = malloc(8);
  freed = malloc(8);
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  for (int i = 0; i < 2; i++) {
    char *text = malloc(5);
    if (i == 0) free(text);
  }
  free(freed);
  if (chosen()) exit(1);
  return 0;
}
END_OF_FILE
for engine in auto replay order circuit reach; do
  run check blocks.c --property valid-memcleanup,no-division-by-zero --engine $engine --time-limit 120s --json blocks.json \
    --sarif blocks.sarif --save-schedule b.json
  count '^violation: memory is not freed ' 3
  for line in 6 12 17; do count "allocated at blocks.c:$line\$" 1; done
  count '^there are no other violations$' 1
  grep -q '^valid-memcleanup  *4  *1  *3  *0$' .out || complain "$engine: the table is another one"
  run replay blocks.c b-3.json --quiet
  want_status 1
done
python3 - <<'CHECK' || complain "a file does not have the three places"
import json
whole = json.load(open("blocks.json"))
assert sorted(p["line"] for f in whole["findings"] for p in f["places"]) == [6, 12, 17], whole["findings"]
results = json.load(open("blocks.sarif"))["runs"][0]["results"]
assert len({r["partialFingerprints"]["heddleViolation/v1"] for r in results}) == len(results) == 3
CHECK
sed '/chosen/d' blocks.c >lost.c
run check lost.c --property valid-memtrack,no-division-by-zero --engine replay
for line in 5 16; do count "^violation: memory is lost at .*, allocated at lost.c:$line\$" 1; done
count '^violation: memory is lost ' 2
sed -i 's|malloc(8);|& // heddle: ignore valid-memcleanup|' blocks.c
run check blocks.c --property valid-memcleanup,no-division-by-zero
count '^violation: memory is not freed ' 2

# Two deadlocks that have main at the same line, and two equal statements: each has a fingerprint of its own.
cat >alike.c <<'END_OF_FILE'
#include <assert.h>
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int chosen(void);
void *worker(void *argument) {
  int way = chosen();
  pthread_mutex_lock(&mutex);
  if (way == 1) pthread_mutex_lock(&mutex);
  if (way == 2) for (;;) pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}
int main(void) {
  pthread_t thread;
  if (chosen()) {
    assert(0);
  }
  if (chosen()) {
    assert(0);
  }
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  return 0;
}
END_OF_FILE
run check alike.c --property unreach-call,no-deadlock --sarif alike.sarif
want_out "unreach-call: UNSAFE (2 violations"
want_out "no-deadlock: UNSAFE (2 violations"
python3 - <<'CHECK' || complain "findings have one fingerprint"
import json
results = json.load(open("alike.sarif"))["runs"][0]["results"]
assert len({r["partialFingerprints"]["heddleViolation/v1"] for r in results}) == len(results) == 4
CHECK

# What was found is told although the rest runs out of time, and the later property gets its share of it.
write_endless endless.c
sed -i 's/for (;;) assert/assert(a == 0);\n  &/' endless.c
run check endless.c --property unreach-call,no-division-by-zero --time-limit 8s
want_status 1
count '^violation: ' 1
want_out "unreach-call: UNSAFE (1 violation; the rest is open: out of time"
want_out "no-division-by-zero: SAFE"

# An execution that ends at a null pointer hides an assertion, and is itself a violation.
printf '#include <assert.h>\nint main(void) { int *p = 0; *p = 1; assert(0); }\n' >ended.c
run check ended.c --quiet
want_status 1
want_out "unreach-call: SAFE"
want_out "valid-memsafety: UNSAFE (1 violation)"
want_last "result: UNSAFE"

finish
