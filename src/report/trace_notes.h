// The notes of a line of a trace: the values that its steps changed and their other actions, in words.
//
// Also the words for threads, objects, positions and values that all reports share. All functions append to a text;
// nothing is kept between calls except in Notes, which owns its text.
#ifndef HEDDLE_REPORT_TRACE_NOTES_H
#define HEDDLE_REPORT_TRACE_NOTES_H

#include "report/trace_index.h"

typedef struct Notes {
  const TraceIndex *index;
  bool full; // note everything that was read and changed
  Text text; // the notes of the present line: `a: 0 -> 1, locks m`
} Notes;

// Replaces `text` by the notes of the steps [first, last). `placed`: the line has a position, so it is shown in any
// case; then reads and temporaries are noted if there is nothing else.
void notes_describe(Notes *notes, size_t first, size_t last, bool placed);

// --- words that all reports share ---
void words_thread(const Program *program, ThreadId thread, Text *out);   // "thread 0.1 (worker)"
void words_object(const Program *program, ObjectId object, Text *out);   // "buffer", "thread 0.1"
void words_lock(const Program *program, CellId cell, Text *out);         // a lock or semaphore by its first cell
bool is_lock_in(const Program *program, ObjectId object, CellId except); // has the object another lock than that cell?
void words_place(const Position *position, Text *out);                   // "race.c:12", "?" if unknown
// " (in f, from g at a.c:5, from h at a.c:9)" if the function of the position was called in its thread.
void words_calls(const Position *position, Text *out);
void words_change_name(const Program *program, const TraceChange *change, Text *out);
void words_cell_value(const Program *program, CellId cell, Bits value, Text *out);

void words_change_value(const Program *program, const TraceChange *change, Bits value, Text *out);

// A value of `width` bits in words: an address as `&object`, `&object.part` or `&object + 8`, a floating-point number,
// or a signed number.
void words_value(const Program *program, Bits value, unsigned width, Appearance shown, Text *out);

#endif
