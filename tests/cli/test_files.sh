#!/usr/bin/env bash
# Files that are named: an output is never an input or another output, and can be written, which is found out before
# anything runs; what is read is a regular file of a size that fits, and is never waited for.
# shellcheck disable=SC2094 # that an output is an input is what is tested
. "$(dirname "$0")/common.sh"
write_race race.c
cp race.c copy.c

# The command is refused for these two reasons, and nothing has changed.
want_untouched() { # the words on standard error
  want_input_error "$1"
  cmp -s race.c copy.c || { complain "race.c was changed"; cp copy.c race.c; }
}

# --- outputs ---

for option in --json --sarif --report --witness --save-schedule; do
  run check --property unreach-call race.c $option race.c
  want_untouched "$option race.c would replace the input race.c"
done
mkdir -p folder
ln race.c hard.c
ln -s race.c soft.c
ln -s ../race.c folder/soft.c
for name in ./race.c folder/../race.c "$work/race.c" hard.c soft.c folder/soft.c; do
  run check --property unreach-call race.c --json "$name"
  want_untouched "--json $name would replace the input race.c"
done
rm hard.c soft.c
for view in cfa circuit; do
  run show $view race.c -o race.c
  want_untouched "--output race.c would replace the input race.c"
done
printf 'CHECK( init(main()), LTL(G ! call(reach_error())) )\n' >asked.prp
echo 'G counter < 5' >asked.ltl
echo hello >typed
run check race.c --property asked.prp --json asked.prp
want_untouched "would replace the input asked.prp"
run check race.c --ltl asked.ltl --json ./asked.ltl
want_untouched "would replace the input asked.ltl"
run check --property unreach-call race.c --stdin typed --report typed
want_untouched "would replace the input typed"
[ "$(cat typed)" = hello ] || complain "an input was changed"
printf '[{"directory": "%s", "file": "race.c", "command": "cc -c race.c"}]\n' "$work" >compile_commands.json
run check --property unreach-call -p . --json compile_commands.json
want_untouched "would replace the input ./compile_commands.json"
run check --property unreach-call -p . --json race.c
want_untouched "would replace the input race.c"

# Headers, which only clang knows: those of the file, those of options, with a name that make would quote.
cp race.c header.h
cp race.c 'odd #$ name.h'
for words in '-include header.h' ''; do
  for name in header.h ./header.h 'odd #$ name.h'; do
    [ "$name" = 'odd #$ name.h' ] && [ -n "$words" ] && continue
    { [ -n "$words" ] || echo "#include \"${name#./}\""; echo 'int unused;'; } >includes.c
    # shellcheck disable=SC2086
    run check --property unreach-call includes.c $words --json "$name"
    want_input_error "--json $name would replace ${name#./}, which includes.c includes"
    # shellcheck disable=SC2086
    run show cells includes.c $words -o "$name"
    want_input_error "--output $name would replace ${name#./}, which includes.c includes"
  done
done
cmp -s race.c header.h && cmp -s race.c 'odd #$ name.h' || complain "a header was changed"
ln -s header.h soft.h
run check includes.c --ltl 'G counter < 5' --sarif 'odd #$ name.h'
want_input_error "which includes.c includes"
run check --property unreach-call race.c -imacros header.h --report soft.h
want_input_error "--report soft.h would replace header.h"
cmp -s race.c header.h || complain "a header was changed"
printf '# 1 "race.c" 1\n#line 7 "header.h"\nint main(void) { return 0; }\n' >marked.i
for name in race.c header.h; do
  run check --property unreach-call marked.i --json $name
  want_input_error "--json $name would replace $name, which marked.i includes"
done
echo old >result.json
run check --property unreach-call race.c --json result.json
want_status 1
grep -q '"answer"' result.json || complain "an old result was not replaced"

# Files of the database that are not named, and their headers.
mkdir base
cat >base/main.c <<'END2'
#include <assert.h>
int outside(void);
int main(void) { assert(outside() == 1); return 0; }
END2
printf '#include "one.h"\nint outside(void) { return ONE; }\n' >base/outside.c
echo '#define ONE 1' >base/one.h
printf '[{"directory": "%s/base", "file": "main.c", "command": "cc -c main.c"},\n' "$work" >base/compile_commands.json
printf ' {"directory": "%s/base", "file": "outside.c", "command": "cc -c outside.c"}]\n' "$work" \
  >>base/compile_commands.json
