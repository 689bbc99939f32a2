#!/bin/bash
# `./dev bench cpa`: what it runs, its table from known figures. (Its sample is that of `bench theta`.)
# shellcheck disable=SC2034 # the program that stands for heddle reads the variables in capitals
cpa=$(realpath "$(dirname "$0")/../../bench/cpa/run")
shared=$(realpath "$(dirname "$0")/sampled_fake.sh")
. "$(dirname "$0")/common.sh"
# shellcheck source=tests/cli/sampled_fake.sh
. "$shared"

bench() {
  command_line="bench cpa $*"
  "$cpa" "$@" >.out 2>.err
  status=$?
}

mkdir real
write_locked real/locked.c
write_race real/race.c
define real/locked.yml unreach-call true
define real/race.yml unreach-call false
bench "$heddle" real --time-limit 30s --jobs 2
want_status 0
[ "$(grep -cE '^\| .* \| `--preset .*` \| 2 \([0-9]+\) \| 1 \([0-9]+\) \| 1 \([0-9]+\) \|' .out)" = 6 ] ||
  complain "not all configurations solve both"

REDUCTIONS=monotone DOMAINS="label|explicit|predicate|explicit+predicate|bdd|path" NODES='' WHERE='' WHAT='' STATUS=0
WHERE="bmc/w1 bmc/p1 value/w2" WHAT=unknown
bench ./fake suite --tasks 0 --csv kept.csv
want_status 0
head="right true | right false | wrong true | wrong false | error | out of memory | timeout | open | CPU time"
want_out "| paper | ours | right | $head |"
want_out "| BMC | \`--preset cpa-bmc --unwind 10\` | 8 (702) | 5 (152) | 3 (550) | 0 (1) | 0 (6) | 0 (84) | 0 (165) | 0 (87) | 2 (37) | 16.0 s (258000 s) |"
want_out "| predicates | \`--preset cpa-predicate\` | 10 (204) | 7 (168) | 3 (36) | 0 (2) | 0 (7) | 0 (88) | 0 (1) | 0 (780) | 0 (0) | 16.0 s (717000 s) |"
want_out "| predicates and values | \`--preset cpa-predicate --domain explicit+predicate --block large\` | 10 (896) | 7 (178) | 3 (718) |"
want_out "| values | \`--preset cpa-value\` | 9 (946) | 7 (162) | 2 (784) | 0 (0) | 0 (57) | 0 (38) | 0 (9) | 0 (32) | 1 (0) | 16.0 s (84100 s) |"
want_out "| BMC, formula simplified | \`--preset cpa-bmc --unwind 10 --simplify yes\` | 10 (687) | 7 (152) | 3 (535) |"
want_out "| BDDs | \`--preset cpa-bdd\` | 10 (944) | 7 (167) | 3 (777) | 0 (0) | 0 (21) | 0 (96) | 0 (0) | 0 (21) | 0 (0) | 16.0 s (76600 s) |"
[ "$(wc -l <kept.csv)" = 61 ] || complain "the rows are not kept"
for pair in "timeout:0 (9) | 1 (32) | 0 (0)" "oom:1 (9) | 0 (32) | 0 (0)"; do
  WHERE="value/p1" WHAT=${pair%%:*}
  bench ./fake suite --tasks 0
  want_out "| 0 (38) | ${pair#*:} | 16.0 s (84100 s) |"
done
WHAT=error
bench ./fake suite --tasks 0
want_out "| 1 (38) | 0 (9) | 0 (32) | 0 (0) | 16.0 s (84100 s) |"

# Wrong answers of both kinds; a domain that is not there.
DOMAINS="label|explicit|predicate" STATUS=1 WHERE="value/p2 value/w2" WHAT=true
bench ./fake suite --tasks 0
want_status 1
want_out "| values | \`--preset cpa-value\` | 8 (946) | 7 (162) | 1 (784) | **2 (0)** | 0 (57) |"
want_out "- predicates and values: reach has no domain explicit+predicate. The paper: 178 right true, 718 right false, 15 wrong, 224000 s."
want_out "- BDDs: reach has no domain bdd. The paper: 167 right true, 777 right false, 21 wrong, 76600 s."
want_out "### WRONG ANSWERS: 2"
want_err "bench cpa: WRONG: pthread-wmm/w2.yml, value: expected false, got true"
grep -q "^value-predicate=" .args && complain "it is run with a domain that is not there"
WHERE="value/p1" WHAT=false
bench ./fake suite --tasks 0
want_status 1
want_out "| 9 (946) | 6 (162) | 3 (784) | 0 (0) | **1 (57)** |"
finish
