// Intrinsics of processors, as they occur in lock-free code: hints and barriers, counters, the thread pointer.
#include "front/calls/calls.h"
#include "front/objects/objects.h"

#include <string.h>

// Memory is sequentially consistent: barriers, hints to the processor and to its caches do nothing.
static bool has_no_effect(const char *name) {
  static const char *const names[] = {"x86.sse2.pause",   "x86.sse2.mfence", "x86.sse2.lfence",  "x86.sse.sfence",
                                      "x86.sse2.clflush", "x86.clflushopt",  "x86.clwb",         "x86.cldemote",
                                      "x86.serialize",    "aarch64.dmb",     "aarch64.dsb",      "aarch64.isb",
                                      "aarch64.hint",     "aarch64.clrex",   "aarch64.prefetch", "arm.dmb",
                                      "arm.dsb",          "arm.isb",         "arm.hint"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

// Counters and sources of chance: any value.
static bool is_outside(const char *name) {
  static const char *const names[] = {"x86.rdtsc",  "x86.rdtscp",       "x86.rdpmc",
                                      "x86.rdpid",  "readcyclecounter", "readsteadycounter",
                                      "x86.xgetbv", "x86.rdrand.",      "x86.rdseed."};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (starts_with(name, names[i])) return true;
  return false;
}

bool lower_target_intrinsic(Lowering *l, LLVMValueRef call, const char *name) {
  assert(!starts_with(name, "llvm."));
  if (has_no_effect(name)) return true;
  if (starts_with(name, "thread.pointer")) {
    const Program *p = l->program;
    value_bind_one(l, call, object_address(l, p->threads.data[l->thread].control));
    return true;
  }
  bool guessed = starts_with(name, "returnaddress"); // the machine code has one
  if (!guessed && !is_outside(name)) return false;
  if (l->current == NO_ID) return true;
  if (guessed)
    call_bind_guess(l, call, "__builtin_return_address");
  else
    call_bind_fresh(l, call, name);
  return true;
}
