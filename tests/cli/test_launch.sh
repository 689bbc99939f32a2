#!/bin/bash
# What the program is started with: --args, --env, --stdin; in schedules and JSON; and what is malformed.
. "$(dirname "$0")/common.sh"

# --- words ---
cat >words.c <<'END'
#include <assert.h>
#include <string.h>
int main(int argc, char **argv) {
  assert(argc == 6 && strcmp(argv[0], "words") == 0);
  assert(strcmp(argv[1], "a b") == 0 && strcmp(argv[2], "") == 0 && strcmp(argv[3], "c\"d\\e") == 0);
  assert(strcmp(argv[4], "x'y z") == 0 && strcmp(argv[5], "$HOME") == 0 && argv[6] == 0);
  return 0;
}
END
run check --property unreach-call words.c --args '"a b" "" c\"d\\e "x'\''"y\ z '\''$HOME'\'' ' --time-limit 60s
want_status 0
want_last "result: SAFE"
cat >none.c <<'END'
#include <assert.h>
int main(int argc, char **argv) {
  assert(argc == 1 && argv[1] == 0);
  return 0;
}
END
run check --property unreach-call none.c --args '' --time-limit 60s
want_last "result: SAFE"
run check --property unreach-call none.c --args=' x ' --time-limit 60s
want_last "result: UNSAFE"

# --- schedules and JSON keep it ---
cat >both.c <<'END'
#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  char *key = getenv("KEY");
  assert(argc != 3 || argv[2][0] != 'q' || !key || key[0] != 'k' || getenv("OTHER"));
  return 0;
}
END
run check --property unreach-call both.c --args '1 q' --env KEY=k --env MORE= --save-schedule s.json --json r.json --time-limit 60s
want_status 1
grep -qF '"args": ["1", "q"]' r.json || complain "r.json does not have the arguments"
grep -qF '"env": ["KEY=k", "MORE="]' r.json || complain "r.json does not have the environment"
python3 -c 'import json, sys; [json.load(open(f)) for f in sys.argv[1:]]' r.json s.json || complain "not JSON"
run replay both.c s.json
want_status 1
want_last "result: UNSAFE"
sed 's/"args": \["1", "q"\]/"args": ["1", "p"]/' s.json >other.json
run replay both.c other.json
want_input_error "another program"
sed 's/"args": \["1", "q"\]/"args": "1"/' s.json >bad.json
run replay both.c bad.json
want_input_error '"args"'
run check --property unreach-call both.c --args '1 q' --env none --time-limit 60s
want_last "result: SAFE"
run check --property unreach-call both.c --time-limit 60s # anything: such a start is among them
want_last "result: UNSAFE"
run show cells both.c --args '1 q'
want_status 0

# --- standard input ---
cat >input.c <<'END'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  char text[8], *line = 0;
  size_t room = 0;
  assert(getchar() == 'h' && ungetc('h', stdin) == 'h');
  assert(fgets(text, 8, stdin) == text && strcmp(text, "hello\n") == 0);
  assert(fgets(text, 4, stdin) == text && strcmp(text, "wor") == 0);
  assert(read(0, text, 2) == 2 && text[0] == 'l' && text[1] == 'd');
  assert(getc(stdin) == '\n' && !feof(stdin));
  assert(getline(&line, &room, stdin) == 5 && strcmp(line, "last\n") == 0);
  assert(fread(text, 2, 3, stdin) == 1 && text[0] == 'x' && text[2] == 'z' && feof(stdin));
  assert(getchar() == EOF && read(0, text, 3) == 0 && !fgets(text, 8, stdin) && !ferror(stdin));
  rewind(stdin);
  assert(fgetc(stdin) == 'h');
  return 0;
}
END
printf 'hello\nworld\nlast\nxyz' >input
run check --property unreach-call input.c --stdin input --time-limit 60s
want_last "result: SAFE"
printf 'hello\nworld\nlast\nxy' >input
run check --property unreach-call input.c --stdin input --save-schedule s.json --json r.json --time-limit 60s
want_last "result: UNSAFE"
grep -qF '"stdin": "68656c6c6f0a776f726c640a6c6173740a7879"' r.json || complain "r.json does not have the input"
rm input # what it held is in the schedule
run replay input.c s.json
want_last "result: UNSAFE"
cat >numbers.c <<'END'
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  int count, number, sum = 0;
  char word[8];
  assert(scanf("%d", &count) == 1 && count == 3);
  for (int i = 0; i < count; i++) {
    assert(fscanf(stdin, "%d", &number) == 1);
    sum += number;
  }
  assert(sum == 12 && scanf("%7s", word) == 1 && strcmp(word, "word") == 0);
  assert(scanf("%d", &number) == 0 && getchar() == 'q');
  assert(scanf("%c", word) == 1 && word[0] == '\n' && !feof(stdin));
  assert(scanf("%d", &number) == EOF && feof(stdin));
  return 0;
}
END
printf '3\n -5 10\n7 word\nq\n' >numbers
run check --property unreach-call numbers.c --stdin numbers --time-limit 60s
want_last "result: SAFE"
: >empty
cat >nothing.c <<'END'
#include <assert.h>
#include <stdio.h>
int main(void) {
  assert(getchar() == EOF && feof(stdin));
  return 0;
}
END
run check --property unreach-call nothing.c --stdin empty --time-limit 60s
want_last "result: SAFE"
run check --property unreach-call nothing.c --time-limit 60s
want_last "result: UNSAFE"

# --- limits name the place and what lifts them ---
cat >long.c <<'END'
#include <assert.h>
#include <string.h>
int main(int argc, char **argv) {
  if (argc > 1) assert(strlen(argv[1]) < 100);
  return 0;
}
END
run check --property unreach-call long.c --time-limit 60s --json long.json
want_status 3
want_out "command-line argument 1 has more than 7 characters at long.c:4"
want_out "try --args"
grep -qF '"kind": "command line limit"' long.json || complain "long.json does not have the kind of the limit"
grep -qF '"try": "--args' long.json || complain "long.json does not say what to try"
run check --property unreach-call long.c --args 12345678 --time-limit 60s
want_last "result: SAFE"

# --- malformed: one line, nothing else ---
for bad in "--args 'x" '--args "x' '--args x\'; do
  run check --property unreach-call both.c --args "${bad#--args }"
  want_input_error "--args"
done
run check --property unreach-call both.c --args
want_input_error "--args"
for bad in KEY =1 ''; do
  run check --property unreach-call both.c --env "$bad"
  want_input_error "--env"
done
run check --property unreach-call both.c --env A=1 --env A=2
want_input_error "twice"
run check --property unreach-call both.c --env none --env A=2
want_input_error "'none'"
run check --property unreach-call both.c --stdin absent
want_input_error "absent: No such file"
run check --property unreach-call both.c --stdin .
want_input_error "Is a directory"
head -c 65536 /dev/zero >large
run check --property unreach-call both.c --stdin large
want_input_error "more than 65535 bytes"
run replay both.c s.json --args x
want_input_error "--args"
finish
