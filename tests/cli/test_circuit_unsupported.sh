#!/bin/bash
# Terms without bits are cuts of the circuit: they exclude a proof only where they can be reached, and no violation.
. "$(dirname "$0")/common.sh"

# A thread computes with floating-point numbers if `flag` has a value; main checks a condition of its own.
program() { # file, value of the flag, what main claims
  cat >"$1" <<EOF
#include <pthread.h>
void reach_error(void) {}
int flag, count;
double sum = 0.5;
void *worker(void *unused) {
  (void)unused;
  count++;
  if (flag == $2) {
    sum = sum * 3;
    if (sum > 2) reach_error();
  }
  return 0;
}
int main(void) {
  pthread_t one, two;
  flag = 1;
  pthread_create(&one, 0, worker, 0);
  pthread_create(&two, 0, worker, 0);
  if (!(count $3)) reach_error();
  return 0;
}
EOF
}

program unreached.c 2 "<= 2"
program reached.c 1 "<= 2"
program violated.c 1 "== 0"
for method in auto bmc bdd; do
  for schedule in interleaved stubborn transactions; do
    setting="--engine circuit --method $method --schedule $schedule --time-limit 60s"
    # shellcheck disable=SC2086 # several words
    run check --property unreach-call unreached.c $setting
    want_status 0
    want_last "result: SAFE"
    # shellcheck disable=SC2086 # several words
    run check --property unreach-call reached.c $setting
    want_status 3
    want_last "result: UNKNOWN (construct not modelled: floating-point numbers or arrays, which circuits do not know; try another --engine, or stubs for what is named: heddle check FILE.c STUBS.c)"
    # shellcheck disable=SC2086 # several words
    run check --property unreach-call violated.c $setting
    want_status 1
    want_last "result: UNSAFE"
  done
done
run check --property unreach-call reached.c --engine circuit --method pdr --time-limit 60s
want_status 3
finish
