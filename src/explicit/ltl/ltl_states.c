#include "explicit/ltl/ltl_states.h"

#include "judge/observed_letter.h"
#include "judge/schedule_run.h"
#include "program/passes/rewrite.h"

// --- layout ---

static uint8_t bytes_of_width(unsigned width) {
  uint8_t bytes = 1;
  while (8u * bytes < width) bytes *= 2;
  return bytes;
}

static void place(LtlStates *s, PackedItem item, uint32_t *at) {
  item.offset = *at;
  *at += item.bytes;
  PackedItemVector_push(&s->items, item);
}

static uint32_t close_component(LtlStates *s, size_t component, uint32_t start, uint32_t at) {
  at = (at + 7) / 8 * 8;
  s->base[component] = start;
  s->size[component] = at - start;
  return at;
}

static bool changes(const Cell *cell) { return cell->written || cell->initial == TERM_NONE; }

// The first byte of memory says whether the process has ended.
static uint32_t place_memory(LtlStates *s) {
  const Program *p = s->program;
  uint32_t at = 1;
  for (CellId c = 0; c < p->cells.count; c++) {
    const Cell *cell = &p->cells.data[c];
    if (!bitset_get(&s->influence.cells, c) || !changes(cell)) continue;
    place(s, (PackedItem){.kind = PACKED_CELL, .index = c, .bytes = (uint8_t)cell->bytes}, &at);
    place(s, (PackedItem){.kind = PACKED_FLAG, .index = c, .bytes = 1}, &at);
  }
  for (ObjectId o = 0; o < p->objects.count; o++) {
    const Object *object = &p->objects.data[o];
    if (object->dynamic || object->storage == STORAGE_HEAP)
      place(s, (PackedItem){.kind = PACKED_LIFE, .index = o, .bytes = 1}, &at);
    if (object->sized) place(s, (PackedItem){.kind = PACKED_EXTENT, .index = o, .bytes = 4}, &at);
  }
  return close_component(s, 0, 0, at);
}

// A thread's first four bytes are its location.
static void place_all(LtlStates *s) {
  const Program *p = s->program;
  uint32_t at = place_memory(s);
  for (ThreadId t = 0; t < p->threads.count; t++) {
    uint32_t start = at;
    at += 4;
    for (VariableId v = 0; v < p->variables.count; v++) {
      if (p->variables.data[v].thread != t || !bitset_get(&s->influence.variables, v)) continue;
      uint8_t bytes = bytes_of_width(term_width(p->terms, variable_term(p, v)));
      place(s, (PackedItem){.kind = PACKED_VARIABLE, .index = v, .bytes = bytes}, &at);
    }
    at = close_component(s, 1 + t, start, at);
  }
  s->vector_bytes = at;
}

void ltl_states_init(LtlStates *s, const Program *program, unsigned input_bits, Account *account) {
  size_t components = program->threads.count + 1;
  *s = (LtlStates){.program = program, .input_bits = input_bits, .account = account};
  influence_init(&s->influence, program, account);
  PackedItemVector_init(&s->items, account);
  s->base = memory_allocate_zeroed(account, components * sizeof *s->base);
  s->size = memory_allocate_zeroed(account, components * sizeof *s->size);
  s->tuple = memory_allocate_zeroed(account, components * sizeof *s->tuple);
  place_all(s);
  s->vector = memory_allocate_zeroed(account, s->vector_bytes);
  store_init(&s->store, s->size, components, account);
  concrete_init(&s->after, program, account);
  input_samples_init(&s->samples, program, account);
  bitset_init(&s->sampled, program->steps.count, account);
  bitset_init(&s->unforeseen, program->steps.count, account);
  bitset_init(&s->cuts_met, program->cuts.count, account);
}

void ltl_states_free(LtlStates *s) {
  size_t components = s->program->threads.count + 1;
  bitset_free(&s->cuts_met);
  bitset_free(&s->unforeseen);
  bitset_free(&s->sampled);
  input_samples_free(&s->samples);
  concrete_free(&s->after);
  store_free(&s->store);
  memory_free(s->account, s->vector, s->vector_bytes);
  memory_free(s->account, s->tuple, components * sizeof *s->tuple);
  memory_free(s->account, s->size, components * sizeof *s->size);
  memory_free(s->account, s->base, components * sizeof *s->base);
  PackedItemVector_free(&s->items);
  influence_free(&s->influence);
}

// --- packing ---

static bool is_live(const LtlStates *s, const Concrete *state, VariableId v) {
  return live_at(&s->influence.live, state->locations[s->program->variables.data[v].thread], v);
}

// An automatic variable that has ended is as one that has not begun: it may be born again.
static uint8_t packed_life(const LtlStates *s, const Concrete *state, ObjectId o) {
  bool block = s->program->objects.data[o].storage == STORAGE_HEAP;
  return block || state->heap[o] == HEAP_LIVE ? state->heap[o] : HEAP_UNBORN;
}

