# shellcheck shell=bash
# What the tests of the command share: source it first. $heddle is the executable, $work an empty directory of its own.
# `run` runs the command and keeps its status, output and errors; the `want_…` functions compare, and count failures.
set -u
heddle=$(realpath "$1")
[ -x "$heddle" ] || { echo "$1 is not an executable"; exit 1; }
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-cli-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
status=none
: >.out
: >.err

run() {
  command_line="heddle $*"
  "$heddle" "$@" >"$work/.out" 2>"$work/.err"
  status=$?
}

complain() {
  echo "FAILED: $command_line: $*"
  echo "--- status $status, standard output:"
  head -n 20 "$work/.out"
  echo "--- standard error:"
  head -n 20 "$work/.err"
  failures=$((failures + 1))
}

want_status() { [ "$status" = "$1" ] || complain "status is not $1"; }
want_out() { grep -qF -- "$1" "$work/.out" || complain "'$1' is not on standard output"; }
want_err() { grep -qF -- "$1" "$work/.err" || complain "'$1' is not on standard error"; }
want_last() { [ "$(tail -n 1 "$work/.out")" = "$1" ] || complain "the last line is not '$1'"; }
want_one_error_line() { [ "$(wc -l <"$work/.err")" = 1 ] || complain "not exactly one line on standard error"; }
want_no_output() { [ ! -s "$work/.out" ] || complain "something is on standard output"; }
want_absent() { [ ! -e "$1" ] || complain "$1 was written"; }
want_no_leftovers() { ! find "$work" -maxdepth 1 -name '*.tmp' | grep -q . || complain "temporary files are left"; }

# A usage or input error: status 2, one line that names the culprit, nothing on standard output.
want_input_error() {
  want_status 2
  want_err "$1"
  want_one_error_line
  want_no_output
}

finish() {
  [ "$failures" = 0 ] || exit 1
  exit 0
}

# --- programs ---

write_race() { # an assertion that fails when main is interrupted between read and write
  cat >"$1" <<'END'
#include <assert.h>
#include <pthread.h>
int counter;
void *worker(void *argument) {
  counter = counter + 1;
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  counter = counter + 1;
  pthread_join(thread, 0);
  assert(counter == 2);
  return 0;
}
END
}

write_locked() { # the same with a mutex
  cat >"$1" <<'END'
#include <assert.h>
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counter;
void *worker(void *argument) {
  pthread_mutex_lock(&mutex);
  counter = counter + 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&mutex);
  counter = counter + 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  assert(counter == 2);
  return 0;
}
END
}

write_endless() { # it fails after three thousand million steps: no engine finds that out, and none proves the opposite
  cat >"$1" <<'END'
#include <assert.h>
#include <pthread.h>
unsigned a;
void *worker(void *argument) {
  for (;;) a = a * 1664525u + 1013904223u;
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  for (;;) assert(a != 0x27249600u);
}
END
}
