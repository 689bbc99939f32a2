#!/usr/bin/env bash
# Processes and their limits: nothing outlives the command, however it ends; clang is held to the limits of time and memory;
# a pipe that takes nothing is waited for, and a signal ends that; no temporary file or folder stays.
. "$(dirname "$0")/common.sh"
write_race race.c
write_locked locked.c
write_endless endless.c
mkdir temporary
export TMPDIR=$work/temporary

# Each level doubles: clang would need years, or all the memory there is.
bomb() { # TEXT BEFORE AFTER
  echo "#define A0 $1"
  for i in $(seq 60); do echo "#define A$i A$((i - 1)) A$((i - 1))"; done
  echo "$2 A60 $3"
  echo 'int main(void) { return 0; }'
}
bomb 'int x;' '' '' >bomb.c
bomb '1,' 'int x[] = {' '};' >large.c

# All descendants of a process, nearest first.
descendants() {
  local children child
  children=$(cat "/proc/$1/task/$1/children" 2>/dev/null) || return 0
  for child in $children; do
    echo "$child"
    descendants "$child"
  done
}

is_alive() { [ -e "/proc/$1" ] && ! grep -q '^State:.*[ZX]' "/proc/$1/status" 2>/dev/null; }

name_of() { cat "/proc/$1/comm" 2>/dev/null; }

# Waits until a descendant has this name.
wait_for() { # PID NAME
  local child
  for _ in $(seq 200); do
    for child in $(descendants "$1"); do [[ $(name_of "$child") == "$2"* ]] && return 0; done
    sleep 0.05
  done
  complain "no process $2 was started"
}

want_all_gone() { # PID...
  local child left
  for _ in $(seq 60); do
    left=
    for child in "$@"; do is_alive "$child" && left="$left $child($(name_of "$child"))"; done
    [ -z "$left" ] && return 0
    sleep 0.05
  done
  complain "still there:$left"
  for child in "$@"; do kill -KILL "$child" 2>/dev/null; done
}

# Kills the head while a descendant of that name runs; all have to end.
kill_while() { # SIGNAL NAME OPTION...
  local signal=$1 name=$2
  shift 2
  command_line="heddle $* killed by SIG$signal"
  "$heddle" "$@" >.out 2>.err &
  local head=$! family
  wait_for "$head" "$name"
  mapfile -t family < <(descendants "$head")
  kill "-$signal" "$head"
  wait "$head" 2>/dev/null
  status=$?
  want_all_gone "${family[@]}"
}

for signal in KILL HUP TERM INT; do
  kill_while $signal clang check bomb.c --time-limit 60s
done
kill_while KILL clang show cfa bomb.c

cat >suite.yml <<'END2'
format_version: '2.0'
input_files: bomb.c
properties:
  - property_file: unreach-call.prp
    expected_verdict: true
END2
for signal in KILL HUP TERM INT; do
  kill_while $signal clang bench suite.yml --time-limit 60s
  [ -z "$(ls -A temporary)" ] || complain "the temporary directory is not empty: $(ls temporary)"
done

# ABC has not started with every program, and not at once; the property is proved by no method soon.
if command -v berkeley-abc >/dev/null; then
  kill_while KILL berkeley-abc check endless.c --engine circuit --method pdr --time-limit 60s
fi

# Time and memory.
SECONDS=0
run check --property unreach-call bomb.c --time-limit 1s
want_status 3
want_last "result: UNKNOWN (out of time (compiling); try a larger --time-limit)"
run show cfa bomb.c --time-limit 1s
want_status 3
want_err "out of time"
[ "$SECONDS" -lt 10 ] || complain "the time limit was not kept"
run check --property unreach-call large.c --memory-limit 100MB --time-limit 60s
want_status 3
want_last "result: UNKNOWN (out of memory (compiling); try a larger --memory-limit)"
for size in 1 5 20 30 40 50; do
  run check --property unreach-call locked.c --memory-limit ${size}MB --time-limit 10s
  [ "$status" = 0 ] || want_status 3
  grep -qE "^result: (SAFE|UNKNOWN \(.*out of memory \()" .out || complain "no clean result"
  grep -qE "terminate called|LLVM ERROR" .err && complain "a library had the last word"
done

# --- pipes ---

mkfifo pipe
for signal in INT TERM; do
  command_line="heddle check race.c --json pipe, then SIG$signal"
  # A shell without job control would ignore SIGINT in the background.
  (trap - INT; exec env --default-signal=INT "$heddle" check --property unreach-call race.c --json pipe --time-limit 20s) >.out 2>.err &
  head=$!
  sleep 2 # the check takes less, and the pipe has no reader
  is_alive "$head" || complain "it did not wait"
  kill -$signal "$head"
  want_all_gone "$head"
  wait "$head" 2>/dev/null
done
command_line="heddle check race.c --json pipe, with a reader that comes late"
"$heddle" check --property unreach-call race.c --json pipe >.out 2>.err &
head=$!
sleep 1
grep -c '"answer"' pipe >count
wait "$head"
status=$?
want_status 1
[ "$(cat count)" -ge 1 ] || complain "the reader got nothing"
[ -p pipe ] || complain "the pipe was replaced"

# A reader that stops reading: more than a pipe holds.
command_line="heddle check race.c --report pipe, with a reader that does not read"
exec 8<>pipe
head -c 60000 /dev/zero >&8
(exec env --default-signal=INT "$heddle" check --property unreach-call race.c --report pipe --time-limit 20s) >.out 2>.err &
head=$!
sleep 2
is_alive "$head" || complain "it did not wait"
kill -INT "$head"
want_all_gone "$head"
wait "$head" 2>/dev/null
exec 8<&-

[ -z "$(ls -A temporary)" ] || complain "the temporary directory is not empty: $(ls temporary)"
want_no_leftovers
finish
