#!/bin/bash
# Out of time and out of memory: UNKNOWN with the reason and the phase, status 3, files written.
. "$(dirname "$0")/common.sh"
write_endless endless.c

before=$(date +%s%3N)
run check --property unreach-call endless.c --exhaustive --time-limit 2s --json time.json
after=$(date +%s%3N)
want_status 3
want_out "result: UNKNOWN (out of time ("
want_out " states"
want_out "; try a larger --time-limit)"
[ $((after - before)) -lt 4500 ] || complain "took $((after - before)) ms"
grep -q '"reason": "out of time (.*states' time.json || complain "time.json does not say why"

# Less time than the front end needs.
run check --property unreach-call endless.c --time-limit 1ms
want_status 3
want_out "result: UNKNOWN (out of time ("
want_out "; try a larger --time-limit)"

run check --property unreach-call endless.c --exhaustive --memory-limit 250MB --time-limit 100s --json memory.json
want_status 3
want_out "result: UNKNOWN (out of memory ("
want_out " states"
want_out "; try a larger --memory-limit)"
grep -q '"reason": "out of memory (.*states' memory.json || complain "memory.json does not say why"

# Less memory than the front end needs.
run check --property unreach-call endless.c --memory-limit 1kB --time-limit 100s
want_status 3
want_out "result: UNKNOWN (out of memory (compiling); try a larger --memory-limit)"
want_no_leftovers
# What multiplies the states is named.
cat >many.c <<'END'
#include <pthread.h>
#include <stdio.h>
int a[8], n;
static void *run(void *p) { a[0]++; return p; }
int main(void) {
  pthread_t t;
  for (n = 0; n < 1000; n++)
    a[n % 8] = getchar();
  if (a[0] == a[1] + 5 && a[2] > 7) pthread_create(&t, 0, run, 0);
  return a[0] + a[3];
}
END
run many.c --engine replay --property no-data-race --search exhaustive --time-limit 6s
want_out "most of which differ in the value of an input at many.c:8"
finish
