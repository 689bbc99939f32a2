#!/bin/bash
# `./dev bench growth`: its programs are safe, but not without what makes them so; its tables, from known figures.
growth=$(realpath "$(dirname "$0")/../../bench/growth")
. "$(dirname "$0")/common.sh"

for family in filter_lock bakery test_and_set independent; do
  command_line="programs.py $family 2"
  "$growth/programs.py" "$family" 2 >safe.c || complain "it failed"
  # Without waiting, and with another value at the end, each is wrong.
  sed -e '/^  while (/,/;$/d' -e 's/own0 == 3/own0 == 2/' safe.c >unsafe.c
  run check --property unreach-call safe.c --engine replay --exhaustive --time-limit 30s
  want_last "result: SAFE"
  run check --property unreach-call unsafe.c --engine replay --exhaustive --time-limit 30s
  want_last "result: UNSAFE"
done
command_line="programs.py nonsense 2"
"$growth/programs.py" nonsense 2 2>.err && complain "it takes any family"
want_err "usage:"

bench() { # with heddle itself, or with what stands for it
  command_line="bench growth $*"
  "$growth/run" "$@" >.out 2>.err
  status=$?
}
bench "$heddle" --largest 2 --family test_and_set --family independent --time-limit 30s --jobs 2
want_status 0
want_out "### test_and_set"
want_out "### independent"
want_out "| threads | none | local | local+FC | monotone | monotone+FC |"
[ "$(grep -cE '^\| 2( \| [0-9]+, [0-9.]+ s){5} \|$' .out)" = 2 ] || complain "not all configurations have figures"
bench "$heddle" --largest 2 --family test_and_set --time-limit never
want_status 1 # a run without a result is no open one
want_err "--time-limit wants"
bench "$heddle" --largest 1
want_status 2

# Stands for heddle: 10, 40 and 200 nodes and so many hundredths of a second, but by the environment another answer.
cat >fake <<'END'
#!/bin/bash
reduction=none force=no size=$(grep -c '^void \*thread' "$2")
while [ $# -gt 0 ]; do
  case $1 in
  --json) json=$2 ;;
  --reduction) reduction=$2 ;;
  --force-cover) force=$2 ;;
  esac
  shift
done
nodes=(0 0 10 40 200) answer=SAFE
[ "$reduction-$force-$size" != "$WHERE" ] || answer=$WHAT
seconds=$(printf '%d.%02d' $((nodes[size] / 100)) $((nodes[size] % 100)))
printf '{"answer": "%s", "reason": "%s", "statistics": {"nodes": %d, "engine_seconds": %s}}' \
  "$answer" "out of something" "${nodes[size]}" "$seconds" >"$json.tmp"
mv "$json.tmp" "$json"
END
chmod +x fake
export WHERE WHAT
WHERE=local-yes-3 WHAT=UNKNOWN
bench ./fake --largest 4 --family bakery
want_status 0
two="10, 0.10 s" three="40 (×4.0), 0.40 s (×4.0)" four="200 (×5.0), 2.00 s (×5.0)"
want_out "| 2 | $two | $two | $two | $two | $two |"
want_out "| 3 | $three | $three | open | $three | $three |"
want_out "| 4 | $four | $four | – | $four | $four |"
want_err "bakery_3, local+FC: UNKNOWN (out of something)"
WHERE=monotone-no-2 WHAT=UNSAFE
bench ./fake --largest 2
want_status 1
want_out "| 2 | $two | $two | $two | WRONG | $two |"
want_err "independent_2, monotone: UNSAFE, but the program is safe"
finish
