#!/bin/bash
# Completion in bash: what the function offers for command lines, each word an argument, the last one being completed.
. "$(dirname "$0")/common.sh"
run --completion bash
want_status 0
# shellcheck source=/dev/null
. ./.out
offer() {
  COMP_WORDS=(heddle "$@")
  COMP_CWORD=$#
  COMPREPLY=()
  _heddle
  command_line="completion of: heddle $*"
  offered="${COMPREPLY[*]}"
}
want() { [ "$offered" = "$1" ] || complain "offers '$offered', not '$1'"; }
want_among() { [[ " $offered " == *" $1 "* ]] || complain "'$1' is not in '$offered'"; }
want_not() { [[ " $offered " != *" $1 "* ]] || complain "'$1' is in '$offered'"; }

offer c
want check
offer ""
for word in check replay show survey bench --version; do want_among $word; done
offer check --engine o
want order
offer check --engine = o
want order
offer check --engine =
want_among reach
offer check a.c --preset imp
want impara
offer check --property no-d
want "no-data-race no-deadlock no-division-by-zero"
offer check --dom
want --domain
offer check --domain explicit+
want explicit+predicate
offer replay --
want_among --full
want_not --engine
offer show ""
want "cfa cells access invariants circuit library code"
offer show --quiet --passes lowered -
want_among --output
offer show --quiet cfa ""
want ""
offer bench --
for word in --csv --quiet --verbose; do want_among $word; done
offer bench tasks -- --eng
want --engine
offer check a.c -- --eng
want ""
offer check --json ""
want "" # files, by the shell
mkdir "a folder" && touch afile
offer check -p a
want "a folder"
# Every option of the help is offered, and nothing else.
for command in check replay show; do
  offer "$command" --
  want "$("$heddle" "$command" --help | grep -oE '^  --[a-z-]+' | tr -d ' ' | grep -vx -- --help | tr '\n' ' ')--help"
done
run --completion fish
want_input_error "bash"
finish
