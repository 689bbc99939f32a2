// The text trace: an executed schedule for human readers, with one line per source line that a thread executes.
//
//   thread 0 (main)
//     race.c:20  pthread_create(&t, 0, worker, 0);      creates thread 0.0 (worker)
//   thread 0.0 (worker)
//     race.c:9   counter++;                              counter: 0 -> 1
//   at the end: counter = 1
//   violation: ...
//   why: ...
//
// trace_lines.h says how steps become lines. Lines that do not matter for the violation (relevance.h) and rounds of a
// loop that are alike (loop_rounds.h) are left out. Temporaries and reads are shown only if a line has nothing else to
// show. With `full`, each step has a line of its own, with everything that it read and changed. If the terminal is
// wide enough, each thread has a column of its own.
//
// Everything is appended to a text. Nothing is kept between calls.
#ifndef HEDDLE_REPORT_TRACE_TEXT_H
#define HEDDLE_REPORT_TRACE_TEXT_H

#include "report/loop_rounds.h"

enum { LEAST_COLUMNS_WIDTH = 100, MOST_COLUMNS = 4 };

typedef struct TraceStyle {
  bool full;
  unsigned width; // of the terminal; 0: there is none, or it is not known; from LEAST_COLUMNS_WIDTH on: columns
  bool colour;    // for headings, what is left out, and the violation
} TraceStyle;

// Prints the trace. If the result is UNSAFE, the violation follows; the result's schedule gives the loop of a lasso.
void trace_print_text(const Program *program, const Trace *trace, const Result *result, const TraceStyle *style,
                      Text *out);

// Prints the trace as messages of a compiler (gcc.c), for editors: FILE:LINE:COLUMN: with "error:" for the violation
// and "note:" for the other access of a race, for each line that matters, and for the explanation. `file` replaces an
// unknown file name.
void trace_print_gcc(const Program *program, const Trace *trace, const Result *result, const TraceStyle *style,
                     const char *file, Text *out);

// Prints the lines in columns (trace_columns.c). False, with nothing printed, if there is one thread only or the width
// is too small.
bool trace_print_columns(const TraceLines *lines, const RoundsVector *rounds, const TraceStyle *style, Text *out);

// Must the beginning of a lasso's loop be marked before this line (NULL: after the last line)? And the mark itself.
bool trace_loop_begins(const TraceLines *lines, const TraceLine *line, bool marked);
void trace_mark_loop(const TraceLines *lines, Text *out);

// --- pieces of text ---
typedef enum Tone { TONE_HEADING, TONE_QUIET, TONE_ALARM } Tone;
void tone_begin(const TraceStyle *style, Tone tone, Text *out);
void tone_end(const TraceStyle *style, Text *out);
// The number of columns of a UTF-8 text (one per character), and the number of its bytes that fit into `columns`.
size_t text_columns(const char *text, size_t length);
size_t text_fitting(const char *text, size_t length, size_t columns);

#endif
