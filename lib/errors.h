// Error numbers and errno. <errno.h> is not included: with -m32 it needs asm/errno.h, which a 64-bit system need not
// have where clang looks for it.
#ifndef HEDDLE_LIB_ERRORS_H
#define HEDDLE_LIB_ERRORS_H

#include <asm-generic/errno.h>

#ifndef ENOTSUP
#define ENOTSUP EOPNOTSUPP
#endif

int *__errno_location(void) __attribute__((const));
#define errno (*__errno_location())

#endif
