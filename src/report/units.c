#include "report/units.h"

#include "report/trace_notes.h"

#include <assert.h>
#include <ctype.h>

enum { LONGEST_TEXT = 40 }; // characters of a text that are shown

static bool covers(const NamedPart *part, uint64_t offset, uint64_t bytes) {
  return offset >= part->offset && offset + bytes <= (uint64_t)part->offset + part->bytes;
}

// The smallest part of that kind that contains the cell; NULL: there is none.
static const NamedPart *part_around(const Program *program, CellId id, bool text) {
  assert(id < program->cells.count);
  const Cell *cell = &program->cells.data[id];
  const Object *object = &program->objects.data[cell->object];
  const NamedPart *best = NULL;
  for (uint32_t i = 0; i < object->part_count; i++) {
    const NamedPart *part = &object->parts[i];
    if ((part->shown == SHOWN_AS_TEXT) != text || !covers(part, cell->address - object->address, cell->bytes)) continue;
    if (!best || part->bytes < best->bytes) best = part;
  }
  return best;
}

// All cells of the object that lie in the part.
static Unit unit_of_part(const Program *program, CellId cell, const NamedPart *part) {
  const Object *object = &program->objects.data[program->cells.data[cell].object];
  Unit unit = {cell, 1, part};
  CellId end = object->first_cell + object->cell_count;
  const Cell *cells = program->cells.data;
  while (unit.first > object->first_cell && covers(part, cells[unit.first - 1].address - object->address, 1))
    unit.first--;
  unit.count = cell + 1 - unit.first;
  while (unit.first + unit.count < end && covers(part, cells[unit.first + unit.count].address - object->address, 1))
    unit.count++;
  assert(unit_has(&unit, cell));
  return unit;
}

Unit unit_of_number(const Program *program, CellId cell) {
  const NamedPart *part = part_around(program, cell, false);
  if (!part || part->bytes <= program->cells.data[cell].bytes || part->bytes > 16) return (Unit){cell, 1, NULL};
  return unit_of_part(program, cell, part);
}

Unit unit_of_text(const Program *program, CellId cell) {
  const NamedPart *part = program->cells.data[cell].bytes == 1 ? part_around(program, cell, true) : NULL;
  return part ? unit_of_part(program, cell, part) : unit_of_number(program, cell);
}

void words_unit_name(const Program *program, const Unit *unit, Text *out) {
  const Cell *cell = &program->cells.data[unit->first];
  if (unit->part)
    text_format(out, "%s%s", program->objects.data[cell->object].name, unit->part->name);
  else
    text_add(out, cell->name && *cell->name ? cell->name : "value");
}

// Adds the characters up to the end of the text, or up to the first one that has no cell.
static void add_text(const TraceIndex *index, const Unit *unit, size_t before, Text *out) {
  const Cell *cells = index->program->cells.data;
  text_add_char(out, '"');
  for (uint32_t i = 0; i < unit->count; i++) {
    bool gap = cells[unit->first + i].address != cells[unit->first].address + i;
    unsigned char c = gap ? 0 : (unsigned char)trace_cell_value(index, unit->first + i, before);
    if (c == 0) break;
    if (i == LONGEST_TEXT) {
      text_add(out, "...");
      break;
    }
    if (c == '"' || c == '\\')
      text_format(out, "\\%c", c);
    else if (isprint(c))
      text_add_char(out, (char)c);
    else
      text_format(out, "\\x%02x", c);
  }
  text_add_char(out, '"');
}

void words_unit_value(const TraceIndex *index, const Unit *unit, size_t before, Text *out) {
  const Program *program = index->program;
  if (unit_is_text(unit)) {
    add_text(index, unit, before, out);
    return;
  }
  if (!unit->part) {
    words_cell_value(program, unit->first, trace_cell_value(index, unit->first, before), out);
    return;
  }
  const Object *object = &program->objects.data[program->cells.data[unit->first].object];
  Bits value = 0;
  for (uint32_t i = 0; i < unit->count; i++) {
    uint64_t offset = program->cells.data[unit->first + i].address - object->address - unit->part->offset;
    value |= trace_cell_value(index, unit->first + i, before) << 8 * offset;
  }
  words_value(program, value, unit->part->bytes * 8, unit->part->shown, out);
}

void words_unit_after(const TraceIndex *index, const Unit *unit, size_t change, Text *out) {
  assert(change < index->step_of.count);
  const TraceStep *step = &index->trace->steps.data[index->step_of.data[change]];
  words_unit_value(index, unit, step->first_change + step->change_count, out);
}
