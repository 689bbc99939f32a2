// setjmp and longjmp: exact for a jump into a function that is still active; any other jump ends with UNKNOWN. So does
// a jump that would restore the signal mask that sigsetjmp has saved. Assumed: variables changed between the two keep
// their values (the standard does not say so of those that are not volatile).
#include "heddle.h"

int setjmp(int *environment) { return __heddle_setjmp(environment); }
int _setjmp(int *environment) { return __heddle_setjmp(environment); }

// Behind the place to come back to, in a program that changes masks.
struct saved {
  _Alignas(8) int place, is_saved;
  unsigned long long accepted;
};

int sigsetjmp(int *environment, int save_mask) {
  if (__heddle_uses_masks()) {
    struct saved *saved = (struct saved *)environment;
    saved->is_saved = save_mask;
    saved->accepted = __heddle_self()->accepted;
  }
  return __heddle_setjmp(environment);
}

int __sigsetjmp(int *environment, int save_mask) { return sigsetjmp(environment, save_mask); }

_Noreturn void longjmp(int *environment, int value) { __heddle_longjmp(environment, value); }
_Noreturn void _longjmp(int *environment, int value) { __heddle_longjmp(environment, value); }

_Noreturn void siglongjmp(int *environment, int value) {
  if (__heddle_uses_masks()) {
    const struct saved *saved = (const struct saved *)environment;
    if (saved->is_saved && saved->accepted != __heddle_self()->accepted)
      __heddle_unmodelled("a jump that changes the signal mask back");
  }
  __heddle_longjmp(environment, value);
}

_Noreturn void __longjmp_chk(int *environment, int value) { __heddle_longjmp(environment, value); }
