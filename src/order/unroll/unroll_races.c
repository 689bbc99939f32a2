// What the unrolling records for races: the accesses that may race, and the attempts to lock that are supposed to fail.
#include "order/unroll/unroll_internal.h"

void unroll_note_access(Unroller *u, const State *state, const Step *step, EdgeId edge, NodeId node, CellId cell,
                        ConjunctionId guard, ConjunctionId reached) {
  bool frees = step->kind == STEP_FREE, section = state->section != NO_ID;
  if (!u->options->races || state->alone || step->access.innocent || (frees && step->excused)) return;
  if (reached == CONJUNCTION_FALSE || !cell_is_shared(u, cell)) return;
  RaceAccess access = {.cell = cell, .guard = guard, .reached = reached, .edge = edge, .section = section};
  if (section) u->sections.data[state->section].may_race = true;
  access.node = section ? u->sections.data[state->section].node : node;
  access.step = u->program->edges.data[edge].first_step;
  access.occurrence = (uint32_t)u->events->threads[u->thread].occurrences.count;
  access.writes = frees || step->access.writes;
  access.synchronises = !frees && step->access.synchronises;
  access.doubtful = step->access.doubtful;
  access.frees = frees;
  assert(access.node < u->events->nodes.count);
  RaceAccessVector_push(&u->events->accesses, access);
}

void unroll_note_supposition(Unroller *u, const State *state, const Step *step, Term stored) {
  const Program *p = u->program;
  if (!u->options->races || step->access.cells.count != 1 || p->supposed.count == 0) return;
  ObjectId object = p->cells.data[cell_set_cells(p, step->access.cells)[0]].object;
  for (size_t i = 0; i < p->supposed.count; i++) {
    if (p->supposed.data[i] != object || !term_is_constant(u->terms, stored)) continue;
    Bits number = term_constant_value(u->terms, stored);
    if (number == 0) continue;
    SuppositionVector_push(&u->events->suppositions, (Supposition){.guard = state->guard, .cut = (CutId)(number - 1)});
  }
}
