#include "reach/domains/precision.h"

#include "program/passes/joint_edges.h"

static bool is_tracked(const Tracks *tracks, uint32_t cell) {
  return bitset_get(&((const Precision *)tracks)->cells, cell);
}

// With races, the lives of all objects count as mentioned.
static void joint_lives(const Transitions *transitions, Bitset *cells) {
  const Program *p = transitions->program;
  for (size_t o = 0; o < p->objects.count; o++)
    if (transitions->alive[o] != TERM_NONE) bitset_set(cells, p->cells.count + o);
}

void precision_init(Precision *precision, const Transitions *transitions, Account *account) {
  const Program *p = transitions->program;
  *precision = (Precision){.tracks = {.tracks = is_tracked}, .transitions = transitions};
  bitset_init(&precision->cells, p->cells.count + p->objects.count, account);
  map_init(&precision->seen, account);
  map_init(&precision->alive, account);
  // The accesses of a race conflict although no label mentions their cells.
  if (p->joints.count > 0) {
    Bitset cells;
    joint_cells(p, &cells, account);
    for (size_t c = bitset_next(&cells, 0); c < cells.bits; c = bitset_next(&cells, c + 1))
      bitset_set(&precision->cells, c);
    bitset_free(&cells);
    joint_lives(transitions, &precision->cells);
  }
  for (size_t o = 0; o < p->objects.count; o++)
    if (transitions->alive[o] != TERM_NONE) map_put(&precision->alive, transitions->alive[o], p->cells.count + o);
}

void precision_free(Precision *precision) {
  map_free(&precision->alive);
  map_free(&precision->seen);
  bitset_free(&precision->cells);
}

static void track(void *context, Term variable) {
  Precision *precision = context;
  const Program *p = precision->transitions->program;
  CellId cell = program_cell_of_term(p, variable);
  if (cell == NO_ID) cell = (CellId)map_get_or(&precision->alive, variable, NO_ID);
  if (cell == NO_ID || bitset_get(&precision->cells, cell)) return;
  bitset_set(&precision->cells, cell);
  precision->tracks.stamp++;
}

void precision_add(Precision *precision, Term formula) {
  if (map_contains(&precision->seen, formula)) return;
  map_put(&precision->seen, formula, 1);
  term_each_variable(precision->transitions->program->terms, formula, track, precision);
}
