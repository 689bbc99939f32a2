#include "judge/lost_pointer.h"

#include "judge/schedule_run.h"
#include "program/facts/lost_blocks.h"

typedef struct Watch {
  const Program *p;
  ScheduleRun run;
  Bitset ended;           // automatic objects that are not in scope, or were not written yet
  Bitset led_to;          // blocks, after the last step
  PointerHolder *holders; // per object that is led to: what led to it
  PointerHolder *before;  // the same before the last step
} Watch;

// --- the state, as lost_blocks.h asks for it ---

static bool cell_value(const void *context, CellId cell, Bits *value) {
  const Watch *w = context;
  *value = w->run.state.cells[cell];
  return !w->run.state.indeterminate[cell];
}

static bool block_lives(const void *context, ObjectId block) {
  return ((const Watch *)context)->run.state.heap[block] == HEAP_LIVE;
}

static LocationId location_of(const void *context, ThreadId thread) {
  return ((const Watch *)context)->run.state.locations[thread];
}

static bool has_ended(const Watch *w, ThreadId thread) {
  return w->run.state.locations[thread] == w->p->threads.data[thread].final;
}

static bool is_root(const void *context, ObjectId id) {
  const Watch *w = context;
  const Object *object = &w->p->objects.data[id];
  switch (object->storage) {
  case STORAGE_GLOBAL: return true;
  case STORAGE_TLS: return !has_ended(w, object->owner);
  case STORAGE_STACK: return !bitset_get(&w->ended, id) && !has_ended(w, object->owner);
  case STORAGE_CONTROL:
    return object->owner != NO_ID && location_of(w, object->owner) == w->p->threads.data[object->owner].entry;
  case STORAGE_HEAP: return object->own && block_lives(w, id);
  default: return false;
  }
}

static bool variable_value(const void *context, VariableId variable, uint64_t *value) {
  const Watch *w = context;
  *value = (uint64_t)w->run.state.variables[variable];
  return !has_ended(w, w->p->variables.data[variable].thread);
}

// --- watching ---

static void watch_init(Watch *w, const Program *p, const Schedule *schedule, Text *message, Account *account) {
  *w = (Watch){.p = p};
  schedule_run_init(&w->run, p, schedule, NULL, message, account);
  bitset_init(&w->ended, p->objects.count, account);
  bitset_init(&w->led_to, p->objects.count, account);
  for (ObjectId o = 0; o < p->objects.count; o++)
    if (p->objects.data[o].storage == STORAGE_STACK) bitset_set(&w->ended, o);
  w->holders = memory_allocate_zeroed(account, p->objects.count * sizeof *w->holders);
  w->before = memory_allocate_zeroed(account, p->objects.count * sizeof *w->before);
}

static void watch_free(Watch *w, Account *account) {
  memory_free(account, w->before, w->p->objects.count * sizeof *w->before);
  memory_free(account, w->holders, w->p->objects.count * sizeof *w->holders);
  bitset_free(&w->led_to);
  bitset_free(&w->ended);
  schedule_run_free(&w->run);
}

static void look(Watch *w) {
  const MemoryState state = {.context = w, .value = cell_value, .lives = block_lives, .location = location_of};
  const PointerRoots roots = {.object = is_root, .variable = variable_value};
  PointerHolder *holders = w->before;
  w->before = w->holders;
  w->holders = holders;
  bitset_clear_all(&w->led_to);
  led_blocks_find(w->p, &state, &roots, &w->led_to, w->holders);
}

// Takes note of the automatic objects that the step begins to use, or ends.
static void follow_scopes(Watch *w, const Step *step, const StepEffect *effect) {
  if (step->kind == STEP_CHECK && step->check->subject == CHECK_SCOPE)
    for (uint32_t i = 0; i < step->check->ended_count; i++) bitset_set(&w->ended, step->check->ended[i]);
  if (effect->first_cell != NO_ID && step->access.writes)
    bitset_reset(&w->ended, w->p->cells.data[effect->first_cell].object);
}

// --- the step that lost it ---

static bool assigns(const Step *step, VariableId variable) {
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (step->assignments[i].variable == variable) return true;
  return false;
}

