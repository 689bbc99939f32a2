#include "judge/interpreter.h"

#include "program/facts/targets.h"

#include <assert.h>

void concrete_init(Concrete *state, const Program *program, Account *account) {
  const Program *p = program;
  *state = (Concrete){.program = p, .account = account};
  state->locations = memory_allocate_zeroed(account, p->threads.count * sizeof(LocationId));
  state->variables = memory_allocate_zeroed(account, p->variables.count * sizeof(Bits));
  state->cells = memory_allocate_zeroed(account, p->cells.count * sizeof(Bits));
  state->indeterminate = memory_allocate_zeroed(account, p->cells.count * sizeof(bool));
  state->heap = memory_allocate_zeroed(account, p->objects.count * sizeof(uint8_t));
  state->extent = memory_allocate_zeroed(account, p->objects.count * sizeof(uint32_t));
  state->stopped = memory_allocate_zeroed(account, p->threads.count * sizeof(bool));
  for (ThreadId t = 0; t < p->threads.count; t++) state->locations[t] = p->threads.data[t].entry;
  for (CellId c = 0; c < p->cells.count; c++) {
    Term initial = p->cells.data[c].initial;
    if (initial == TERM_NONE)
      state->indeterminate[c] = true;
    else
      state->cells[c] = term_constant_value(p->terms, initial);
  }
}

void concrete_free(Concrete *state) {
  const Program *p = state->program;
  Account *account = state->account;
  memory_free(account, state->locations, p->threads.count * sizeof(LocationId));
  memory_free(account, state->variables, p->variables.count * sizeof(Bits));
  memory_free(account, state->cells, p->cells.count * sizeof(Bits));
  memory_free(account, state->indeterminate, p->cells.count * sizeof(bool));
  memory_free(account, state->heap, p->objects.count * sizeof(uint8_t));
  memory_free(account, state->extent, p->objects.count * sizeof(uint32_t));
  memory_free(account, state->stopped, p->threads.count * sizeof(bool));
}

void concrete_copy(Concrete *to, const Concrete *from) {
  const Program *p = from->program;
  assert(to->program == p && to->locations != from->locations);
  memcpy(to->locations, from->locations, p->threads.count * sizeof(LocationId));
  if (p->variables.count > 0) memcpy(to->variables, from->variables, p->variables.count * sizeof(Bits));
  if (p->cells.count > 0) {
    memcpy(to->cells, from->cells, p->cells.count * sizeof(Bits));
    memcpy(to->indeterminate, from->indeterminate, p->cells.count * sizeof(bool));
  }
  if (p->objects.count > 0) {
    memcpy(to->heap, from->heap, p->objects.count * sizeof(uint8_t));
    memcpy(to->extent, from->extent, p->objects.count * sizeof(uint32_t));
  }
  memcpy(to->stopped, from->stopped, p->threads.count * sizeof(bool));
}

// The values with which the right-hand sides of a step are evaluated: the variables before the step, except that `into`
// already has the loaded value.
typedef struct StepView {
  const Concrete *state;
  VariableId into;
  Bits loaded;
} StepView;

static Bits view_value(void *context, Term variable) {
  const StepView *view = context;
  VariableId id = program_variable_of_term(view->state->program, variable);
  assert(id != NO_ID); // cells are only read through accesses
  return id == view->into ? view->loaded : view->state->variables[id];
}

static Bits view_evaluate(const StepView *view, Term term) {
  TermValuation valuation = {.value_of = view_value, .context = (void *)(uintptr_t)view};
  return term_evaluate(view->state->program->terms, term, &valuation);
}

Bits concrete_evaluate(const Concrete *state, Term term) {
  StepView view = {.state = state, .into = NO_ID};
  return view_evaluate(&view, term);
}

static bool take_choice(Choices *choices, unsigned width, Bits *value) {
  if (choices->next < choices->count)
    *value = choices->values[choices->next++] & bits_mask(width);
  else if (choices->guess) {
    *value = 0;
    if (choices->guessed < MOST_GUESSES) choices->guessed_widths[choices->guessed] = width;
    choices->guessed++;
  } else
    return false;
  return true;
}

