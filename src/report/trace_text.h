// The text trace: an executed schedule as people read it, one line per source line that a thread executes.
//
//   thread 0 (main)
//     race.c:20  pthread_create(&t, 0, worker, 0);      creates thread 0.0 (worker)
//   thread 0.0 (worker)
//     race.c:9   counter++;                              counter: 0 -> 1
//   violation: ...
//
// Consecutive steps of a thread on the same source line share a line, and what happens inside a library model is told
// at the user's call. Temporaries and reads are shown only where a line has nothing else to show; `full` shows every
// step on a line of its own with everything it read and changed.
#ifndef HEDDLE_REPORT_TRACE_TEXT_H
#define HEDDLE_REPORT_TRACE_TEXT_H

#include "verdict/trace.h"

// `violation` is the last line's text; NULL leaves that line out.
void trace_print_text(const Program *program, const Trace *trace, const char *violation, bool full, Text *out);

// A value of `width` bits as people read it: an address as `&object` or `&object + 8`, else as a signed number.
void trace_print_value(const Program *program, Bits value, unsigned width, Text *out);

#endif
