// What a program can do by the functions of the library that it mentions.
//
// A model asks `__heddle_uses_NAME()`, and gets a constant: what it would do for programs that cannot is not even lowered.
#include "front/lower.h"

#include <string.h>

enum { MOST_FUNCTIONS = 12 };

static const struct {
  const char *name;
  const char *functions[MOST_FUNCTIONS];
} features[] = {
    {"handlers", {"sigaction", "signal", "bsd_signal", "ssignal", "siginterrupt"}},
    {"senders", {"raise", "kill", "killpg", "pthread_kill", "abort", "sigqueue", "gsignal", "pthread_sigqueue"}},
    {"masks", {"sigprocmask", "pthread_sigmask", "sigsuspend", "sigwait", "sigwaitinfo", "sigtimedwait", "sigpending"}},
    {"cancelling", {"pthread_cancel"}},
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

bool lower_uses(Lowering *l, LLVMValueRef call, const char *name) {
  const char *prefix = "__heddle_uses_";
  if (!starts_with(name, prefix)) return false;
  value_bind_one(l, call, term_constant(l->terms, 32, uses_feature(l->unit, name + strlen(prefix))));
  return true;
}