static const char *liveness_complaint(const Concrete *state, ObjectId object) {
  const Object *o = &state->program->objects.data[object];
  if (!o->dynamic) return NULL;
  bool heap = o->storage == STORAGE_HEAP;
  switch ((HeapState)state->heap[object]) {
  case HEAP_UNBORN: return heap ? "the block is not allocated yet" : "the variable's lifetime has not begun";
  case HEAP_FREED: return heap ? "the block was freed" : "the variable's lifetime has ended";
  case HEAP_LIVE: break;
  }
  return NULL;
}

// Does the access end after the end of an object whose size was chosen when it was allocated? The object is live.
static bool ends_after_extent(const Concrete *state, ObjectId id, uint64_t address, const Access *access) {
  const Object *object = &state->program->objects.data[id];
  bool far = address - object->address + access->bytes > state->extent[id];
  return object->sized && far && !access->to_the_end;
}

// Why an address is not that of a cell that the access may touch.
static const char *address_complaint(const Concrete *state, uint64_t address, const Access *access) {
  const Program *p = state->program;
  if (address == 0) return "null pointer";
  ObjectId id = program_object_at(p, address);
  if (id == NO_ID) return "the address belongs to no object";
  const Object *object = &p->objects.data[id];
  if (address < object->address || address + access->bytes > object->address + object->size) return "out of bounds";
  const char *complaint = liveness_complaint(state, id);
  if (complaint != NULL) return complaint;
  if (ends_after_extent(state, id, address, access)) return "out of bounds";
  bool constant = access->writes && object->storage == STORAGE_CONSTANT;
  return constant ? "the object is constant" : "the pointer does not point into this object";
}

// Finds the cells of an access at `address`; false with a complaint if the access is invalid.
static bool locate(const Concrete *state, const Access *access, uint64_t address, StepEffect *effect) {
  const Program *p = state->program;
  effect->address = address;
  CellId first = access->invalid || address == 0 ? NO_ID : program_cell_at(p, address);
  if (first == NO_ID || !cell_set_has(p, access->cells, first)) {
    effect->complaint = address_complaint(state, address, access);
    return false;
  }
  ObjectId object = p->cells.data[first].object;
  uint32_t covered = 0, count = 0;
  for (CellId c = first; covered < access->bytes; c++, count++) {
    bool follows = c < p->cells.count && p->cells.data[c].object == object &&
                   p->cells.data[c].address == address + covered && cell_set_has(p, access->cells, c);
    if (!follows) {
      effect->complaint = address_complaint(state, address, access);
      return false;
    }
    covered += p->cells.data[c].bytes;
  }
  if (covered != access->bytes) {
    effect->complaint = "the access does not fit the object's layout";
    return false;
  }
  effect->complaint = liveness_complaint(state, object);
  if (effect->complaint == NULL && ends_after_extent(state, object, address, access))
    effect->complaint = "out of bounds";
  if (effect->complaint == NULL && access->writes && p->objects.data[object].storage == STORAGE_CONSTANT)
    effect->complaint = "the object is constant";
  if (effect->complaint != NULL) return false;
  effect->first_cell = first;
  effect->cell_count = count;
  return true;
}

// Loads the located cells, least significant first. The values of indeterminate cells are chosen now; they are put into
// `chosen`, not into the state.
static bool load(const Concrete *state, const StepEffect *effect, Choices *choices, Bits *chosen, Bits *loaded) {
  const Program *p = state->program;
  unsigned shift = 0;
  assert(effect->first_cell != NO_ID && effect->cell_count <= 16);
  *loaded = 0;
  for (uint32_t i = 0; i < effect->cell_count; i++) {
    CellId c = effect->first_cell + i;
    unsigned width = 8 * p->cells.data[c].bytes;
    chosen[i] = state->cells[c];
    if (state->indeterminate[c] && !take_choice(choices, width, &chosen[i])) return false;
    *loaded |= chosen[i] << shift;
    shift += width;
  }
  return true;
}

static void keep_chosen(Concrete *state, const StepEffect *effect, const Bits *chosen) {
  for (uint32_t i = 0; i < effect->cell_count; i++) {
    state->cells[effect->first_cell + i] = chosen[i];
    state->indeterminate[effect->first_cell + i] = false;
  }
}