run check --property unreach-call -p base base/main.c --json base/outside.c
want_input_error "--json base/outside.c would replace the input $work/base/outside.c"
run check --property unreach-call -p base base/main.c --json base/one.h
want_input_error "--json base/one.h would replace "
run check --property unreach-call -p base base/main.c --json base/new.json --quiet
want_status 0
grep -q define base/one.h && grep -q outside base/outside.c || complain "a file of the project was changed"

# Standard input is an input if it is read, and what the streams are redirected to are outputs.
command_line="heddle check - --json race.c <race.c"
"$heddle" check --property unreach-call - --json race.c <race.c >.out 2>.err
status=$?
want_untouched "--json race.c would replace the input /dev/stdin"
command_line="heddle check copy.c --json race.c <race.c"
cp race.c other.c
"$heddle" check --property unreach-call copy.c --json other.c <other.c >.out 2>.err
status=$?
want_status 1
command_line="heddle check race.c --json .out >.out"
"$heddle" check --property unreach-call race.c --json .out >.out 2>.err
status=$?
want_input_error "--json .out is standard output"
command_line="heddle check race.c --json .err 2>.err"
"$heddle" check --property unreach-call race.c --json .err >.out 2>.err
status=$?
want_input_error "--json .err is standard error"
command_line="heddle check race.c --json /dev/stdout >.out"
"$heddle" check --property unreach-call race.c --json /dev/stdout >.out 2>.err
status=$?
want_status 1
want_last "result: UNSAFE"

# Two outputs of one name, whether the file exists or not.
run check --property unreach-call race.c --json both --sarif ./both
want_untouched "--sarif ./both is the same file as --json both"
want_absent both
ln -s new dangling
run check --property unreach-call race.c --json new --report dangling
want_untouched "--report dangling is the same file as --json new"
touch old
ln old other
run check --property unreach-call race.c --json old --sarif other
want_untouched "--sarif other is the same file as --json old"
rm old other
run check --property unreach-call race.c --json dangling
want_status 1
[ -L dangling ] && grep -q '"answer"' new || complain "what a link leads to was not written"

# What is written in place may have several names.
run check --property unreach-call race.c --json /dev/null --sarif /dev/null
want_status 1
run check --property unreach-call race.c --json /dev/stdout --sarif /dev/stdout
want_status 1
want_out '"answer"'
want_out '"runs"'
want_last "result: UNSAFE"

# Can it be written? That is known before a file is compiled.
printf 'nonsense\n' >wrong.c
for path in folder . / absent/x race.c/x folder/ absent/; do
  run check --property unreach-call wrong.c --json "$path"
  want_input_error "--json: cannot write $path: "
done
long=$(printf 'x%.0s' {1..250})
run check --property unreach-call race.c --json "$long"
want_status 1
[ -s "$long" ] || complain "a file of a long name was not written"
run check --property unreach-call wrong.c --json "$long$long"
want_input_error "File name too long"
want_no_leftovers

for path in /proc/self/fd/99 /dev/fd/99; do
  run check --property unreach-call wrong.c --json $path
  want_input_error "--json: cannot write $path: No such file"
done
command_line="heddle check wrong.c --json /dev/tty without a terminal"
setsid "$heddle" check --property unreach-call wrong.c --json /dev/tty >.out 2>.err </dev/null
status=$?
want_input_error "--json: cannot write /dev/tty: No such device or address"
command_line="heddle check race.c --json limited, with ulimit -f 0"
(ulimit -f 0; exec "$heddle" check --property unreach-call race.c --json limited) 2>&1 >/dev/null | cat >.err
status=${PIPESTATUS[0]}
: >.out
want_status 2
want_err "File too large"
want_absent limited
want_no_leftovers

