// setjmp and longjmp: the direct return of setjmp is exact; a jump back ends with UNKNOWN.
#include "heddle.h"

int setjmp(void *environment) { return 0; }
int _setjmp(void *environment) { return 0; }
int sigsetjmp(void *environment, int save_mask) { return 0; }
int __sigsetjmp(void *environment, int save_mask) { return 0; }

_Noreturn void longjmp(void *environment, int value) { __heddle_unmodelled("longjmp"); }
_Noreturn void _longjmp(void *environment, int value) { __heddle_unmodelled("_longjmp"); }
_Noreturn void siglongjmp(void *environment, int value) { __heddle_unmodelled("siglongjmp"); }
_Noreturn void __longjmp_chk(void *environment, int value) { __heddle_unmodelled("longjmp"); }
