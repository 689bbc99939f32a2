#include "dependence/equal_steps.h"

void step_comparison_init(StepComparison *comparison, const EqualThreads *equal, ThreadId a, ThreadId b) {
  *comparison = (StepComparison){.equal = equal, .a = a, .b = b};
  map_init(&comparison->terms, equal->account);
  map_init(&comparison->cells, equal->account);
}

void step_comparison_free(StepComparison *comparison) {
  map_free(&comparison->cells);
  map_free(&comparison->terms);
}

// --- terms ---

static bool terms_equal(StepComparison *c, Term x, Term y);

static bool variables_correspond(const StepComparison *c, Term x, Term y) {
  const Program *p = c->equal->program;
  VariableId one = program_variable_of_term(p, x), other = program_variable_of_term(p, y);
  if (one == NO_ID || other == NO_ID) return x == y;
  bool own = p->variables.data[one].thread == c->a && p->variables.data[other].thread == c->b;
  return own && c->equal->variables.rank[one] == c->equal->variables.rank[other];
}

// The operands of commutative operators are ordered by handle, which may differ between the threads.
static bool commutes(TermOperator op) {
  return op == TERM_AND || op == TERM_OR || op == TERM_XOR || op == TERM_ADD || op == TERM_MUL || op == TERM_EQ;
}

static bool children_equal(StepComparison *c, Term x, Term y) {
  const TermStore *terms = c->equal->program->terms;
  unsigned arity = term_arity(terms, x);
  bool same = arity == term_arity(terms, y);
  for (unsigned i = 0; same && i < arity; i++) same = terms_equal(c, term_child(terms, x, i), term_child(terms, y, i));
  if (same || !commutes(term_operator(terms, x))) return same;
  return terms_equal(c, term_child(terms, x, 0), term_child(terms, y, 1)) &&
         terms_equal(c, term_child(terms, x, 1), term_child(terms, y, 0));
}

static bool operators_equal(StepComparison *c, Term x, Term y) {
  const TermStore *terms = c->equal->program->terms;
  TermOperator op = term_operator(terms, x);
  if (op != term_operator(terms, y) || term_sort(terms, x) != term_sort(terms, y)) return false;
  if (op == TERM_VARIABLE) return variables_correspond(c, x, y);
  if (op == TERM_CONSTANT) return x == y;
  for (unsigned i = 0; op == TERM_EXTRACT && i < 2; i++)
    if (term_parameter(terms, x, i) != term_parameter(terms, y, i)) return false;
  return children_equal(c, x, y);
}

static bool terms_equal(StepComparison *c, Term x, Term y) {
  if (x == TERM_NONE || y == TERM_NONE || value_is_fresh(x) || value_is_fresh(y)) return x == y;
  uint64_t key = (uint64_t)x << 32 | y, known;
  if (map_get(&c->terms, key, &known)) return known != 0;
  bool same = operators_equal(c, x, y);
  map_put(&c->terms, key, same);
  return same;
}

// --- what may differ ---

static CellId corresponding_cell(StepComparison *c, CellId cell) {
  uint64_t known;
  if (map_get(&c->cells, cell, &known)) return (CellId)known;
  CellId there = equal_cell(c->equal, cell, c->a, c->b);
  map_put(&c->cells, cell, there);
  return there;
}

static bool cells_equal(StepComparison *c, const Access *x, const Access *y) {
  const Program *p = c->equal->program;
  uint32_t count, other_count;
  const CellId *cells = access_cells(p, x, &count), *others = access_cells(p, y, &other_count);
  if (count != other_count) return false;
  for (uint32_t i = 0; i < count; i++)
    if (corresponding_cell(c, cells[i]) != others[i]) return false;
  return true;
}

// Two constant addresses: the same, or the same place in corresponding objects of the threads.
static bool places_equal(StepComparison *c, Term x, Term y) {
  const Program *p = c->equal->program;
  uint64_t one = (uint64_t)term_constant_value(p->terms, x), other = (uint64_t)term_constant_value(p->terms, y);
  ObjectId from = program_object_at(p, one), to = program_object_at(p, other);
  if (from == NO_ID || to == NO_ID || p->objects.data[from].owner != c->a || p->objects.data[to].owner != c->b)
    return x == y;
  const Object *a = &p->objects.data[from], *b = &p->objects.data[to];
  if (a->cell_count == 0 || one - a->address != other - b->address) return false;
  return corresponding_cell(c, a->first_cell) == b->first_cell;
}

