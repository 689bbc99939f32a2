#!/bin/bash
# Formulas of linear temporal logic: the programs of tests/ltl with their verdicts, lassos written down and run again, and
# what is said to formulas that are none. With a second argument `all`, the slow rows of the table, too.
programs=$(realpath "$(dirname "$0")/../ltl")
rules=$(realpath "$(dirname "$0")/sarif_rules.py")
. "$(dirname "$0")/common.sh"
which=${2:-quick}

# --- the table ---

# A lasso is told as one, can be run again from its file, and is marked on the page.
want_lasso() {
  want_out "for ever"
  want_out "violation: the formula "
  grep -qE 'again and again|goes on for ever' .out || complain "the trace does not say where the loop begins"
  grep -qE '"loop": ?[0-9]+' lasso.json || complain "the schedule has no loop"
  grep -qE '"loop": ?[0-9]+' lasso.html || complain "the page has no loop"
  violation=$(grep '^violation: ' .out)
  run replay "$file" lasso.json "${question[@]}" "${compiler[@]}"
  want_status 1
  want_out "$violation"
  want_last "result: UNSAFE"
}

check_row() { # verdict, fair or any, the program with options of the compiler, time limit, formula
  file=$programs/${3%%,*}
  question=(--ltl "$5")
  [ "$2" = fair ] && question+=(--fair)
  compiler=()
  [ "$3" = "${3%%,*}" ] || IFS=, read -ra compiler <<<"--,${3#*,}"
  rm -f lasso.json lasso.html
  run check "$file" "${question[@]}" --time-limit "$4" --save-schedule lasso.json --report lasso.html "${compiler[@]}"
  want_last "result: $1"
  [ "$status" = 1 ] && want_lasso
}

rows=0
while read -r verdict executions speed program formula; do
  case $verdict in '' | '#'*) continue ;; esac
  [ "$which" = all ] || [ "$speed" = quick ] || continue
  limit=20s
  [ "$speed" = slow ] && limit=60s
  check_row "$verdict" "$executions" "$program" "$limit" "$formula"
  rows=$((rows + 1))
done <"$programs/expected"
command_line="the table"
[ "$rows" -ge 25 ] || complain "only $rows rows were checked"

# The circuit knows by itself which thread is stopped for ever, which waits by a choice, and what it does not know.
for schedule in interleaved transactions; do
  circuit=(--engine circuit --method bdd --schedule "$schedule")
  for variant in ASSUMPTION NULL_POINTER; do
    run check "$programs/stopped.c" --ltl 'x == 3' "${circuit[@]}" -- -D$variant
    want_last "result: SAFE"
  done
  for variant in MUTEX JOINS SECTION; do
    run check "$programs/chooses.c" --ltl 'F x == 1' --fair "${circuit[@]}" -- -D$variant
    want_last "result: UNSAFE"
  done
  for variant in DEAD_END AGAIN CHANGED; do
    fair=--fair
    [ $variant = CHANGED ] && fair=
    run check "$programs/waits.c" --ltl 'F done == 1' $fair "${circuit[@]}" -- -D$variant
    want_last "result: UNSAFE"
  done
  for variant in CREATES LOOP LOCKS; do
    run check "$programs/unfinished.c" --ltl false "${circuit[@]}" -- -D$variant
    want_last "result: SAFE"
    run check "$programs/unfinished.c" --ltl 'G sum == 0' "${circuit[@]}" -- -D$variant -DFINISHED
    want_last "result: UNSAFE"
  done
  for variant in ASSUMPTION BOUNDS AGAIN; do
    run check "$programs/freed.c" --ltl 'G freed == 0' "${circuit[@]}" -- -D$variant
    want_last "result: UNSAFE"
  done
  for variant in ASSUMPTION NULL_POINTER SECTION ALL WAITS; do
    run check "$programs/passed_over.c" --ltl 'G x == 0' "${circuit[@]}" -- -D$variant
    want_last "result: UNSAFE"
  done
  run check "$programs/not_foreseen.c" --ltl 'G !"flag && *p == 7"' "${circuit[@]}"
  want_last "result: UNKNOWN (construct not modelled: the formula looks through a pointer that was not foreseen; try another --engine, or stubs for what is named: heddle check FILE.c STUBS.c)"
done

