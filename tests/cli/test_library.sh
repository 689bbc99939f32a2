#!/bin/bash
# Library models as users meet them: the list of models, stubs that override them, standard input that is given.
. "$(dirname "$0")/common.sh"

# --- the list ---
cat >uses.c <<'END'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <wctype.h>
int helper(int);
void *malloc(size_t bytes) { static char room[64]; return bytes < 64 ? room : 0; }
int main(void) {
  popen("true", "r");
  return iswalpha(L'a') + helper((int)pow(atoi("2"), puts("text")));
}
END
run show library uses.c
want_status 0
for line in 'atoi +exact +lib/numbers.c' 'puts +any +lib/output.c' 'pow +guesses +lib/math.c' 'popen +unknown +lib/stdio.c'; do
  grep -qE "^  $line" .out || complain "no line '$line'"
done
grep -A 1 'without a body or a model' .out | grep -qx '  helper' || complain "helper is not among the missing"
grep -A 1 'of C and POSIX without a model' .out | grep -qx '  iswalpha' || complain "iswalpha is not told to be missing"
grep -A 1 'defines itself' .out | grep -qx '  malloc' || complain "malloc is not told to be the program's own"
run show library
want_status 0
grep -qE '^[0-9]{4} functions have a model$' .out || complain "not a list of all models"
[ "$(grep -c '^  ' .out)" = "$(tail -n 1 .out | cut -d ' ' -f 1)" ] || complain "the number is not that of the lines"
grep -qE '^  fcntl ' .out || complain "fcntl has no model"

# --- stubs ---
cat >app.c <<'END'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  FILE *pipe = popen("date", "r"); // without a model
  assert(pipe == NULL && rand() == 4);
  return 0;
}
END
cat >stubs.c <<'END'
#include <stdio.h>
FILE *popen(const char *command, const char *mode) { return NULL; }
int rand(void) { return 4; }
END
run check --property unreach-call app.c --time-limit 20s
want_status 3
want_out popen
run check --property unreach-call app.c stubs.c --time-limit 20s
want_last "result: SAFE"

# --- standard input ---
cat >input.c <<'END'
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  int number;
  char word[8], line[16];
  assert(scanf("%d %7s", &number, word) == 2 && number == 12 && strcmp(word, "abc") == 0);
  assert(getchar() == '\n' && fgets(line, sizeof line, stdin) && strcmp(line, "second\n") == 0);
  assert(fgetc(stdin) == 'x' && ungetc('x', stdin) == 'x');
  char *whole = NULL;
  size_t room = 0;
  assert(getline(&whole, &room, stdin) == 4 && strcmp(whole, "xyz\n") == 0);
  assert(fread(line, 1, 3, stdin) == 3 && memcmp(line, "las", 3) == 0 && !feof(stdin));
  assert(read(0, line, 10) == 1 && line[0] == 't');
  assert(getchar() == EOF && feof(stdin) && scanf("%d", &number) == EOF);
  return 0;
}
END
printf '12 abc\nsecond\nxyz\nlast' >input.txt
run check --property unreach-call input.c --stdin input.txt --time-limit 30s
want_last "result: SAFE"
printf '12 abc\nsecond\nxyz\nlost' >input.txt
run check --property unreach-call input.c --stdin input.txt --time-limit 30s
want_last "result: UNSAFE"
finish
