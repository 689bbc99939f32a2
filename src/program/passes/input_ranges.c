// Inputs of few values: where the code right after an input ends the execution for all but a few values of it
// (`x = input(); assume(0 <= x && x < 5);`), only those values are offered.
//
// From the step that makes the input, the walk follows the local steps on all paths and collects the conditions on
// each. A path that leads to the end of the process by local steps offers no values. Where a path stops being local, or
// the walk has used up its effort, the values that satisfy the conditions of the path are offered. A value that is left
// out has no visible effect. A formula observes that the process ends, so for formulas only assume steps exclude
// values.
#include "program/facts/ranges.h"
#include "program/passes/pass_list.h"
#include "program/passes/rewrite.h"

enum { MOST_STEPS = 400, MOST_VALUES = 256, MOST_STEPS_TO_END = 8, MOST_ASSIGNED = 16 };

typedef struct Walk {
  Program *program;
  Term input;
  Map known;       // variable term -> its value as a term over the input and variables as they were at its making
  unsigned effort; // steps left
  RangeSet offered;
} Walk;

static bool is_local(const Step *step) {
  return step->access.address == TERM_NONE && (step->kind == STEP_PLAIN || step->kind == STEP_ASSUME);
}

// Does the process end within a few local steps from here, without a choice?
static bool ends_at_once(const Program *p, LocationId at) {
  for (unsigned i = 0; i < MOST_STEPS_TO_END; i++) {
    if (p->locations.data[at].out_count != 1) return false;
    const Edge *edge = location_edge(p, at, 0);
    const Step *step = edge_step(p, edge, 0);
    if (step->kind == STEP_HALT) return true;
    if (!is_local(step) || edge->back) return false;
    at = edge->to;
  }
  return false;
}

static bool is_local_location(const Program *p, LocationId at) {
  const Location *location = &p->locations.data[at];
  for (uint32_t i = 0; i < location->out_count; i++) {
    const Edge *edge = location_edge(p, at, i);
    if (!is_local(edge_step(p, edge, 0)) || edge->back) return false;
  }
  return location->out_count > 0;
}

// The right sides of a step, as terms over the input; false if the step does something that the walk cannot follow.
// An input of another variable is a new unknown.
static bool read_assignments(Walk *walk, const Step *step, Term *values) {
  const Program *p = walk->program;
  if (step->assignment_count > MOST_ASSIGNED) return false;
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    Term value = step->assignments[i].value, variable = variable_term(p, step->assignments[i].variable);
    if (variable == walk->input) return false;
    if (value_is_fresh(value))
      values[i] = term_variable(p->terms, term_sort(p->terms, variable), "unknown");
    else
      values[i] = term_substitute(p->terms, value, &walk->known, NULL);
  }
  return true;
}

static void offer(Walk *walk, const RangeSet *values) { walk->offered = ranges_union(&walk->offered, values); }

static void follow(Walk *walk, LocationId at, const RangeSet *allowed);

static void follow_edge(Walk *walk, const Edge *edge, const RangeSet *allowed) {
  Program *p = walk->program;
  const Step *step = edge_step(p, edge, 0);
  Term condition = term_substitute(p->terms, step->guard, &walk->known, NULL);
  RangeSet passing = ranges_of_condition(p->terms, condition, walk->input, true);
  passing = ranges_intersect(&passing, allowed);
  if (passing.count == 0 || (!p->infinite && ends_at_once(p, edge->to))) return;
  Term values[MOST_ASSIGNED], before[MOST_ASSIGNED];
  if (!read_assignments(walk, step, values)) {
    offer(walk, &passing);
    return;
  }
  uint32_t count = step->assignment_count;
  for (uint32_t i = 0; i < count; i++) {
    Term variable = variable_term(p, step->assignments[i].variable);
    before[i] = (Term)map_get_or(&walk->known, variable, variable);
    map_put(&walk->known, variable, values[i]);
  }
  follow(walk, edge->to, &passing);
  for (uint32_t i = 0; i < count; i++)
    map_put(&walk->known, variable_term(p, step->assignments[i].variable), before[i]);
}

static void follow(Walk *walk, LocationId at, const RangeSet *allowed) {
  const Program *p = walk->program;
  if (walk->effort == 0 || !is_local_location(p, at)) {
    offer(walk, allowed);
    return;
  }
  walk->effort--;
  for (uint32_t i = 0; i < p->locations.data[at].out_count; i++) follow_edge(walk, location_edge(p, at, i), allowed);
}

static RangeSet allowed_values(Program *p, LocationId from, Term input) {
  unsigned width = term_width(p->terms, input);
  Walk walk = {.program = p, .input = input, .effort = MOST_STEPS, .offered = {.width = width}};
  map_init(&walk.known, p->account);
  RangeSet all = ranges_all(width);
  follow(&walk, from, &all);
  map_free(&walk.known);
  return walk.offered;
}

static unsigned bits_for(uint64_t count) {
  unsigned bits = 1;
  while (UINT64_C(1) << bits < count) bits++;
  return bits;
}

// The value with a given index in the set: ranges follow each other, each with as many indices as it has values.
static Term value_of_index(TermStore *terms, const RangeSet *set, Term index) {
  Term value = TERM_NONE;
  uint64_t end = ranges_size(set); // index behind the range at hand
  for (size_t i = set->count; i-- > 0;) {
    Range range = set->ranges[i];
    uint64_t start = end - (range.high - range.low + 1);
    Term here = term_add_constant(terms, index, (range.low - start) & bits_mask(set->width));
    Term inside = term_binary(terms, TERM_ULT, index, term_constant(terms, set->width, end));
    value = value == TERM_NONE ? here : term_ite(terms, inside, here, value);
    end = start;
  }
  return value;
}

// v := input  becomes  i := input (few bits); assume i < count; v := the i-th allowed value.
static void narrow_input(Program *p, EdgeId id, uint32_t which, const RangeSet *set) {
  VariableId variable = edge_only_step(p, id)->assignments[which].variable;
  uint64_t count = ranges_size(set);
  Term wide = term_zero_extend(p->terms, step_narrow_input(p, id, which, bits_for(count)), set->width);
  Assignment choose = {variable, value_of_index(p->terms, set, wide)};
  Step second = step_plain(p, edge_only_step(p, id)->position);
  second.kind = STEP_ASSUME;
  second.guard = term_binary(p->terms, TERM_ULE, wide, term_constant(p->terms, set->width, count - 1));
  second.assignments = &choose;
  second.assignment_count = 1;
  edge_add_step_behind(p, id, &second);
}

void pass_input_ranges(Program *p) {
  size_t edges = p->edges.count;
  bool changed = false;
  for (size_t e = 0; e < edges; e++) {
    LocationId to = p->edges.data[e].to;
    uint32_t count = edge_first_step(p, e)->assignment_count;
    // One fresh variable per step, as lowering makes them.
    if (count != 1) continue;
    Assignment fresh = edge_first_step(p, e)->assignments[0];
    Term input = variable_term(p, fresh.variable);
    unsigned width = term_width(p->terms, input);
    if (fresh.value != VALUE_INPUT || width <= 4 || width > 64) continue;
    RangeSet set = allowed_values(p, to, input);
    uint64_t size = ranges_size(&set);
    if (size == 0 || size > MOST_VALUES || bits_for(size) >= width) continue;
    narrow_input(p, (EdgeId)e, 0, &set);
    changed = true;
  }
  if (changed) program_index(p);
}