# What it cannot know, it says.
echo 'double d; int main(void) { d = 1.5; return 0; }' >floating.c
run check floating.c --ltl 'F d > 1.0' --engine circuit
want_last "result: UNKNOWN (the formula looks at floating-point numbers or arrays, which circuits do not know; try another --engine or --preset)"
run check floating.c --ltl 'F d > 1.0'
want_last "result: SAFE"
run show circuit floating.c --ltl 'F d > 1.0'
want_input_error "floating-point numbers"
# A file with the circuit of a formula has the limits of the model as a bad state.
echo 'int x; int f(int n) { return n > 100 ? (x = 9) : 1 + f(n + 1); } int main(void) { x = f(0); for (;;) x = 1; }' >deep.c
run show circuit deep.c --ltl 'G F x == 1' -o deep.aag
want_status 0
read -r _ _ _ _ _ _ bad _ <deep.aag
[ "$bad" = 1 ] && grep -q '^b0 cut$' deep.aag || complain "the recursion limit is no bad state"
run show circuit "$programs/peterson.c" --ltl 'G F turn' -o peterson.aag
read -r _ _ _ _ _ _ bad _ <peterson.aag
[ "$bad" = 0 ] || complain "there is a bad state without a limit"
# Too many threads for a circuit.
{
  echo '#include <pthread.h>'
  echo 'int x; void *t(void *a) { x = 1; return 0; } int main(void) { pthread_t p;'
  for _ in $(seq 80); do echo 'pthread_create(&p, 0, t, 0);'; done
  echo '}'
} >threads.c
run show circuit threads.c --threads-limit 200 --ltl 'G !x' -o threads.aag
want_input_error "more than 64 threads"

# --- other ways to ask ---

cp "$programs/peterson.c" "$programs/counter.c" .
starves='G (want[0] -> F critical[0])'
echo "$starves" >formula.ltl
run check peterson.c --ltl formula.ltl --fair --quiet
want_status 0
# A violation has one line in other forms, too.
run check peterson.c --ltl formula.ltl --json result.json --sarif result.sarif --width 120
want_status 1
grep -q '"property": "ltl"' result.json || complain "no property in the JSON"
grep -q 'is violated' result.sarif || complain "no violation in the SARIF"
python3 "$rules" result.sarif UNSAFE >.rules 2>&1 || complain "the SARIF breaks rules: $(head -n 5 .rules)"

run check peterson.c --ltl formula.ltl --witness lasso.yml
want_input_error "--witness is not for formulas"

# A schedule is the one of its formula only, and fairness is asked anew.
run check peterson.c --ltl "$starves" --save-schedule unfair.json --quiet
want_status 1
run replay peterson.c unfair.json --ltl "$starves" --fair
want_status 3
want_out "could always run and is passed over for ever, which is unfair"
run replay peterson.c unfair.json --ltl 'G turn <= 1'
want_input_error "the schedule belongs to another program"
run replay peterson.c unfair.json
want_input_error "the schedule belongs to another program"

# Both engines, and all schedulers and methods of one, say the same.
run check peterson.c --ltl "$starves" --engine replay --quiet --time-limit 20s
want_last "result: UNSAFE"
run check peterson.c --ltl "$starves" --fair --engine replay --quiet --time-limit 20s
want_last "result: SAFE"
for method in bmc bdd pdr; do
  run check peterson.c --ltl "$starves" --engine circuit --method $method --quiet --time-limit 20s
  want_last "result: UNSAFE"
done
run check peterson.c --ltl "$starves" --fair --engine circuit --method bdd --quiet --time-limit 20s
want_last "result: SAFE"
for schedule in interleaved stubborn transactions; do
  ask=(--ltl 'F G counter == 2' --engine circuit --schedule "$schedule" --quiet --time-limit 20s)
  run check counter.c "${ask[@]}"
  want_last "result: UNSAFE"
  run check counter.c "${ask[@]}" -- -DATOMIC
  want_last "result: SAFE"
done
# What was asked for and is not done is said.
run check peterson.c --ltl "$starves" --fair --engine circuit --schedule stubborn
want_err "all threads in every state, because of fairness"
run check counter.c --ltl 'G (finished -> X finished)' --engine circuit
want_last "result: SAFE"
want_err "single steps of all threads, because the formula counts steps (X)"

