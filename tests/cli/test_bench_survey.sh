#!/bin/bash
# The table and the plot of `./dev bench survey`.
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/cli/common.sh"
mkdir programs
cp "$root/examples/server.c" programs/
echo 'int main(void) {' >programs/broken.c

command_line="bench/survey/run programs"
"$root/bench/survey/run" "$heddle" programs --output out >.out 2>.err
status=$?
want_status 0
grep -q '^| broken.c | 1 | [0-9.]* | [0-9]* | – | – | – | 2 | error |$' .out || complain "no row of an error"
grep -q '^| server.c | [0-9]* | [0-9.]* | [0-9]* | [0-9]* | 1 | 0 | 3 | yes |$' .out || complain "no row of a survey"
[ "$(wc -l <out/survey.csv)" = 3 ] || complain "survey.csv does not have three lines"
if command -v gnuplot >/dev/null; then
  grep -q 'lines of the program' out/survey.svg || complain "there is no plot"
fi
"$root/bench/survey/run" "$heddle" nothing >.out 2>.err
[ $? = 2 ] || complain "a missing folder is no error"
finish
