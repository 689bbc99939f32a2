#!/bin/bash
# The survey as an engine of heddle check: what it decides, what it leaves to the others, and what is told of it.
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/cli/common.sh"
holds() { # FILE EXPRESSION over the JSON value d
  python3 -c "import json, sys; d = json.load(open(sys.argv[1])); sys.exit(not ($2))" "$1" || complain "$1: not true: $2"
}

# Threads without bound.
cat >endless.c <<'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, limit;
static void *work(void *argument) {
  pthread_mutex_lock(&lock);
  total += limit;
  pthread_mutex_unlock(&lock);
  return argument;
}
int main(void) {
  limit = 3;
  for (;;) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
  }
}
END
run check endless.c --property no-data-race --json s.json --report s.html --sarif s.sarif --witness s.yml
want_status 0
want_last "result: SAFE"
want_out "this rests on:"
want_out "  no access leaves the object that its pointer was made for"
want_out "  locks are initialised before they are used, and not used after they are destroyed"
holds s.json 'd["answer"] == "SAFE" and d["statistics"]["decided_by_survey"] == 1 and not d["cuts"]'
holds s.json 'd["statistics"]["survey_objects"] == 2 == d["statistics"]["survey_proved"]'
holds s.json 'd["statistics"]["survey_seconds"] > 0 and d["statistics"]["survey_seconds"] < 30'
holds s.json '"total: mutex lock" in d["proof"] and "limit: written before threads start" in d["proof"]'
holds s.json 'len([r for r in d["rests_on"] if r["assumption"].startswith("what a survey")]) >= 5'
holds s.json 'd["table"] == [{"property": "no-data-race", "goals": 2, "proved": 2, "violated": 0, "open": 0}]'
grep -q 'total: mutex lock' s.html || complain "the page does not have the proof"
grep -q 'no access leaves the object' s.html || complain "the page does not have the assumptions"
grep -q 'invariant_set' s.yml || complain "there is no witness of correctness"
python3 "$root/tests/cli/sarif_rules.py" s.sarif SAFE || complain "s.sarif breaks a rule of SARIF"
cp .out first
run check endless.c --property no-data-race
cmp -s first .out || complain "the output of two runs differs"
run check endless.c --property no-data-race --quiet
want_out "property: no-data-race"
[ "$(wc -l <.out)" = 2 ] || complain "--quiet prints more than the property and the result"

# It is one of the engines that agree, and asked alone.
run check endless.c --property no-data-race --engine survey
want_status 0
want_last "result: SAFE"
run check endless.c --property no-data-race --agree 2 --time-limit 3s
want_status 3
want_out "1 of 2 engines said SAFE"
write_locked locked.c
run check locked.c --property no-data-race --agree 2 --json two.json
want_status 0
holds two.json 'd["statistics"]["survey_proved"] == 1 and "decided_by_survey" not in d["statistics"]'
run check endless.c --property no-data-race --engine replay --json r.json
want_status 3
holds r.json '"survey_seconds" not in d["statistics"]'
run check endless.c --property no-data-race --search exhaustive
want_status 3 # an option of other engines chooses those

# What it does not prove is left to the others.
write_race race.c
run check race.c --property no-data-race --json race.json
want_status 1
want_last "result: UNSAFE"
holds race.json 'd["statistics"]["survey_objects"] == 1 and d["statistics"]["survey_proved"] == 0'
run check race.c --property no-data-race --engine survey --json race.json
want_status 3
want_out "result: UNKNOWN (1 object may race (counter); \`heddle survey\` tells why"
holds race.json 'd["why"] == "gave up"'
sed 's/^int counter;/int counter; void use(int *); void more(void) { use(\&counter); }/; s/pthread_create/more(), pthread_create/' race.c >open.c
run check open.c --property no-data-race --engine survey
want_status 3
want_out "1 is not understood (counter)"

sed 's/^int main(void) {/void begin(int), end(void);\nint main(void) {\n  begin(3);\n  end();/' locked.c >undefined.c
run check undefined.c --property no-data-race
want_status 0
want_out "  undefined functions: begin, end"
holds two.json '"undefined functions" not in str(d["rests_on"] if "rests_on" in d else "")'

# Several properties; those that it does not decide.
run check locked.c --property no-data-race,no-deadlock --json all.json
want_status 0
want_out "no-data-race: SAFE"
want_out "no-deadlock: SAFE"
run check locked.c --property unreach-call --engine survey
want_input_error "engine survey does not decide the property unreach-call"
run check locked.c --property no-data-race --engine survey --search random
want_status 0
run check locked.c --property no-data-race --engine survy
want_input_error "did you mean survey?"

# What surveys leave out, and suppressed lines, are for the others.
sed 's/^int main(void) {/#include <unistd.h>\nint main(void) {\n  if (fork() == 0) return 0;/' locked.c >fork.c
run check fork.c --property no-data-race --engine survey
want_status 3
want_out "the program uses fork, which surveys leave out"
sed 's/^int main(void) {/int printf(const char *, ...);\nint main(void) {\n  printf("%d%n", 1, \&counter);/' locked.c >count.c
run check count.c --property no-data-race --engine survey
want_status 3
want_out "the program uses the conversion %n, or %m of scanf, which surveys leave out"
sed 's/^int main(void) {/int printf(const char *, ...);\nint main(int n, char **v) {\n  printf(v[0], \&counter);/' locked.c >built.c
run check built.c --property no-data-race --engine survey
want_status 3
want_out "the program uses a format that may be no constant text, which surveys leave out"
sed 's/^int main(void) {/int printf(const char *, ...);\nint main(int n, char **v) {\n  printf(n ? "%d" : "a", n);/' locked.c >chosen.c
run check chosen.c --property no-data-race --engine survey
want_status 0
sed 's/counter = counter + 1;/& \/\/ heddle: ignore no-data-race/' locked.c >ignore.c
run check ignore.c --property no-data-race
want_status 0
want_out "suppressed: no-data-race at ignore.c:"
run check ignore.c --property no-data-race --engine survey
want_status 3
want_out "lines are suppressed"
run check ignore.c --property no-data-race --engine survey --no-suppressions
want_status 0

# Errors in the input, limits of time.
echo 'int add(int a, int b) { return a + b; }' >empty.c
run check empty.c --property no-data-race --engine survey
want_status 2
run check empty.c --property no-data-race
want_status 2
run check locked.c --property no-data-race --engine survey --time-limit 1ms
want_status 3
want_out "out of time"

# Volatile objects are what --volatile says.
sed 's/^int counter;/volatile int counter;/' race.c >volatile.c
run check volatile.c --property no-data-race --engine survey
want_status 3
run check volatile.c --property no-data-race --engine survey --volatile atomic
want_status 0
want_out "accesses by volatile lvalues are atomic"

# The bench.
mkdir tasks
cp endless.c tasks/
cat >tasks/endless.yml <<'END'
format_version: '2.0'
input_files: 'endless.c'
properties:
  - property_file: no-data-race.prp
    expected_verdict: true
options:
  language: C
  data_model: LP64
END
cp "$root/tests/properties/no-data-race.prp" tasks/
run bench tasks --engine survey --property no-data-race --csv b.csv
want_status 0
grep -q 'right true' .out || complain "the bench does not count a right answer"
finish