static bool writes(const Watch *w, const Step *step, const StepEffect *effect, const PointerHolder *holder) {
  if (effect->first_cell == NO_ID || !step->access.writes) return false;
  const Cell *first = &w->p->cells.data[effect->first_cell], *last = first + (effect->cell_count - 1);
  if (first->object != holder->object) return false;
  uint64_t start = first->address - w->p->objects.data[holder->object].address;
  uint64_t end = last->address + last->bytes - w->p->objects.data[holder->object].address;
  return start < holder->offset + w->p->pointer_width / 8 && holder->offset < end;
}

// How the step took the pointer away that the holder held; LOST_UNTOLD: it did not.
static LossCause cause_of(const Watch *w, const Step *step, const StepEffect *effect, const PointerHolder *holder) {
  bool scope = step->kind == STEP_CHECK && step->check->subject == CHECK_SCOPE;
  if (holder->object == NO_ID) {
    if (has_ended(w, w->p->variables.data[holder->variable].thread)) return LOST_THREAD_END;
    if (!assigns(step, holder->variable)) return LOST_UNTOLD;
    return scope ? LOST_SCOPE : LOST_OVERWRITTEN;
  }
  if (writes(w, step, effect, holder)) return LOST_OVERWRITTEN;
  const Object *object = &w->p->objects.data[holder->object];
  if (object->storage == STORAGE_HEAP) return block_lives(w, holder->object) ? LOST_UNTOLD : LOST_FREED;
  if (is_root(w, holder->object)) return LOST_UNTOLD;
  return scope ? LOST_SCOPE : has_ended(w, object->owner) ? LOST_THREAD_END : LOST_UNTOLD;
}

// Goes back along the pointers that led to the block before the step, to the one that the step took away.
static void find_cause(const Watch *w, const Step *step, const StepEffect *effect, TraceLoss *loss) {
  ObjectId at = loss->block;
  for (size_t i = 0; i <= w->p->objects.count; i++) {
    const PointerHolder *holder = &w->before[at];
    loss->cause = cause_of(w, step, effect, holder);
    loss->direct = at == loss->block;
    loss->object = holder->object;
    loss->offset = holder->offset;
    loss->variable = holder->variable;
    if (loss->cause != LOST_UNTOLD || holder->object == NO_ID) return;
    if (w->p->objects.data[holder->object].storage != STORAGE_HEAP || w->p->objects.data[holder->object].own) return;
    at = holder->object;
  }
}

static void tell_holder(const Watch *w, TraceLoss *loss) {
  const PointerHolder *holder = &w->holders[loss->block];
  loss->cause = LOST_KEPT;
  loss->direct = true;
  loss->object = holder->object;
  loss->offset = holder->offset;
  loss->variable = holder->variable;
}

TraceLoss lost_pointer_find(const Program *program, const Schedule *schedule, ObjectId block, Account *account) {
  assert(block < program->objects.count && program->objects.data[block].storage == STORAGE_HEAP);
  TraceLoss loss = {.block = block, .allocated = NO_ID, .lost = NO_ID};
  Text message;
  text_init(&message, account);
  Watch w;
  watch_init(&w, program, schedule, &message, account);
  bool was_led_to = false;
  for (uint32_t i = 0; i < schedule->steps.count; i++) {
    StepOutcome outcome;
    StepEffect effect;
    if (!schedule_run_step(&w.run, i, &outcome, &effect)) break;
    const Step *step = edge_first_step(program, schedule->steps.data[i].edge);
    follow_scopes(&w, step, &effect);
    if (step->kind == STEP_ALLOCATE && step->target == block) {
      loss.allocated = loss.lost = i;
      loss.cause = LOST_NEVER_KEPT;
    }
    if (loss.allocated == NO_ID) continue;
    look(&w);
    bool is_led_to = bitset_get(&w.led_to, block);
    if (was_led_to && !is_led_to) {
      loss.lost = i;
      find_cause(&w, step, &effect, &loss);
    }
    was_led_to = is_led_to;
  }
  if (was_led_to) tell_holder(&w, &loss);
  watch_free(&w, account);
  text_free(&message);
  return loss;
}
