// A text that says what a process is doing, in memory that it shares with its parent. If a child is killed or runs out
// of memory, the parent can report what the child was doing.
//
// phase_init must be called before the fork. If there is no memory to share, the phase has no text, and phase_set does
// nothing. A text of more than LOG_TRAIL - 1 bytes is cut off. The parent may read while the child writes: the text it
// reads may then be a mixture of the old and the new one, but it always ends.
#ifndef HEDDLE_CLI_RUN_PHASE_H
#define HEDDLE_CLI_RUN_PHASE_H

#include "base/log.h"
#include "base/text.h"

typedef struct Phase {
  char *text; // LOG_TRAIL bytes that parent and child share, the last one always 0; NULL: there are none
} Phase;

void phase_init(Phase *phase);
void phase_free(Phase *phase);
void phase_set(const Phase *phase, const char *format, ...) __attribute__((format(printf, 2, 3))); // "": no phase
// Appends " (...)" with the text of the phase, if it has one.
void phase_tell(const Phase *phase, Text *out);

#endif