static bool addresses_equal(StepComparison *c, Term x, Term y) {
  const TermStore *terms = c->equal->program->terms;
  if (x == TERM_NONE || y == TERM_NONE) return x == y;
  if (term_is_constant(terms, x) && term_is_constant(terms, y)) return places_equal(c, x, y);
  if (term_operator(terms, x) != TERM_ADD || term_operator(terms, y) != TERM_ADD) return terms_equal(c, x, y);
  Term x0 = term_child(terms, x, 0), x1 = term_child(terms, x, 1);
  Term y0 = term_child(terms, y, 0), y1 = term_child(terms, y, 1);
  return (addresses_equal(c, x0, y0) && terms_equal(c, x1, y1)) ||
         (terms_equal(c, x0, y0) && addresses_equal(c, x1, y1)) ||
         (addresses_equal(c, x0, y1) && terms_equal(c, x1, y0)) ||
         (terms_equal(c, x0, y1) && addresses_equal(c, x1, y0));
}

// A lock operation stores the number of its thread, in one or both cases of a condition.
static bool numbers_equal(StepComparison *c, Term x, Term y) {
  const TermStore *terms = c->equal->program->terms;
  if (value_is_fresh(x) || value_is_fresh(y) || x == TERM_NONE || y == TERM_NONE) return x == y;
  if (term_is_constant(terms, x) && term_is_constant(terms, y) && x != y)
    return term_constant_value(terms, x) == thread_lock_number(c->a) &&
           term_constant_value(terms, y) == thread_lock_number(c->b);
  if (term_operator(terms, x) != TERM_ITE || term_operator(terms, y) != TERM_ITE) return terms_equal(c, x, y);
  return terms_equal(c, term_child(terms, x, 0), term_child(terms, y, 0)) &&
         numbers_equal(c, term_child(terms, x, 1), term_child(terms, y, 1)) &&
         numbers_equal(c, term_child(terms, x, 2), term_child(terms, y, 2));
}

// --- steps ---

static bool intos_equal(const StepComparison *c, VariableId x, VariableId y) {
  if (x == NO_ID || y == NO_ID) return x == y;
  return c->equal->variables.rank[x] == c->equal->variables.rank[y];
}

static bool accesses_equal(StepComparison *c, const Step *one, const Step *other) {
  const Access *x = &one->access, *y = &other->access;
  if (x->address == TERM_NONE || y->address == TERM_NONE) return x->address == y->address;
  bool same = x->bytes == y->bytes && x->reads == y->reads && x->writes == y->writes &&
              x->synchronises == y->synchronises && x->unordered == y->unordered && x->doubtful == y->doubtful &&
              x->innocent == y->innocent && x->wants_initialised == y->wants_initialised &&
              x->to_the_end == y->to_the_end && x->invalid == y->invalid;
  if (!same || (x->reads && !intos_equal(c, x->into, y->into)) || !cells_equal(c, x, y)) return false;
  bool locks = one->kind == STEP_LOCK || one->kind == STEP_TRYLOCK;
  if (x->writes && !(locks ? numbers_equal(c, x->stored, y->stored) : terms_equal(c, x->stored, y->stored)))
    return false;
  return addresses_equal(c, x->address, y->address);
}

static bool assignments_equal(StepComparison *c, const Step *x, const Step *y) {
  if (x->assignment_count != y->assignment_count) return false;
  for (uint32_t i = 0; i < x->assignment_count; i++)
    if (!intos_equal(c, x->assignments[i].variable, y->assignments[i].variable) ||
        !terms_equal(c, x->assignments[i].value, y->assignments[i].value))
      return false;
  return true;
}

static bool targets_equal(StepComparison *c, const Step *x, const Step *y) {
  const Program *p = c->equal->program;
  if (x->kind == STEP_CREATE) return false;
  if (x->kind == STEP_CUT) return p->cuts.data[x->target].kind == p->cuts.data[y->target].kind;
  if (x->kind != STEP_ALLOCATE && x->kind != STEP_END) return x->target == y->target;
  const Object *a = &p->objects.data[x->target], *b = &p->objects.data[y->target];
  if (a->owner != c->a || b->owner != c->b || a->cell_count == 0) return false;
  return corresponding_cell(c, a->first_cell) == b->first_cell;
}

// Findings are settled by the lines of steps (program/settled.h). What creates a thread may be on another line.
static bool lines_equal(const Step *x, const Step *y) {
  bool of_creation =
      x->kind == STEP_START || x->kind == STEP_AGAIN || (x->kind == STEP_PLAIN && x->access.address == TERM_NONE);
  return of_creation || (x->position.file == y->position.file && x->position.line == y->position.line);
}

bool steps_equal(StepComparison *c, const Step *x, const Step *y) {
  return lines_equal(x, y) && x->kind == y->kind && x->excused == y->excused && x->fault == y->fault &&
         x->block == NULL && y->block == NULL && targets_equal(c, x, y) && terms_equal(c, x->guard, y->guard) &&
         terms_equal(c, x->operand, y->operand) && accesses_equal(c, x, y) && assignments_equal(c, x, y);
}
