// Which features of the library a program can use, according to the library functions that it mentions.
//
// `__heddle_uses_NAME()` in a model is a constant. So the code that a model has for a feature is lowered only in
// programs that can use it.
#include "front/calls/calls.h"

#include <string.h>

enum { MOST_FUNCTIONS = 12, FEW_KEYS = 8, MANY_KEYS = 32 }; // MANY_KEYS: the room in lib/thread_storage.h

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

// May the program create more than FEW_KEYS keys? Each key costs steps at the end of every thread.
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