# As another user, who may not write everywhere.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && setpriv --reuid=65534 --regid=65534 --clear-groups true; then
  mkdir -p locked/inside open
  cp race.c locked
  cp race.c locked/inside
  chmod 755 "$work" locked
  chmod 700 locked/inside
  touch open/mine locked/writable
  chmod 1777 open
  chmod 666 locked/writable
  run_as_other() {
    command_line="heddle $* (as another user)"
    (cd "$work" && exec setpriv --reuid=65534 --regid=65534 --clear-groups "$heddle" "$@") >.out 2>.err
    status=$?
  }
  if setpriv --reuid=65534 --regid=65534 --clear-groups "$heddle" --version >/dev/null 2>&1; then
    run_as_other check wrong.c --json locked/x.json
    want_input_error "--json: cannot write locked/x.json: Permission denied"
    run_as_other check wrong.c --json locked/writable
    want_input_error "--json: cannot write locked/writable: Permission denied"
    run_as_other check wrong.c --json locked/inside/x.json
    want_input_error "--json: cannot write locked/inside/x.json: Permission denied"
    run_as_other check wrong.c --json open/mine
    want_input_error "--json: cannot write open/mine: Operation not permitted"
    run_as_other check race.c --json open/theirs --quiet
    want_status 1
    run_as_other check locked/inside/race.c
    want_input_error "locked/inside/race.c: Permission denied"
    run_as_other check -p . locked/inside/race.c
    want_err "locked/inside/race.c: Permission denied"
    run_as_other check -p locked/inside
    want_input_error "locked/inside/compile_commands.json: Permission denied"
    run_as_other check race.c --property locked/inside/x.prp
    want_input_error "locked/inside/x.prp: Permission denied"
  fi
fi

# --- the bench ---

mkdir suite
cp race.c suite/race.c
cat >suite/race.yml <<'END2'
format_version: '2.0'
input_files: race.c
properties:
  - property_file: unreach-call.prp
    expected_verdict: false
END2
cp suite/race.yml before.yml
for option in --csv --plot; do
  for file in suite/race.yml suite/race.c; do
    run bench suite $option $file
    want_untouched "$option $file would replace the input"
  done
done
cmp -s suite/race.yml before.yml || complain "a task was changed"
run bench suite --csv results --plot ./results
want_untouched "--plot ./results is the same file as --csv results"
want_absent results
run bench suite --csv results.csv --quiet
want_status 0
for command in plot table; do
  run bench $command results.csv -o results.csv
  want_untouched "--output results.csv would replace the input results.csv"
done
run bench compare results.csv results.csv -o results.csv
want_untouched "--output results.csv would replace the input results.csv"

# --- inputs ---

mkfifo pipe
readers() { # FILE: everything that reads one, each of which has to refuse it at once
  echo "check $1"
  echo "check race.c --stdin $1"
  echo "check race.c --property ./$1"
  echo "check race.c --ltl ./$1"
  echo "replay race.c $1"
  echo "validate race.c $1"
  echo "bench $1"
  echo "bench table $1"
}
for file in pipe folder; do
  [ $file = pipe ] && words="a pipe, but only regular files are read" || words="Is a directory"
  while read -r line; do
    [ "$line" = "bench folder" ] && continue
    # shellcheck disable=SC2086
    command_line="heddle $line"
    # shellcheck disable=SC2086 # a line of words
    timeout 10 "$heddle" $line >.out 2>.err
    status=$?
    [ "$line" = "bench pipe" ] || want_status 2
    want_err "$words"
    want_one_error_line
  done < <(readers $file)
done
ln -s /dev/zero zero
while read -r line; do
  command_line="heddle $line"
  # shellcheck disable=SC2086
  # shellcheck disable=SC2086 # a line of words
  timeout 10 "$heddle" $line >.out 2>.err
  status=$?
  [ "$line" = "bench zero" ] || want_status 2
  want_err "a device, but only regular files are read"
done < <(readers zero)
mkdir devices
ln -s /dev/zero devices/compile_commands.json
run check --property unreach-call -p devices
want_input_error "a device, but only regular files are read"
run check --property unreach-call race.c --stdin /dev/null --time-limit 20s
want_status 1
truncate -s 65M large
run replay race.c large
want_input_error "large: more than 67108864 bytes"
run check race.c --property ./large
want_input_error "large: more than 1048576 bytes"

