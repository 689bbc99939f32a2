// setjmp and longjmp: exact for a jump into a function that is still active; any other jump ends with UNKNOWN.
// Assumed: variables changed between the two keep their values (the standard leaves those that are not volatile open).
#include "heddle.h"

int setjmp(int *environment) { return __heddle_setjmp(environment); }
int _setjmp(int *environment) { return __heddle_setjmp(environment); }
int sigsetjmp(int *environment, int save_mask) { return __heddle_setjmp(environment); }
int __sigsetjmp(int *environment, int save_mask) { return __heddle_setjmp(environment); }

_Noreturn void longjmp(int *environment, int value) { __heddle_longjmp(environment, value); }
_Noreturn void _longjmp(int *environment, int value) { __heddle_longjmp(environment, value); }
_Noreturn void siglongjmp(int *environment, int value) { __heddle_longjmp(environment, value); }
_Noreturn void __longjmp_chk(int *environment, int value) { __heddle_longjmp(environment, value); }
