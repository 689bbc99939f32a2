#!/usr/bin/env bash
# Runs every task definition of a directory and wants each answer to be the expected one:
#   tests/run_tasks.sh HEDDLE DIRECTORY [options of heddle bench]
# An UNKNOWN counts as a failure unless the task asks for it (`heddle: verdict: UNKNOWN`, see src/bench/task.h).
set -euo pipefail
[ $# -ge 2 ] || {
  echo "usage: $0 HEDDLE DIRECTORY [options of heddle bench]" >&2
  exit 2
}
heddle=$1
directory=$2
shift 2

# A task whose definition was forgotten would be one that is never run.
forgotten=0
for source in "$directory"/*.c; do
  if [ ! -e "${source%.c}.yml" ] && ! grep -lqF -- "$(basename "$source")" "$directory"/*.yml; then
    echo "$source is in no task definition" >&2
    forgotten=1
  fi
done
[ "$forgotten" -eq 0 ] || exit 1
exec "$heddle" bench "$directory" --expect "$@"
