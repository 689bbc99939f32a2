#!/bin/bash
# Files of results: a bench that is killed and resumed, torn lines, score, tables, comparison, plot.
. "$(dirname "$0")/common.sh"
mkdir suite
for number in 1 2 3 4 5 6; do
  write_race "suite/race$number.c"
  cat >"suite/race$number.yml" <<END
format_version: '2.0'
input_files: race$number.c
properties:
  - property_file: unreach-call.prp
    expected_verdict: false
END
done
verdicts() { sed 1d "$1" | cut -d , -f 1-4 | sort; }
options=(suite --engine replay --time-limit 20s --jobs 2)

run bench "${options[@]}" --csv whole.csv
want_status 0
want_out "6 of 6"
[ "$(wc -l <whole.csv)" = 7 ] || complain "not a row for each task"

# Killed at random moments until it gets to its end; a line is torn now and then.
rounds=0 killed=0
while :; do
  rounds=$((rounds + 1))
  kept=$(grep -c '^suite.*[0-9]$' part.csv 2>/dev/null)
  "$heddle" bench "${options[@]}" --csv part.csv --resume >.out 2>.err &
  bench=$!
  if [ "$rounds" -le 6 ]; then
    sleep "0.$(printf '%03d' $((RANDOM % 120 + 20)))"
    kill -KILL "$bench" 2>/dev/null && killed=$((killed + 1))
  fi
  wait "$bench" 2>/dev/null
  status=$?
  command_line="bench --resume, round $rounds"
  now=$(grep -c '^suite.*[0-9]$' part.csv 2>/dev/null)
  [ "${now:-0}" -ge "${kept:-0}" ] || complain "a result is lost: $kept before, $now after"
  [ "$status" = 137 ] || break
  [ ! -s part.csv ] || printf 'suite/race1.yml,unrea' >>part.csv # it may have ended before there was a file
done
want_status 0
want_out "6 of 6"
[ "$killed" -gt 0 ] || complain "it was never killed"
[ "$(verdicts part.csv)" = "$(verdicts whole.csv)" ] || complain "the results differ from an undisturbed run"

# All is there: nothing is run, and the table counts it.
cp part.csv before.csv
run bench "${options[@]}" --csv part.csv --resume
want_status 0
want_err "6 of 6 runs are in part.csv already"
want_out "6 of 6"
cmp -s part.csv before.csv || complain "a whole file was changed"
# Other options, limits or tasks are an error, and the file stays as it is.
run bench suite --engine replay --time-limit 21s --csv part.csv --resume
want_input_error "cannot be resumed: suite/race"
want_err "was run with \`--time-limit 20s --memory-limit 4GB --engine replay\`, not \`--time-limit 21s"
run bench suite/race1.yml --engine replay --time-limit 20s --csv part.csv --resume
want_input_error "is not run by this command"
echo "something else" >other.csv
run bench "${options[@]}" --csv other.csv --resume
want_input_error "other.csv cannot be resumed"
[ "$(cat other.csv)" = "something else" ] || complain "a file that is no file of results was changed"
cmp -s part.csv before.csv || complain "a file that could not be resumed was changed"
run bench suite --resume
want_input_error "--resume wants the file to go on with"
# Without --resume the old file is put aside.
run bench suite/race1.yml --engine replay --csv part.csv
want_status 0
cmp -s part.csv~ before.csv || complain "the results were not put aside"
# A variant's options go to check; an unknown one is an error of that run.
run bench suite/race1.yml --csv v.csv --variant "a=--engine replay --seed 3"
want_status 0
grep -q -- '--engine replay --seed 3,.*,a$' v.csv || complain "the variant's options are not in its row"

# --- files whose figures are known ---
header=task,property,expected,verdict,reason,wall,cpu,memory_mb,options,statistics
rows() { echo $header; for row in "$@"; do IFS=: read -r t e v r w <<<"$row"; echo "$t.yml,unreach-call,$e,$v,$r,$w,0,0,,"; done; }
rows d/same:true:true::1.000 d/slow:true:true::1.000 d/fast:false:false::4.000 d/quick:true:true::0.010 \
  d/lost:true:true::1.000 e/gain:false:timeout:out_of_time:9.000 e/flip:true:true::1.000 e/old:true:true::1.000 >old.csv
rows d/same:true:true::1.000 d/slow:true:true::4.000 d/fast:false:false::1.000 d/quick:true:true::0.090 \
  "d/lost:true:unknown:a|b:1.000" e/gain:false:false::2.000 e/flip:true:false::1.000 e/new:true:true::1.000 >new.csv
run bench compare old.csv new.csv
want_status 1
[ "$(head -n 1 .out)" = "CONTRADICTIONS: 1" ] || complain "contradictions are not first"
want_out "  e/flip.yml: true -> false WRONG, expected true"
want_out "lost: 1"
want_out "  d/lost.yml: true -> unknown (a|b)"
want_out "gained: 1"
want_out "compared: 7, only in the old file: 1, only in the new file: 1"
want_out "score: 11 -> -8"
want_out "time, new / old: 1.000 (geometric mean over 3"
want_out "      4.00      1.000 s ->     4.000 s  d/slow.yml"
want_out "      0.25      4.000 s ->     1.000 s  d/fast.yml"
run bench compare old.csv old.csv
want_status 0
run bench compare old.csv
want_input_error "bench compare wants two files of results"
run bench compare old.csv nothing.csv
want_input_error "nothing.csv: No such file"

run bench table new.csv --undecided
want_status 1
want_out "| directory | right true | right false | wrong | unknown | out of time | wall [s] | score |"
want_out "| d | 3 | 1 | 0 | 1 | 0 | 7 | 7 of 9 |"
want_out "| e | 1 | 1 | 1 | 0 | 0 | 4 | -13 of 5 |"
want_out "| all (8) | 4 | 2 | 1 | 1 | 0 | 11 | -6 of 14 |"
want_out "| d: lost | true | a\\|b |"

cp new.csv 'a<&>"b.csv'
printf 'd/torn.yml,unrea' >>'a<&>"b.csv'
run bench plot old.csv 'a<&>"b.csv' -o plot.svg
want_status 0
want_err "the last line is cut off"
python3 - plot.svg <<'END' || complain "the plot is not what it should be"
import sys, xml.etree.ElementTree as tree
name = "{http://www.w3.org/2000/svg}"
root = tree.parse(sys.argv[1]).getroot()
assert root.tag == name + "svg"
counts = [len(line.get("points").split()) for line in root.iter(name + "polyline")]
assert counts == [7, 6], counts
texts = [text.text for text in root.iter(name + "text")]
assert 'a<&>"b: 6 right (4 true, 2 false), 1 wrong, 1 undecided' in texts, texts
for line in root.iter(name + "polyline"):
    heights = [float(point.split(",")[1]) for point in line.get("points").split()]
    assert heights == sorted(heights, reverse=True), heights
END
for command in bench "bench compare" "bench plot" "bench table"; do
  # shellcheck disable=SC2086
  run $command --help
  want_status 0
  want_out "usage: heddle $command "
  want_out "exit status: "
done
finish
