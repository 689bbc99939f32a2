#!/bin/bash
# SIGINT and SIGTERM: UNKNOWN within a second, status 3, no process left.
. "$(dirname "$0")/common.sh"
write_endless endless.c

# All descendants of a process.
family() {
  local child
  # shellcheck disable=SC2013 # words
  for child in $(cat "/proc/$1/task/$1/children"); do
    echo "$child"
    family "$child"
  done
}
is_alive() { # a process that has ended and waits for its parent is not
  local state
  state=$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null)
  [ -n "$state" ] && [ "$state" != Z ]
}
milliseconds() { date +%s%3N; }

for signal in INT TERM; do
  command_line="heddle check endless.c, then SIG$signal"
  "$heddle" check --property unreach-call endless.c --exhaustive --json "$signal.json" >.out 2>.err &
  pid=$!
  sleep 2
  children=$(family "$pid")
  [ -n "$children" ] || complain "no child process was running"
  before=$(milliseconds)
  kill -s "$signal" "$pid"
  wait "$pid"
  status=$?
  after=$(milliseconds)
  want_status 3
  want_last "result: UNKNOWN (interrupted)"
  [ $((after - before)) -lt 1500 ] || complain "took $((after - before)) ms to stop"
  for child in $children; do
    ! is_alive "$child" || complain "process $child is left"
  done
  grep -q '"reason": "interrupted"' "$signal.json" || complain "$signal.json does not say why"
done

# Killed without warning: the children go, too.
command_line="heddle check endless.c, then SIGKILL"
"$heddle" check --property unreach-call endless.c --exhaustive >.out 2>.err &
pid=$!
sleep 1
children=$(family "$pid")
kill -s KILL "$pid"
wait "$pid" 2>/dev/null
status=$?
sleep 0.5
for child in $children; do
  ! is_alive "$child" || complain "process $child is left"
done
finish