static Bits packed_value(const LtlStates *s, const Concrete *state, const PackedItem *item) {
  switch (item->kind) {
  case PACKED_VARIABLE: return is_live(s, state, item->index) ? state->variables[item->index] : 0;
  case PACKED_CELL: return state->indeterminate[item->index] ? 0 : state->cells[item->index];
  case PACKED_FLAG: return state->indeterminate[item->index];
  case PACKED_LIFE: return packed_life(s, state, item->index);
  case PACKED_EXTENT: return state->heap[item->index] == HEAP_LIVE ? state->extent[item->index] : 0;
  }
  return 0;
}

StateId ltl_states_intern(LtlStates *s, const Concrete *state, bool ended) {
  s->vector[0] = ended;
  for (ThreadId t = 0; t < s->program->threads.count; t++) memcpy(s->vector + s->base[1 + t], &state->locations[t], 4);
  for (size_t i = 0; i < s->items.count; i++) {
    const PackedItem *item = &s->items.data[i];
    Bits value = packed_value(s, state, item);
    memcpy(s->vector + item->offset, &value, item->bytes);
  }
  bool is_new;
  for (size_t c = 0; c < s->store.component_count; c++)
    s->tuple[c] = component_insert(&s->store.components[c], s->vector + s->base[c], NO_CONTENT);
  return records_insert(&s->store.states, s->tuple, &is_new);
}

bool ltl_states_load(const LtlStates *s, StateId id, Concrete *state) {
  const uint32_t *tuple = store_tuple(&s->store, id);
  for (size_t c = 0; c < s->store.component_count; c++)
    component_load(&s->store.components[c], tuple[c], NO_CONTENT, s->vector + s->base[c]);
  for (ThreadId t = 0; t < s->program->threads.count; t++) memcpy(&state->locations[t], s->vector + s->base[1 + t], 4);
  for (size_t i = 0; i < s->items.count; i++) {
    const PackedItem *item = &s->items.data[i];
    Bits value = 0;
    memcpy(&value, s->vector + item->offset, item->bytes);
    switch (item->kind) {
    case PACKED_VARIABLE: state->variables[item->index] = value; break;
    case PACKED_CELL: state->cells[item->index] = value; break;
    case PACKED_FLAG: state->indeterminate[item->index] = value != 0; break;
    case PACKED_LIFE: state->heap[item->index] = (uint8_t)value; break;
    case PACKED_EXTENT: state->extent[item->index] = (uint32_t)value; break;
    }
  }
  return s->vector[0] != 0;
}

// --- choices of one step ---

typedef struct ChoicePlan {
  Bits values[MOST_GUESSES];
  size_t count;
  const uint64_t *samples[MOST_GUESSES]; // NULL: all numbers below `radix`
  uint64_t radix[MOST_GUESSES], digit[MOST_GUESSES];
} ChoicePlan;

static void plan_choice(LtlStates *s, ChoicePlan *plan, size_t i, StepId step, unsigned width, bool matters) {
  plan->radix[i] = 1;
  plan->samples[i] = NULL;
  if (!matters) return;
  if (width <= s->input_bits) {
    plan->radix[i] = UINT64_C(1) << width;
    return;
  }
  const U64Vector *samples = &s->samples.of_width[width > 64 ? 64 : width];
  plan->samples[i] = samples->data;
  plan->radix[i] = samples->count;
  bitset_set(&s->sampled, step);
}

// The choices that the step asked for when it was tried with guesses, in their order: of variables, then of cells.
static void plan_choices(LtlStates *s, ChoicePlan *plan, const Concrete *from, const Edge *edge, const Choices *guess,
                         const StepEffect *effect) {
  const Program *p = s->program;
  const Step *step = edge_step(p, edge, 0);
  *plan = (ChoicePlan){.count = guess->guessed};
  size_t next = 0;
  for (uint32_t i = 0; i < step->assignment_count && next < plan->count; i++) {
    if (!value_is_fresh(step->assignments[i].value)) continue;
    VariableId v = step->assignments[i].variable;
    bool matters = bitset_get(&s->influence.variables, v) && live_at(&s->influence.live, edge->to, v);
    plan_choice(s, plan, next, edge->first_step, guess->guessed_widths[next], matters);
    next++;
  }
  for (uint32_t i = 0; i < effect->cell_count && next < plan->count; i++) {
    CellId cell = effect->first_cell + i;
    if (!from->indeterminate[cell]) continue;
    bool matters = bitset_get(&s->influence.cells, cell);
    plan_choice(s, plan, next, edge->first_step, guess->guessed_widths[next], matters);
    next++;
  }
  assert(next == plan->count);
}

static void set_values(ChoicePlan *plan) {
  for (size_t i = 0; i < plan->count; i++)
    plan->values[i] = plan->samples[i] ? plan->samples[i][plan->digit[i]] : plan->digit[i];
}

