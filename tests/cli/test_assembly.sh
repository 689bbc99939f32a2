#!/bin/bash
# Inline assembly: what statements do on this processor, they do in the model (tests/assembly); and what is said of
# statements that are not understood.
tests=$(realpath "$(dirname "$0")/../assembly")
. "$(dirname "$0")/common.sh"

# The statements run here, and print a program that asserts what came out. Where that program ends is reached, too.
compare_with_this_processor() {
  echo '#include "statements.h"' | cc -E -P -I "$tests" -x c - | grep -oE 'static void [a-z0-9_]+\(' |
    sed 's/static void \(.*\)(/ROW(\1),/' >names.h
  cc -w -O1 -mno-red-zone -I "$tests" -I . "$tests/native.c" -o native || exit 1
  for part in 0 1 2 3; do
    ./native $part >part$part.c
    run check --property unreach-call part$part.c --time-limit 60s -- -I "$tests"
    want_status 0
    sed 's/^  return 0;/  assert(0);/' part$part.c >ends$part.c
    run check --property unreach-call ends$part.c --time-limit 60s -- -I "$tests"
    want_status 1
  done
  # A value that the processor did not give is noticed.
  sed '0,/r\[0\] == 0x\([0-9a-f]*\)u/s//r[0] == 0x1\1u/' part1.c >wrong.c
  run check --property unreach-call wrong.c --time-limit 60s -- -I "$tests"
  want_status 1
}
[ "$(uname -m)" != x86_64 ] || compare_with_this_processor

# arm64, as its manual has it.
for goal in unreach-call no-data-race; do
  run check "$tests/arm64.c" --property $goal --time-limit 60s -- --target=aarch64-linux-gnu
  want_status 0
done
for wrong in NO_FAILURE ENDS; do
  run check --property unreach-call "$tests/arm64.c" --time-limit 60s -- --target=aarch64-linux-gnu -D$wrong
  want_status 1
done

# What is not understood. `body` is main's; the reason names the text.
try() { # body, options of clang
  printf '#include <assert.h>\nint shared;\nvoid function(void) {}\nint main(void) {\n  %s\n  return 0;\n}\n' "$1" >tried.c
  # shellcheck disable=SC2086 # several words
  run check --property unreach-call tried.c --time-limit 30s -- ${2-}
}
unknown() { # body, the reason, options of clang
  try "$1" "${3-}"
  want_status 3
  want_out "$2"
}
any_value() { # body, with an assertion that some value of the output violates
  try "$1"
  want_status 1
  try "${1/assert*;/}"
  want_status 0
  want_out "an inline assembly that is not understood only changes its outputs"
}
any_value 'unsigned short word = 5; asm volatile("fnstcw %0" : "=m"(word)); assert(word == 5);'
any_value 'int a; asm volatile("frobnicate %0" : "=r"(a)); assert(a != 77);'
any_value 'double d = 2; asm("sqrtsd %0, %0" : "+x"(d)); assert(d < 3);'
unknown 'int a; asm volatile("frob %k0" : "=r"(a) : : "memory");' 'inline assembly `frob %k0`'
unknown 'int a; asm volatile("frob %1, %0" : "=r"(a) : "r"(&shared));' 'inline assembly `frob %1, %0`'
unknown 'int *a; asm volatile("frob %0" : "=r"(a));' 'inline assembly `frob %0`'
unknown 'asm volatile("call function");' 'inline assembly `call function`'
unknown 'asm volatile("frob $1, shared");' 'inline assembly `frob $1, shared`'
unknown 'asm volatile("movl $1, shared(%rip)");' 'inline assembly `movl $1, shared(%rip)`'
unknown 'asm volatile("int $3");' 'inline assembly `int $3`'
unknown 'asm volatile("jmp 5f");' 'inline assembly `jmp 5f`'
unknown 'int a; asm volatile("mov %0, 1" : "=r"(a) : : "memory");' 'inline assembly `mov' -masm=intel
unknown 'asm goto("jmp %l0" : : : : out); out:;' 'asm goto'
unknown 'asm volatile("movl $1, %eax");' 'it changes a register that it does not declare'
unknown 'int a = 3; asm volatile("addl $1, %0" : : "r"(a));' 'it changes a register that it does not declare'
unknown 'int a, b = 3; asm volatile("movl $1, %0; addl %1, %0" : "=r"(a) : "r"(b));' 'an input is read after an output without & was written'
unknown 'asm volatile("push %rax");' 'it leaves something on the stack'
unknown 'long a; asm volatile("movq %%rsp, %0" : "=r"(a));' 'it reads the stack pointer'
unknown 'long a; asm volatile("movq %%fs:40, %0" : "=r"(a));' 'an address that is not modelled'
unknown 'long a; asm volatile("movq 8(%%rbp), %0" : "=r"(a));' 'an address in a register without a known value'
unknown 'asm volatile("lock; incl %0" : "+r"(shared));' 'a lock prefix on a register'
unknown 'asm volatile("1: incl %0; je 2f; 2: jne 1b" : "+m"(shared));' 'flags are used behind a label'

finish
