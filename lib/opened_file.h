// A FILE that the program opened is a heap block, allocated by opening and freed by closing. Each function with a FILE
// as argument reads it, so that valid-memsafety finds null pointers and closed files. The read neither races nor
// orders threads, because every such function locks the FILE.
#ifndef HEDDLE_LIB_OPENED_FILE_H
#define HEDDLE_LIB_OPENED_FILE_H

#include "heddle.h"

static inline void HEDDLE_PEEK(file)(const void *file) { (void)*(const volatile int *)file; }

static inline void look_at(const void *file) {
  if (__heddle_every_access) HEDDLE_PEEK(file)(file);
  if (!__heddle_uses_file_locks()) return;
  __heddle_atomic_begin();
  int owner = *(const int *)file;
  __heddle_await((owner == 0) | (owner == __heddle_self_number()));
  __heddle_atomic_end();
}

#endif
