#!/bin/bash
# heddle survey: the table, files, baselines, explanations, entries, suppressions, confirmation, statuses and errors.
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/cli/common.sh"
cp "$root/examples/server.c" .
holds() { # FILE EXPRESSION over the JSON value d
  python3 -c "import json, sys; d = json.load(open(sys.argv[1])); sys.exit(not ($2))" "$1" || complain "$1: not true: $2"
}
count() { # TEXT NUMBER: lines of the output that have the text
  [ "$(grep -c -- "$1" .out)" = "$2" ] || complain "'$1' is not on $2 lines"
}

# The example: one counter is not protected, and nothing else is warned of.
run survey server.c --json s.json --sarif s.sarif --report s.html
want_status 3
want_out "warnings:"
count 'RACE?' 1
want_out "1  statistics.bytes: RACE? server.c:60 (write, no lock) / server.c:60 (write, no lock)"
want_out "queue.first: mutex queue.lock (3 places)"
want_out "verbose: written before threads start"
want_out "this rests on:"
grep -q '^survey: 1 warned, ' <(tail -n 1 .out) || complain "the last line does not count one warning"
cp .out first
run survey server.c --json again.json
cmp -s first .out || complain "the output of two runs differs"
cmp -s s.json again.json || complain "the JSON of two runs differs"
run survey server.c --quiet
[ "$(wc -l <.out)" = 1 ] || complain "--quiet prints more than the last line"

holds s.json 'd["format"] == "heddle-survey" and d["complete"] and d["totals"]["warned"] == 1'
holds s.json '[o["name"] for o in d["objects"] if o["standing"] == "warned"] == ["statistics.bytes"]'
holds s.json 'all(p["first"]["file"] == "server.c" and len(p["fingerprint"]) == 16 for o in d["objects"] for p in o["pairs"])'
holds s.sarif 'len(d["runs"][0]["results"]) == 1 and d["runs"][0]["results"][0]["ruleId"] == "survey-data-race"'
holds s.sarif 'd["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] in (60, 78)'
holds s.sarif 'd["runs"][0]["results"][0]["relatedLocations"]'
python3 "$root/tests/cli/sarif_rules.py" s.sarif SURVEY || complain "s.sarif breaks a rule of SARIF"
python3 - <<'CHECK' || complain "the page does not have the data"
import json
page = open("s.html").read()
data = json.loads(page[page.index('id="data">') + 10:].split("</script>")[0])
assert data == json.load(open("s.json")) and "{{" not in page.split('id="data">')[0]
CHECK

# Why, and what would help.
run survey server.c --explain 1
want_status 3
want_out "1: statistics.bytes (warned)"
want_out "why it is not excluded: "
want_out "line: statistics.bytes += request;"
run survey server.c --explain 2
want_input_error "--explain: there is no number 2; numbers are 1 to 1"

# A baseline: lines may move; a new race is told.
sed '1i // a line more' server.c >moved.c
mv moved.c server.c
run survey server.c --baseline s.json --json known.json
want_status 0
want_out "known from the baseline: 1 object"
count 'RACE?' 0
run survey server.c --baseline known.json
want_status 0
sed -i 's/^  close_queue();$/  verbose = argc > 1;\n  close_queue();/' server.c
run survey server.c --baseline s.json
want_status 3
count 'RACE?' 1
want_out "1  verbose: RACE?"
cp "$root/examples/server.c" .
for bad in server.c missing.json; do
  run survey server.c --baseline $bad
  want_input_error "$bad"
done
run survey server.c --baseline s.json --json s.json
want_input_error "s.json"
run survey server.c --json server.c
want_input_error "server.c"
holds s.json 'd["complete"]'

# The same for a block of memory, in whose name there is a line.
cat >block.c <<'END'
#include <pthread.h>
#include <stdlib.h>
struct pair { int a, b; } *pairs;
void *worker(void *argument) { pairs->a++; return argument; }
int main(void) {
  pthread_t thread;
  pairs = malloc(sizeof *pairs);
  pthread_create(&thread, 0, worker, 0);
  pairs->a++;
}
END
run survey block.c --json block.json
want_out "struct pair (malloc in main, block.c:7)"
sed -i '3i // a line more' block.c
run survey block.c --baseline block.json
want_status 0

