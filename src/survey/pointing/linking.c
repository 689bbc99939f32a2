// Calls of functions of the program, and of functions of which nothing is known.
#include "survey/pointing/constraints.h"

static Value argument_of(Solver *s, uint32_t statement, uint32_t index) {
  const CodeStatement *call = &s->code->statements[statement];
  return index + 1 < call->operand_count ? operand_value(s, code_operand(s->code, call, index + 1)) : NO_VALUE;
}

static Value result_of(const Solver *s, uint32_t statement) {
  uint32_t result = s->code->statements[statement].result;
  return result == NO_CODE_ID ? NO_VALUE : register_value(result);
}

// True the first time.
static bool link_once(Solver *s, uint32_t statement, uint32_t function) {
  uint64_t key = (uint64_t)statement << 32 | function;
  if (map_contains(&s->linked_calls, key)) return false;
  map_put(&s->linked_calls, key, 1);
  return true;
}

static void link_outside(Solver *s, uint32_t statement) {
  const CodeStatement *call = &s->code->statements[statement];
  for (uint32_t i = 0; i + 1 < call->operand_count; i++)
    solver_flow(s, argument_of(s, statement, i), (Value){s->outside, s->outside});
  solver_edge(s, s->outside, result_of(s, statement).whole, COPY_MOVE);
}

static void call_body(Solver *s, uint32_t statement, uint32_t function) {
  const CodeStatement *call = &s->code->statements[statement];
  const CodeFunction *f = &s->code->functions[function];
  for (uint32_t i = 0; i + 1 < call->operand_count; i++) {
    Value argument = argument_of(s, statement, i);
    if (i < f->parameter_count)
      solver_flow(s, argument, register_value(f->first_parameter + i));
    else if (f->variadic)
      solver_flow(s, argument, (Value){s->outside, s->outside});
  }
  heap_call_result(s, statement, function);
}

void link_function(Solver *s, uint32_t statement, uint32_t function) {
  if (!link_once(s, statement, function)) return;
  const CodeFunction *f = &s->code->functions[function];
  const Effect *effect = f->defined ? NULL : effect_of(f->name);
  if (f->defined)
    call_body(s, statement, function);
  else if (effect)
    link_library(s, statement, effect);
  else
    link_outside(s, statement);
}

void link_place(Solver *s, uint32_t statement, AreaPlace place) {
  const Area *area = solver_area(s, place.area);
  if (area->kind == AREA_FUNCTION) link_function(s, statement, area->function);
  // The library's own memory holds no functions that a program calls.
  if (place.area == s->outside_area && link_once(s, statement, NO_CODE_ID)) link_outside(s, statement);
}

// --- calls by the library and by outside code ---

static void run_body(Solver *s, const Routine *routine, uint32_t function) {
  const CodeFunction *f = &s->code->functions[function];
  for (uint32_t i = 0; i < f->parameter_count && !(routine->first_only && i > 0); i++)
    solver_edge(s, routine->argument, register_value(f->first_parameter + i).whole, COPY_MOVE);
  solver_edge(s, result_value(s, function).whole, routine->result, COPY_MOVE);
}

// A function of the library itself (free as a destructor): what it does with memory is no matter of addresses, unless
// it keeps them. But its accesses are followed only in calls: not if it is the routine of a thread, or a destructor
// that does more than free, which is an access as well in the strict mode.
static bool may_be_left_out(const Solver *s, const Routine *routine, const Effect *effect) {
  if (effect->keeps != 0 || effect->result != RESULT_NUMBER || effect->copies_to != 0) return false;
  bool is_thread = routine->first_only && routine->result == s->joined;
  unsigned harmless = s->strict ? 0 : ARGUMENT_FREED;
  return !is_thread && !(routine->first_only && effect->arguments[0] & ~harmless);
}

void link_routine(Solver *s, uint32_t index, AreaPlace place) {
  Routine routine = s->routines.data[index];
  const Area *area = solver_area(s, place.area);
  if (area->kind != AREA_FUNCTION && place.area != s->outside_area) return;
  if (routine.kept && area->kind == AREA_FUNCTION) solver_add(s, s->outside, place);
  bool known = area->kind == AREA_FUNCTION, defined = known && s->code->functions[area->function].defined;
  if (defined) {
    run_body(s, &routine, area->function);
    return;
  }
  const Effect *effect = known ? effect_of(s->code->functions[area->function].name) : NULL;
  if (effect && may_be_left_out(s, &routine, effect)) return;
  solver_edge(s, routine.argument, s->outside, COPY_MOVE);
  solver_edge(s, s->outside, routine.result, COPY_MOVE);
}

static void outside_learns_function(Solver *s, uint32_t function) {
  const CodeFunction *f = &s->code->functions[function];
  if (!bitset_add(&s->called_from_outside, function) || !f->defined) return;
  for (uint32_t i = 0; i < f->parameter_count; i++)
    solver_edge(s, s->outside, register_value(f->first_parameter + i).whole, COPY_MOVE);
  solver_flow(s, result_value(s, function), (Value){s->outside, s->outside});
}

// Outside code may compute any address of an area of which it knows one.
void outside_learns(Solver *s, const PlaceSet *fresh) {
  PlaceCursor at = {0};
  PlaceId id;
  while (place_set_next(fresh, &at, &id)) {
    uint32_t area = place_at(&s->places, id).area;
    const Area *known = solver_area(s, area);
    if (known->kind == AREA_FUNCTION) {
      outside_learns_function(s, known->function);
    } else if (area != s->outside_area) {
      solver_add(s, s->outside, place_whole(area));
      area_expose(s, area);
    }
  }
}
