#!/bin/bash
# Help, version and the man page.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/common.sh"
run --version
want_status 0
grep -qE '^heddle [0-9]+\.[0-9]+\.[0-9]+$' .out || complain "not a version"
# One version: of the build, of what is told, and of the newest section of the change log.
version=$(sed -n 's/^project(heddle VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt")
[ "$(cat .out)" = "heddle $version" ] || complain "not the version of CMakeLists.txt, $version"
newest=$(sed -n 's/^## \([0-9.]*\).*/\1/p' "$root/CHANGELOG.md" | head -n 1)
[ "$newest" = "$version" ] || complain "the newest version of CHANGELOG.md is '$newest', not $version"
run -V
want_out "heddle $version"
run --man
cmp -s .out "$root/docs/heddle.1" || complain "docs/heddle.1 is old: build/heddle --man > docs/heddle.1"
run --help
want_status 0
for command in check replay show survey bench; do want_out "  heddle $command "; done
for command in bench check replay show survey; do
  run "$command" --help
  want_status 0
  want_out "usage: heddle $command "
  # shellcheck disable=SC2013 # words
  for option in $(grep -oE '^  --[a-z-]+' .out); do
    grep -qF -- "$(printf '%s' "$option" | sed 's/-/\\-/g')" "$root/docs/heddle.1" ||
      complain "$option is not in the man page"
  done
done
grep -qE '^  --data-model ' .out || complain "no options in the help" # or the loop above checked nothing
run help check
want_out "usage: heddle check"
run help chekc
want_input_error "did you mean check?"
run help bench
want_out "usage: heddle bench"
finish
