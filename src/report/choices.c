#include "report/choices.h"

#include "report/relevance.h"
#include "report/trace_notes.h"

#include <assert.h>
#include <string.h>

typedef struct Choices {
  const Program *program;
  const Trace *trace;
  const TraceIndex *index;
  Relevance relevance;
  Result *result;
  size_t count, left_out;
  const Step *guess; // the first step that guesses a value that matters; NULL: there is none
} Choices;

static void add_note(Choices *c, NoteKind kind, const Text *what) {
  size_t before = c->result->notes.count;
  if (c->count < MOST_CHOICES)
    result_add_note(c->result, kind, what->data);
  else
    c->left_out++;
  c->count += c->result->notes.count - before;
}

// Is the change the value of an input function of the program? (The trace shows these as inputs.)
static bool is_input(const Step *step, const TraceChange *change) {
  if (change->cell != NO_ID || step->position.library) return false;
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (step->assignments[i].variable == change->variable) return step->assignments[i].value == VALUE_INPUT;
  return false;
}

// If few values of an input matter, a pass makes the choice narrower; the next step of the thread then computes the
// value from the choice, into a variable of the same name. Returns the change with that value, or the change itself.
static const TraceChange *widened(const Choices *c, size_t at, const TraceChange *change) {
  const TraceStep *steps = c->trace->steps.data;
  if (change->cell != NO_ID) return change;
  size_t next = at + 1;
  while (next < c->trace->steps.count && steps[next].thread != steps[at].thread) next++;
  if (next == c->trace->steps.count) return change;
  const char *name = c->program->variables.data[change->variable].name;
  assert(steps[next].thread == steps[at].thread);
  for (uint32_t k = steps[next].first_change; k < steps[next].first_change + steps[next].change_count; k++) {
    const TraceChange *other = &c->trace->changes.data[k];
    if (other->cell == NO_ID && !other->chosen && c->program->variables.data[other->variable].name == name)
      return other;
  }
  return change;
}

// The step of an undefined function that made this choice: it returned the value, or it wrote the memory that is read
// now. NULL: the choice has another source.
static const Step *undefined_source(const Choices *c, const Step *step, const TraceChange *change) {
  if (change->cell != NO_ID) {
    uint32_t writer = trace_cell_writer(c->index, change->cell, (size_t)(change - c->trace->changes.data));
    step = writer == NO_ID ? NULL : &c->program->steps.data[c->trace->steps.data[c->index->step_of.data[writer]].step];
  } else if (!step->position.model || !c->program->variables.data[change->variable].name ||
             strcmp(c->program->variables.data[change->variable].name, step->position.model) != 0) {
    return NULL;
  }
  return step && step->position.model && !step->position.library ? step : NULL;
}

static void note_undefined(Choices *c, const Step *call, const TraceChange *change) {
  Text what;
  text_init(&what, NULL);
  text_add(&what, call->position.model);
  if (change->cell != NO_ID) {
    text_add(&what, " sets ");
    words_change_name(c->program, change, &what);
    text_add(&what, " to ");
  } else {
    text_add(&what, " returns ");
  }
  words_change_value(c->program, change, change->after, &what);
  text_add(&what, " at ");
  words_place(&call->position, &what);
  add_note(c, NOTE_UNDEFINED, &what);
  text_free(&what);
}

static void note_change(Choices *c, size_t at, const Step *step, const TraceChange *change) {
  const Step *call = undefined_source(c, step, change);
  if (call) note_undefined(c, call, widened(c, at, change));
  if (call || is_input(step, change)) return;
  change = widened(c, at, change);
  Text what;
  text_init(&what, NULL);
  if (step->position.model && change->cell == NO_ID)
    text_add(&what, step->position.model);
  else
    words_change_name(c->program, change, &what);
  text_add(&what, step->position.model && change->cell == NO_ID ? " chooses " : " holds ");
  words_change_value(c->program, change, change->after, &what);
  text_add(&what, " at ");
  words_place(&step->position, &what);
  if (!step->position.model || change->cell != NO_ID) text_add(&what, ", where it may hold any value");
  add_note(c, NOTE_CHOICE, &what);
  text_free(&what);
}

// Does the step end a wait for a condition variable, in a model that does not count signals?
static bool is_wake_up(const Choices *c, const Step *step) {
  static const char *const waits[] = {"pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait",
                                      "cnd_wait", "cnd_timedwait"};
  bool exact = c->program->assumptions >> ASSUME_NO_SPURIOUS_WAKEUPS & 1;
  if (exact || step->kind != STEP_LOCK || !step->position.model) return false;
  for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
    if (strcmp(step->position.model, waits[i]) == 0) return true;
  return false;
}

