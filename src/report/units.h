// Units: what the source calls one value although the model has several cells for it: a number that was cut into bytes
// because some access takes it apart, and an array of characters.
//
// A number is always told as a whole. Of an array of characters a single one may be the point; callers that look at
// several of its cells tell the text.
#ifndef HEDDLE_REPORT_UNITS_H
#define HEDDLE_REPORT_UNITS_H

#include "report/trace_index.h"

typedef struct Unit {
  CellId first; // its cells are consecutive
  uint32_t count;
  const NamedPart *part; // NULL: the cell stands for itself
} Unit;

// The number that a cell is a part of; otherwise the cell by itself.
Unit unit_of_number(const Program *program, CellId cell);
// The array of characters that a cell is an element of; otherwise as above.
Unit unit_of_text(const Program *program, CellId cell);
static inline bool unit_is_text(const Unit *unit) { return unit->part && unit->part->shown == SHOWN_AS_TEXT; }
static inline bool unit_has(const Unit *unit, CellId cell) {
  return cell >= unit->first && cell < unit->first + unit->count;
}

void words_unit_name(const Program *program, const Unit *unit, Text *out);
// Its value before the changes from `before` on.
void words_unit_value(const TraceIndex *index, const Unit *unit, size_t before, Text *out);
// The same right after the step of a change.
void words_unit_after(const TraceIndex *index, const Unit *unit, size_t change, Text *out);

#endif