# Only the last state: the process has ended.
run check counter.c --ltl 'F G counter == 2' --time-limit 20s
want_out "the process ends, and its last state goes on for ever"

# --- what is no formula, or no atom ---

refused() { # formula, message
  run check peterson.c --ltl "$1"
  want_input_error "$2"
}
refused 'G (want[0]' "--ltl, column 3: "
refused 'G want[0])' "--ltl, column 10: "
refused '   ' "column 4: a formula is missing here"
refused '' "--ltl wants a value"
refused 'turn U' "column 7: a formula is missing here"
refused '-> turn' "column 1: a formula is missing here"
refused 'F "turn' "column 3: this quote is not closed"
refused 'turn ? F turn : 1' "column 1: "
refused 'G (want[0] -> F nothing)' "column 17: use of undeclared identifier 'nothing'"
refused 'F me == 1' "column 3: use of undeclared identifier 'me'"
refused 'G (want[0] || F ask(1))' "column 17: call to undeclared function 'ask'"
refused 'F turn = 1' "column 3: turn = 1: it changes a variable"
refused 'F (turn == 0 && turn++)' "column 17: turn++: it changes a variable"
refused 'F main()' "column 3: main(): it creates a thread"
refused 'F (void)0' "column 3: "
refused 'F at(absent:3)' "column 3: absent:3: no step is in a function absent"
refused 'F at(contender:1)' "column 3: contender:1: no thread takes a step there"
refused 'F G at(absent)' "column 5: absent: there is no label absent"
refused 'F at(main:waiting)' "column 3: main:waiting: there is no label waiting"
refused 'F at(waiting, 0.7)' "column 3: waiting, 0.7: there is no thread 0.7"
refused 'F at(17)' "column 3: 17: at() wants function:line, function:label or a label"
refused 'F at(waiting' "column 3: at(...) is not closed"
refused 'F at(contender:17, )' "the path of a thread is missing behind the comma"
# Whatever is written, an atom is one expression.
refused 'F "turn /* "' "column 3: this comment is not closed"
refused 'F "turn */"' "column 4: "
refused 'F "turn) + (1"' "column 4: turn) + (1: a bracket is closed in this expression that was not opened"
refused 'F "turn); } int other(void) { return (1"' "column 4: "
refused 'F "turn; 1"' "column 4: turn; 1: there is a semicolon in this expression"
refused 'F "(turn"' "column 4: (turn: a bracket is not closed in this expression"
refused 'F "turn["' "column 4: turn[: a bracket is not closed in this expression"
refused 'F "turn }"' "column 4: turn }: a bracket is closed"
refused 'F #turn' "column 3: #turn: there is a # in this expression"
refused $'F "turn\n#define turn 1\n"' "there is a # in this expression"
refused "F \"turn == '\"" "column 3: this character constant is not closed"
refused "F \"turn == 1'000\"" "column 3: this character constant is not closed"
refused 'F turn \' "there is a backslash in this expression"
refused $'F "turn ==\n\n nothing"' "column 4: use of undeclared identifier 'nothing'"
refused $'F "turn\n= 1"' "column 4: turn = 1: it changes a variable"
run check peterson.c --ltl $'G "turn ==\n\'\\0\' || turn ==\n1"' --quiet
want_last "result: SAFE"
# A macro of the program may hide the end of the function.
echo 'int x; int main(void) { x = 1; return 0; }' >hides.c
run check hides.c --ltl 'F HIDDEN(x)' -- '-DHIDDEN(x)=x); } int other(void) { return (x' '-D__heddle_atom_0=something'
want_input_error "column 3: HIDDEN(x): this is not one expression"

cat >own.c <<'end'
#include <errno.h>
_Thread_local int mine;
int get(void) { static _Thread_local int kept; return kept + 1; }
int main(void) { mine = 1; errno = 5; return 0; }
end
cp "$programs/labels.c" .
refused_of() { # program, formula, message
  run check "$1" --ltl "$2"
  want_input_error "$3"
}
refused_of own.c 'F mine == 1' "column 3: mine == 1: it looks at mine, of which each thread has its own"
refused_of own.c 'F (mine == 1 && true)' "column 4: mine == 1: it looks at mine, of which each thread has its own"
refused_of own.c 'F get()' "column 3: get(): it looks at get.kept, of which each thread has its own"
refused_of own.c 'F errno == 5' "it looks at errno or other data of the library, of which each thread has its own"
refused_of labels.c 'F at(crowded)' \
  "column 3: crowded: label crowded stands behind other statements of its line; put it on a line of its own"
