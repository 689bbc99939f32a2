#!/bin/bash
# --volatile: three readings of volatile accesses, in the answer, in its message and in a schedule's file.
. "$(dirname "$0")/common.sh"

# A flag that is polled; a plain object published by it; an object that nothing orders; a struct copied as a whole.
cat >flag.c <<'SOURCE'
#include <pthread.h>
volatile int flag;
volatile struct { int a, b; } both, copy;
int data, unordered;
void *worker(void *unused) {
#ifdef STRUCT
  copy = both;
#endif
#ifdef UNORDERED
  unordered = 1;
#endif
  data = 1;
  flag = 1;
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
#ifdef STRUCT
  both = copy;
#endif
#ifdef UNORDERED
  unordered = 2;
#endif
#ifdef MIXED
  return *(int *)&flag;
#endif
  while (!flag) continue;
  return data;
}
SOURCE
races() { run check flag.c --property no-data-race --time-limit 30s "$@"; }

races
want_status 1
want_out "(volatile)"
want_out "volatile does not synchronise (see --volatile)"
races --volatile racy -- -DSTRUCT
want_status 1

races --volatile atomic
want_status 0
races --volatile atomic -- -DSTRUCT
want_status 0
races --volatile atomic -- -DMIXED # an ordinary access of the same object
want_status 1
want_out "data race on flag"

races --volatile ignore
want_status 0
want_out "accesses that are ordered only by what volatile objects hold do not race"
races --volatile ignore -- -DSTRUCT
want_status 0
races --volatile ignore -- -DMIXED
want_status 0

# Other objects race as before, and the schedule is run again with the reading that it was found with.
for reading in atomic ignore; do
  races --volatile $reading --save-schedule $reading.json -- -DUNORDERED
  want_status 1
  want_out "data race on unordered"
  run replay flag.c $reading.json -- -DUNORDERED
  want_status 1
  want_out "data race on unordered"
  grep -qF "\"volatile\": \"$reading\"" $reading.json || complain "the schedule does not say $reading"
done
sed 's/"volatile": "ignore"/"volatile": "sometimes"/' ignore.json >sometimes.json
run replay flag.c sometimes.json -- -DUNORDERED
want_input_error '"volatile" of "lowering" is missing or malformed'
run check --property unreach-call flag.c --volatile sometimes
want_input_error "--volatile wants racy|atomic|ignore, not 'sometimes'"

finish