static bool next_values(ChoicePlan *plan) {
  for (size_t i = 0; i < plan->count; i++) {
    if (++plan->digit[i] < plan->radix[i]) return true;
    plan->digit[i] = 0;
  }
  return false;
}

// --- steps ---

// See machine.c: the address lies inside a live object, and yet the access may not go there.
static bool is_unforeseen(const LtlStates *s, const Concrete *state, const Access *access, uint64_t address) {
  const Program *p = s->program;
  ObjectId id = address == 0 || access_has_base(p, access) ? NO_ID : program_object_at(p, address);
  if (id == NO_ID) return false;
  const Object *object = &p->objects.data[id];
  if (object->storage == STORAGE_FUNCTION || (access->writes && object->storage == STORAGE_CONSTANT)) return false;
  if (address < object->address || address + access->bytes > object->address + object->size) return false;
  if (object->sized && address + access->bytes > object->address + state->extent[id]) return false;
  return !object->dynamic || state->heap[id] == HEAP_LIVE;
}

static void note_outcome(LtlStates *s, const Concrete *from, StepId id, StepOutcome outcome, const StepEffect *effect) {
  const Step *step = &s->program->steps.data[id];
  if (outcome == OUTCOME_CUT) bitset_set(&s->cuts_met, step->target);
  bool unforeseen = outcome == OUTCOME_UNSUPPORTED || outcome == OUTCOME_CHOICES_MISSING;
  if (outcome == OUTCOME_INVALID_ACCESS) unforeseen = is_unforeseen(s, from, &step->access, effect->address);
  if (unforeseen) bitset_set(&s->unforeseen, id);
}

enum { MOST_STARTED = 64 };

// Threads that were created take their first step.
static size_t start_created(LtlStates *s, Concrete *state, EdgeId *started) {
  const Program *p = s->program;
  size_t count = 0;
  if (concrete_inside_section(state) != NO_ID) return 0;
  for (ThreadId t = 0; t < p->threads.count && count < MOST_STARTED; t++) {
    EdgeId edge = concrete_start_edge(state, t);
    if (edge == NO_ID || !concrete_is_created(state, t)) continue;
    Choices none = {0};
    StepEffect effect;
    if (concrete_step(state, t, edge, &none, &effect) == OUTCOME_TAKEN)
      started[count++] = edge;
    else
      bitset_set(&s->unforeseen, p->edges.data[edge].first_step); // a START that does not start: nothing is known
  }
  return count;
}

static void try_step(LtlStates *s, const Concrete *from, LtlStep *step, Choices *choices, StepEffect *effect) {
  concrete_copy(&s->after, from);
  step->outcome = concrete_step(&s->after, step->thread, step->edge, choices, effect);
}

static void tell_step(LtlStates *s, const Concrete *from, LtlStep *step, const StepEffect *effect, LtlVisit *visit,
                      void *context) {
  EdgeId started[MOST_STARTED];
  note_outcome(s, from, s->program->edges.data[step->edge].first_step, step->outcome, effect);
  s->after.stopped[step->thread] = false;
  step->started_count = step->outcome == OUTCOME_TAKEN ? start_created(s, &s->after, started) : 0;
  step->started = started;
  visit(context, step);
}

static void each_choice(LtlStates *s, const Concrete *from, LtlStep *step, LtlVisit *visit, void *context) {
  const Edge *edge = &s->program->edges.data[step->edge];
  Choices guess = {.guess = true};
  StepEffect effect;
  try_step(s, from, step, &guess, &effect);
  step->choice_count = 0;
  if (guess.guessed > MOST_GUESSES) bitset_set(&s->unforeseen, edge->first_step); // only zeros are tried
  if (guess.guessed == 0 || guess.guessed > MOST_GUESSES) {
    Bits zeros[1] = {0};
    step->choices = zeros;
    tell_step(s, from, step, &effect, visit, context);
    return;
  }
  ChoicePlan plan;
  plan_choices(s, &plan, from, edge, &guess, &effect);
  step->choices = plan.values;
  step->choice_count = plan.count;
  do {
    set_values(&plan);
    Choices choices = {.values = plan.values, .count = plan.count};
    try_step(s, from, step, &choices, &effect);
    tell_step(s, from, step, &effect, visit, context);
  } while (next_values(&plan));
}

void ltl_states_each_step(LtlStates *s, const Concrete *from, ThreadId thread, LtlVisit *visit, void *context) {
  const Program *p = s->program;
  uint32_t count;
  const EdgeId *edges = location_edges(p, from->locations[thread], &count);
  for (uint32_t i = 0; i < count; i++) {
    LtlStep step = {.thread = thread, .edge = edges[i], .after = &s->after};
    each_choice(s, from, &step, visit, context);
  }
}
