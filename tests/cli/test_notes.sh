#!/bin/bash
# Notes beside an answer: proofs of which no execution tells anything, choices that a violation hangs on, and the places
# at which executions ended.
. "$(dirname "$0")/common.sh"

# No execution comes to the assertion.
cat >early.c <<'END'
#include <assert.h>
#include <pthread.h>
int *target, count;
void *worker(void *argument) {
  count++;
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  *target = 1;
  pthread_join(thread, 0);
  assert(count == 2);
  return 0;
}
END
note="note: no execution gets past the invalid dereference at early.c:11 in thread 0 (main): null pointer"
for engine in auto replay order reach circuit; do
  run check early.c --engine $engine --json early.json --report early.html --time-limit 60s
  want_status 0
  want_last "result: SAFE"
  want_out "$note"
  want_out "division by zero: an invalid dereference at early.c:11"
  grep -qF '"kind": "vacuous"' early.json || complain "early.json has no note"
  grep -qF 'no execution gets past' early.html || complain "the page has no note"
done
run check early.c --quiet
[ "$(wc -l <.out)" = 2 ] || complain "not quiet"
run check early.c --verbose --time-limit 60s
want_err "assertion at early.c:13: not reached"

# One that comes through is enough; and one that runs for ever.
sed 's/\*target = 1;/if (count) *target = 1;/; s/count == 2/count != 2/' early.c >late.c
run check late.c --time-limit 60s
want_last "result: SAFE"
! grep -q "^note" .out || complain "a note, although an execution comes to the end"
cat >forever.c <<'END'
#include <assert.h>
int main(void) {
  for (;;)
    ;
  assert(0);
}
END
run check forever.c --time-limit 60s
want_last "result: SAFE"
! grep -q "^note" .out || complain "a note, although the execution goes on for ever"

# An assumption that is false whatever the input.
cat >contradiction.c <<'END'
#include <assert.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 3 && x < 2);
  assert(0);
  return 0;
}
END
run check contradiction.c --time-limit 60s
want_last "result: SAFE"
want_out "gets past the false assumption at contradiction.c:6"

# What a violation hangs on.
cat >choice.c <<'END'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int *block = malloc(sizeof *block), number = rand();
  putchar('x');
  if (number == 3 && *block == 9) assert(0);
  return 0;
}
END
run check choice.c --json choice.json --time-limit 60s
want_last "result: UNSAFE"
want_out "this execution uses: rand chooses 3 at choice.c:5; "
want_out " holds 9 at choice.c:7, where it may hold any value"
! grep -q "putchar" choice.json || complain "a choice that does not matter is told"
grep -qF '"kind": "choice", "what": "rand chooses 3 at choice.c:5"' choice.json || complain "choice.json has no note"
cat >woken.c <<'END'
#include <assert.h>
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;
void *worker(void *argument) {
  pthread_mutex_lock(&mutex);
  if (!ready)
    pthread_cond_wait(&changed, &mutex);
  assert(ready);
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
END
run check woken.c --time-limit 60s
want_last "result: UNSAFE"
want_out "this execution uses: pthread_cond_wait returns at woken.c:9, perhaps without a signal"
finish
