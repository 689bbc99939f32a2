#!/bin/bash
# `./dev bench theta`: the sample it draws, what it runs, its tables from known figures.
# shellcheck disable=SC2034 # the program that stands for heddle reads the variables in capitals
theta=$(realpath "$(dirname "$0")/../../bench/theta/run")
shared=$(realpath "$(dirname "$0")/sampled_fake.sh")
. "$(dirname "$0")/common.sh"
# shellcheck source=tests/cli/sampled_fake.sh
. "$shared"

bench() {
  command_line="bench theta $*"
  "$theta" "$@" >.out 2>.err
  status=$?
}
drawn() { grep '\.yml$' .args; }

# The help of heddle itself is understood, and what it takes is what is asked of it.
mkdir real
write_locked real/locked.c
define real/locked.yml unreach-call true
bench "$heddle" real --domain explicit --time-limit 30s --jobs 2
want_status 0
want_out "1 tasks, drawn with seed 1, 1 of them not from pthread-wmm"
[ "$(grep -cE '^\| explicit \| (full|lazy) \| (single|large) \| 1 \([0-9]+\), [0-9.]+ s, [0-9]+ ' .out)" = 4 ] ||
  complain "not all configurations have figures"

# The sample: half of it from pthread-wmm, as long as there is enough elsewhere; the same for the same seed.
REDUCTIONS="monotone, persistent, aware" DOMAINS="label|explicit|predicate" NODES='' WHERE='' WHAT='' STATUS=0
bench ./fake suite --tasks 4
want_status 0
want_out "4 tasks, drawn with seed 1, 2 of them not from pthread-wmm; 10s of wall time and 4GB for each run."
[ "$(drawn | grep -c pthread-wmm)" = 2 ] || complain "half of it is not from pthread-wmm: $(drawn)"
drawn >first
bench ./fake suite --tasks 4
drawn | cmp -s first - || complain "another sample for the same seed"
for seed in 2 3 4 5; do
  bench ./fake suite --tasks 4 --seed $seed
  drawn
done | sort -u | cmp -s first - && complain "the same sample for all seeds"
bench ./fake suite --tasks 9
[ "$(drawn | grep -c pthread-wmm)-$(drawn | wc -l)" = 5-9 ] || complain "too few elsewhere are not made up for: $(drawn)"
bench ./fake suite --tasks 0
want_out "10 tasks, all there are, 4 of them"
drawn | grep -q race && complain "a task of another property is drawn"
[ "$(grep -c '^--variant$' .args)" = 24 ] || complain "the grid does not have 24 cells"
grep -qxF -- "predicate-lazy-large-aware=--engine reach --domain predicate --prune lazy --block large --reduction aware" .args ||
  complain "a variant is not what it is called"

# Ten tasks, of which six take 2 s. Without a reduction two of them are not solved.
NODES="none:900 persistent:70 aware:50" WHERE="explicit-full-single-none/w3 explicit-full-single-none/p2" WHAT=timeout
bench ./fake suite --tasks 0 --domain explicit
want_status 0
want_out "| domain | prune | block | none | persistent | aware |"
want_out "| explicit | full | single | 8 (79), 1.62 s, 7200 | 10 (216), 1.60 s, 700 | 10 (217), 1.60 s, 500 |"
want_out "| explicit | lazy | large | 10 (198), 1.60 s, 9000 | 10 (248), 1.60 s, 700 | 10 (251), 1.60 s, 500 |"
want_out "Wanted: aware <= persistent < none."
want_out "| domain | prune | block | tasks | none | persistent | aware | as wanted |"
want_out "| explicit | full | single | 8 | 7200 | 560 | 400 | yes |"
want_out "| explicit | lazy | large | 10 | 9000 | 700 | 500 | yes |"
for nodes in "persistent:100" "persistent:70 aware:71" "none:60 persistent:60 aware:60"; do
  NODES=$nodes
  bench ./fake suite --tasks 0 --domain predicate
  grep -q '| NO |$' .out || complain "$nodes are as wanted"
done

# Wrong answers are said, and do not count as solved; what reach does not have is said, too.
REDUCTIONS="monotone, persistent" STATUS=1 WHERE="predicate-full-large-none/p1" WHAT=false NODES="none:100 persistent:70"
bench ./fake suite --tasks 0
want_status 1
want_out "Not run, because reach does not have these reductions: aware."
want_out "| domain | prune | block | none | persistent |"
want_out "| predicate | full | large | 1 WRONG, 9 (54), 1.67 s, 900 | 10 (53), 1.60 s, 700 |"
want_out "Wanted: persistent < none."
want_out "| predicate | full | large | 9 | 900 | 630 | yes |"
want_out "### WRONG ANSWERS: 1"
want_out "- pthread/p1.yml, predicate-full-large-none: expected true, got false"
want_err "WRONG: pthread/p1.yml, predicate-full-large-none: expected true, got false"
REDUCTIONS=monotone
bench ./fake suite --tasks 0
want_out "| domain | prune | block | none |"
grep -q "as wanted" .out && complain "one reduction is compared with nothing"

# Nothing to run, and a command that fails.
mkdir nothing
bench ./fake nothing
want_status 1
want_err "no task definitions below nothing"
STATUS=2
bench ./fake suite
want_status 1
want_err "bench failed with status 2"
bench ./fake suite --jobs 0
want_status 2
finish
