#!/usr/bin/env bash
# That the comparison can fail, and that the shrinker shrinks:
#   tests/fuzz/self_test.sh HEDDLE_FUZZ HEDDLE
# Foreign commands stand beside Heddle that lie, crash or refuse; each must be found out.
set -euo pipefail
[ $# -eq 2 ] || {
  echo "usage: $0 HEDDLE_FUZZ HEDDLE" >&2
  exit 2
}
fuzz=$(realpath "$1")
heddle=$(realpath "$2")
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-fuzz-XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0

complain() {
  echo "FAILED: $*"
  sed 's/^/  | /' "$work/log"
  failures=$((failures + 1))
}

# A command whose body is read from standard input; $1 is the program that it is asked about.
command_named() {
  {
    echo '#!/bin/sh'
    cat
  } >"$work/$1"
  chmod +x "$work/$1"
}

# Runs the comparison of the judge with the command; its status is in $status, its output in $work/log.
compare() {
  local name=$1
  shift
  rm -rf "$work/out"
  status=0
  "$fuzz" run --heddle "$heddle" --only nothing --also "$name=$work/$name" --failures 1 --jobs 2 --output "$work/out" \
    "$@" >"$work/log" 2>&1 || status=$?
  last=$(tail -n 1 "$work/log")
}

want_failure() {
  [ "$status" -eq 1 ] || complain "status $status, not 1"
  grep -qF -- "$1" "$work/log" || complain "'$1' is not in the output"
}

# The reduced program: its lines without the comments in front. Two may fail at the same time.
reduced() { find "$work/out" -name 'seed-*.c' ! -name '*.original.c' | sort | head -n 1; }
lines_of() { grep -vc '^//' "$1"; }

# --- nothing is wrong ---
command_named parrot <<END
exec "$heddle" check --property unreach-call "\$1" --quiet
END
compare parrot --programs 6
[ "$status" -eq 0 ] || complain "two that agree: status $status"
case $last in
"fuzz: 6 programs, "*" 0 disagreements, 0 crashes"*) ;;
*) complain "two that agree: the last line is '$last'" ;;
esac
[ -z "$(find "$work/out" -type f)" ] || complain "two that agree: files are left"

# --- always SAFE: the smallest unsafe program is left ---
command_named optimist <<'END'
echo "result: SAFE"
END
compare optimist --programs 40
want_failure "disagreement: replay/none UNSAFE, optimist SAFE"
[ "$(lines_of "$(reduced)")" -le 12 ] || complain "optimist: the reduced program has $(lines_of "$(reduced)") lines"
"$heddle" check --property unreach-call "$(reduced)" --quiet >"$work/log" && complain "optimist: the reduced program is safe"
[ -z "$(find "$work/out" -mindepth 1 -type d)" ] || complain "optimist: directories are left"

# --- wrong about programs with a mutex only: that is kept, the rest goes ---
command_named careless <<'END'
grep -q pthread_mutex_lock "$1" && echo "result: SAFE" && exit 0
echo "result: UNKNOWN (no mutex)"
exit 3
END
compare careless --programs 60
want_failure "disagreement: replay/none UNSAFE, careless SAFE"
grep -q pthread_mutex_lock "$(reduced)" || complain "careless: the mutex is gone"
[ "$(lines_of "$(reduced)")" -le 24 ] || complain "careless: the reduced program has $(lines_of "$(reduced)") lines"

# --- always UNSAFE ---
command_named pessimist <<'END'
echo "result: UNSAFE"
exit 1
END
compare pessimist --programs 40
want_failure "disagreement: replay/none SAFE, pessimist UNSAFE"

# --- crashes of all kinds ---
command_named killed <<'END'
kill -SEGV $$
END
compare killed --programs 1
want_failure "killed crashed (signal 11)"

command_named confused <<'END'
echo "result: SAFE"
exit 1
END
compare confused --programs 1
want_failure "confused crashed (exit status 1 with the last line 'result: SAFE')"

# The kind of a reason is in the result's JSON beside the program; $1: the command, $2: the kind,
# $3: the reason.
command_unknown() {
  command_named "$1" <<END
echo '{"property": "unreach-call", "answer": "UNKNOWN", "reason": "$3", "why": "$2", "assumptions": [], "cuts": [],' \
  '"statistics": {}}' >"\$(dirname "\$1")/result.json"
echo "result: UNKNOWN ($3)"
exit 3
END
}

command_unknown broken "internal error" "the counterexample was lost"
compare broken --programs 1
want_failure "broken crashed (the counterexample was lost)"

command_unknown refused "not confirmed" "the counterexample was not confirmed"
compare refused --programs 1
want_failure "refused crashed (the counterexample was not confirmed)"
grep -qF "1 counterexamples not confirmed" "$work/log" || complain "refused: it is not counted"

command_unknown fallen crash "engine crashed (signal 6)"
compare fallen --programs 1
want_failure "fallen crashed (engine crashed (signal 6))"

# Words alone make no failure, and a judge in doubt is none.
command_unknown talker "gave up" "internal error: not really"
compare talker --programs 1
[ "$status" -eq 0 ] || complain "talker: status $status"
command_unknown doubter "judge in doubt" "the counterexample was not confirmed"
compare doubter --programs 1
[ "$status" -eq 0 ] || complain "doubter: status $status"

command_named choosy <<'END'
echo "choosy: no such option" >&2
exit 2
END
compare choosy --programs 1
want_failure "choosy refused (choosy: no such option)"

# --- an honest UNKNOWN is counted, with its reason ---
command_named modest <<'END'
echo "result: UNKNOWN (no idea)"
exit 3
END
compare modest --programs 3
[ "$status" -eq 0 ] || complain "modest: status $status"
grep -qF "modest 3 (no idea 3)" "$work/log" || complain "modest: the reason is not counted"

# --- formulas: the command gets it, and the smallest violated one is left, with little around it ---
command_named hopeful <<'END'
case $2 in
*"F ("*) echo "result: SAFE" ;;
*)
  echo "result: UNKNOWN (nothing to hope for)"
  exit 3
  ;;
esac
END
compare hopeful --programs 60 --property ltl --only circuit/bdd --sample 2 --time-limit 1
want_failure " UNSAFE, hopeful SAFE"
# Which of the smallest ones is left depends on the program that is drawn.
grep -qE -- "--ltl '(F \(false\)|! \(F \(true\)\))'" "$(reduced)" || complain "hopeful: the formula is not small"
[ "$(lines_of "$(reduced)")" -le 12 ] || complain "hopeful: the reduced program has $(lines_of "$(reduced)") lines"

# --- programs depend on nothing but the seed ---
"$fuzz" generate --seed 7 >"$work/one.c"
"$fuzz" generate --seed 7 >"$work/two.c"
"$fuzz" generate --seed 8 >"$work/three.c"
cmp -s "$work/one.c" "$work/two.c" || complain "two programs for one seed"
! cmp -s "$work/one.c" "$work/three.c" || complain "one program for two seeds"

[ "$failures" -eq 0 ]
