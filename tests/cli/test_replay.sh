#!/bin/bash
# `heddle replay`: a schedule that check wrote is run again; any other is refused with one line.
. "$(dirname "$0")/common.sh"
write_race race.c
write_locked locked.c
run check --property unreach-call race.c --save-schedule schedule.json
want_status 1
sed '1d;$d' .out >trace

run replay race.c schedule.json
want_status 1
want_out "property: unreach-call"
want_last "result: UNSAFE"
sed '1d;$d' .out | cmp -s - trace || complain "another trace than the check's"
run replay race.c schedule.json --quiet
want_status 1

# A violation that needs larger limits than the first round has: replay lowers the program the same way.
cat >many.c <<'END'
#include <assert.h>
#include <pthread.h>
int arrived;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *argument) {
  pthread_mutex_lock(&mutex);
  arrived++;
  assert(arrived < 5);
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_t threads[5];
  for (int i = 0; i < 5; i++) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 5; i++) pthread_join(threads[i], 0);
  return 0;
}
END
run check --property unreach-call many.c --save-schedule many.json --json many_result.json
want_status 1
want_last "result: UNSAFE"
grep -q '"rounds": 3' many_result.json || complain "not in the third round"
run replay many.c many.json
want_status 1
run check --property unreach-call many.c --threads-limit 4
want_status 3
want_out "thread limit"

size=$(wc -c <schedule.json)
for part in 0 1 $((size / 3)) $((size / 2)) $((size - 3)); do
  head -c "$part" schedule.json >torn.json
  run replay race.c torn.json
  want_input_error torn.json
done
run replay locked.c schedule.json
want_input_error "schedule.json: the schedule belongs to another program"
run replay race.c schedule.json --data-model ILP32
want_input_error "schedule.json: the schedule belongs to another program"
run replay race.c missing.json
want_input_error missing.json
run replay missing.c schedule.json
want_input_error missing.c
sed 's/"thread": "0.0"/"thread": "0.5"/' schedule.json >thread.json
run replay race.c thread.json
want_input_error "thread.json: step "
sed 's/"edge": [0-9]*/"edge": 99999999/' schedule.json >edge.json
run replay race.c edge.json
want_input_error "edge.json: step 0: edge 99999999 does not exist"
# The same steps in another order do not fit.
awk '/"steps"/ { print; getline first; getline second; print second; print first; next } { print }' schedule.json \
  >swapped.json
run replay race.c swapped.json
want_input_error "swapped.json: "
finish
