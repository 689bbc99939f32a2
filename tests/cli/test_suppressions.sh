#!/bin/bash
# Suppression by comments: what is suppressed is taken out of the question, and the rest is still asked.
. "$(dirname "$0")/common.sh"

# program FILE MARK-IN-WORKER MARK-BEFORE-OTHER: races on `counter`, and on `other` if OTHER is defined.
cat >races.c <<'END'
#include <pthread.h>
int counter, other;
void *worker(void *argument) {
  counter = counter + 1; // heddle: ignore no-data-race -- a statistic
#ifdef OTHER
  other = 1;
#endif
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  counter = 7;
#ifdef OTHER
  other = 2;
#endif
  pthread_join(thread, 0);
  return 0;
}
END
run races.c --property no-data-race --json out.json --sarif out.sarif --witness w.yml
want_status 0
want_last "result: SAFE"
want_out "1 suppressed: no-data-race at races.c:4 by a comment at races.c:4"
want_out "what is suppressed is no violation"
want_err "w.yml is not written"
want_absent w.yml
grep -q 'no-data-race at races.c:4 by a comment' out.json || complain "the JSON lacks the suppression"
python3 - <<'END' || complain "SARIF lacks the suppression"
import json
results = json.load(open("out.sarif"))["runs"][0]["results"]
assert [r["suppressions"][0]["kind"] for r in results] == ["inSource"], results
assert results[0]["kind"] == "notApplicable" and results[0]["level"] == "none"
assert results[0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 4
END
run races.c --property no-data-race -DOTHER --save-schedule s.json
want_status 1
want_out "data race on other"
want_out "1 suppressed: "
want_last "result: UNSAFE"
run replay races.c s.json -DOTHER
want_out "data race on other"
want_last "result: UNSAFE"
sed 's/heddle: ignore/heddle: please ignore/' races.c >plain.c
run plain.c --property no-data-race
want_last "result: UNSAFE"
sed 's/ignore no-data-race/ignore unreach-call/' races.c >another.c
run another.c --property no-data-race
want_last "result: UNSAFE"
sed 's/ignore no-data-race/ignore no-data-races/' races.c >typo.c
run typo.c --property no-data-race
want_last "result: UNSAFE"
want_err "typo.c:4: warning: a comment ignores the unknown property 'no-data-races'"
want_err "did you mean no-data-race?"
run typo.c --property no-data-race --quiet
[ ! -s .err ] || complain "--quiet warns"
sed 's|"nothing"||; s|// heddle: ignore.*||; 4i\  /* heddle: ignore no-deadlock, no-data-race */' races.c >before.c
run before.c --property no-data-race
want_out "no-data-race at before.c:5 by a comment at before.c:4"
want_last "result: SAFE"
sed 's|// heddle: ignore.*|; const char *s = "// heddle: ignore"; (void)s;|' races.c >string.c
run string.c --property no-data-race
want_last "result: UNSAFE"

# --- errors, by every engine ---
cat >errors.c <<'END'
#include <assert.h>
#include <pthread.h>
int turns;
void *worker(void *argument) {
  turns = turns + 1;
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  turns = turns + 1;
  pthread_join(thread, 0);
  // heddle: ignore
  assert(turns == 2);
#ifdef OTHER
  assert(turns == 1);
#endif
  return 0;
}
END
for engine in replay order reach circuit; do
  run errors.c --property unreach-call --engine "$engine"
  want_last "result: SAFE"
  want_out "1 suppressed: unreach-call at errors.c:14 by a comment at errors.c:13"
  run errors.c --property unreach-call --engine "$engine" -DOTHER
  want_last "result: UNSAFE"
  want_out "errors.c:16"
done

# --- division, memory ---
cat >divide.c <<'END'
#include <pthread.h>
#include <stdlib.h>
volatile int divisor;
int *block;
void *worker(void *argument) {
  divisor = 1;
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  int x = 6 / divisor; // heddle: ignore no-division-by-zero
#ifdef OTHER
  x = x / (divisor - 1);
#endif
  pthread_join(thread, 0);
  return x;
}
END
run divide.c --property no-division-by-zero
want_last "result: SAFE"
want_out "1 suppressed: no-division-by-zero at divide.c:12"
run divide.c --property no-division-by-zero -DOTHER
want_last "result: UNSAFE"
want_out "divide.c:14"
cat >memory.c <<'END'
#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  if (!p) return 0;
  *p = 1;
  free(p);
#ifdef OTHER
  if (p == (int *)1) *p = 2;
  int *q = 0;
  *q = 1;
#endif
  free(p); // heddle: ignore valid-memsafety
  return 0;
}
END
run memory.c --property valid-memsafety
want_last "result: SAFE"
run memory.c --property valid-memsafety -DOTHER
want_last "result: UNSAFE"
sed 's|// heddle.*||' memory.c >memory2.c
run memory2.c --property valid-memsafety
want_last "result: UNSAFE"

# --- deadlocks ---
cat >locks.c <<'END'
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *argument) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a); // heddle: ignore no-deadlock
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
#ifdef OTHER
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&a);
#endif
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(thread, 0);
  return 0;
}
END
run locks.c --property no-deadlock
want_last "result: SAFE"
want_out "1 suppressed: no-deadlock at locks.c:5"
run locks.c --property no-deadlock -DOTHER
want_last "result: UNSAFE"
sed 's|// heddle.*||' locks.c >locks2.c
run locks2.c --property no-deadlock
want_last "result: UNSAFE"
# --- asked about all the same ---
run races.c --property no-data-race --no-suppressions --save-schedule schedule.json
want_status 1
want_last "result: UNSAFE"
want_out "races.c:4"
! grep -q suppressed .out || complain "a suppression is told"
run replay races.c schedule.json --no-suppressions
want_last "result: UNSAFE"
run replay races.c schedule.json
want_status 3
finish
