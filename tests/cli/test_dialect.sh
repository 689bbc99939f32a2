#!/bin/bash
# What gcc compiles, clang compiles for Heddle: by options for every file, by remedies that its diagnostics ask for, and
# with advice where nothing helps. Each program asserts what gcc makes of it.
. "$(dirname "$0")/common.sh"

safe() { # the file, and options
  run check --property unreach-call --time-limit 30s "$@"
  want_status 0
}

cat >loose.c <<'SOURCE'
#include <assert.h>
count;
add(by) {
  count += by;
  return count;
}
void *no_parameter(void) {
  add(1);
  return 0;
}
int odd_result(int *where) {
  *where = 2;
  return 5;
}
void old_style(where) char *where;
{ *where = 3; }
float half(number) float number;
{ return number / 2; }
inline void old_inline(void) { add(10); }
void gives_nothing(void) { return 4; }
int number;
char letter;
typedef unsigned long pthread_t;
int main() {
  pthread_t first, second, third;
  void *result;
  int *address = &letter;
  int integer = 7;
  char *pointer = integer;
  pthread_create(&first, 0, no_parameter, 0);
  pthread_join(first, 0);
  pthread_create(&second, 0, odd_result, &number);
  pthread_join(second, &result);
  pthread_create(&third, 0, old_style, address);
  pthread_join(third, 0);
  old_inline();
  gives_nothing();
  assert(count == 11 && number == 2 && letter == 3 && (int)result == 5 && pointer == 7);
  assert(half(3.0) == 1.5);
  return 0;
}
SOURCE
safe loose.c
safe loose.c --data-model ILP32

# Atomic operations on plain objects, which race with nothing atomic.
cat >atomic_of_plain.c <<'SOURCE'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int plain;
_Atomic int atomic;
int *pointer;
struct pair { int a, b; } pair, both;
void *worker(void *unused) {
  atomic_fetch_add(&plain, 1);
  atomic_fetch_add(&atomic, 1);
  return 0;
}
int main(void) {
  pthread_t thread;
  int expected = 3;
  both.b = 5;
  atomic_store(&pair, both);
  atomic_store(&pointer, &plain);
  pthread_create(&thread, 0, worker, 0);
  atomic_fetch_add(&plain, 1);
  atomic_fetch_add(&atomic, 1);
  pthread_join(thread, 0);
  assert(atomic_load(&plain) == 2 && atomic == 2 && *atomic_load(&pointer) == 2 && pair.b == 5);
  assert(!atomic_compare_exchange_strong(&plain, &expected, 9) && expected == 2);
  return 0;
}
SOURCE
safe atomic_of_plain.c
safe atomic_of_plain.c --property no-data-race

# What gcc's headers leave in a preprocessed file.
cat >preprocessed.i <<'SOURCE'
# 1 "preprocessed.c"
extern void give_back(void *block, int how);
extern void *take(int size) __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (give_back, 1)));
extern _Float128 wide(_Float64 a, _Float32 b, _Float64x c);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
_Atomic int counter;
int linux = 2;
int main(void) {
  int loaded = 1, *at = &linux;
  __atomic_store_n(&counter, 4, 5);
  __atomic_load(&counter, &loaded, 5);
  __sync_fetch_and_add(&counter, 1);
  if (loaded + linux + counter != 11 || *at != 2) __assert_fail("", "preprocessed.c", 12, "main");
  return 0;
}
SOURCE
safe preprocessed.i

printf '#include <assert.h>\nvoid main(char **words, int count) { assert(1); }\n' >odd_main.c
safe odd_main.c

# NDEBUG is the user's.
printf '#include <assert.h>\nint main(void) { assert(0); return 0; }\n' >debug.c
run check --property unreach-call debug.c
want_status 1
safe debug.c -- -DNDEBUG
printf '#define NDEBUG\n#include <assert.h>\nint main(void) { assert(0); return 0; }\n' >own_ndebug.c
safe own_ndebug.c

# Builtins of gcc that clang does not have mean something: not any value.
printf 'int p(int n, ...) { return n; }\nint f(int n, ...) { return p(n, __builtin_va_arg_pack()); }\nint main(void) { f(1, 2); return 0; }\n' >pack.c
run check --property unreach-call pack.c --time-limit 30s
want_status 3
want_out "__builtin_va_arg_pack"

# In a preprocessed header, printf's inline form hands its arguments on so: the model of printf is meant.
cat >fortified.i <<'SOURCE'
# 1 "fortified.c"
extern int printf(const char *format, ...);
extern int __printf_chk(int flag, const char *format, ...);
extern __inline __attribute__((__always_inline__)) __attribute__((__gnu_inline__)) __attribute__((__artificial__)) int
printf(const char *format, ...) {
  return __printf_chk(1, format, __builtin_va_arg_pack());
}
int main(void) {
  printf("%s %d\\n", "number", 3);
  return 0;
}
SOURCE
safe fortified.i

refused() { # the file, and the advice
  run check --property unreach-call "$1"
  want_status 2
  want_no_output
  want_err "heddle: $1: clang cannot compile this file; $2"
}
printf 'int main(void) {\n  int own(int x) { return x; }\n  return own(0);\n}\n' >nested.c
refused nested.c "a function inside a function is an extension of gcc"
printf 'int f(int n) { struct { int a[n]; } v; return sizeof v; }\nint main(void) { return f(0); }\n' >vla.c
refused vla.c "an array of variable length in a struct"
printf '#include "missing_header.h"\nint main(void) { return 0; }\n' >missing.c
refused missing.c "name the folder of the header"
printf 'int main(void) { return SIZE; }\n' >macro.c
refused macro.c "give the options of the program's build"

finish
