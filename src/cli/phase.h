// What a process is doing, in memory that it shares with its parent: of a child that was killed or ran out of memory,
// the parent can say what it was at.
//
// Made before the fork. A phase that could not be made holds no text, and setting it does nothing.
#ifndef HEDDLE_CLI_PHASE_H
#define HEDDLE_CLI_PHASE_H

#include "base/log.h"
#include "base/text.h"

typedef struct Phase {
  char *text; // LOG_TRAIL bytes that parent and child share; NULL: none could be had
} Phase;

void phase_init(Phase *phase);
void phase_free(Phase *phase);
void phase_set(const Phase *phase, const char *format, ...)
    __attribute__((format(printf, 2, 3))); // "": nothing special
// Appends " (...)" if the phase says something.
void phase_tell(const Phase *phase, Text *out);

#endif
