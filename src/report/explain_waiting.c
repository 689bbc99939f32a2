#include "report/explain_parts.h"

#include <assert.h>

static bool was_created(const Explainer *e, ThreadId t) { return t == 0 || e->index->created_by.data[t] != NO_ID; }

// The cell that a wait depends on: the one that is loaded for it, or else the last cell that the thread read.
static CellId awaited_cell(const Explainer *e, ThreadId thread, const Waiting *waiting) {
  size_t end = e->trace->changes.count;
  if (waiting->load) return trace_cell_at(e->index, waiting->load->access.address, end);
  for (size_t c = end; c-- > 0;) {
    if (thread_of(e, step_of(e, (uint32_t)c)) != thread) continue;
    if (e->trace->changes.data[c].cell != NO_ID && e->trace->changes.data[c].read)
      return e->trace->changes.data[c].cell;
  }
  return NO_ID;
}

static void add_waiting_for(const Explainer *e, ThreadId thread, const Waiting *waiting) {
  CellId cell = awaited_cell(e, thread, waiting);
  text_add(e->out, " waits");
  if (cell != NO_ID) {
    const Object *object = &e->program->objects.data[e->program->cells.data[cell].object];
    text_add(e->out, " for ");
    if (object->storage == STORAGE_CONTROL && object->owner != NO_ID) {
      text_add(e->out, "the end of ");
      explain_add_thread(e, object->owner);
    } else {
      words_lock(e->program, cell, e->out);
    }
  }
  text_add(e->out, " at ");
  words_place(&waiting->step->position, e->out);
  words_calls(&waiting->step->position, e->out);
  ThreadId holder = cell == NO_ID ? NO_ID : trace_lock_holder(e->index, cell);
  if (holder == NO_ID) return;
  text_add(e->out, ", which ");
  if (holder == thread)
    text_add(e->out, "it holds itself");
  else
    explain_add_thread(e, holder);
  for (size_t i = 0; i < e->index->locks.count; i++) {
    const HeldLock *held = &e->index->locks.data[i];
    if (held->cell != cell || held->released != NO_ID) continue;
    text_add(e->out, holder == thread ? " since " : " has held since ");
    words_place(&trace_step_row(e->index, held->taken)->position, e->out);
    words_calls(&trace_step_row(e->index, held->taken)->position, e->out);
    break;
  }
}

// --- cycles ---

// What a thread waits for, and the thread that would have to give it: the holder of the lock, or the thread that is
// joined.
typedef struct Want {
  CellId cell;
  ThreadId from; // NO_ID: it does not wait, or for no thread that is known
  bool lock;
} Want;

static Want want_of(const Explainer *e, ThreadId thread) {
  Waiting waiting = trace_waiting(e->index, thread);
  Want want = {.cell = NO_ID, .from = NO_ID};
  if (!waiting.step || !was_created(e, thread)) return want;
  want.cell = awaited_cell(e, thread, &waiting);
  if (want.cell == NO_ID) return want;
  const Object *object = &e->program->objects.data[e->program->cells.data[want.cell].object];
  want.lock = object->storage != STORAGE_CONTROL;
  want.from = want.lock ? trace_lock_holder(e->index, want.cell) : object->owner;
  return want;
}

static void add_link(const Explainer *e, ThreadId thread, const Want *wanted_of_it, const Want *wants) {
  explain_add_thread(e, thread);
  if (wanted_of_it->lock) {
    text_add(e->out, " holds ");
    words_lock(e->program, wanted_of_it->cell, e->out);
    text_add(e->out, " and");
  }
  text_add(e->out, " waits for ");
  if (wants->lock) {
    words_lock(e->program, wants->cell, e->out);
  } else {
    text_add(e->out, "the end of ");
    explain_add_thread(e, wants->from);
  }
}

// Adds the cycle that begins with the thread: each waits for the next one. False: there is none.
static bool add_cycle(const Explainer *e, ThreadId first) {
  size_t length = 0, most = e->program->threads.count;
  ThreadId last = first;
  for (ThreadId t = first; length == 0 || t != first; length++) {
    Want want = want_of(e, t);
    if (want.from == NO_ID || length == most) return false;
    last = t;
    t = want.from;
  }
  if (length < 2) return false;
  text_add(e->out, "; in a cycle, ");
  Want wanted = want_of(e, last);
  for (size_t i = 0; i < length; i++) {
    Want wants = want_of(e, first);
    text_add(e->out, i ? ", " : "");
    add_link(e, first, &wanted, &wants);
    wanted = wants;
    first = wants.from;
  }
  return true;
}

