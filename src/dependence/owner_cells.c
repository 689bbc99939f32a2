#include "dependence/owner_cells.h"

#include "dependence/equal_steps.h"

typedef struct OwnerSearch {
  const EqualThreads *equal;
  const LiveVariables *live;
  Bitset owners;
} OwnerSearch;

static bool is_lock_step(const Step *step) { return step->kind == STEP_LOCK || step->kind == STEP_TRYLOCK; }

// Does the step store the number of its thread, which is equal to others?
static bool is_number_of(const EqualThreads *equal, ThreadId t, Term constant) {
  return term_constant_value(equal->program->terms, constant) == thread_lock_number(t);
}

static bool has_equals(const EqualThreads *equal, ThreadId t) {
  for (ThreadId other = 0; other < equal->program->threads.count; other++)
    if (other != t && equal->like[t] != NO_ID && equal->like[other] == equal->like[t]) return true;
  return false;
}

static bool stores_number(const EqualThreads *equal, ThreadId t, Term stored) {
  const TermStore *terms = equal->program->terms;
  if (stored == TERM_NONE || value_is_fresh(stored)) return false;
  if (term_is_constant(terms, stored)) return is_number_of(equal, t, stored);
  if (term_operator(terms, stored) != TERM_ITE) return false;
  return stores_number(equal, t, term_child(terms, stored, 1)) || stores_number(equal, t, term_child(terms, stored, 2));
}

static bool is_any_number(const EqualThreads *equal, Term constant) {
  Bits value = term_constant_value(equal->program->terms, constant);
  return value >= 1 && value <= equal->program->threads.count && equal->like[value - 1] != NO_ID;
}

// Does the term use `loaded` in comparisons with constants that are no worker's number, and in no other way?
static bool only_compares(const OwnerSearch *search, Term t, Term loaded) {
  const TermStore *terms = search->equal->program->terms;
  if (t == TERM_NONE || value_is_fresh(t) || !term_mentions(terms, t, loaded)) return true;
  if (t == loaded) return false;
  unsigned arity = term_arity(terms, t);
  for (unsigned i = 0; term_operator(terms, t) == TERM_EQ && i < 2; i++) {
    Term other = term_child(terms, t, 1 - i);
    if (term_child(terms, t, i) == loaded)
      return term_is_constant(terms, other) && !is_any_number(search->equal, other);
  }
  for (unsigned i = 0; i < arity; i++)
    if (!only_compares(search, term_child(terms, t, i), loaded)) return false;
  return true;
}

// A constant that is no worker's number, the own number, what was loaded, or a choice between such.
static bool stores_well(const OwnerSearch *search, ThreadId t, const Step *step, Term stored, Term loaded) {
  const EqualThreads *equal = search->equal;
  const TermStore *terms = equal->program->terms;
  if (value_is_fresh(stored)) return false;
  if (stored == loaded) return true;
  if (term_is_constant(terms, stored))
    return !is_any_number(equal, stored) || (is_lock_step(step) && is_number_of(equal, t, stored));
  return term_operator(terms, stored) == TERM_ITE && only_compares(search, term_child(terms, stored, 0), loaded) &&
         stores_well(search, t, step, term_child(terms, stored, 1), loaded) &&
         stores_well(search, t, step, term_child(terms, stored, 2), loaded);
}

static bool step_mentions(const Program *p, const Step *step, Term variable) {
  const Access *access = &step->access;
  const Term parts[4] = {step->guard, access->address, access->stored, step->operand};
  bool mentions = false;
  for (unsigned i = 0; i < 4; i++)
    mentions |= parts[i] != TERM_NONE && !value_is_fresh(parts[i]) && term_mentions(p->terms, parts[i], variable);
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    Term value = step->assignments[i].value;
    mentions |= !value_is_fresh(value) && term_mentions(p->terms, value, variable);
  }
  return mentions;
}

