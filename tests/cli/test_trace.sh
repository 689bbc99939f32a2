#!/bin/bash
# The trace on the terminal: golden texts, what is left out and what never is, columns, colour, explanations.
. "$(dirname "$0")/common.sh"

want_trace() { # what stands between the property and the result
  sed '1d;$d' .out >.trace
  diff - .trace >.difference || complain "another trace:$(printf '\n%s' "$(cat .difference)")"
}
want_not() { grep -qF -- "$1" .out && complain "'$1' is on standard output"; }

# A lost update; a thread and a loop that have nothing to do with it.
cat >lost.c <<'END'
#include <assert.h>
#include <pthread.h>
int counter, noise[3];
void *worker(void *argument) {
  int old = counter;
  counter = old + 1;
  return 0;
}
void *idle(void *argument) {
  noise[0] = 1;
  return 0;
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, idle, 0);
  pthread_create(&second, 0, worker, 0);
  for (int i = 0; i < 3; i++)
    noise[i] = noise[i] + 2;
  int old = counter;
  counter = old + 1;
  pthread_join(second, 0);
  pthread_join(first, 0);
  assert(counter == 2);
  return 0;
}
END
run check --property unreach-call lost.c --engine replay
want_status 1
want_not "idle"
want_not "noise"
want_out "creates thread 2 (worker)"
want_out "joins thread 2 (worker)"
want_out "reads counter = 1, reaches the error"
want_out "at the end: counter = 1"
want_out "left out; --full shows all)"
grep -qE "^why: counter is 1: (main|thread 2)'s write of 1 at lost.c:(6|20) was lost, as (main|thread 2) had read counter = 0 at lost.c:(5|19) before it and wrote 1 after it$" .out ||
  complain "the lost update is not explained"
run check --property unreach-call lost.c --engine replay --full
want_out "noise"
want_not "left out"

# A value that was not written yet, behind a flag that was seen.
cat >early.c <<'END'
#include <pthread.h>
void reach_error(void) {}
int data, ready;
void *writer(void *argument) {
  ready = 1;
  data = 7;
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  while (!ready)
    ;
  if (data != 7)
    reach_error();
  return 0;
}
END
run check --property unreach-call early.c --engine replay
want_status 1
want_trace <<'END'
thread 0 (main)
  early.c:11  pthread_create(&thread, 0, writer, 0);                    creates thread 1 (writer), thread: 0 -> &thread 1
thread 1 (writer)
  early.c:5   ready = 1;                                                ready: 0 -> 1
thread 0 (main)
  early.c:12  while (!ready)                                            reads ready = 1
  early.c:14  if (data != 7)                                            reads data = 0
  early.c:15  reach_error();                                            reaches the error
at the end: ready = 1
(2 lines that did not matter left out; --full shows all)
violation: an error is reached at early.c:15 in thread 0 (main)
why: main read data = 0 at early.c:14 before thread 1 came to write it at early.c:6
END

# Columns, as wide as asked for; the list where they do not fit.
run check --property unreach-call early.c --engine replay --width 120
want_trace <<'END'
thread 0 (main)                                            │ thread 1 (writer)
───────────────────────────────────────────────────────────┼───────────────────────────────────────────────────────────
11 pthread_create(&thread, 0, writer, 0);                  │
    creates thread 1 (writer), thread: 0 -> &thread 1      │
                                                           │ 5 ready = 1;
                                                           │     ready: 0 -> 1
12 while (!ready)                                          │
    reads ready = 1                                        │
14 if (data != 7)                                          │
    reads data = 0                                         │
15 reach_error();                                          │
    reaches the error                                      │
at the end: ready = 1
(2 lines that did not matter left out; --full shows all)
violation: an error is reached at early.c:15 in thread 0 (main)
why: main read data = 0 at early.c:14 before thread 1 came to write it at early.c:6
END
run check --property unreach-call early.c --engine replay --width 80
want_not "│"
run check --property unreach-call early.c --engine replay --width 200
want_out "│ thread 1 (writer)"
COLUMNS=200 run check early.c --engine replay # no terminal
want_not "│"
run check --property unreach-call early.c --width wide
want_input_error "--width"
run check --property unreach-call early.c --width 10001
want_input_error "--width"

