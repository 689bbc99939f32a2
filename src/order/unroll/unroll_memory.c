// Memory during unrolling: which cells have values in the state of a thread, and which accesses become events.
#include "order/unroll/unroll_internal.h"

bool cell_is_shared(const Unroller *u, CellId cell) {
  const Program *p = u->program;
  if (cell < p->cells.count) return p->cells.data[cell].shared;
  return p->threads.count > 1 && bitset_get(&u->lives, cell - p->cells.count);
}

bool cell_is_external(const Unroller *u, const State *state, CellId cell) {
  return !state->alone && state->section == NO_ID && cell_is_shared(u, cell);
}

NodeId unroll_new_node(Unroller *u, ConjunctionId guard) {
  assert(guard != CONJUNCTION_FALSE);
  ThreadEvents *thread = &u->events->threads[u->thread];
  Node node = {.thread = u->thread, .position = (uint32_t)thread->nodes.count, .guard = guard};
  node.last_occurrence = (uint32_t)thread->occurrences.count;
  NodeVector_push(&u->events->nodes, node);
  NodeId id = (NodeId)u->events->nodes.count - 1;
  NodeIdVector_push(&thread->nodes, id);
  return id;
}

static Term new_read(Unroller *u, NodeId node, ConjunctionId guard, CellId cell, uint64_t key) {
  assert(node < u->events->nodes.count && cell < u->cell_count);
  const Program *p = u->program;
  uint64_t place = hash_mix(key ^ hash_mix(cell + UINT64_C(0x9e3779b97f4a7c15)));
  Event event = {.node = node, .cell = cell, .guard = guard, .key = place};
  uint64_t constant;
  if (u->options->constants && map_get(u->options->constants, place, &constant)) {
    event.value = (Term)constant;
    event.assumed = true;
  } else {
    const char *name = cell < p->cells.count ? p->cells.data[cell].name : "alive";
    event.value = term_variable(u->terms, sort_bits(events_cell_width(p, cell)), name);
  }
  EventVector_push(&u->events->events, event);
  if (u->events->events.count > u->options->most_events) u->stopped = true;
  return event.value;
}

static void new_write(Unroller *u, NodeId node, ConjunctionId guard, CellId cell, Term value, Term before) {
  if (guard == CONJUNCTION_FALSE) return;
  assert(node < u->events->nodes.count && cell < u->cell_count);
  Event event = {.node = node, .cell = cell, .guard = guard, .write = true, .value = value, .before = before};
  EventVector_push(&u->events->events, event);
  if (u->events->events.count > u->options->most_events) u->stopped = true;
}

// --- sections ---

void unroll_end_inside(Unroller *u, const State *state) {
  if (state->section == NO_ID) return;
  Section *section = &u->sections.data[state->section];
  section->finish = conjunction_or(guards_of(u), section->finish, state->guard);
  EndedSectionVector_push(&u->events->ended_sections, (EndedSection){.node = section->node, .guard = state->guard});
}

void unroll_begin_section(Unroller *u, State *state, bool may_wait, uint64_t key) {
  assert(state->section == NO_ID && !state->alone);
  if (may_wait) {
    Term passes = term_variable(u->terms, sort_bits(1), "enters");
    state->guard = conjunction_and(guards_of(u), state->guard, passes);
  }
  Section section = {.finish = CONJUNCTION_FALSE, .may_wait = may_wait, .waits_at = NO_ID, .key = key};
  section.node = unroll_new_node(u, state->guard);
  U32Vector_init(&section.touched, u->account);
  map_init(&section.reads, u->account);
  SectionVector_push(&u->sections, section);
  state->section = (uint32_t)u->sections.count - 1;
}

Term unroll_section_read(Unroller *u, uint32_t index, CellId cell) {
  Section *section = &u->sections.data[index];
  uint64_t value;
  if (map_get(&section->reads, cell, &value)) return (Term)value;
  ConjunctionId guard = u->events->nodes.data[section->node].guard;
  Term read = new_read(u, section->node, guard, cell, section->key);
  map_put(&section->reads, cell, read);
  U32Vector_push(&section->touched, cell);
  return read;
}

void unroll_end_section(Unroller *u, State *state) {
  assert(state->section < u->sections.count);
  Section *section = &u->sections.data[state->section];
  section->finish = conjunction_or(guards_of(u), section->finish, state->guard);
  u->events->nodes.data[section->node].last_occurrence =
      (uint32_t)u->events->threads[u->thread].occurrences.count; // the step that leaves is logged next
  for (size_t i = 0; i < section->touched.count; i++) {
    CellId cell = section->touched.data[i];
    Term written = values_get(&state->values, written_index(u, cell));
    if (written != TERM_NONE) {
      ConjunctionId guard = conjunction_and(guards_of(u), state->guard, written);
      uint64_t before = map_get_or(&section->reads, cell, TERM_NONE);
      new_write(u, section->node, guard, cell, values_get(&state->values, cell_index(u, cell)), (Term)before);
    }
    values_set(&state->values, cell_index(u, cell), TERM_NONE);
    values_set(&state->values, written_index(u, cell), TERM_NONE);
  }
  state->section = NO_ID;
}

// Makes one node of the writes that main made while it was alone.
void unroll_end_alone(Unroller *u, State *state) {
  assert(state->alone);
  state->alone = false;
  NodeId node = NO_ID;
  for (size_t i = 0; i < u->written_alone.count; i++) {
    CellId cell = u->written_alone.data[i];
    Term value = values_get(&state->values, cell_index(u, cell));
    if (value == TERM_NONE) continue;
    values_set(&state->values, cell_index(u, cell), TERM_NONE);
    if (value == events_initial(u->events, cell)) continue;
    if (node == NO_ID) {
      node = unroll_new_node(u, state->guard);
      uint32_t logged = (uint32_t)u->events->threads[u->thread].occurrences.count;
      u->events->nodes.data[node].last_occurrence = logged - (logged > 0);
    }
    new_write(u, node, state->guard, cell, value, TERM_NONE);
  }
}

// --- cells ---

Term unroll_read(Unroller *u, State *state, NodeId node, ConjunctionId guard, CellId cell, uint64_t key) {
  if (cell_is_external(u, state, cell)) return new_read(u, node, guard, cell, key);
  Term known = values_get(&state->values, cell_index(u, cell));
  if (known != TERM_NONE) return known;
  if (state->section == NO_ID || !cell_is_shared(u, cell)) return events_initial(u->events, cell);
  return unroll_section_read(u, state->section, cell);
}

void unroll_write(Unroller *u, State *state, NodeId node, ConjunctionId guard, Term condition, CellId cell, Term value,
                  Term before) {
  if (cell_is_external(u, state, cell)) {
    new_write(u, node, guard, cell, value, before);
    return;
  }
  assert(condition != TERM_NONE && value != TERM_NONE);
  bool shared = cell_is_shared(u, cell), certain = term_is_true(u->terms, condition);
  if (!certain) value = term_ite(u->terms, condition, value, unroll_read(u, state, NO_ID, guard, cell, 0));
  values_set(&state->values, cell_index(u, cell), value);
  if (!shared) return;
  if (state->alone) {
    U32Vector_push(&u->written_alone, cell);
    return;
  }
  Term written = values_get(&state->values, written_index(u, cell));
  if (written == TERM_NONE) written = term_false(u->terms);
  values_set(&state->values, written_index(u, cell), term_or(u->terms, written, condition));
  U32Vector_push(&u->sections.data[state->section].touched, cell);
}
