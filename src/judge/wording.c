#include "judge/wording.h"

#include "program/facts/lost_blocks.h"
#include "verdict/json.h"

#include <assert.h>
#include <inttypes.h>

void wording_position(Text *out, const Position *position) {
  if (position->file == NULL) return;
  text_format(out, " at %s:%" PRIu32, position->file, position->line);
}

void wording_thread(Text *out, const Program *program, ThreadId thread) {
  assert(thread < program->threads.count);
  const Thread *t = &program->threads.data[thread];
  text_format(out, "thread %s (%s)", t->label, t->routine);
}

static const Step *step_of(const Program *program, EdgeId edge) { return edge_first_step(program, edge); }

static void wording_access(Text *out, const Program *program, EdgeId edge, ThreadId thread) {
  const Step *step = step_of(program, edge);
  text_add(out, step->kind == STEP_FREE ? "freed" : step->access.writes ? "written" : "read");
  wording_position(out, &step->position);
  text_add(out, " in ");
  wording_thread(out, program, thread);
  if (step->access.is_volatile) text_add(out, " (volatile)");
}

void wording_race(Text *out, const Program *program, const Race *race) {
  text_format(out, "data race on %s: ", program->cells.data[race->cell].name);
  wording_access(out, program, race->first, race->first_thread);
  text_add(out, ", ");
  wording_access(out, program, race->second, race->second_thread);
  bool named = step_of(program, race->first)->access.is_volatile || step_of(program, race->second)->access.is_volatile;
  if (named) text_add(out, "; volatile does not synchronise (see --volatile)");
}

static const char *const check_texts[] = {[CHECK_OVERFLOW] = "overflow",
                                          [CHECK_CLEANUP] = "memory is not freed",
                                          [CHECK_TRACK] = "memory is lost",
                                          [CHECK_SCOPE] = ""};

void wording_outcome(Text *out, const Program *program, ThreadId thread, EdgeId edge, StepOutcome outcome,
                     const StepEffect *effect) {
  const char *what = "the property is violated";
  if (outcome == OUTCOME_ERROR) what = "an error is reached";
  if (outcome == OUTCOME_INVALID_ACCESS) what = "invalid dereference";
  if (outcome == OUTCOME_INVALID_FREE) what = "invalid free";
  if (outcome == OUTCOME_ZERO_DIVISOR) what = "division by zero";
  if (effect->check_fails) what = check_texts[step_of(program, edge)->check->subject];
  text_add(out, what);
  wording_position(out, &step_of(program, edge)->position);
  text_add(out, " in ");
  wording_thread(out, program, thread);
  if (effect->complaint != NULL) text_format(out, ": %s (address 0x%" PRIx64 ")", effect->complaint, effect->address);
}

// --- overflow ---

typedef struct Operand {
  Bits value; // extended to 128 bits
  unsigned width;
  bool is_signed;
} Operand;

static Operand operand_of(const Concrete *state, const Step *step, uint32_t index) {
  const Program *p = state->program;
  assert(step->kind == STEP_CHECK && index < step->assignment_count);
  VariableId variable = step->assignments[index].variable;
  Operand operand = {.value = state->variables[variable], .width = term_width(p->terms, variable_term(p, variable))};
  operand.is_signed = index ? step->check->right_signed : step->check->left_signed;
  bool negative = operand.is_signed && (operand.value >> (operand.width - 1) & 1);
  if (negative) operand.value |= ~bits_mask(operand.width);
  return operand;
}

static bool is_negative(Operand operand) { return operand.is_signed && operand.value >> 127; }

static void add_number(Text *out, Operand operand) {
  if (is_negative(operand)) text_add_char(out, '-');
  bits_add_decimal(out, is_negative(operand) ? -operand.value : operand.value);
}

// The exact result, if it is sure to fit into 128 bits.
static bool exact_result(OverflowOperation operation, Operand left, Operand right, Bits *result) {
  if (left.width > 64) return false;
  switch (operation) {
  case OVERFLOW_ADD: *result = left.value + right.value; return true;
  case OVERFLOW_SUBTRACT: *result = left.value - right.value; return true;
  case OVERFLOW_MULTIPLY: *result = left.value * right.value; return true;
  case OVERFLOW_NEGATE:
  case OVERFLOW_DIVIDE: *result = -left.value; return true;                   // the smallest number by -1
  case OVERFLOW_SHIFT_LEFT: *result = left.value << right.value; return true; // by less than 64
  case OVERFLOW_REMAINDER:
  case OVERFLOW_SHIFT_RIGHT:
  case OVERFLOW_UNKNOWN:
  case OVERFLOW_OPERATION_COUNT: break;
  }
  return false;
}

