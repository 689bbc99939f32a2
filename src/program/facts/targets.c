#include "program/facts/targets.h"

#include "base/sorted.h"

bool cell_set_has(const Program *p, CellSet set, CellId cell) {
  return sorted_has_u32(cell_set_cells(p, set), set.count, cell);
}

// The number of cells of the access if it starts at `first`; 0: it does not fit there.
static uint32_t access_fits(const Program *p, const Access *access, CellId first) {
  const Cell *start = &p->cells.data[first];
  if (access->writes && p->objects.data[start->object].storage == STORAGE_CONSTANT) return 0;
  uint32_t covered = 0, count = 0;
  for (CellId c = first; covered < access->bytes; c++, count++) {
    bool follows = c < p->cells.count && p->cells.data[c].object == start->object &&
                   p->cells.data[c].address == start->address + covered && cell_set_has(p, access->cells, c);
    if (!follows) return 0;
    covered += p->cells.data[c].bytes;
  }
  return covered == access->bytes ? count : 0;
}

static void add_target(const Program *p, const Access *access, CellId first, AccessTargetVector *targets) {
  uint32_t count = access_fits(p, access, first);
  if (count > 0) AccessTargetVector_push(targets, (AccessTarget){.first = first, .count = count});
}

void access_targets_of(const Program *p, const Access *access, Term address, AccessTargetVector *targets) {
  if (access->invalid) return;
  if (term_is_constant(p->terms, address)) {
    CellId cell = program_cell_at(p, (uint64_t)term_constant_value(p->terms, address));
    if (cell != NO_ID && cell_set_has(p, access->cells, cell)) add_target(p, access, cell, targets);
    return;
  }
  uint32_t count;
  const CellId *cells = access_cells(p, access, &count);
  for (uint32_t i = 0; i < count; i++) add_target(p, access, cells[i], targets);
}

Term access_inside_objects(const Program *p, const Access *access, Term address) {
  Term inside = term_false(p->terms);
  for (ObjectId o = 0; o < p->objects.count; o++) {
    const Object *object = &p->objects.data[o];
    if (object->storage == STORAGE_FUNCTION || (access->writes && object->storage == STORAGE_CONSTANT)) continue;
    if (object->size < access->bytes) continue;
    Term offset = term_add_constant(p->terms, address, -(Bits)object->address);
    Term most = term_constant(p->terms, p->pointer_width, object->size - access->bytes);
    inside = term_or(p->terms, inside, term_binary(p->terms, TERM_ULE, offset, most));
  }
  return inside;
}
