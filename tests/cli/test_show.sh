#!/bin/bash
# `heddle show`: graphs and tables, to standard output or a file.
. "$(dirname "$0")/common.sh"
write_locked locked.c
for passes in lowered prepared reduced large; do
  run show cfa locked.c --passes "$passes"
  want_status 0
  want_out digraph
done
run show cells locked.c
want_status 0
want_out counter
run show access locked.c
want_status 0
want_out counter
run show cfa locked.c -o graph.dot
want_status 0
want_no_output
grep -q digraph graph.dot || complain "graph.dot is not a graph"
run show stars locked.c
want_input_error stars
run show cfa
want_input_error "then a file"
run show cfa missing.c
want_input_error missing.c
run show cfa locked.c -o no/such/directory/graph.dot
want_input_error no/such/directory/graph.dot
finish