// What is wrong with a shift, other than its result. False: nothing.
static bool complain_of_shift(Text *out, Operand left, Operand right, const char *type) {
  if (is_negative(right))
    text_add(out, ": the amount is negative");
  else if (right.value >= left.width)
    text_format(out, ": %s has only %u bits", type, left.width);
  else if (is_negative(left))
    text_add(out, ": a negative number is shifted to the left");
  else
    return false;
  return true;
}

static void add_operation(Text *out, OverflowOperation operation, Operand left, Operand right) {
  static const char *const signs[OVERFLOW_OPERATION_COUNT] = {
      [OVERFLOW_ADD] = " + ",         [OVERFLOW_SUBTRACT] = " - ",  [OVERFLOW_MULTIPLY] = " * ",
      [OVERFLOW_DIVIDE] = " / ",      [OVERFLOW_REMAINDER] = " % ", [OVERFLOW_SHIFT_LEFT] = " << ",
      [OVERFLOW_SHIFT_RIGHT] = " >> "};
  bool negates = operation == OVERFLOW_NEGATE;
  text_add(out, negates ? "-(" : "");
  add_number(out, left);
  text_add(out, negates ? ")" : signs[operation]);
  if (!negates) add_number(out, right);
}

static void add_overflow(Text *out, const Concrete *state, const Step *step) {
  const PropertyCheck *check = step->check;
  OverflowOperation operation = check->operation;
  if (step->assignment_count < (operation == OVERFLOW_NEGATE ? 1u : 2u)) return; // its operands are not known
  Operand left = operand_of(state, step, 0), right = operation == OVERFLOW_NEGATE ? left : operand_of(state, step, 1);
  text_add(out, ": ");
  add_operation(out, operation, left, right);
  bool shift = operation == OVERFLOW_SHIFT_LEFT || operation == OVERFLOW_SHIFT_RIGHT;
  if (shift && complain_of_shift(out, left, right, check->type)) return;
  Operand result = {.is_signed = true};
  if (exact_result(operation, left, right, &result.value)) {
    text_add(out, " = ");
    add_number(out, result);
  }
  text_format(out, operation == OVERFLOW_REMAINDER ? ": the quotient does not fit into %s" : " does not fit into %s",
              check->type);
}

// --- blocks that are not freed ---

static void add_block(Text *out, const Program *p, ObjectId object) {
  text_format(out, ": %s", p->objects.data[object].name);
  for (EdgeId e = 0; e < p->edges.count; e++) {
    const Step *step = step_of(p, e);
    if (step->kind != STEP_ALLOCATE || step->target != object) continue;
    text_add(out, ", allocated");
    wording_position(out, &step->position);
    return;
  }
}

static void add_unfreed(Text *out, const Concrete *state, const PropertyCheck *check) {
  const Program *p = state->program;
  size_t count = 0;
  for (ObjectId o = 0; o < p->objects.count; o++) {
    if (!check_asks_for(p, check, o) || state->heap[o] != HEAP_LIVE) continue;
    if (count++ == 0) add_block(out, p, o);
  }
  if (count > 1) text_format(out, ", and %zu more", count - 1);
}

void wording_check(Text *out, const Concrete *state, EdgeId edge, ObjectId lost) {
  const Step *step = step_of(state->program, edge);
  assert(step->kind == STEP_CHECK);
  switch (step->check->subject) {
  case CHECK_OVERFLOW: add_overflow(out, state, step); break;
  case CHECK_CLEANUP: add_unfreed(out, state, step->check); break;
  case CHECK_TRACK: add_block(out, state->program, lost); break;
  case CHECK_SCOPE: break;
  }
}

// --- deadlocks ---

// The first step at the location that waits; if no step waits, the first step; NULL: there is no step.
static const Step *waiting_step(const Program *program, LocationId location) {
  uint32_t count;
  const EdgeId *edges = location_edges(program, location, &count);
  const Step *found = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const Step *step = step_of(program, edges[i]);
    if (found == NULL || step_waits(step)) found = step;
  }
  return found;
}

void wording_deadlock(Text *out, const Program *program, const Concrete *state) {
  text_add(out, "deadlock: ");
  const char *separator = "";
  for (ThreadId t = 0; t < program->threads.count; t++) {
    if (concrete_can_wait(state, t) != RUN_WAITS) continue;
    text_add(out, separator);
    wording_thread(out, program, t);
    text_add(out, " waits");
    const Step *step = waiting_step(program, state->locations[t]);
    if (step != NULL) wording_position(out, &step->position);
    separator = ", ";
  }
}
