#!/usr/bin/env bash
# --dump-smt and --cross-check: the questions of each engine are written and compared, and the verdict stays.
source "$(dirname "$0")/common.sh"

number() { sed -n "s/.*\"$1\":[[:space:]]*\([0-9]*\).*/\1/p" result.json | head -n 1; }

# Each question that is written has its answer, and says how long that took.
want_questions() { # FOLDER LEAST
  local count=0 file
  for file in "$1"/*.smt2; do
    [ -e "$file" ] || continue
    count=$((count + 1))
    grep -q '^(set-info :status \(sat\|unsat\))$' "$file" || complain "$file has no answer"
    grep -q '^; answered in [0-9.]* s$' "$file" || complain "$file has no time"
    grep -q '^(check-sat)$' "$file" || complain "$file asks nothing"
  done
  [ "$count" -ge "$2" ] || complain "$1 has $count questions, not $2 or more"
}

write_locked locked.c
write_race race.c
for engine in order reach; do
  run check --property unreach-call locked.c --engine "$engine" --dump-smt questions --time-limit 60s
  want_last "result: SAFE"
  want_questions "questions/$engine-1" 1
  grep -q '^p cnf ' "questions/$engine-1"/*.cnf || complain "there is no clause"
done

# Nothing is written over: the next run has a folder of its own.
cp -r questions/order-1 before
run check --property unreach-call race.c --engine order --dump-smt questions --time-limit 60s
want_last "result: UNSAFE"
want_questions questions/order-2 1
diff -r questions/order-1 before >/dev/null || complain "the files of an earlier run have changed"

for engine in order reach; do
  run check --property unreach-call locked.c --engine "$engine" --cross-check --json result.json --time-limit 60s
  want_last "result: SAFE"
  [ "$(number cross_checked)" -gt 0 ] || complain "no question was compared"
done
run check --property unreach-call race.c --engine order --json result.json --time-limit 60s
[ -z "$(number cross_checked)" ] || complain "questions were compared without --cross-check"

# --- folders that cannot be ---
: >file
run check --property unreach-call locked.c --dump-smt file
want_input_error "--dump-smt: cannot write files in file: Not a directory"
run check --property unreach-call locked.c --dump-smt nowhere/below
want_input_error "--dump-smt: cannot write files in nowhere/below: No such file or directory"

finish