static void store(Concrete *state, const StepEffect *effect, bool indeterminate, Bits value) {
  const Program *p = state->program;
  unsigned shift = 0;
  for (uint32_t i = 0; i < effect->cell_count; i++) {
    CellId c = effect->first_cell + i;
    unsigned width = 8 * p->cells.data[c].bytes;
    state->cells[c] = indeterminate ? 0 : value >> shift & bits_mask(width);
    state->indeterminate[c] = indeterminate;
    shift += width;
  }
}

// The effect of the step's kind, apart from its access and its assignments. Changes at most the lives of objects.
static StepOutcome apply_kind(Concrete *state, const Step *step, const StepView *view, StepEffect *effect) {
  const Program *p = state->program;
  switch (step->kind) {
  case STEP_ERROR: return OUTCOME_ERROR;
  case STEP_HALT: return OUTCOME_HALT;
  case STEP_CUT: return OUTCOME_CUT;
  case STEP_COPY:
  case STEP_FILL:
  case STEP_READ:
  case STEP_HAVOC: return OUTCOME_UNSUPPORTED;
  case STEP_DIVIDE: return view_evaluate(view, step->operand) == 0 ? OUTCOME_ZERO_DIVISOR : OUTCOME_TAKEN;
  case STEP_CHECK: effect->check_fails = view_evaluate(view, step->operand) != 0; return OUTCOME_TAKEN;
  case STEP_ALLOCATE:
    // A heap block is allocated at most once. The lifetime of a variable in a loop begins in each round.
    if (p->objects.data[step->target].storage == STORAGE_HEAP && state->heap[step->target] != HEAP_UNBORN)
      return OUTCOME_UNSUPPORTED;
    state->heap[step->target] = HEAP_LIVE;
    if (step->operand != TERM_NONE) {
      Bits bytes = view_evaluate(view, step->operand);
      if (bytes > p->objects.data[step->target].size) return OUTCOME_UNSUPPORTED;
      state->extent[step->target] = (uint32_t)bytes;
    }
    return OUTCOME_TAKEN;
  case STEP_END: state->heap[step->target] = HEAP_FREED; return OUTCOME_TAKEN;
  case STEP_FREE: {
    uint64_t pointer = (uint64_t)view_evaluate(view, step->operand);
    effect->address = pointer;
    if (pointer == 0) return OUTCOME_TAKEN;
    ObjectId object = program_object_at(p, pointer);
    if (object == NO_ID || p->objects.data[object].address != pointer ||
        p->objects.data[object].storage != STORAGE_HEAP)
      effect->complaint = "not the start of an allocated block";
    else
      effect->complaint = liveness_complaint(state, object);
    if (effect->complaint != NULL) return OUTCOME_INVALID_FREE;
    state->heap[object] = HEAP_FREED;
    return OUTCOME_TAKEN;
  }
  default: return OUTCOME_TAKEN;
  }
}

enum { MOST_ASSIGNMENTS_ON_STACK = 64, MOST_CELLS = 16 };

// Evaluates all right-hand sides before the first variable changes.
static void assign(Concrete *state, const Step *step, const StepView *view, const Bits *fresh) {
  const Program *p = state->program;
  Bits small[MOST_ASSIGNMENTS_ON_STACK];
  size_t bytes = step->assignment_count * sizeof(Bits);
  Bits *values = step->assignment_count <= MOST_ASSIGNMENTS_ON_STACK ? small : memory_allocate(NULL, bytes);
  size_t next_fresh = 0;
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    Term value = step->assignments[i].value;
    assert(next_fresh <= i);
    values[i] = value_is_fresh(value) ? fresh[next_fresh++] : view_evaluate(view, value);
  }
  if (view->into != NO_ID) state->variables[view->into] = view->loaded;
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    VariableId v = step->assignments[i].variable;
    state->variables[v] = values[i] & bits_mask(term_width(p->terms, variable_term(p, v)));
  }
  if (values != small) memory_free(NULL, values, bytes);
}

