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
  run check --property unreach-call early.c --engine $engine --json early.json --report early.html --time-limit 60s
  want_status 0
  want_last "result: SAFE"
  want_out "$note"
  want_out "division by zero: an invalid dereference at early.c:11"
  grep -qF '"kind": "vacuous"' early.json || complain "early.json has no note"
  grep -qF 'no execution gets past' early.html || complain "the page has no note"
done
run check --property unreach-call early.c --quiet
[ "$(wc -l <.out)" = 2 ] || complain "not quiet"
run check --property unreach-call early.c --verbose --time-limit 60s
want_err "assertion at early.c:13: not reached"

# One that comes through is enough; and one that runs for ever.
sed 's/\*target = 1;/if (count) *target = 1;/; s/count == 2/count != 2/' early.c >late.c
run check --property unreach-call late.c --time-limit 60s
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
run check --property unreach-call forever.c --time-limit 60s
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
run check --property unreach-call contradiction.c --time-limit 60s
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
run check --property unreach-call choice.c --json choice.json --time-limit 60s
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
run check --property unreach-call woken.c --time-limit 60s
want_last "result: UNSAFE"
want_out "this execution uses: pthread_cond_wait returns at woken.c:9, perhaps without a signal"
# --- functions that are not defined: what the execution owes to them, also with --quiet ---
cat >outside.c <<'END'
#include <assert.h>
extern int outside(void), unused(void);
extern void fills(int *p);
int main(void) {
  int v = 0;
  unused();
  if (outside() == 3) {
    fills(&v);
    assert(v != 17);
  }
  return 0;
}
END
uses="this execution uses undefined functions: outside returns 3 at outside.c:7; fills sets v to 17 at outside.c:8"
for engine in auto replay order reach; do
  run check --property unreach-call outside.c --engine $engine --time-limit 30s
  want_last "result: UNSAFE"
  want_out "$uses"
  ! grep -q "^this execution uses: " .out || complain "told as a choice of a model, too"
done
run check --property unreach-call outside.c --quiet --json outside.json --time-limit 30s
want_last "result: UNSAFE"
want_out "$uses"
[ "$(wc -l <.out)" = 3 ] || complain "more than the property, the functions and the result"
grep -qF '"kind": "undefined function", "what": "outside returns 3 at outside.c:7"' outside.json || complain "not in the JSON"
# What the program itself calls an input is not told.
sed 's/outside/__VERIFIER_nondet_int/; s/fills(&v);/v = 17;/' outside.c >input.c
run check --property unreach-call input.c --quiet --time-limit 30s
want_last "result: UNSAFE"
[ "$(wc -l <.out)" = 2 ] || complain "an input is told as an undefined function"

# --- assertions that NDEBUG compiles out ---
cat >silent.c <<'END'
#include <assert.h>
int x = 1;
int main(void) {
  assert(x == 0);
  return 0;
}
END
rests="assertions that are compiled out (NDEBUG) hold: those of "
echo '#define NDEBUG 1' >settings.h
sed '1s/^/#define NDEBUG\n/' silent.c >defined.c
sed '1s/^/#include "settings.h"\n/' silent.c >included.c
silent() { # options of check
  run check --property unreach-call "$@"
  want_last "result: SAFE"
  want_out "$rests$1"
}
silent silent.c -- -DNDEBUG
silent silent.c -- -D NDEBUG=0
silent silent.c -- -Wp,-DNDEBUG
silent silent.c -- -include settings.h
silent defined.c --json silent.json
silent included.c
grep -qF "\"assumptions\": [" silent.json && grep -qF "assertions that are compiled out (NDEBUG) hold" silent.json ||
  complain "the JSON does not have it"
run check --property unreach-call silent.c -- -DNDEBUG -UNDEBUG
want_last "result: UNSAFE"
sed 's/x == 0/x == 1/; 1s/$/\n#include "settings.h"/' silent.c >late.c # too late: assert() is what it was
run check --property unreach-call late.c
want_last "result: SAFE"
! grep -qF "$rests" .out || complain "assertions are checked, and said not to be"
run check silent.c --property no-data-race -- -DNDEBUG
want_last "result: SAFE"
! grep -qF "$rests" .out || complain "assertions do not concern races"
cat >main.c <<'END'
int side(void);
int main(void) { return side(); }
END
printf '#include <assert.h>\nint side(void) {\n  assert(0);\n  return 0;\n}\n' >side.c
run check --property unreach-call main.c side.c -- -DNDEBUG
want_last "result: SAFE"
want_out "${rests}side.c"

finish
