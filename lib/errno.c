// errno: one int for each thread.
#include "heddle.h"

static _Thread_local int value = 0;

int *__errno_location(void) { return &value; }
int *__error(void) { return &value; } // as errno is spelt elsewhere