# On a terminal: its width, COLUMNS before it, colour unless NO_COLOR forbids it.
on_terminal() { # COLUMNS NO_COLOR
  command_line="heddle check early.c on a terminal (COLUMNS=$1 NO_COLOR=$2)"
  COLUMNS=$1 NO_COLOR=$2 TERM=xterm script -qec "$heddle check early.c --property unreach-call --engine replay" /dev/null </dev/null >.out 2>.err
  status=$?
  want_status 1
}
if command -v script >/dev/null; then
  escape=$(printf '\033[1m')
  on_terminal 120 ""
  want_out "│"
  want_out "$escape"
  on_terminal 80 1
  want_not "│"
  want_not "$escape"
fi

# Races: which locks were held; deadlocks: which thread waits for which; memory: which thread freed it.
cat >half.c <<'END'
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;
void *worker(void *argument) {
  pthread_mutex_lock(&mutex);
  shared = 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  shared = 2;
  return 0;
}
END
run check half.c --property no-data-race --engine replay
want_status 1
want_out "why: nothing orders the two accesses of shared: "
want_out "thread 1 writes it at half.c:6 holding mutex"
want_out "main writes it at half.c:13 holding no lock"

# Threads are numbered in the order in which they are created, and the blocks that they allocate are named after them.
cat >order.c <<'END'
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *head;
static int late;
static void *never(void *unused) { return unused; }
static void *grow(void *unused) {
  head = malloc(sizeof *head);
  head->value = 1;
  return unused;
}
int main(void) {
  pthread_t a, b;
  if (late) pthread_create(&a, 0, never, 0);
  late = 1;
  pthread_create(&b, 0, grow, 0);
  while (!*(struct node *volatile *)&head) {}
  head->value = 2;
  return 0;
}
END
run check order.c --property no-data-race --engine replay
want_out "creates thread 1 (grow), b: 0 -> &thread 1"
want_out "allocates 1:node#1, head: 0 -> &1:node#1"
want_not "thread 0."

cat >cross.c <<'END'
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *argument) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  return 0;
}
END
run check cross.c --property no-deadlock --engine replay
want_status 1
want_out "thread 0 (main) holds a"
want_out "thread 1 (worker) holds b"
want_out "why: main waits for b at cross.c:12, which thread 1 has held since cross.c:4; thread 1 waits for a at cross.c:5, which main has held since cross.c:11"

cat >freed.c <<'END'
#include <pthread.h>
#include <stdlib.h>
int *block;
void *worker(void *argument) {
  free(block);
  return 0;
}
int main(void) {
  pthread_t thread;
  block = malloc(sizeof *block);
  pthread_create(&thread, 0, worker, 0);
  *block = 1;
  return 0;
}
END
run check freed.c --property valid-memsafety --engine replay
want_status 1
want_out "was freed by thread 1 at freed.c:5, and main still uses it at freed.c:12"

# A variable of a block is gone at its end, long before its function returns.
cat >block.c <<'END'
int main(void) {
  int *kept = 0;
  for (int i = 0; i < 2; i++) {
    int inner = i;
    if (kept) return *kept;
    kept = &inner;
  }
  return 0;
}
END
run check block.c --property valid-memsafety --engine replay
want_status 1
want_out "why: inner is gone: its lifetime ended in main at block.c:7, and main still uses it at block.c:5"

# Bit-fields that share their bytes are one place, called after all of them.
cat >bits.c <<'END'
#include <pthread.h>
struct { unsigned low : 3, high : 5; unsigned : 0; unsigned alone : 2; } flags;
void *worker(void *argument) {
  flags.low = 1;
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  flags.alone = 1;
  flags.high = 2;
  return 0;
}
END
run check bits.c --property no-data-race --engine replay --full
want_status 1
want_out "violation: data race on flags.{low,high}: "
want_out "flags.alone: 0 -> 1"