// Takes the values of the step's fresh variables, in the order of its assignments.
static bool take_fresh(const Program *p, const Step *step, Choices *choices, Bits *fresh, size_t *count) {
  *count = 0;
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    if (!value_is_fresh(step->assignments[i].value)) continue;
    unsigned width = term_width(p->terms, variable_term(p, step->assignments[i].variable));
    if (!take_choice(choices, width, &fresh[(*count)++])) return false;
  }
  return true;
}

static StepOutcome step_with_fresh(Concrete *state, const Step *step, const Bits *fresh, Choices *choices,
                                   StepEffect *effect) {
  const Program *p = state->program;
  const Access *access = &step->access;
  StepView view = {.state = state, .into = NO_ID};
  bool has_access = access->address != TERM_NONE, valid = true;
  Bits chosen[MOST_CELLS];
  if (has_access) {
    valid = locate(state, access, (uint64_t)concrete_evaluate(state, access->address), effect);
    if (access->reads) {
      assert(effect->cell_count <= MOST_CELLS);
      view.into = access->into;
      if (valid && !load(state, effect, choices, chosen, &view.loaded)) return OUTCOME_CHOICES_MISSING;
    }
  }
  bool guard_needs_load = view.into != NO_ID && term_mentions(p->terms, step->guard, variable_term(p, view.into));
  if ((valid || !guard_needs_load) && view_evaluate(&view, step->guard) == 0) return OUTCOME_BLOCKED;
  if (!valid) return OUTCOME_INVALID_ACCESS;
  StepOutcome outcome = apply_kind(state, step, &view, effect);
  if (outcome != OUTCOME_TAKEN && outcome != OUTCOME_CUT) return outcome;
  bool forget = has_access && access->writes && access->stored == VALUE_INDETERMINATE;
  Bits stored = has_access && access->writes && !forget ? view_evaluate(&view, access->stored) : 0;
  if (has_access && access->reads) keep_chosen(state, effect, chosen);
  if (has_access && access->writes) store(state, effect, forget, stored);
  assign(state, step, &view, fresh);
  return outcome;
}

StepOutcome concrete_step(Concrete *state, ThreadId thread, EdgeId edge, Choices *choices, StepEffect *effect) {
  const Program *p = state->program;
  const Edge *e = &p->edges.data[edge];
  assert(state->locations[thread] == e->from && e->step_count == 1 && !state->stopped[thread]);
  const Step *step = edge_step(p, e, 0);
  *effect = (StepEffect){.first_cell = NO_ID};
  size_t bytes = (step->assignment_count + 1) * sizeof(Bits);
  Bits *fresh = memory_allocate(NULL, bytes);
  StepOutcome outcome = OUTCOME_CHOICES_MISSING;
  if (take_fresh(p, step, choices, fresh, &effect->fresh_choices))
    outcome = step_with_fresh(state, step, fresh, choices, effect);
  memory_free(NULL, fresh, bytes);
  bool moved =
      outcome == OUTCOME_TAKEN || outcome == OUTCOME_CUT || outcome == OUTCOME_ERROR || outcome == OUTCOME_HALT;
  if (moved) state->locations[thread] = e->to;
  if (outcome == OUTCOME_CUT) state->stopped[thread] = true;
  return outcome;
}

// --- can a thread run? ---

enum { MOST_SECTION_STEPS = 5000 }; // after so many steps the answer is "unknown", which never confirms a deadlock

typedef struct SectionSearch {
  size_t steps;
  bool for_lasso; // the end of the process counts as a step; for a deadlock it does not: another choice may wait
  bool excused;   // a step that waits is at a suppressed place
  bool waits;     // with some choices the thread waits
  bool ends;      // some choices end the execution, by a false assumption or the end of the process
  bool undecided; // not everything was tried
} SectionSearch;

static bool can_finish(const Concrete *state, ThreadId thread, bool entering, SectionSearch *search);

// Does a step with this outcome count as a step that the thread can take? An invalid access, an invalid free and a
// division by zero do not.
static bool counts_as_step(StepOutcome outcome, SectionSearch *search) {
  switch (outcome) {
  case OUTCOME_TAKEN:
  case OUTCOME_CUT:
  case OUTCOME_ERROR: return true;
  case OUTCOME_BLOCKED: return false;
  case OUTCOME_HALT: return search->for_lasso;
  case OUTCOME_UNSUPPORTED:
    if (search->for_lasso) search->undecided = true;
    return false;
  case OUTCOME_INVALID_ACCESS:
  case OUTCOME_INVALID_FREE:
  case OUTCOME_ZERO_DIVISOR:
  case OUTCOME_CHOICES_MISSING: break;
  }
  return false;
}

