#!/bin/bash
# Variants of the options, run side by side.
. "$(dirname "$0")/common.sh"
mkdir suite
write_race suite/race.c
write_locked suite/locked.c
for task in race:false locked:true; do
  cat >"suite/${task%:*}.yml" <<END
format_version: '2.0'
input_files: ${task%:*}.c
properties:
  - property_file: unreach-call.prp
    expected_verdict: ${task#*:}
END
done

run bench suite --engine replay --csv rows.csv --expect --variant "whole=--exhaustive --reduction none" --variant "short=--max-states 2 --exhaustive"
want_status 1 # two states are too few for either program
want_out "variant whole"
want_out "variant short"
want_out "NOT AS EXPECTED  suite/locked.yml  [short]  unreach-call: expected true, got unknown"
[ "$(head -n 1 rows.csv)" = task,property,expected,verdict,reason,wall,cpu,memory_mb,options,statistics,why,variant ] ||
  complain "the header has no column for the variant"
# Side by side: the runs of a task follow each other, in the order of the variants.
[ "$(sed 1d rows.csv | sed 's/^\([^,]*\).*,/\1 /' | tr '\n' ' ')" = \
  "suite/locked.yml whole suite/locked.yml short suite/race.yml whole suite/race.yml short " ] ||
  complain "the rows are not each task with each variant: $(cut -c 1-40 rows.csv)"
grep -q '^suite/locked.yml,unreach-call,true,true,.*,whole$' rows.csv || complain "the variant's options are not used"
grep -q '^suite/locked.yml,unreach-call,true,unknown,.*,short$' rows.csv || complain "the variants are not told apart"

run bench suite --engine replay --csv rows.csv
want_status 0
[ "$(head -n 1 rows.csv)" = task,property,expected,verdict,reason,wall,cpu,memory_mb,options,statistics,why ] ||
  complain "there is a column for a variant although there is none"

# A variant may be a preset; the engine of its runs shows in their statistics.
run bench suite --csv rows.csv --expect --variant "a=--preset impara" --variant "b=--preset monolithic"
want_status 0
[ "$(grep -c ';implications=.*,a$' rows.csv)" = 2 ] || complain "the preset impara is not the engine reach"
[ "$(grep -c '[;,]events=.*,b$' rows.csv)" = 2 ] || complain "the preset monolithic is not the engine order"
run bench suite --expect -- --preset impara
want_status 0
# Presets of one engine that differ by its options only; `regrown` counts what domains with a precision start over.
run bench suite --csv rows.csv --expect --variant "t=--preset theta" --variant "tp=--preset theta-predicate" \
  --variant "c=--preset cpa-value" --variant "cp=--preset cpa-predicate"
want_status 0
for variant in t tp c; do
  [ "$(grep -c ";regrown=[1-9].*,$variant\$" rows.csv)" = 2 ] || complain "variant $variant tracks nothing"
done
# Where there are no loops, blocks of predicates end nowhere: there is nothing to track, and paths are joined.
[ "$(grep -c ";regrown=0;.*;merges=[1-9].*,cp\$" rows.csv)" = 2 ] || complain "the preset cpa-predicate has no blocks"

for bad in "no options" "=--exhaustive" "a/b=--exhaustive"; do
  run bench suite --variant "$bad"
  want_input_error "variant \`$bad\` is not NAME=OPTIONS"
done
run bench suite --variant a=--exhaustive --variant a=
want_input_error "variant \`a\` is given twice"
run bench suite --variant
want_input_error "--variant wants a value (NAME=OPTS)"
finish
