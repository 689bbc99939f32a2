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
# Where time runs out without an input that multiplies the states, the busiest line is named.
cat >interleaved.c <<'END'
#include <assert.h>
#include <pthread.h>
int a, b, c, d;
static void *run(void *p) {
  int *own = p;
  for (;;)
    *own = *own * 5 + a + b + c + d + 1;
  return p;
}
int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, run, &a);
  pthread_create(&t[1], 0, run, &b);
  pthread_create(&t[2], 0, run, &c);
  pthread_create(&t[3], 0, run, &d);
  assert(a != 12345678);
  pthread_exit(0);
}
END
run interleaved.c --engine replay --property unreach-call --search exhaustive --time-limit 5s
want_out "many of them at interleaved.c:7"
# Handlers at too many places: all share one section for each signal, so the program does not grow.
{
  echo '#include <signal.h>'
  echo '#include <pthread.h>'
  echo 'int x, y; void on(int s) {'
  for _ in $(seq 300); do echo ' y++;'; done
  echo '} void *run(void *p) {'
  for _ in $(seq 400); do echo ' x++; y++;'; done
  echo ' return p; } int main(void) { pthread_t t; signal(SIGUSR1, on); pthread_create(&t, 0, run, 0); run(0); }'
} >handlers.c
run handlers.c --engine replay --property unreach-call --verbose --time-limit 20s
want_status 3
want_out "size limit: signal handlers at too many places"
edges=$(sed -n 's/^round 1: .* threads, \([0-9]*\) edges, .* cells.*/\1/p' .err | head -n 1)
[ -n "$edges" ] && [ "$edges" -lt 30000 ] || complain "$edges edges"
finish