# Rounds of a loop that are alike are shown once: the first and the last remain, and --full shows all.
cat >rounds.c <<'END'
#include <assert.h>
#include <pthread.h>
int x, sum;
void *count(void *argument) {
  for (int i = 0; i < 60; i++) {
    x = x + 1;
    sum = sum + i;
  }
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, count, 0);
  pthread_join(thread, 0);
  assert(x + sum != 60 + 1770);
  return 0;
}
END
run check --property unreach-call rounds.c --engine replay --json rounds.json
want_status 1
sed -n '/^thread 1/,/^thread 0/p' .out >.worker
diff - .worker <<'END' >.difference || complain "another trace:$(printf '\n%s' "$(cat .difference)")"
thread 1 (count)
  rounds.c:5   for (int i = 0; i < 60; i++) {
  rounds.c:6   x = x + 1;                                                x: 0 -> 1
  rounds.c:7   sum = sum + i;                                            sum: 0 -> 0
  rounds.c:5   for (int i = 0; i < 60; i++) {                            i: 0 -> 1
  … these 3 lines × 57, x = 2 … 58, sum = 1 … 1653, i = 2 … 58
  rounds.c:6   x = x + 1;                                                x: 58 -> 59
  rounds.c:7   sum = sum + i;                                            sum: 1653 -> 1711
  rounds.c:5   for (int i = 0; i < 60; i++) {                            i: 58 -> 59
  rounds.c:6   x = x + 1;                                                x: 59 -> 60
  rounds.c:7   sum = sum + i;                                            sum: 1711 -> 1770
  rounds.c:9   return 0;                                                 ends
thread 0 (main)
END
want_out "(3 lines that did not matter and 171 lines of repeated rounds left out; --full shows all)"
run check --property unreach-call rounds.c --engine replay --width 120
want_out "│ … these 3 lines × 57, x = 2 … 58, sum = 1 … 1653"
want_out "│     sum: 1653 -> 1711"
want_not "1596"
run check --property unreach-call rounds.c --engine replay --full --json full.json
want_not "×"
want_out "sum: 1596 -> 1653"
# What programs read is complete in both.
drop_times() { sed -E 's/[0-9.e+-]+/N/g' "$1"; }
[ "$(drop_times rounds.json)" = "$(drop_times full.json)" ] || complain "the JSON differs with --full"

# Values that change without a rule stay, and so does a round that is unlike its neighbours.
sed 's/x = x + 1;/x = x * 5 + 3 \& 1023;/; s/assert(.*/assert(x < 0);/' rounds.c >wild.c
run check --property unreach-call wild.c --engine replay
want_status 1
want_not "×"
sed 's/x = x + 1;/if (i == 20) x = x + 2; else\n    x = x + 1;/; s/60 + 1770/61 + 1770/' rounds.c >odd.c
run check --property unreach-call odd.c --engine replay
want_status 1
want_out "× 18, x = 2 … 19"
want_out "x: 20 -> 22"
want_out "x: 60 -> 61"
# The accesses of a race, and the locks of a deadlock, with the calls that lead to them.
cat >calls.c <<'END_OF_FILE'
#include <pthread.h>
pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
struct account { int id, balance; } account;
static void change(struct account *a) { a->balance++; }
static int look(struct account *a) { return a->balance; }
static void deposit(void) {
  pthread_mutex_lock(&first);
  change(&account);
  pthread_mutex_unlock(&first);
}
static int audit(void) { return look(&account); }
static void take(pthread_mutex_t *lock) { pthread_mutex_lock(lock); }
static void take_both(pthread_mutex_t *one, pthread_mutex_t *other) {
  take(one);
  take(other);
  pthread_mutex_unlock(other);
  pthread_mutex_unlock(one);
}
static void *worker(void *argument) {
  deposit();
  take_both(&first, &second);
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  deposit();
  int balance = audit();
  take_both(&second, &first);
  pthread_join(thread, 0);
  return balance;
}
END_OF_FILE
for engine in replay order circuit reach; do
  run check calls.c --property no-data-race --engine $engine
  want_out "thread 1 writes it at calls.c:4 (in change, from deposit at calls.c:8, from worker at calls.c:20) holding first"
  want_out "main reads it at calls.c:5 (in look, from audit at calls.c:11, from main at calls.c:28) holding no lock"
  want_out "; first is held at the other access of account.balance, but not at calls.c:5"
  run check calls.c --property no-deadlock --engine $engine
  want_out "main waits for first at calls.c:12 (in take, from take_both at calls.c:15, from main at calls.c:29), which thread 1 has held since calls.c:12 (in take, from take_both at calls.c:14, from worker at calls.c:21)"
  want_out "; in a cycle, main holds second and waits for first, thread 1 holds first and waits for second"
done

# An overflow: its operands and the result.
cat >wide.c <<'END_OF_FILE'
extern int __VERIFIER_nondet_int(void);
static int twice(int number) { return 2 * number; }
int main(void) {
  int number = __VERIFIER_nondet_int();
  if (number < 2147483647) return 0;
  return twice(number) >> (number - 2147483600);
}
END_OF_FILE
run check wide.c --property no-overflow
want_out "violation: overflow at wide.c:2 in thread 0 (main): 2 * 2147483647 = 4294967294 does not fit into int"
want_out "violation: overflow at wide.c:6 in thread 0 (main): -2 >> 47: int has only 32 bits"
if grep -q 'left: ' .out; then complain "a made-up variable is shown"; fi

# A leak: where the block was allocated, and which step lost the last pointer to it.
cat >lost.c <<'END_OF_FILE'
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; char *text; };
static struct node *list;
static char *make(void) {
  char *made = malloc(4);
  made[0] = 1;
  return made;
}
static void use(void) {
  char *held = make();
  held[1] = 2;
}
static void *worker(void *argument) {
  char *parts[2];
  parts[1] = malloc(3);
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, malloc(7));
  char *first = malloc(1);
  first = malloc(2);
  free(first);
  use();
  struct node *node = malloc(sizeof *node);
  node->next = 0;
  node->text = malloc(5);
  list = malloc(sizeof *list);
  list->next = node;
  list->text = 0;
  list->next = 0;
  free(malloc(6) ? list : 0);
  pthread_join(thread, 0);
  return 0;
}
END_OF_FILE
run check lost.c --property valid-memtrack --engine replay --sarif lost.sarif --report lost.html
want_out "lost.c:23  first = malloc(2); "
want_out "first: &first#1 -> &first#2, loses the last pointer to first#1"
want_why() { want_out "why: $1"; }
want_why "block#1 was allocated by main at lost.c:21; argument, the last pointer to it, went out of scope when worker returned at lost.c:17"
want_why "first#1 was allocated by main at lost.c:22; main overwrote first, the last pointer to it, at lost.c:23"
want_why "made#1 was allocated by main at lost.c:6 (in make, from use at lost.c:11, from main at lost.c:25); held, the last pointer to it, went out of scope when use returned at lost.c:13"
want_why "node#1 was allocated by main at lost.c:26; node, the last pointer to it, went out of scope when main returned at lost.c:35"
want_why "text#1 was allocated by main at lost.c:28; node, the last way to it, went out of scope when main returned at lost.c:35"
want_why "block#2 was allocated by main at lost.c:33, and no pointer to it was kept"
want_why "1:parts#1 was allocated by thread 1 at lost.c:16; parts[1], the last pointer to it, went out of scope when worker returned at lost.c:17"
[ "$(grep -c '^why: ' .out)" = 7 ] || complain "not seven leaks"
grep -q 'the last pointer to it is lost here' lost.sarif || complain "SARIF does not show where the pointer was lost"
grep -q 'main overwrote first, the last pointer to it, at lost.c:23' lost.html || complain "the page does not say it"
sed 's/list->next = 0;/free(list);/; s/free(malloc(6).*/static void *kept; kept = malloc(6);/' lost.c >freed.c
run check freed.c --property valid-memcleanup --engine order
want_why "node#1 was allocated by main at freed.c:26; node, the last pointer to it, went out of scope when main returned at freed.c:35"
want_why "kept#1 was allocated by main at freed.c:33; main.kept still points to it when the process ends"
want_out "kept#1"
sed -i 's/pthread_join/node = 0; &/' freed.c
run check freed.c --property valid-memcleanup --engine replay
want_why "node#1 was allocated by main at freed.c:26; main overwrote node, the last pointer to it, at freed.c:34"
sed -i 's/free(list);/node = 0; &/' freed.c
run check freed.c --property valid-memcleanup --engine circuit
want_why "node#1 was allocated by main at freed.c:26; main freed node#2 with node#2.next, the last pointer to it, at freed.c:32"

finish