// Is what this step of the edge loads read by no later step, unless it was loaded or assigned again?
static bool is_dead_after(const OwnerSearch *search, const Edge *edge, uint32_t step) {
  const Program *p = search->equal->program;
  VariableId into = edge_step(p, edge, step)->access.into;
  for (uint32_t i = step + 1; i < edge->step_count; i++)
    if (step_mentions(p, edge_step(p, edge, i), variable_term(p, into))) return false;
  return !live_at(search->live, edge->to, into);
}

// A step of thread `t` that may touch an owner cell.
static bool behaves(const OwnerSearch *search, ThreadId t, const Edge *edge, uint32_t at) {
  const Program *p = search->equal->program;
  const Step *step = edge_step(p, edge, at);
  const Access *access = &step->access;
  Term loaded = access->reads ? variable_term(p, access->into) : TERM_NONE;
  if (access->writes && !stores_well(search, t, step, access->stored, loaded)) return false;
  if (!access->reads) return true;
  bool overwritten = false, fine = only_compares(search, step->guard, loaded);
  fine &= step->operand == TERM_NONE || !term_mentions(p->terms, step->operand, loaded);
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    fine &= only_compares(search, step->assignments[i].value, loaded);
    overwritten |= step->assignments[i].variable == access->into;
  }
  return fine && (overwritten || is_dead_after(search, edge, at));
}

static bool touches_owner(const OwnerSearch *search, const Access *access) {
  const Program *p = search->equal->program;
  uint32_t count;
  const CellId *cells = access_cells(p, access, &count);
  for (uint32_t i = 0; i < count; i++)
    if (bitset_get(&search->owners, cells[i])) return true;
  return false;
}

static void collect_of_step(OwnerSearch *search, ThreadId t, const Step *step) {
  if (!is_lock_step(step) || !stores_number(search->equal, t, step->access.stored)) return;
  uint32_t count;
  const CellId *cells = access_cells(search->equal->program, &step->access, &count);
  for (uint32_t i = 0; i < count; i++) bitset_set(&search->owners, cells[i]);
}

static void collect(OwnerSearch *search) {
  const Program *p = search->equal->program;
  for (EdgeId e = 0; e < search->equal->edges.count; e++) {
    ThreadId t = p->locations.data[p->edges.data[e].from].thread;
    uint32_t count;
    const Step *steps = edge_steps(p, e, &count);
    for (uint32_t i = 0; i < count && has_equals(search->equal, t); i++) collect_of_step(search, t, &steps[i]);
  }
}

// Such a cell belongs to no worker, always holds a value, and is read and written as a whole.
static bool cell_fits(const EqualThreads *equal, CellId cell) {
  const Program *p = equal->program;
  const Cell *c = &p->cells.data[cell];
  ThreadId owner = p->objects.data[c->object].owner;
  bool of_worker = owner != NO_ID && equal->like[owner] != NO_ID;
  return !of_worker && c->bytes == 4 && c->initial != TERM_NONE && !is_any_number(equal, c->initial);
}

static bool all_behave(const OwnerSearch *search) {
  const Program *p = search->equal->program;
  for (size_t c = bitset_next(&search->owners, 0); c < p->cells.count; c = bitset_next(&search->owners, c + 1))
    if (!cell_fits(search->equal, (CellId)c)) return false;
  for (EdgeId e = 0; e < search->equal->edges.count; e++) {
    const Edge *edge = &p->edges.data[e];
    for (uint32_t i = 0; i < edge->step_count; i++) {
      const Access *access = &edge_step(p, edge, i)->access;
      if (access->address == TERM_NONE || !touches_owner(search, access)) continue;
      if (access->bytes != 4 || !behaves(search, p->locations.data[edge->from].thread, edge, i)) return false;
    }
  }
  return true;
}

bool owner_cells_find(EqualThreads *equal, const LiveVariables *live) {
  OwnerSearch search = {.equal = equal, .live = live};
  bitset_init(&search.owners, equal->program->cells.count, equal->account);
  collect(&search);
  bool fine = all_behave(&search);
  for (size_t c = bitset_next(&search.owners, 0); fine && c < search.owners.bits;
       c = bitset_next(&search.owners, c + 1))
    U32Vector_push(&equal->owners, (uint32_t)c);
  bitset_free(&search.owners);
  return fine;
}
