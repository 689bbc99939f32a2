// Units: one value of the source that consists of several cells of the model. A number is one if some access touches
// only a part of it; an array of characters is another.
//
// Reports show a number as a whole. Of an array of characters they show single characters or the text, depending on how
// many characters matter. A unit points into the program and owns nothing; its cells are consecutive and in one object.
#ifndef HEDDLE_REPORT_UNITS_H
#define HEDDLE_REPORT_UNITS_H

#include "report/trace_index.h"

typedef struct Unit {
  CellId first; // the cells [first, first + count)
  uint32_t count;
  const NamedPart *part; // NULL: the unit is a single cell
} Unit;

// The number that a cell is a part of; else the cell alone.
Unit unit_of_number(const Program *program, CellId cell);
// The array of characters that a cell is an element of; else as above.
Unit unit_of_text(const Program *program, CellId cell);
static inline bool unit_is_text(const Unit *unit) { return unit->part && unit->part->shown == SHOWN_AS_TEXT; }
static inline bool unit_has(const Unit *unit, CellId cell) {
  return cell >= unit->first && cell < unit->first + unit->count;
}

void words_unit_name(const Program *program, const Unit *unit, Text *out);
// Adds the unit's value before the change `before`.
void words_unit_value(const TraceIndex *index, const Unit *unit, size_t before, Text *out);
// Adds the unit's value after the step of a change.
void words_unit_after(const TraceIndex *index, const Unit *unit, size_t change, Text *out);

#endif