refused_of labels.c 'F at(calls)' "column 3: calls: no thread takes a step there"

echo 'G (turn <= ' >broken.ltl
refused broken.ltl "broken.ltl: column 3: "
run check peterson.c --fair
want_input_error "--fair is for formulas"
run check peterson.c --ltl 'F turn' --property no-data-race
want_input_error "--ltl and --property exclude each other"
run check peterson.c --property ltl
want_input_error "give it by --ltl"
run check peterson.c --ltl 'F turn' --engine reach
want_input_error "engine reach does not decide the property ltl"

# --- comments, constants, files, and formulas that are long or deep ---

accepted() { # formula, file or text
  run check peterson.c --ltl "$1" --quiet --time-limit 20s
  want_last "result: $2"
}
accepted 'F (turn == 0 /* && false */) // && false' SAFE
accepted "F 'U' == 85 && ')' + '\\'' == 80" SAFE
accepted 'F "turn == 0 /* && 0 */"' SAFE
refused 'F sizeof("U && R") == 7' "--ltl, column 3: sizeof(\"U && R\") == 7: there is a string in this expression"
accepted 'turn/2 == 0' SAFE
refused 'F turn /* && false' "--ltl, column 8: this comment is not closed"
refused "F turn == 'U" "--ltl, column 11: this character constant is not closed"
refused 'F (turn == sizeof("U)' "--ltl, column 19: this quote is not closed"
refused 'F turn
  && nothing' "--ltl, line 2, column 6: use of undeclared identifier 'nothing'"

printf '\357\273\277// a mark of byte order before\r\nF turn == 0 /* over\r\n lines */\r\n  || false\r\n' >marked.ltl
accepted marked.ltl SAFE
run check peterson.c --ltl marked.ltl
want_out "formula: F turn == 0 || false"
printf '\357\273\277F turn\0 && false' >zero.ltl
refused zero.ltl "zero.ltl: column 7: there is a zero byte in the formula"
: >empty.ltl
refused empty.ltl "empty.ltl: column 1: a formula is missing here"
printf '// none\nG (turn <= 1 ->\n  F )' >lines.ltl
refused lines.ltl "lines.ltl: line 3, column 5: a formula is missing here"
printf 'G turn <= 1\n  && F nothing\n' >lines.ltl
refused lines.ltl "lines.ltl: line 2, column 8: use of undeclared identifier 'nothing'"
printf 'G turn <= 1\n  && F at(absent)\n' >lines.ltl
refused lines.ltl "lines.ltl: line 2, column 8: absent: there is no label absent"
printf 'G turn <= 1\n  && F turn++\n' >lines.ltl
refused lines.ltl "lines.ltl: line 2, column 8: turn++: it changes a variable"
refused nofile.ltl "nofile.ltl: No such file or directory"
refused ./nofile "./nofile: No such file or directory"
mkdir folder.ltl
refused folder.ltl "folder.ltl: Is a directory"
mkdir turn && accepted 'turn' UNSAFE

repeated() { # how often, what, what then: into a file
  { yes "$2" | head -n "$1" | tr '\n' ' '; echo "$3"; } >repeated.ltl
}
for operator in U W R '->'; do
  repeated 400000 "turn $operator" turn
  refused repeated.ltl "the formula is nested too deeply"
done
for operator in G F X '!' '(F'; do
  repeated 400000 "$operator" turn
  refused repeated.ltl "the formula is nested too deeply"
done
for operator in '&&' '||' '<->'; do
  repeated 400000 "F G turn <= 1 $operator" 'F G turn <= 1'
  accepted repeated.ltl SAFE
done
# The engine that writes its automaton out keeps to the time.
equivalences=$(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do echo "<-> F turn == $i <-> G turn != $i + 20"; done)
run check peterson.c --ltl "G (true $equivalences)" --engine replay --quiet --time-limit 1s
want_out "result: UNKNOWN (out of time"
run check peterson.c --ltl "G (true $equivalences)" --engine circuit --method bmc --quiet --time-limit 20s
want_last "result: UNSAFE"
finish
