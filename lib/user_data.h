// Stores of results into the user's variables. They are ordinary accesses, so that races on such a variable are found.
#ifndef HEDDLE_LIB_USER_DATA_H
#define HEDDLE_LIB_USER_DATA_H

#include "heddle.h"

static inline void HEDDLE_PLAIN(store_int)(int *to, int value) { *to = value; }
static inline void HEDDLE_PLAIN(store_unsigned)(unsigned *to, unsigned value) { *to = value; }
static inline void HEDDLE_PLAIN(store_long)(long *to, long value) { *to = value; }
static inline void HEDDLE_PLAIN(store_size)(size_t *to, size_t value) { *to = value; }
static inline void HEDDLE_PLAIN(store_pointer)(void **to, void *value) { *to = value; }

#endif
