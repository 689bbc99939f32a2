#include "judge/observed_letter.h"

#include <assert.h>

EdgeId concrete_start_edge(const Concrete *state, ThreadId thread) {
  const Program *p = state->program;
  assert(thread < p->threads.count);
  uint32_t count;
  const EdgeId *edges = location_edges(p, state->locations[thread], &count);
  if (state->locations[thread] != p->threads.data[thread].entry || count == 0) return NO_ID;
  return edge_first_step(p, edges[0])->kind == STEP_START ? edges[0] : NO_ID;
}

bool concrete_is_created(const Concrete *state, ThreadId thread) {
  const Program *p = state->program;
  const Object *control = &p->objects.data[p->threads.data[thread].control];
  CellId status = program_cell_at(p, control->address + CONTROL_STATUS);
  return status != NO_ID && state->cells[status] == THREAD_RUNNING;
}

bool concrete_is_unborn(const Concrete *state, ThreadId thread) {
  return concrete_start_edge(state, thread) != NO_ID && !concrete_is_created(state, thread);
}

// The bits of the observations that ask for locations of threads.
static uint64_t observed_places(const Concrete *state) {
  const Program *p = state->program;
  uint64_t places = 0;
  for (ThreadId t = 0; t < p->threads.count; t++) {
    EdgeId start = concrete_start_edge(state, t);
    if (start != NO_ID && !concrete_is_created(state, t)) continue;
    LocationId location = start != NO_ID ? p->edges.data[start].to : state->locations[t];
    places |= p->locations.data[location].observed;
  }
  return places;
}

typedef struct Reader {
  const Concrete *state;
  CellId *undetermined;
} Reader;

static Bits cell_value(void *context, Term term) {
  Reader *reader = context;
  const Program *p = reader->state->program;
  CellId cell = program_cell_of_term(p, term);
  assert(cell != NO_ID); // observations are over cells
  if (reader->state->indeterminate[cell]) *reader->undetermined = cell;
  return reader->state->cells[cell];
}

typedef struct Known {
  const Concrete *state;
  Map values; // term of a cell that is not indeterminate -> its value as a term
} Known;

static void add_known(void *context, Term term) {
  Known *known = context;
  const Program *p = known->state->program;
  CellId cell = program_cell_of_term(p, term);
  assert(cell != NO_ID); // observations are over cells
  if (known->state->indeterminate[cell]) return;
  map_put(&known->values, term, term_constant(p->terms, term_width(p->terms, term), known->state->cells[cell]));
}

// Has the condition the same truth for all values of indeterminate cells? If so, `holds` is that truth.
static bool is_same_for_all(const Concrete *state, Term condition, bool *holds) {
  TermStore *terms = state->program->terms;
  Known known = {.state = state};
  map_init(&known.values, NULL);
  term_each_variable(terms, condition, add_known, &known);
  Term rest = term_substitute(terms, condition, &known.values, NULL);
  map_free(&known.values);
  *holds = term_is_true(terms, rest);
  return *holds || term_is_false(terms, rest);
}

static bool condition_holds(const Concrete *state, Term condition, CellId *undetermined) {
  CellId cell = NO_ID;
  Reader reader = {.state = state, .undetermined = &cell};
  TermValuation valuation = {.value_of = cell_value, .context = &reader};
  bool holds = term_evaluate(state->program->terms, condition, &valuation) != 0;
  if (cell != NO_ID && !is_same_for_all(state, condition, &holds)) *undetermined = cell;
  return holds;
}

uint64_t concrete_letter(const Concrete *state, CellId *undetermined) {
  const Program *p = state->program;
  assert(p->observations.count <= 64);
  uint64_t places = observed_places(state), letter = 0;
  for (size_t k = 0; k < p->observations.count; k++) {
    Term condition = p->observations.data[k];
    bool holds = condition == TERM_NONE ? places >> k & 1 : condition_holds(state, condition, undetermined);
    letter |= (uint64_t)holds << k;
  }
  return letter;
}

bool concrete_letter_is_doubtful(const Concrete *state) {
  const Program *p = state->program;
  if (p->unforeseen == TERM_NONE) return false;
  CellId ignored;
  Reader reader = {.state = state, .undetermined = &ignored};
  TermValuation valuation = {.value_of = cell_value, .context = &reader};
  return term_evaluate(p->terms, p->unforeseen, &valuation) != 0;
}
