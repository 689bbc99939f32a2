#!/bin/bash
# The tables of `./dev bench order`, from a comparison whose figures are known.
tables=$(realpath "$(dirname "$0")/../../bench/order/tables.py")
. "$(dirname "$0")/common.sh"

row() { # suite, expected, then answer:seconds:engine:abstraction:clauses:refinements:reasons:literals for each mode
  local line="$1,task,$2" mode answer seconds engine abstraction clauses refinements reasons literals
  for mode in "${@:3}"; do
    IFS=: read -r answer seconds engine abstraction clauses refinements reasons literals <<<"$mode"
    line+=",$answer,$seconds,$engine,3,,,,$abstraction,$clauses,$refinements,$reasons,$literals,0"
  done
  echo "$line"
}
{
  printf suite,task,expected
  for mode in graph solver eager; do
    for column in answer seconds engine_seconds unwinding nodes events links abstraction_clauses clauses refinements \
      refinement_clauses refinement_literals fallbacks; do
      printf ',%s_%s' $mode $column
    done
  done
  echo
  row one true true:1:0.5:100:110:2:10:30 true:4:2:100:140:40:40:200 true:3:2:100:800:::
  row one false false:2:1:100:200:100:200:600 timeout:30::::::: false:32:16:100:3200:::
  row two true bound:1:1:100:100:0:0:0 bound:1:1:100:100:0:0:0 bound:1:1:100:400:::
  row two true false:1:1:100:100:0:0:0 true:1:1:100:100:0:0:0 unknown:1:1:100:400:::
} >comparison.csv

command_line="tables.py comparison.csv"
"$tables" comparison.csv >.out 2>.err
status=$?
want_status 0
want_out "| one | 2 / 0 / 0 / 0 | 1 / 0 / 0 / 1 | 2 / 0 / 0 / 0 | 1 | 1.0 / 1.00 | 4.0 / 4.00 | 3.0 / 3.00 |"
want_out "| two | 0 / 1 / 1 / 0 | 1 / 0 / 1 / 0 | 0 / 0 / 1 / 1 | 1 | 1.0 / 1.00 | 1.0 / 1.00 | 1.0 / 1.00 |"
want_out "| **all** | 2 / 1 / 1 / 0 |"
want_out "| one | 2 | 1/16.0 | 1/12.8 | 1/32.0 |" # of 100/800 and 100/3200
want_out "| one | 51 / 100 / 100 | 50 % | 2.06 | 3.00 | 0 | 40 / 40 / 40 | 100 % | 1.00 | 5.00 | 0 |"
want_out "| one | 1 | 4.00 / 4.00 | 4.00 / 4.00 | 2 | 11.67 / 6.93 | 12.00 / 8.00 | 2 | 11.67 / 6.93 | 12.00 / 8.00 |"
want_out "| two | 1 | 1.00 / 1.00 | 1.00 / 1.00 | 1 | 1.00 / 1.00 | 1.00 / 1.00 | 0 | - | - |" # wrong ones do not count
want_out "CBMC was not run"
finish
