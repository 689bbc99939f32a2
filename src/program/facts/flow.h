// Where values come from: for each variable and cell, the steps that may change it. The index is built once and then
// only read; it is valid as long as the steps are not changed.
//
// Cell sets of accesses are numbered densely, equal ranges of Program.cell_lists once: accesses through one pointer
// share their set, so that facts about sets cost no more than the sets that differ.
#ifndef HEDDLE_PROGRAM_FACTS_FLOW_H
#define HEDDLE_PROGRAM_FACTS_FLOW_H

#include "program/program.h"

// An assignment of a step, or (FLOW_LOAD) its reading access, which changes `access.into`.
typedef struct Definition {
  StepId step;
  uint32_t assignment;
} Definition;
VECTOR(DefinitionVector, Definition);
#define FLOW_LOAD UINT32_MAX

// Lists of numbers, one behind the other: those of i stand from start[i] to start[i + 1].
typedef struct Lists {
  U32Vector start, items;
} Lists;
static inline const uint32_t *lists_at(const Lists *lists, size_t i, uint32_t *count) {
  assert(i + 1 < lists->start.count);
  *count = lists->start.data[i + 1] - lists->start.data[i];
  return lists->items.data + lists->start.data[i];
}

VECTOR(CellSetVector, CellSet);

typedef struct Flow {
  const Program *program;
  DefinitionVector definitions;
  Lists of_variable; // indices in `definitions`
  uint32_t *set_of;  // per step: the number of its access's cell set, or NO_ID
  CellSetVector sets;
  Lists writers; // per set: the steps that may write it
  Lists readers; // per set: the steps that may read it
  Lists of_cell; // per cell: the sets that contain it
  Account *account;
} Flow;

void flow_init(Flow *flow, const Program *p, Account *account);
void flow_free(Flow *flow);

// Does every cell of the set have as many bytes as the access? Then a cell holds exactly a stored value.
bool access_is_whole(const Program *p, const Access *access);

#endif
