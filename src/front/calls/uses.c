// What a program can do by the functions of the library that it mentions.
//
// A model asks `__heddle_uses_NAME()`, and gets a constant: what it would do for programs that cannot is not even
// lowered.
#include "front/calls/calls.h"

#include <string.h>

enum { MOST_FUNCTIONS = 12, FEW_KEYS = 8, MANY_KEYS = 32 }; // many: lib/thread_storage.h has room for them

static const struct {
  const char *name;
  const char *functions[MOST_FUNCTIONS];
} features[] = {
    {"handlers", {"sigaction", "signal", "bsd_signal", "ssignal", "sysv_signal", "__sysv_signal", "siginterrupt"}},
    {"senders", {"raise", "kill", "killpg", "pthread_kill", "abort", "sigqueue", "gsignal", "pthread_sigqueue"}},
    {"masks", {"sigprocmask", "pthread_sigmask", "sigsuspend", "sigwait", "sigwaitinfo", "sigtimedwait", "sigpending"}},
    {"cancelling", {"pthread_cancel"}},
    {"thread_ends", {"pthread_exit", "thrd_exit", "pthread_cancel"}},
    {"file_locks", {"flockfile", "ftrylockfile"}},
    {"destroying", {"pthread_mutex_destroy", "mtx_destroy"}},
    {"robust", {"pthread_mutexattr_setrobust"}},
    {"clocks", {"clock_gettime", "gettimeofday", "time", "timespec_get", "ftime", "clock"}},
};

static bool mentions_any(const FrontUnit *unit, const char *const *functions) {
  for (size_t i = 0; i < MOST_FUNCTIONS && functions[i]; i++)
    if (unit_uses(unit, functions[i])) return true;
  return false;
}

bool uses_feature(const FrontUnit *unit, const char *feature) {
  for (size_t i = 0; i < sizeof features / sizeof *features; i++)
    if (strcmp(features[i].name, feature) == 0) return mentions_any(unit, features[i].functions);
  return false;
}

// --- thread-specific keys ---

// More than a few keys cost time at the end of each thread, so that room for many is only where many may be made.
static bool makes_many(FrontUnit *unit, const char *creator, unsigned *calls) {
  LLVMValueRef function = LLVMGetNamedFunction(unit->user, creator);
  for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call) || ++*calls > FEW_KEYS) return true;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    const FunctionInfo *info = unit_function(unit, LLVMGetBasicBlockParent(block));
    uint64_t index;
    if (map_get(&info->block_index, pointer_key(block), &index) && info->in_cycle[index]) return true;
  }
  return false;
}

void lower_key_limit(Lowering *l, LLVMValueRef call) {
  unsigned calls = 0;
  bool many = makes_many(l->unit, "pthread_key_create", &calls) || makes_many(l->unit, "tss_create", &calls);
  value_bind_one(l, call, term_constant(l->terms, 32, many ? MANY_KEYS : FEW_KEYS));
}

bool lower_uses(Lowering *l, LLVMValueRef call, const char *name) {
  const char *prefix = "__heddle_uses_";
  if (!starts_with(name, prefix)) return false;
  value_bind_one(l, call, term_constant(l->terms, 32, uses_feature(l->unit, name + strlen(prefix))));
  return true;
}
