// What a line of a trace tells: the values that its steps changed and what they did beyond that, in words.
#ifndef HEDDLE_REPORT_TRACE_NOTES_H
#define HEDDLE_REPORT_TRACE_NOTES_H

#include "report/trace_index.h"

typedef struct Notes {
  const TraceIndex *index;
  bool full; // everything that was read and changed
  Text text; // of the line being built: `a: 0 -> 1, locks m`
} Notes;

// Fills `text` with what the steps [first, last) did. `told` says that the line is worth showing without a note; then
// reads and temporaries stand in for what is missing.
void notes_tell(Notes *notes, size_t first, size_t last, bool told);

// --- words that all reports share ---
void words_thread(const Program *program, ThreadId thread, Text *out);   // "thread 0.1 (worker)"
void words_object(const Program *program, ObjectId object, Text *out);   // "buffer", "thread 0.1"
void words_lock(const Program *program, CellId cell, Text *out);         // a lock or semaphore by its first cell
bool is_lock_in(const Program *program, ObjectId object, CellId except); // has the object a lock beside that cell?
void words_place(const Position *position, Text *out);                   // "race.c:12", "?" if unknown
void words_change_name(const Program *program, const TraceChange *change, Text *out);
unsigned words_change_width(const Program *program, const TraceChange *change);
void words_cell_value(const Program *program, CellId cell, Bits value, Text *out);

void words_change_value(const Program *program, const TraceChange *change, Bits value, Text *out);

// A value of `width` bits as people read it: an address as `&object`, `&object.part` or `&object + 8`, a floating-point
// number, else a signed number.
void words_value(const Program *program, Bits value, unsigned width, Appearance shown, Text *out);

#endif
