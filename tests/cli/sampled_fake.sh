# shellcheck shell=bash disable=SC2094
# What the tests of the benches on samples share: source it after common.sh. A folder `suite` of task definitions (six in
# pthread-wmm, four elsewhere, one with another property), all expected true but *2.yml, and ./fake, which stands for heddle.
# It notes its arguments in .args. It answers as expected after 1 s, 2 s in pthread-wmm, with so many nodes: 100, or what
# NODES says ("REDUCTION:N ..."); but WHERE ("VARIANT/TASK ...") it answers WHAT.
define() { # path, property, expected verdict
  mkdir -p "${1%/*}"
  cat >"$1" <<END
format_version: '2.0'
input_files: $(basename "$1" .yml).c
properties:
  - property_file: ../properties/$2.prp
    expected_verdict: $3
END
}
for number in 1 2 3 4 5 6; do
  define "suite/pthread-wmm/w$number.yml" unreach-call "$([ $number = 2 ] && echo false || echo true)"
done
define suite/pthread/p1.yml unreach-call true
define suite/pthread/p2.yml unreach-call false
define suite/pthread-ext/e1.yml unreach-call true
define suite/pthread-ext/e2.yml unreach-call false
define suite/pthread-ext/race.yml no-data-race true

cat >fake <<'END'
#!/bin/bash
if [ "$1 ${2:-}" = "check --help" ]; then
  cat <<HELP
usage: heddle check
  --reduction auto|none|persistent|sleep|local|monotone|aware
                              replay: none, persistent, sleep; reach: none, local,
                              $REDUCTIONS (default: auto)
  --domain $DOMAINS
                              reach: what is known at a node (default: label)
  --prune lazy|full           reach: something else
HELP
  exit
fi
printf '%s\n' "$@" >.args
tasks=() variants=()
while [ $# -gt 0 ]; do
  case $1 in
  *.yml) tasks+=("$1") ;;
  --csv) csv=$2 ;;
  --variant) variants+=("$2") ;;
  esac
  shift
done
echo task,property,expected,verdict,reason,wall,cpu,memory_mb,statistics,variant >"$csv"
status=0
for task in "${tasks[@]}"; do
  expected=$(sed -n 's/.*expected_verdict: //p' "$task") name=$(basename "$task" .yml)
  for variant in "${variants[@]}"; do
    options=${variant#*=} variant=${variant%%=*} nodes=100 answer=$expected cpu=1.000
    for pair in ${NODES:-}; do [[ $options != *"--reduction ${pair%:*}" ]] || nodes=${pair#*:}; done
    [[ $task != */pthread-wmm/* ]] || cpu=2.000
    for place in ${WHERE:-}; do [ "$variant/$name" != "$place" ] || answer=$WHAT; done
    [[ $expected-$answer != true-false && $expected-$answer != false-true ]] || status=1
    printf '%s,unreach-call,%s,%s,"a, b",9.0,%s,1.0,refinements=1;nodes=%s;controls=2,%s\n' \
      "$(basename "$(dirname "$task")")/$name.yml" "$expected" "$answer" "$cpu" "$nodes" "$variant" >>"$csv"
  done
done
exit "${STATUS:-$status}"
END
chmod +x fake
export REDUCTIONS DOMAINS NODES WHERE WHAT STATUS