# Brackets without an end: neither time nor stack runs out.
deep() { printf "%0.s$1" $(seq 100000); }
{ printf -- '- '; deep '['; } >deep.yml
command_line="heddle validate race.c deep.yml"
timeout 20 "$heddle" validate race.c deep.yml >.out 2>.err
status=$?
want_status 1
want_last "witness: REJECTED (line 1: nested too deeply)"
deep '- ' >deep.yml
run validate race.c deep.yml
want_last "witness: REJECTED (line 1: nested too deeply)"
deep '[' >deep.json
run replay race.c deep.json
want_input_error "deep.json: not valid JSON"
mkdir -p deep
deep '{"a":' >deep/compile_commands.json
run check --property unreach-call -p deep
want_input_error "not valid JSON"
deep '(' >deep.ltl
run check race.c --ltl ./deep.ltl
want_input_error "./deep.ltl: column 1: "
cp deep.yml suite/deep.yml
run bench suite/deep.yml
want_err "suite/deep.yml:1: nested too deeply"

# --- options ---

run check --property unreach-call race.c --random 5 --exhaustive
want_input_error "--random and --exhaustive exclude each other"
run check --property unreach-call race.c --search exhaustive --random 5
want_input_error "--random and --search exhaustive exclude each other"
run check --property unreach-call race.c -- -fopenmp
want_input_error "compiled with -fopenmp: threads of that kind are not known"
for option in -E -S -c -M -MD -fsyntax-only "-o x" -ox -save-temps --version -print-targets; do
  # shellcheck disable=SC2086
  run check --property unreach-call race.c -- $option
  want_input_error "${option%% *} is not for heddle"
done
for option in -fopenmp -fopenmp=libomp -fsyntax-only -E; do
  run check --property unreach-call race.c -- -Xclang $option
  want_input_error "$option"
done
printf '[{"directory": "%s", "file": "race.c", "command": "cc -c race.c -Xclang -fopenmp"}]\n' "$work" >compile_commands.json
run check --property unreach-call -p . race.c
want_input_error "race.c: compiled with -fopenmp"
mkdir writes # no option makes clang write files
for option in --write-dependencies --write-user-dependencies -ftime-trace --save-stats -fstack-usage \
  -fsave-optimization-record --serialize-diagnostics=x; do
  command_line="heddle check ../race.c -- $option"
  (cd writes && exec "$heddle" check --property unreach-call ../race.c -- $option) >.out 2>.err
  status=$?
  want_input_error "$option is not for heddle"
done
run check --property unreach-call race.c -- -Xclang -dependency-file -Xclang race.c
want_untouched "-dependency-file is not for heddle"
[ -z "$(ls -A writes)" ] || complain "clang wrote files: $(ls -A writes)"
for option in -I -D -include -isystem -Xclang -x; do
  run check --property unreach-call race.c -- $option
  want_input_error "$option wants a value"
  [ $option = -Xclang ] && continue
  run check --property unreach-call race.c $option
  want_input_error "$option wants a value"
  run check --property unreach-call race.c $option -- -DX
  want_input_error "$option wants a value"
done
want_absent x
run check --property unreach-call race.c -- copy.c
want_input_error "files stand before it"
run check --property unreach-call race.c -- -Xclang -ast-dump
want_input_error "something else than a program"
run check --property unreach-call race.c --quiet -- -I . -D E -include copy.c -D main=other
want_status 2
want_err redefinition
printf '[{"directory": "%s", "file": "gone/race.c", "command": "cc -c race.c"}]\n' "$work" >compile_commands.json
run check --property unreach-call -p . race.c
want_input_error "race.c is not in ./compile_commands.json"
grep -q "there is" .err && complain "it names a file that does not exist"
cat >crash.c <<'END2'
#pragma clang __debug crash
int main(void) { return 0; }
END2
run check --property unreach-call crash.c
want_status 2
want_err "heddle: crash.c: clang-19 crashed"
grep -q "cannot compile" .err && complain "a crash is said to be an error in the file"
want_no_leftovers
finish
