// A FILE that the program opened is a block of the heap, from its opening to its closing. Each call that is handed a FILE
// looks at it, so that valid-memsafety sees null pointers and files that were closed. It looks by a read that neither
// races nor orders: a FILE is locked by each call.
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
