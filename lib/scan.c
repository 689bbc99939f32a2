// The scanf family, under all the names that glibc's headers give it: not modelled. Apart from stdio.c, because
// <stdio.h> renames these functions.
#include "heddle.h"

#include <stdarg.h>

struct _IO_FILE;

#define SCANNING(prefix)                                                                                               \
  int prefix##scanf(const char *format, ...) { __heddle_unmodelled("scanf"); }                                         \
  int prefix##fscanf(struct _IO_FILE *file, const char *format, ...) { __heddle_unmodelled("fscanf"); }                \
  int prefix##sscanf(const char *from, const char *format, ...) { __heddle_unmodelled("sscanf"); }                     \
  int prefix##vscanf(const char *format, va_list arguments) { __heddle_unmodelled("vscanf"); }                         \
  int prefix##vfscanf(struct _IO_FILE *file, const char *format, va_list arguments) {                                  \
    __heddle_unmodelled("vfscanf");                                                                                    \
  }                                                                                                                    \
  int prefix##vsscanf(const char *from, const char *format, va_list arguments) { __heddle_unmodelled("vsscanf"); }

SCANNING()
SCANNING(__isoc99_)
SCANNING(__isoc23_)
