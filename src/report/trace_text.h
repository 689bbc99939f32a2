// The text trace: an executed schedule as people read it, one line per source line that a thread executes.
//
//   thread 0 (main)
//     race.c:20  pthread_create(&t, 0, worker, 0);      creates thread 0.0 (worker)
//   thread 0.0 (worker)
//     race.c:9   counter++;                              counter: 0 -> 1
//   at the end: counter = 1
//   violation: ...
//   why: ...
//
// Consecutive steps of a thread on the same source line share a line, and what happens inside a library model is told
// at the user's call. Lines that do not matter for the violation (relevance.h) are left out, and so are rounds of a
// loop that are alike (rounds.h). Temporaries and reads are
// shown only where a line has nothing else to show; `full` shows every step on a line of its own with everything it
// read and changed. Where there is room, each thread has a column of its own, and time goes down.
#ifndef HEDDLE_REPORT_TRACE_TEXT_H
#define HEDDLE_REPORT_TRACE_TEXT_H

#include "report/rounds.h"

enum { LEAST_COLUMNS_WIDTH = 100, MOST_COLUMNS = 4 };

typedef struct TraceStyle {
  bool full;
  unsigned width; // of the terminal; 0: not one, or not known. From LEAST_COLUMNS_WIDTH on, a column per thread
  bool colour;    // of modest use: headings, what is left out, the violation
} TraceStyle;

// An UNSAFE result gives the property and the violation's text, its schedule where a lasso's loop begins.
void trace_print_text(const Program *program, const Trace *trace, const Result *result, const TraceStyle *style,
                      Text *out);

// The same as messages of a compiler (gcc.c), for editors: FILE:LINE:COLUMN: error: for the violation, note: for the
// other access of a race, for each line that matters, and for the explanation. `file` stands for an unknown place.
void trace_print_gcc(const Program *program, const Trace *trace, const Result *result, const TraceStyle *style,
                     const char *file, Text *out);

// The columns (trace_columns.c): false, with nothing printed, if there are too many threads for the width.
bool trace_print_columns(const TraceLines *lines, const RoundsVector *rounds, const TraceStyle *style, Text *out);

// Is it before this line (NULL: after the last one) that the begin of a lasso's loop is to be marked? And the mark.
bool trace_loop_begins(const TraceLines *lines, const TraceLine *line, bool marked);
void trace_mark_loop(const TraceLines *lines, Text *out);

// --- pieces of text ---
typedef enum Tone { TONE_HEADING, TONE_QUIET, TONE_ALARM } Tone;
void tone_begin(const TraceStyle *style, Tone tone, Text *out);
void tone_end(const TraceStyle *style, Text *out);
// How many columns UTF-8 text takes (one per character), and how many bytes of it fit into `columns`.
size_t text_columns(const char *text, size_t length);
size_t text_fitting(const char *text, size_t length, size_t columns);

#endif
