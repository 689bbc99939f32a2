#!/bin/bash
# `./dev bench daisy`: a race is found with transactions, and none where there is none; its table.
daisy=$(realpath "$(dirname "$0")/../../bench/daisy")
. "$(dirname "$0")/common.sh"

command_line="bench daisy"
"$daisy/run" "$heddle" --driver seek_race --schedule transactions --time-limit 60s >.out 2>.err
status=$?
want_status 0
want_out "| driver | schedule | verdict | depth | time | memory | paper |"
grep -qE '^\| seek_race \| transactions \| UNSAFE \| [0-9]+ \| [0-9.]+ s \| [0-9]+ MB \| depth 48, 2\.89 s, 5\.5 MB \|$' .out ||
  complain "the race is not found"

for schedule in interleaved stubborn transactions; do
  run check --property unreach-call "$daisy/seek_fixed.c" --engine circuit --method bmc --schedule $schedule --time-limit 1s --quiet
  tail -n 1 .out | grep -qE '^result: (SAFE|UNKNOWN)' || complain "there is no race, or no result"
done
run check --property unreach-call "$daisy/ww1_fixed.c" --engine replay --time-limit 60s
want_last "result: SAFE"

# Stands for heddle bench: a wrong verdict is one.
cat >fake <<'END'
#!/bin/bash
while [ "$1" != --csv ]; do shift; done
echo "task,property,expected,verdict,reason,wall,cpu,memory_mb,statistics,variant" >"$2"
echo "daisy/ww1_fixed.yml,unreach-call,true,false,,1.5,1.5,20.0,depth=7,stubborn" >>"$2"
exit 1
END
chmod +x fake
command_line="bench daisy with a wrong verdict"
"$daisy/run" ./fake >.out 2>.err
status=$?
want_status 1
want_out "| ww1_fixed | stubborn | WRONG: UNSAFE | 7 | 1.50 s | 20 MB | – |"
finish
