#include "order/unroll/events.h"

#include "program/facts/life.h"

void events_init(Events *events, const Program *program, Account *account) {
  *events = (Events){.program = program, .thread_count = program->threads.count, .account = account};
  conjunction_table_init(&events->guards, program->terms, account);
  NodeVector_init(&events->nodes, account);
  EventVector_init(&events->events, account);
  LinkVector_init(&events->links, account);
  SpawnVector_init(&events->spawns, account);
  GoalVector_init(&events->goals, account);
  RaceAccessVector_init(&events->accesses, account);
  SuppositionVector_init(&events->suppositions, account);
  EndedSectionVector_init(&events->ended_sections, account);
  ThreadStopVector_init(&events->stops, account);
  TermVector_init(&events->facts, account);
  TermVector_init(&events->fresh, account);
  events->initial = memory_allocate_zeroed(account, events_cell_count(program) * sizeof(Term));
  events->threads = memory_allocate_zeroed(account, events->thread_count * sizeof(ThreadEvents));
  for (size_t t = 0; t < events->thread_count; t++) {
    NodeIdVector_init(&events->threads[t].nodes, account);
    OccurrenceVector_init(&events->threads[t].occurrences, account);
  }
  NodeVector_push(&events->nodes, (Node){.thread = NO_ID, .guard = CONJUNCTION_TRUE});
}

void events_free(Events *events) {
  for (size_t t = 0; t < events->thread_count; t++) {
    NodeIdVector_free(&events->threads[t].nodes);
    OccurrenceVector_free(&events->threads[t].occurrences);
  }
  memory_free(events->account, events->threads, events->thread_count * sizeof(ThreadEvents));
  memory_free(events->account, events->initial, events_cell_count(events->program) * sizeof(Term));
  TermVector_free(&events->fresh);
  TermVector_free(&events->facts);
  ThreadStopVector_free(&events->stops);
  SuppositionVector_free(&events->suppositions);
  EndedSectionVector_free(&events->ended_sections);
  RaceAccessVector_free(&events->accesses);
  GoalVector_free(&events->goals);
  SpawnVector_free(&events->spawns);
  LinkVector_free(&events->links);
  EventVector_free(&events->events);
  NodeVector_free(&events->nodes);
  conjunction_table_free(&events->guards);
}

unsigned events_cell_width(const Program *p, CellId cell) {
  return cell < p->cells.count ? 8 * p->cells.data[cell].bytes : life_width(&p->objects.data[cell - p->cells.count]);
}

Term events_initial(Events *events, CellId cell) {
  const Program *p = events->program;
  assert(cell < events_cell_count(p));
  if (events->initial[cell] == TERM_NONE) {
    Term value = TERM_NONE;
    if (cell >= p->cells.count)
      value = life_none(p, &p->objects.data[cell - p->cells.count]); // not allocated yet
    else if (p->cells.data[cell].initial != TERM_NONE)
      value = p->cells.data[cell].initial;
    else
      value = term_variable(p->terms, sort_bits(events_cell_width(p, cell)), p->cells.data[cell].name);
    events->initial[cell] = value;
  }
  return events->initial[cell];
}

// Orders the events by node (counting sort; stable, so reads stay before writes).
void events_group(Events *events) {
  size_t nodes = events->nodes.count;
  for (size_t n = 0; n < nodes; n++) events->nodes.data[n].event_count = 0;
  for (size_t e = 0; e < events->events.count; e++) events->nodes.data[events->events.data[e].node].event_count++;
  uint32_t next = 0;
  for (size_t n = 0; n < nodes; n++) {
    events->nodes.data[n].first_event = next;
    next += events->nodes.data[n].event_count;
    events->nodes.data[n].event_count = 0;
  }
  EventVector sorted;
  EventVector_init(&sorted, events->account);
  EventVector_resize(&sorted, events->events.count);
  for (size_t e = 0; e < events->events.count; e++) {
    Node *node = &events->nodes.data[events->events.data[e].node];
    sorted.data[node->first_event + node->event_count++] = events->events.data[e];
  }
  EventVector_free(&events->events);
  events->events = sorted;
}
