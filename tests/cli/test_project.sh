#!/bin/bash
# `-p DIR`: the files of a program and their options from compile_commands.json.
. "$(dirname "$0")/common.sh"
mkdir -p src inc other build
cat >inc/queue.h <<'SOURCE'
inline int twice(int x) { return 2 * x; }
static inline int same(int x) { return x; }
extern _Thread_local int mine;
void put(int value);
int get(void);
SOURCE
cat >src/main.c <<'SOURCE'
#include <assert.h>
#include <pthread.h>
#include "queue.h"
static int count;
static void step(void) { count = count + 1; }
static void *worker(void *argument) {
  mine = 5;
  step();
  put(LIMIT);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  put(twice(1));
  pthread_join(thread, 0);
  assert(mine == 7);
  assert(sizeof TEXT == 6 && TEXT[1] == ' ');
  assert(get() == 4);
  return 0;
}
SOURCE
cat >src/queue.c <<'SOURCE'
#include "queue.h"
#if !defined FORCED || __STDC_VERSION__ != 199901L || LIMIT
#error the options of another file
#endif
static int count;
_Thread_local int mine = 7;
static void step(int by) { count = count + by; }
void put(int value) { step(same(value)); }
int get(void) { return twice(count) / 2; }
SOURCE
echo '#define FORCED 1' >build/forced.h

