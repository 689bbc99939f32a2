#!/usr/bin/env bash
# heddle survey --confirm on programs that check cannot decide: slices, their standing, --confirm N, time.
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

holds() { # FILE EXPRESSION: true of the JSON in FILE, which is called d
  python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); sys.exit(not eval(sys.argv[2]))' "$1" "$2" ||
    complain "$1: not $2"
}

# A program with system, fork and getopt, in which a race is deep in workers.
cat >server.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static long bytes, served;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int verbose;
static int parse(int argc, char **argv) {
  int c;
  while ((c = getopt(argc, argv, "vn:")) != -1)
    if (c == 'v') verbose = 1;
  if (system("date") != 0) return 1;
  return 2;
}
static void become_daemon(void) {
  if (fork() > 0) exit(0);
  setsid();
}
static void account(int n) { bytes += n; }
static void handle(int n) {
  pthread_mutex_lock(&lock);
  account(n);
  served++;
  pthread_mutex_unlock(&lock);
  if (n > 1) account(1);
}
static void *worker(void *argument) {
  for (int i = 0; i < 3; i++) handle(i);
  return argument;
}
int main(int argc, char **argv) {
  int workers = parse(argc, argv);
  pthread_t threads[2];
  become_daemon();
  for (int i = 0; i < workers; i++) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < workers; i++) pthread_join(threads[i], 0);
  printf("%ld\n", bytes);
}
END
run survey server.c --confirm --time-limit 24s --json server.json --sarif server.sarif --report server.html
want_status 1
want_out "confirmed in a slice:"
want_out "bytes: RACE server.c:19"
want_out "rests on: "
want_out "called without their code: "
want_out "violation: data race on bytes"
grep -q '^survey: 1 confirmed in a slice' .out || complain "the last line does not count it"
holds server.json 'd["totals"]["confirmed-in-slice"] == 1 and d["totals"]["confirmed"] == 0'
holds server.json '[o["standing"] for o in d["objects"] if o["name"] == "bytes"] == ["confirmed-in-slice"]'
holds server.json 'any("parse returning " in p.get("rests_on", "") for o in d["objects"] for p in o["pairs"])'
holds server.sarif 'd["runs"][0]["results"][0]["level"] == "error"'
holds server.sarif '"Confirmed in a slice" in d["runs"][0]["results"][0]["message"]["text"]'
run survey server.c --baseline server.json
want_status 0
want_out "known from the baseline: 2 objects"

# The same race where no function without its code is called: confirmed.
cat >plain.c <<'END'
#include <pthread.h>
int counter;
void *worker(void *argument) {
  counter++;
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  counter++;
  pthread_join(thread, 0);
}
END
run survey plain.c --confirm --time-limit 30s
want_status 1
want_out "survey: 1 confirmed"

# A flag that is read and written under a lock hands the object over: there is no race, and none is made up, although
# the program calls functions without a model and one that is large.
cat >handed.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, data;
static int settle(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += i * n;
  return sum;
}
static void *worker(void *argument) {
  pthread_mutex_lock(&lock);
  int seen = ready;
  pthread_mutex_unlock(&lock);
  if (seen) data++;
  return argument;
}
int main(void) {
  if (system("date") != 0) return 1;
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  data = settle(40);
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
}
END
run survey handed.c
want_out "data: RACE?"
run survey handed.c --confirm --time-limit 6s
want_status 3
want_out "data: RACE?"
run survey handed.c --confirm --time-limit 6s --explain 1
want_out "why it is not confirmed: "

# A pipe hands the data over: what talks through it is not replaced.
cat >pipe.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static int ends[2], data;
static void *worker(void *argument) {
  char byte = 0;
  data = 1;
  if (write(ends[1], &byte, 1) != 1) abort();
  return argument;
}
int main(void) {
  char byte;
  pthread_t thread;
  if (pipe(ends) != 0) return 1;
  if (system("date") == 7) return 1;
  if (pthread_create(&thread, 0, worker, 0) != 0) return 1;
  if (read(ends[0], &byte, 1) != 1) return 1;
  data++;
  pthread_join(thread, 0);
}
END
run survey pipe.c --confirm --time-limit 15s
want_status 3
want_out "data: RACE?"

# Only what a function without its code returns makes the race possible: the standing says so.
cat >result.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static int shared;
static void *worker(void *argument) {
  shared++;
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  if (system("test -e /run/lock") == 42) shared++;
  pthread_join(thread, 0);
}
END
run survey result.c --confirm --time-limit 24s
want_status 1
want_out "system returning 42"
grep -q '^survey: 1 confirmed in a slice' .out || complain "it is not told as confirmed in a slice"

# One number; numbers that there are not; other values.
cat >two.c <<'END'
#include <pthread.h>
int first, second;
void *worker(void *argument) {
  first++;
  second++;
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
run survey two.c --confirm 2 --time-limit 30s
want_status 1
want_out "second: RACE two.c"
run survey two.c --confirm=1 --time-limit 30s
want_status 1
want_out "first: RACE two.c"
run survey two.c --confirm 3
want_input_error "--confirm: no object that is warned of or open has the number 3"
run survey two.c --confirm=0
want_input_error "--confirm wants a whole number from 1 on"
run survey --confirm two.c --time-limit 30s
want_status 1

# A race behind many checks: the guided search, which bare slices are given to, finds it; random runs do not.
{
  cat <<'END'
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int shared;
void *worker(void *argument) {
  shared++;
  return argument;
}
int main(void) {
  pthread_t thread;
END
  for i in $(seq 20); do echo "  if (__VERIFIER_nondet_int() != $((i * 1000 + 7))) return $i;"; done
  cat <<'END'
  pthread_create(&thread, 0, worker, 0);
  shared++;
  pthread_join(thread, 0);
}
END
} >checks.c
run check checks.c --property no-data-race --engine replay --search random --random 3000
want_status 3
run check checks.c --property no-data-race --engine replay --search guided --first --time-limit 60s
want_status 1

# Out of time: the table is there all the same.
run survey server.c --confirm --time-limit 1500ms
grep -q '^survey: 1 ' <(tail -n 1 .out) || complain "no table when time is out"

want_no_leftovers
finish