static void note_wake_up(Choices *c, const Step *step) {
  Text what;
  text_init(&what, NULL);
  text_format(&what, "%s returns at ", step->position.model);
  words_place(&step->position, &what);
  text_add(&what, ", perhaps without a signal");
  add_note(c, NOTE_CHOICE, &what);
  text_free(&what);
}

// Does the choice matter? The choice of a cell that is read matters if a change of the same step does.
static bool matters(const Choices *c, const TraceStep *row, uint32_t change) {
  if (c->trace->changes.data[change].cell == NO_ID) return bitset_get(&c->relevance.changes, change);
  for (uint32_t k = row->first_change; k < row->first_change + row->change_count; k++)
    if (bitset_get(&c->relevance.changes, k)) return true;
  return false;
}

static bool is_guess(const Choices *c, const TraceChange *change) {
  return change->variable != NO_ID && c->program->variables.data[change->variable].guessed;
}

// Does the step guess whether the thread continues? (Variable.course)
static bool guesses_course(const Choices *c, const TraceStep *row) {
  for (uint32_t k = row->first_change; k < row->first_change + row->change_count; k++) {
    const TraceChange *change = &c->trace->changes.data[k];
    if (change->chosen && change->variable != NO_ID && c->program->variables.data[change->variable].course) return true;
  }
  return false;
}

static void note_step(Choices *c, size_t i) {
  const TraceStep *row = &c->trace->steps.data[i];
  assert(row->step < c->program->steps.count);
  const Step *step = &c->program->steps.data[row->step];
  if (is_wake_up(c, step)) note_wake_up(c, step);
  for (uint32_t k = row->first_change; k < row->first_change + row->change_count; k++) {
    const TraceChange *change = &c->trace->changes.data[k];
    if (!change->chosen || !matters(c, row, k)) continue;
    note_change(c, i, step, change);
    if (is_guess(c, change) && c->guess == NULL) c->guess = step;
  }
}

const Step *choices_tell(const Program *program, const Trace *trace, Result *result) {
  Choices c = {.program = program, .trace = trace, .result = result};
  TraceIndex index;
  trace_index_init(&index, program, trace);
  c.index = &index;
  uint32_t loop = result->schedule ? result->schedule->loop_start : NO_ID;
  relevance_find(&index, result->property, loop, &c.relevance);
  for (size_t i = 0; i < trace->steps.count; i++) {
    const TraceStep *row = &trace->steps.data[i];
    if (bitset_get(&c.relevance.steps, i)) note_step(&c, i);
    if (c.guess == NULL && guesses_course(&c, row)) c.guess = &program->steps.data[row->step];
  }
  if (c.left_out) {
    Text what;
    text_init(&what, NULL);
    text_format(&what, "%zu more choices", c.left_out);
    result_add_note(result, NOTE_CHOICE, what.data);
    text_free(&what);
  }
  relevance_free(&c.relevance);
  trace_index_free(&index);
  return c.guess;
}

// --- replaced functions ---

// What the call that begins at the row returned: the value that a later step of its thread chose for it. NULL: nothing
// is told.
static const TraceChange *returned_value(const Choices *c, size_t call) {
  const TraceStep *rows = c->trace->steps.data;
  const Step *begin = &c->program->steps.data[rows[call].step];
  for (size_t i = call + 1; i < c->trace->steps.count; i++) {
    const Step *step = &c->program->steps.data[rows[i].step];
    if (rows[i].thread != rows[call].thread) continue;
    if (!step->position.model || step->replaced || strcmp(step->position.model, begin->position.model) != 0) break;
    for (uint32_t k = rows[i].first_change; k < rows[i].first_change + rows[i].change_count; k++) {
      const TraceChange *change = &c->trace->changes.data[k];
      if (change->chosen && change->cell == NO_ID) return widened(c, i, change);
    }
  }
  return NULL;
}

static void note_replaced(Choices *c, size_t row, const char *name) {
  Text what;
  text_init(&what, NULL);
  text_add(&what, name);
  const TraceChange *value = returned_value(c, row);
  if (value) {
    text_add(&what, " returning ");
    words_change_value(c->program, value, value->after, &what);
  }
  result_add_note(c->result, NOTE_REPLACED, what.data);
  text_free(&what);
}

void choices_tell_replaced(const Program *program, const Trace *trace, Result *result) {
  Choices c = {.program = program, .trace = trace, .result = result};
  Map told; // addresses of names
  map_init(&told, NULL);
  for (size_t i = 0; i < trace->steps.count; i++) {
    const Step *step = &program->steps.data[trace->steps.data[i].step];
    assert(!step->replaced || step->position.model);
    if (!step->replaced || map_contains(&told, (uint64_t)(uintptr_t)step->position.model)) continue;
    map_put(&told, (uint64_t)(uintptr_t)step->position.model, 1);
    note_replaced(&c, i, step->position.model);
  }
  map_free(&told);
}