write_database() { # options of main.c, then of queue.c
  cat >build/compile_commands.json <<JSON
[ { "directory": "$work/build", "file": "$work/src/main.c",
    "command": "/usr/bin/cc -I../inc -DLIMIT=\"(1 + 1)\" '-DTEXT=\\"a \\\\\\"bc\\"' -O2 -Wall -fno-such -MF x.d $1 -o m.o -c ../src/main.c" },
  { "directory": "$work/build", "file": "../src/queue.c",
    "arguments": ["cc", "-I", "../inc", "-std=c99", "-include", "forced.h", "-D", "LIMIT=0", $2 "-c", "../src/queue.c"] },
  { "directory": "$work/build", "file": "../src/start.S", "arguments": ["cc", "-c", "../src/start.S"] } ]
JSON
}
write_database "" ""

for files in "src/main.c src/queue.c" ""; do
  # shellcheck disable=SC2086 # several words
  run check --property unreach-call -p build $files --save-schedule s.json --time-limit 30s
  want_status 1
  want_last "result: UNSAFE"
  want_out "src/main.c:19" # the assertion about get
  want_out "queue.c:7"
  want_out "queue.c:count: 0 -> 2"
done
want_err "1 file is not C"
run replay -p build s.json
want_status 1
run show cells -p build
want_status 0
want_out "main.c:count"
want_out "queue.c:count"
cd other && run check --property unreach-call ../src/main.c ../src/queue.c --project=../build --quiet --time-limit 30s
want_status 1
cd ..

# Data models, NDEBUG, several entries, other threads.
write_database "-m32 -DNDEBUG" '"-m32",'
run check --property unreach-call -p build --time-limit 30s
want_status 0
want_err "NDEBUG for 1 file"
run show cells -p build --data-model LP64
grep -qE '^0x[0-9a-f]+ +8 +thread' .out || complain "the data model that was given does not win"
run show cells -p build
grep -qE '^0x[0-9a-f]+ +4 +thread' .out || complain "-m32 is not the data model"
write_database "-m32" '"-m64",'
run check --property unreach-call -p build
want_input_error "src/queue.c is compiled with -m64, files before it with -m32"
write_database "-fopenmp" ""
run check --property unreach-call -p build
want_input_error "src/main.c: compiled with -fopenmp"
write_database "" ""
sed -i 's/start\.S/queue.c/g' build/compile_commands.json
run check --property unreach-call -p build --quiet --time-limit 30s
want_status 1
run show cells -p build
want_err "src/queue.c: build/compile_commands.json has other options for it in 1 more entry"

# Files that are named call functions of others: those are added, and what these call, and nothing else.
mkdir app
cat >app/main.c <<'SOURCE'
#include <assert.h>
int first(int x);
int outside(int x);
int main(void) {
  assert(first(2) != 7);
  return outside(0) ? 0 : 1;
}
SOURCE
cat >app/first.c <<'SOURCE'
int second(int x);
static int unused(int x) { return x; }
int first(int x) { return second(x) + 1 + 0 * unused(x); } /* third(x) { */
SOURCE
cat >app/second.c <<'SOURCE'
int second(x)
  int x;
{
  return x * FACTOR;
}
SOURCE
echo 'int third(int x) { return first(x); } int first();' >app/third.c
printf 'int second(int x);\nint main(void) { return second(1); }\n' >app/other_main.c
echo '#error never compiled' >app/broken.c
write_app() { # more files
  mkdir -p app/build
  {
    echo '['
    for file in main first third other_main broken "$@"; do
      echo "{ \"directory\": \"$work/app\", \"file\": \"$file.c\", \"command\": \"cc -c $file.c\" },"
    done
    echo "{ \"directory\": \"$work/app\", \"file\": \"second.c\", \"command\": \"cc -DFACTOR=3 -c second.c\" } ]"
  } >app/build/compile_commands.json
}
write_app
run check --property unreach-call -p app/build app/main.c --time-limit 30s --save-schedule s.json --witness w.yml --report r.html --json r.json
want_status 1
want_last "result: UNSAFE"
want_out "main.c:5"
want_err "app/first.c is part of the program, too: it defines first"
want_err "app/second.c is part of the program, too: it defines second"
[ "$(wc -l <.err)" = 2 ] || complain "other files are named, too"
grep -q '"app/second.c"' w.yml || complain "the witness does not name the file that was added"
run replay -p app/build app/main.c s.json
want_status 1
run validate -p app/build app/main.c w.yml --time-limit 30s
want_last "witness: CONFIRMED"
run check --property unreach-call -p app/build app/main.c --quiet --time-limit 30s
want_status 1
[ ! -s .err ] || complain "--quiet does not keep quiet"
run check --property unreach-call -p app/build app/main.c --only-named --time-limit 30s
want_last "result: UNSAFE"
want_out "this execution uses undefined functions: first returns 7"
[ ! -s .err ] || complain "files are added although --only-named is given"
run check --property unreach-call -p app/build app/main.c app/first.c app/second.c --time-limit 30s
want_status 1
[ ! -s .err ] || complain "something is added to what is complete"
# One function in two files: the user has to say which. A file that brings main, or what there is already, is of another program.
echo 'int first(int x) { return 0; }' >app/mock.c
write_app mock
run check --property unreach-call -p app/build app/main.c --time-limit 30s
want_err "first is defined in app/first.c, app/mock.c: name the file that is meant"
! grep -q "is part of the program" .err || complain "one of two definitions is chosen"
run check --property unreach-call -p app/build app/main.c app/mock.c --time-limit 30s
want_status 0
! grep -q "is part of the program" .err || complain "a second definition is added"
printf 'int outside(int x) { return x; }\nint main(void) { return 0; }\n' >app/program.c
printf 'int outside(int x) { return x; }\nint first(int x) { return 1; }\n' >app/double.c
write_app program
run check --property unreach-call -p app/build app/main.c --time-limit 30s
want_err "outside stays undefined: app/program.c would bring main or another name a second time"
write_app double
run check --property unreach-call -p app/build app/main.c app/first.c --time-limit 30s
want_err "outside stays undefined: app/double.c would bring main or another name a second time"

# What cannot be.
write_locked locked.c
run check --property unreach-call -p build locked.c
want_input_error "locked.c is not in build/compile_commands.json"
mkdir wrong && cp src/queue.c wrong/
run check --property unreach-call -p build wrong/queue.c
want_input_error "there is $work/src/queue.c"
run check --property unreach-call -p nowhere
want_input_error "nowhere/compile_commands.json: No such file or directory"
run check --property unreach-call -p build nothing.c
want_input_error "nothing.c: No such file"
run replay -p build
want_input_error "replay wants"
for text in '{}' '[{}]' '[1' "[{\"directory\": \"/\", \"file\": \"a.c\", \"command\": \"cc 'a\"}]" '[]'; do
  echo "$text" >build/compile_commands.json
  run check --property unreach-call -p build
  want_input_error "build/compile_commands.json: "
done
finish
