#!/bin/bash
# `./dev bench growth-properties`: its programs have the verdicts that it expects, and with other values they have not; its tables.
growth=$(realpath "$(dirname "$0")/../../bench/growth-properties")
. "$(dirname "$0")/common.sh"

for family in one_lock lock_per_object philosophers_ordered pipeline pipeline_conditions; do
  command_line="programs.py $family 2"
  "$growth/programs.py" "$family" 2 >safe.c || complain "it failed"
  sed 's/assert(\(.*\) == /assert(\1 != /' safe.c >unsafe.c
  run check --property unreach-call,no-data-race,no-deadlock safe.c --engine replay --exhaustive --time-limit 30s
  want_last "result: SAFE"
  run check --property unreach-call unsafe.c --engine replay --exhaustive --time-limit 30s
  want_last "result: UNSAFE"
done
"$growth/programs.py" philosophers_unordered 3 >deadlock.c
run check --property no-deadlock deadlock.c --engine replay --first --time-limit 30s
want_last "result: UNSAFE"
command_line="programs.py nonsense 2"
"$growth/programs.py" nonsense 2 2>.err && complain "it takes any family"
want_err "usage:"

bench() { # with heddle itself, or with what stands for it
  command_line="bench growth-properties $*"
  "$growth/run" "$@" >.out 2>.err
  status=$?
}
bench "$heddle" --largest 3 --family one_lock --family philosophers_unordered --engine replay --property no-deadlock --time-limit 30s --sizes
want_status 0
want_out "### philosophers_unordered"
want_out "| engine | property | 2 |"
[ "$(grep -cE '^\| replay \| no-deadlock \| [0-9.]+ \([0-9]+\) \|$' .out)" = 2 ] || complain "not both programs have figures"
bench "$heddle" --largest 1
want_status 2

# Stands for heddle: gives the answer of the environment.
cat >fake <<'END'
#!/bin/bash
while [ $# -gt 0 ]; do
  case $1 in
  --json) json=$2 ;;
  esac
  shift
done
printf '{"answer": "%s", "reason": "out of something", "statistics": {}}' "$WHAT" >"$json.tmp"
mv "$json.tmp" "$json"
END
chmod +x fake
export WHAT=UNKNOWN
bench ./fake --largest 4 --family one_lock --engine order --property no-overflow
want_status 0
want_out "| order | no-overflow | open | – |"
want_err "one_lock 2, order, no-overflow: UNKNOWN (out of something)"
WHAT=UNSAFE
bench ./fake --largest 2 --family one_lock --engine order --property no-overflow
want_status 1
want_out "| order | no-overflow | WRONG |"
want_err "UNSAFE, but it is SAFE"
finish