// Can the thread take `edge` with these choices, and then finish the section that it may be in?
static bool can_finish_with(const Concrete *state, ThreadId thread, EdgeId edge, Choices *choices,
                            SectionSearch *search) {
  const Program *p = state->program;
  Concrete next;
  concrete_init(&next, p, NULL);
  concrete_copy(&next, state);
  StepEffect effect;
  StepOutcome outcome = concrete_step(&next, thread, edge, choices, &effect);
  bool executed = outcome == OUTCOME_TAKEN || outcome == OUTCOME_CUT || outcome == OUTCOME_ERROR;
  bool finished = counts_as_step(outcome, search);
  if (outcome != OUTCOME_BLOCKED && !executed) search->ends = true;
  if (outcome == OUTCOME_BLOCKED) {
    const Step *step = edge_first_step(p, edge);
    if (step_kind_waits(step->kind)) search->waits = true;
    search->excused = search->excused || step->excused;
    if (step->kind == STEP_ASSUME) search->ends = true;
  }
  if (outcome == OUTCOME_TAKEN && p->locations.data[next.locations[thread]].atomic)
    finished = can_finish(&next, thread, false, search);
  concrete_free(&next);
  return finished;
}

enum { MOST_GUESSED_BITS = 8 }; // choices of a step with more bits in all are not tried: the answer is "unknown"

static bool can_finish_by(const Concrete *state, ThreadId thread, EdgeId edge, SectionSearch *search) {
  if (++search->steps > MOST_SECTION_STEPS) {
    search->undecided = true;
    return false;
  }
  Choices guess = {.guess = true};
  if (can_finish_with(state, thread, edge, &guess, search)) return true;
  assert(guess.next == 0);
  if (guess.guessed == 0) return false;
  unsigned bits = 0;
  for (size_t i = 0; i < guess.guessed && i < MOST_GUESSES; i++) bits += guess.guessed_widths[i];
  if (guess.guessed > MOST_GUESSES || bits > MOST_GUESSED_BITS) {
    search->undecided = true;
    return false;
  }
  for (unsigned code = 1; code < 1u << bits; code++) { // 0 was tried
    Bits values[MOST_GUESSES];
    unsigned rest = code;
    for (size_t i = 0; i < guess.guessed; i++) {
      values[i] = rest & (unsigned)bits_mask(guess.guessed_widths[i]);
      rest >>= guess.guessed_widths[i];
    }
    Choices choices = {.values = values, .count = guess.guessed};
    if (can_finish_with(state, thread, edge, &choices, search)) return true;
  }
  return false;
}

static bool can_finish(const Concrete *state, ThreadId thread, bool entering, SectionSearch *search) {
  const Program *p = state->program;
  assert(thread < p->threads.count);
  const Location *location = &p->locations.data[state->locations[thread]];
  if (!entering && !location->atomic) return true;
  uint32_t count;
  const EdgeId *edges = location_edges(p, state->locations[thread], &count);
  for (uint32_t i = 0; i < count; i++) {
    if (can_finish_by(state, thread, edges[i], search)) return true;
  }
  return false;
}

CanRun concrete_can_wait(const Concrete *state, ThreadId thread) {
  if (state->stopped[thread]) return RUN_UNKNOWN;
  SectionSearch search = {0};
  if (can_finish(state, thread, true, &search)) return RUN_YES;
  if (search.undecided || search.excused) return RUN_UNKNOWN;
  if (search.waits) return RUN_WAITS;
  return search.ends ? RUN_UNKNOWN : RUN_NO;
}

CanRun concrete_can_go_on(const Concrete *state, ThreadId thread) {
  if (state->stopped[thread]) return RUN_UNKNOWN;
  SectionSearch search = {.for_lasso = true};
  if (can_finish(state, thread, true, &search)) return RUN_YES;
  if (search.undecided) return RUN_UNKNOWN;
  return search.waits ? RUN_WAITS : RUN_NO;
}