# An interrupt ends it at once: here while clang waits for a file that does not come.
mkfifo waits.h
echo '#include "waits.h"' >waits.c
command_line="heddle survey waits.c"
"$heddle" survey waits.c >.out 2>.err &
child=$!
sleep 0.7
started=$(date +%s%N)
kill -INT "$child"
wait "$child"
status=$?
took=$((($(date +%s%N) - started) / 1000000))
want_status 3
want_out "survey: UNKNOWN (interrupted)"
[ "$took" -lt 700 ] || complain "it ended $took ms after the interrupt"
rm waits.c waits.h

# What undefined functions reach is told in one line, by functions.
cat >outside.c <<'END'
#include <pthread.h>
int a, b, c;
void take(int *), take_more(int *);
void *worker(void *argument) { return argument; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  take(&a);
  take(&b);
  take_more(&c);
}
END
run survey outside.c
want_status 3
want_out "  1-3  undefined functions make 3 objects open (--all lists them): take (2), take_more (1); "
run survey outside.c --all
want_out "    3  c: the undefined function take_more may reach it"
run survey outside.c --explain 3
want_out "3: c (open)"

# Suppressions, by a comment.
sed -i 's|^  statistics.bytes += .*|  statistics.bytes += request; // heddle: ignore no-data-race -- an estimate|' server.c
run survey server.c
want_status 0
want_out "suppressed: 1 object"
want_out "server.c:60 is suppressed by a comment at server.c:60"
run survey server.c --no-suppressions
want_status 3
cp "$root/examples/server.c" .

# Everything is proved.
sed -i 's|^  statistics.bytes += .*||' server.c
run survey server.c
want_status 0
count 'RACE?' 0
write_locked locked.c
run survey locked.c
want_status 0
want_out "counter: "

# Entries: a library without main, whose functions any number of threads call.
cat >library.c <<'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int calls, total;
void add(int n) {
  pthread_mutex_lock(&lock);
  total += n;
  pthread_mutex_unlock(&lock);
  calls++;
}
END
run survey library.c --entry add
want_status 3
want_out "calls: RACE? library.c:8"
want_out "total: mutex lock"
run survey library.c
want_status 2
want_one_error_line
run survey library.c --entry addd
want_input_error "--entry: the program defines no function addd"

# The exact engines: a race is executed, or all warnings are excluded.
write_race race.c
run survey race.c --confirm --json confirmed.json --sarif confirmed.sarif
want_status 1
want_out "counter: RACE race.c:"
want_out "violation: data race on counter"
holds confirmed.json 'd["totals"]["confirmed"] == 1 and d["other_races"] == []'
holds confirmed.sarif 'd["runs"][0]["results"][0]["level"] == "error" and d["runs"][0]["invocations"][0]["exitCode"] == 1'
cat >parity.c <<'END'
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int turns, shared;
void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  int mine = turns++;
  pthread_mutex_unlock(&lock);
  if (mine == 0) shared++;
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
END
run survey parity.c
want_status 3
want_out "shared: RACE?"
run survey parity.c --confirm
want_status 0
want_out "excluded by the exact engines: 1 object"

# Errors, and names that hurt.
run survey
want_input_error "survey wants a file"
run survey missing.c
want_status 2
run survey race.c --property no-data-race
want_input_error "--property"
printf 'int x = ;\n' >wrong.c
run survey wrong.c
want_status 2
want_err "wrong.c"
hostile=$(printf 'survey: 0\nresult: SAFE\033[1m.c')
write_race "$hostile"
run survey "$hostile"
want_status 3
[ "$(grep -c '^survey:' .out)" = 1 ] || complain "a name reads like the last line"
grep -q "$(printf '\033')" .out && complain "a control character is printed"
run survey server.c --time-limit 1ms
want_status 3
grep -q '^survey: ' <(tail -n 1 .out) || complain "no last line when time is out"
want_no_leftovers
finish
