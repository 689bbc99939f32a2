#!/bin/bash
# Programs of several files: what is one name and what is two, and what is told when they do not fit.
. "$(dirname "$0")/common.sh"
cat >a.c <<'SOURCE'
#include <pthread.h>
static void reach_error(void) {}
struct S { int a; };
extern struct S s;
void other(void);
static void *worker(void *x) { other(); return 0; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  s.a = 3;
  return 0;
}
SOURCE
cat >b.c <<'SOURCE'
#include <pthread.h>
static void reach_error(void) {} // also in a.c, and also an error
struct S { long a; int b; };
struct S s;
static void *worker(void *x) {
  if (s.b == 0 && s.a == 3) reach_error();
  return 0;
}
void other(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
}
SOURCE
for files in "a.c b.c" "b.c a.c"; do
  # shellcheck disable=SC2086 # several words
  run check --property unreach-call $files --time-limit 30s
  want_status 1
  want_out "b.c:6"
  want_out "(a.c:worker)"
  want_out "(b.c:worker)"
done
mkdir sub && cp a.c sub/b.c
run check --property unreach-call sub/b.c b.c --time-limit 30s
want_status 1
want_out "(sub/b.c:worker)"
# A struct that one file believes to be larger than it is.
printf '#include <assert.h>\nextern struct { int a, b; } s;\nint main(void) { s.b = 1; return 0; }\n' >larger.c
printf 'struct { int a; } s;\n' >smaller.c
run check larger.c smaller.c --property valid-memsafety --time-limit 30s
want_status 1

# One definition, with or without `inline`.
echo 'int main(void) { return 0; }' >main.c
cp main.c second.c
printf 'int x;\nint y = 1;\n' >x.c
printf 'int y;\n' >y.c
printf 'inline int f(void) { return 1; }\nint g(void) { return f(); }\n' >inline.c
printf '#include <assert.h>\nint f(void) { return 2; }\nint g(void);\nint main(void) { assert(g() == 1); return 0; }\n' >f.c
run check --property unreach-call main.c x.c y.c
want_input_error "y.c: 'y' is defined in x.c, too"
run check --property unreach-call second.c x.c main.c
want_input_error "more than one file defines main: second.c, main.c; name the files of one program"
run check --property unreach-call x.c y.c
want_status 2
run check --property unreach-call y.c inline.c
want_input_error "y.c and the others: no main function"
run check --property unreach-call inline.c f.c --time-limit 30s # the definition that is not inline counts
want_status 1
sed 's/= 1;/;/' x.c >z.c
run check --property unreach-call main.c z.c y.c --quiet --time-limit 30s -- -fcommon
want_status 0
# A name that no file defines.
printf 'int nowhere(int);\nint main(void) { return nowhere(1); }\n' >missing.c
run check --property unreach-call missing.c x.c --time-limit 30s
want_status 0
want_out "undefined function"
finish
