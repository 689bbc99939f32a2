#!/usr/bin/env bash
# Whatever goes wrong around it: a process of the family killed at a random moment, little memory, an output that cannot
# be written, a full disk. `check` then still says a verdict that is right, or UNKNOWN or an error that says why, with
# the exit status that belongs to it; files are whole or absent.
# Usage: test_robustness.sh HEDDLE [RUNS [SEED]]
source "$(dirname "$0")/common.sh"
runs=${2:-200}
RANDOM=${3:-7}

write_race race.c
write_locked locked.c
write_endless endless.c

names=(race locked endless)
declare -A right=([race]=UNSAFE [locked]=SAFE [endless]=none)

# All descendants of a process, nearest first.
descendants() {
  local children child
  children=$(cat "/proc/$1/task/$1/children" 2>/dev/null) || return 0
  for child in $children; do
    echo "$child"
    descendants "$child"
  done
}

# A whole file of its kind, or none.
want_whole() { # file
  [ -e "$1" ] || return 0
  case $1 in
  *.json | *.sarif) [ "$(head -c 1 "$1")" = "{" ] && [ "$(tail -c 2 "$1" | tr -d '\n')" = "}" ] ;;
  *.html) [ "$(tail -n 1 "$1")" = "</html>" ] ;;
  *.yml) head -n 1 "$1" | grep -q '^- entry_type' ;;
  esac || complain "$1 is not whole"
}

want_files() {
  local file
  for file in out/*; do
    [ -e "$file" ] || continue
    case $file in
    out/result.json | out/report.html | out/witness.yml | out/log.sarif | out/schedule.json) want_whole "$file" ;;
    *) complain "$file is left" ;;
    esac
  done
}

# The last line and the status belong together, and are not wrong for the program.
want_verdict() { # program
  local last
  last=$(tail -n 1 .out)
  case $status in
  0) [ "$last" = "result: SAFE" ] && [ "${right[$1]}" = SAFE ] || complain "status 0 without a right SAFE" ;;
  1) [ "$last" = "result: UNSAFE" ] && [ "${right[$1]}" = UNSAFE ] || complain "status 1 without a right UNSAFE" ;;
  3) [[ $last =~ ^"result: UNKNOWN ("..*")"$ ]] || complain "status 3 without a reason" ;;
  2) grep -q '^heddle: .' .err || complain "status 2 without an error" ;;
  *) complain "no such status" ;;
  esac
}

all_files=(--json out/result.json --report out/report.html --witness out/witness.yml --sarif out/log.sarif
  --save-schedule out/schedule.json)

start() { # program OPTION...: in the background, with all files
  local program=$1
  shift
  command_line="heddle check $program.c $*"
  "$heddle" check --property unreach-call "$program.c" --time-limit 2s "${all_files[@]}" "$@" >.out 2>.err &
  head=$!
}

kill_somebody() { # program
  start "$1" --jobs $((RANDOM % 3 + 1)) --time-limit 400ms
  sleep "0.$(printf '%03d' $((RANDOM % 250)))"
  local family
  mapfile -t family < <(descendants "$head")
  [ ${#family[@]} -gt 0 ] && kill -KILL "${family[RANDOM % ${#family[@]}]}" 2>/dev/null
  wait "$head"
  status=$?
  want_verdict "$1"
}

little_memory() { # program
  start "$1" --memory-limit $((RANDOM % 60 + 1))MB --time-limit 400ms
  wait "$head"
  status=$?
  want_verdict "$1"
}

no_standard_output() { # program
  command_line="heddle check $1.c with standard output closed or full"
  local options=(--time-limit 300ms "${all_files[@]}")
  case $((RANDOM % 3)) in
  0)
    "$heddle" check --property unreach-call "$1.c" "${options[@]}" >&- 2>.err
    status=$?
    [ "$status" = 2 ] || complain "closed standard output is not an error"
    ;;
  1)
    "$heddle" check --property unreach-call "$1.c" "${options[@]}" >/dev/full 2>.err
    status=$?
    [ "$status" = 2 ] || complain "a full standard output is not an error"
    grep -q 'cannot write to standard output' .err || complain "it is not said what cannot be written"
    ;;
  2) # a reader that goes away is none
    "$heddle" check --property unreach-call "$1.c" "${options[@]}" 2>.err | head -c 0
    status=${PIPESTATUS[0]}
    [ "$status" = 2 ] && complain "a reader that went away is an error"
    ;;
  esac
}

# A limit on the size of files stands for a full disk: a write fails after some bytes.
full_disk() { # program
  command_line="heddle check $1.c with a full disk"
  if [ $((RANDOM % 2)) = 0 ]; then
    local file=("--json" "--report" "--witness" "--sarif" "--save-schedule")
    local chosen=${file[RANDOM % ${#file[@]}]}
    "$heddle" check --property unreach-call "$1.c" --time-limit 300ms "$chosen" /dev/full >.out 2>.err
    status=$?
    # Not every file is written with every verdict.
    [ "$status" != 2 ] || grep -q 'cannot write /dev/full' .err || complain "it is not said what cannot be written"
    want_verdict "$1"
  else
    (
      ulimit -f $((RANDOM % 8)) # blocks of 1 KB; what clang writes counts, too
      exec "$heddle" check --property unreach-call "$1.c" --time-limit 400ms "${all_files[@]}" 2>&1 >/dev/null
    ) | cat >.err
    status=${PIPESTATUS[0]}
    case $status in
    0 | 1 | 3) ;;
    2) grep -q '^heddle: .' .err || complain "an error without a line" ;;
    *) complain "no such status" ;;
    esac
  fi
}

trouble=(kill_somebody kill_somebody little_memory no_standard_output full_disk)
for ((i = 0; i < runs; i++)); do
  rm -rf out
  mkdir out
  : >.out
  : >.err
  "${trouble[i % ${#trouble[@]}]}" "${names[RANDOM % ${#names[@]}]}"
  want_files
  [ "$failures" -gt 5 ] && break
done
echo "$i runs"
finish
