// Memory that must have been written before it is read: the states of mutexes, semaphores and the like.
//
// Such a cell is indeterminate at the start, and only accesses that want it initialised read it. It holds
// UNINITIALISED_MARK until it is written, instead of any value. The use of an uninitialised object is then one outcome,
// not 2^32. If the memory becomes indeterminate again (its variable begins a new life), it holds the mark again. A
// store that an undefined function might make there is left out: such a function does not write inside such objects.
#include "program/layout/layout.h"
#include "program/passes/rewrite.h"

enum { READ_WANTED = 1, READ_OTHERWISE = 2 };

static void note_reads(const Program *p, uint8_t *reads) {
  for (size_t s = 0; s < p->steps.count; s++) {
    const Access *access = &p->steps.data[s].access;
    if (access->address == TERM_NONE || !access->reads) continue;
    const uint32_t *cells = cell_set_cells(p, access->cells);
    for (uint32_t i = 0; i < access->cells.count; i++)
      reads[cells[i]] |= access->wants_initialised ? READ_WANTED : READ_OTHERWISE;
  }
}

static bool is_candidate(const Program *p, const uint8_t *reads, CellId cell) {
  return reads[cell] == READ_WANTED && p->cells.data[cell].bytes == 4 && p->cells.data[cell].initial == TERM_NONE;
}

static bool makes_indeterminate(const Access *access) {
  return access->address != TERM_NONE && access->writes && access->stored == VALUE_INDETERMINATE;
}

static uint32_t candidates_of(const Program *p, const uint8_t *reads, const Access *access) {
  const uint32_t *cells = cell_set_cells(p, access->cells);
  uint32_t found = 0;
  for (uint32_t i = 0; i < access->cells.count; i++) found += is_candidate(p, reads, cells[i]);
  return found;
}

// A store that makes several places indeterminate treats all of them alike. So a candidate stays one only if all cells
// of each such store are candidates.
static bool drop_mixed(const Program *p, uint8_t *reads) {
  bool changed = false;
  for (size_t s = 0; s < p->steps.count; s++) {
    const Access *access = &p->steps.data[s].access;
    if (!makes_indeterminate(access)) continue;
    uint32_t found = candidates_of(p, reads, access);
    if (found == 0 || found == access->cells.count) continue;
    const uint32_t *cells = cell_set_cells(p, access->cells);
    for (uint32_t i = 0; i < access->cells.count; i++) reads[cells[i]] |= READ_OTHERWISE;
    changed = true;
  }
  return changed;
}

void layout_mark_uninitialised(Program *p) {
  uint8_t *reads = memory_allocate_zeroed(p->account, p->cells.count);
  note_reads(p, reads);
  while (drop_mixed(p, reads)) continue;
  Term mark = term_constant(p->terms, 32, UNINITIALISED_MARK);
  for (size_t s = 0; s < p->steps.count; s++) {
    Step *step = &p->steps.data[s];
    if (!makes_indeterminate(&step->access) || candidates_of(p, reads, &step->access) == 0) continue;
    if (step->access.doubtful)
      step_drop_access(step);
    else
      step->access.stored = mark;
  }
  for (CellId c = 0; c < p->cells.count; c++)
    if (is_candidate(p, reads, c)) p->cells.data[c].initial = mark;
  memory_free(p->account, reads, p->cells.count);
}