void explain_deadlock(const Explainer *e) {
  const char *before = "";
  for (ThreadId t = 0; t < e->program->threads.count; t++) {
    Waiting waiting = trace_waiting(e->index, t);
    if (!waiting.step || !was_created(e, t)) continue;
    text_add(e->out, before);
    before = "; ";
    explain_add_thread(e, t);
    add_waiting_for(e, t, &waiting);
  }
  for (ThreadId t = 0; t < e->program->threads.count; t++)
    if (add_cycle(e, t)) return;
}

// --- infinite executions ---

// Adds the lines that a thread executes in the loop: "a.c:12" or "a.c:12-14". If they are in several files, only those
// in the first one.
static void add_round(const Explainer *e, ThreadId thread) {
  const Position *low = NULL, *high = NULL;
  for (size_t i = e->lines->loop_start; i < e->trace->steps.count; i++) {
    if (thread_of(e, i) != thread) continue;
    const Position *position = &trace_step_row(e->index, i)->position;
    if (!position->file || !position->line || (low && strcmp(low->file, position->file) != 0)) continue;
    if (!low || position->line < low->line) low = position;
    if (!high || position->line > high->line) high = position;
  }
  explain_add_thread(e, thread);
  text_add(e->out, " goes round");
  if (!low) return;
  assert(high); // set together with `low`
  text_add_char(e->out, ' ');
  words_place(low, e->out);
  if (high->line != low->line) text_format(e->out, "-%u", (unsigned)high->line);
}

static bool moves_in_loop(const Explainer *e, ThreadId thread) {
  assert(thread < e->index->last_step.count);
  uint32_t last = e->index->last_step.data[thread];
  return last != NO_ID && last >= e->lines->loop_start;
}

// Adds where a thread stays that takes no step in the loop. It is said to wait for a lock only if a thread holds the
// lock at the end.
static void add_stay(const Explainer *e, ThreadId thread) {
  Waiting waiting = trace_waiting(e->index, thread);
  explain_add_thread(e, thread);
  if (e->index->last_step.data[thread] == NO_ID && thread != 0) {
    text_add(e->out, " does not begin");
    return;
  }
  bool lock = waiting.step && waiting.step->kind == STEP_LOCK && waiting.load;
  CellId cell = lock ? trace_cell_at(e->index, waiting.load->access.address, e->trace->changes.count) : NO_ID;
  if (cell != NO_ID && trace_lock_holder(e->index, cell) != NO_ID) {
    add_waiting_for(e, thread, &waiting);
    return;
  }
  const Location *location = &e->program->locations.data[trace_final_location(e->index, thread)];
  const Edge *edge = location->out_count ? &e->program->edges.data[location_out_edge(e->program, location, 0)] : NULL;
  text_add(e->out, " stays at ");
  words_place(edge ? &edge_step(e->program, edge, 0)->position : &location->position, e->out);
}

static void add_stays(const Explainer *e) {
  const char *before = " while ";
  for (ThreadId t = 0; t < e->program->threads.count; t++) {
    LocationId location = trace_final_location(e->index, t);
    if (!was_created(e, t) || moves_in_loop(e, t) || location == NO_ID || e->program->locations.data[location].final)
      continue;
    text_add(e->out, before);
    add_stay(e, t);
    before = ", ";
  }
}

static void add_at(const Explainer *e, const Position *position) {
  text_add(e->out, " at ");
  words_place(position, e->out);
}

void explain_lasso(const Explainer *e) {
  size_t count = e->trace->steps.count;
  if (e->lines->loop_start < count) {
    const char *before = "for ever, ";
    for (ThreadId t = 0; t < e->program->threads.count; t++) {
      if (!moves_in_loop(e, t)) continue;
      text_add(e->out, before);
      add_round(e, t);
      before = " and ";
    }
    add_stays(e);
    return;
  }
  if (e->lines->loop_start == NO_ID) return;
  const Step *last = trace_step_row(e->index, count - 1);
  if (last->kind == STEP_HALT || last->kind == STEP_ERROR) {
    text_add(e->out, last->kind == STEP_HALT ? "the process ends" : "an error ends the process");
    if (last->position.file && last->position.line) add_at(e, &last->position); // the return of main has no position
    return;
  }
  size_t begun = e->out->length;
  explain_deadlock(e);
  if (e->out->length == begun) text_add(e->out, "all threads have ended");
}
