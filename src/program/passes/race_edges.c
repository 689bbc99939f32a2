// The joint edges of races. See joint_edges.h.
#include "program/facts/facts.h"
#include "program/passes/joint_edges.h"
#include "program/settled.h"

enum { MOST_ACCESSES = 20000, MOST_RACE_EDGES = 20000 };

// An access that may race, as a part of an event: of its step, or of all steps of its section.
typedef struct RaceAccess {
  EdgeId edge;
  uint32_t place, length; // in the steps of the edge: the access; the end of the event
  LocationId whole_from;  // in the unreduced program: where the thread stands before the access
  ThreadId thread;
  bool section;
  bool open; // in a section that is not one edge: the rest of the event is not known
  bool ends; // the event ends the process
} RaceAccess;
VECTOR(RaceAccessVector, RaceAccess);

typedef struct Races {
  Program *view;
  const Program *whole;
  EdgeId *edge_of; // per step of the unreduced program
  LockFacts locks;
  RaceAccessVector accesses;
  Map seen;         // events: equal beginnings of several edges are one
  Map meets;        // pairs of cell sets: do they have a common cell?
  VariableId first; // holds the address of the first access
  Term unsupposed;  // no attempt to lock was supposed to fail
  CutId supposed;   // the cut of such an attempt
  CutId doubt, too_large;
} Races;

static const Step *step_of(const Races *r, const RaceAccess *a) {
  return edge_step(r->view, &r->view->edges.data[a->edge], a->place);
}

static bool frees(const Step *step) { return step->kind == STEP_FREE; }

// --- accesses ---

static bool some_cell(const Program *p, CellSet set, bool shared) {
  const CellId *cells = cell_set_cells(p, set);
  for (uint32_t i = 0; i < set.count; i++) {
    const Cell *cell = &p->cells.data[cells[i]];
    if (shared ? cell->shared : p->objects.data[cell->object].storage == STORAGE_HEAP) return true;
  }
  return false;
}

static bool may_race_at_all(const Races *r, const Step *step) {
  if (frees(step)) return !step->excused;
  if (step->access.address == TERM_NONE || step->access.innocent || step->kind == STEP_START) return false;
  return some_cell(r->view, step->access.cells, true) || some_cell(r->view, step->access.cells, false);
}

static bool is_inside(const Races *r, const Step *step) {
  const Edge *edge = &r->whole->edges.data[r->edge_of[step->origin]];
  return r->whole->locations.data[edge->from].atomic || r->whole->locations.data[edge->to].atomic;
}

static bool is_new(Races *r, LocationId from, const Step *steps, uint32_t place, uint32_t length) {
  uint64_t key = hash_mix((uint64_t)from << 32 | place) + length;
  for (uint32_t i = 0; i < length; i++) key = hash_mix(key ^ steps[i].origin) + i;
  if (map_contains(&r->seen, key)) return false;
  map_put(&r->seen, key, 1);
  return true;
}

static bool ends_the_process(const Step *step) {
  return step->kind == STEP_HALT || step->kind == STEP_CUT || step->kind == STEP_FAULT;
}

static void list_edge(Races *r, EdgeId e) {
  const Edge *edge = &r->view->edges.data[e];
  const Location *locations = r->view->locations.data;
  uint32_t count, section_end = 0;
  const Step *steps = edge_steps(r->view, e, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (steps[i].origin == NO_ID) return; // a path that cannot be finished
    if (is_inside(r, &steps[i])) section_end = i + 1;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (!may_race_at_all(r, &steps[i])) continue;
    RaceAccess a = {.edge = e, .place = i, .thread = locations[edge->from].thread, .length = i + 1};
    a.section = is_inside(r, &steps[i]);
    a.open = locations[edge->from].atomic || locations[edge->to].atomic;
    if (a.section && !a.open) a.length = section_end;
    a.whole_from = r->whole->edges.data[r->edge_of[steps[i].origin]].from;
    for (uint32_t k = 0; k < a.length; k++) a.ends |= ends_the_process(&steps[k]);
    if (is_new(r, edge->from, steps, i, a.length)) RaceAccessVector_push(&r->accesses, a);
  }
}

// --- pairs ---

static bool sets_meet(Races *r, CellSet a, CellSet b) {
  const uint64_t parts[2] = {(uint64_t)a.first << 32 | a.count, (uint64_t)b.first << 32 | b.count};
  uint64_t key = hash_bytes(parts, sizeof parts), known;
  if (map_get(&r->meets, key, &known)) return known;
  const CellId *left = cell_set_cells(r->view, a), *right = cell_set_cells(r->view, b);
  bool meet = false;
  for (uint32_t i = 0, k = 0; i < a.count && k < b.count && !meet;) {
    meet = left[i] == right[k];
    if (left[i] < right[k])
      i++;
    else
      k++;
  }
  map_put(&r->meets, key, meet);
  return meet;
}

static bool hold_one_lock(const Races *r, const RaceAccess *a, const RaceAccess *b) {
  return bitset_intersects(&r->locks.held[a->whole_from], &r->locks.held[b->whole_from]);
}

static bool may_race(Races *r, const RaceAccess *a, const RaceAccess *b) {
  const Step *x = step_of(r, a), *y = step_of(r, b);
  if (a->thread == b->thread || (a->section && b->section)) return false;
  if (frees(x) || frees(y)) {
    if (!frees(x) && !some_cell(r->view, x->access.cells, false)) return false;
    if (!frees(y) && !some_cell(r->view, y->access.cells, false)) return false;
  } else {
    if (!x->access.writes && !y->access.writes) return false;
    if (x->access.synchronises && y->access.synchronises) return false;
    if (!sets_meet(r, x->access.cells, y->access.cells)) return false;
  }
  return race_settlement(r->whole, x->origin, y->origin, 0) != RACE_WHOLLY && !hold_one_lock(r, a, b);
}

// Two events with synchronising accesses to one cell are ordered. Whether this is so here depends on addresses.
static bool may_be_ordered(Races *r, const RaceAccess *a, const RaceAccess *b) {
  if (b->section) return may_be_ordered(r, b, a);
  const Access *plain = &step_of(r, b)->access;
  if (!a->section || !plain->synchronises) return false;
  const Step *steps = edge_first_step(r->view, a->edge);
  for (uint32_t i = 0; i < a->length; i++)
    if (steps[i].access.address != TERM_NONE && steps[i].access.synchronises &&
        sets_meet(r, steps[i].access.cells, plain->cells))
      return true;
  return false;
}

// --- edges ---

static Term less(Races *r, Term a, uint64_t limit) {
  TermStore *terms = r->view->terms;
  return term_binary(terms, TERM_ULT, a, term_constant(terms, r->view->pointer_width, limit));
}

// The block that a FREE ends contains the address in `first`.
static Term in_freed_block(Races *r, Term first, Term freed) {
  TermStore *terms = r->view->terms;
  Term inside = term_false(terms);
  for (ObjectId o = 0; o < r->view->objects.count; o++) {
    const Object *object = &r->view->objects.data[o];
    if (object->storage != STORAGE_HEAP || object->cell_count == 0) continue;
    Term start = term_constant(terms, r->view->pointer_width, object->address);
    Term here = term_and(terms, term_eq(terms, freed, start), less(r, term_sub(terms, first, start), object->size));
    inside = term_or(terms, inside, here);
  }
  return inside;
}

static Term overlaps(Races *r, const Step *x, const Step *y) {
  TermStore *terms = r->view->terms;
  Term first = variable_term(r->view, r->first);
  if (frees(y)) return in_freed_block(r, first, y->operand);
  if (frees(x)) return in_freed_block(r, y->access.address, first);
  Term second = y->access.address;
  return term_or(terms, less(r, term_sub(terms, first, second), y->access.bytes),
                 less(r, term_sub(terms, second, first), x->access.bytes));
}

// The address in `first` is in no object on which the race is settled.
static Term is_not_settled(Races *r, const Step *x, const Step *y) {
  TermStore *terms = r->view->terms;
  Term left = term_true(terms), first = variable_term(r->view, r->first);
  if (race_settlement(r->whole, x->origin, y->origin, 0) == RACE_OPEN) return left;
  for (ObjectId o = 0; o < r->view->objects.count; o++) {
    if (!race_is_settled(r->whole, x->origin, y->origin, o)) continue;
    const Object *object = &r->view->objects.data[o];
    Term start = term_constant(terms, r->view->pointer_width, object->address);
    left = term_and(terms, left, term_not(terms, less(r, term_sub(terms, first, start), object->size)));
  }
  return left;
}

static void push_steps(Races *r, const RaceAccess *a, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    Step step = *edge_step(r->view, &r->view->edges.data[a->edge], i);
    StepVector_push(&r->view->steps, step);
  }
}

static void push_capture(Races *r, const Step *x) {
  Program *view = r->view;
  Step keep = step_plain(view, x->position);
  Assignment assignment = {.variable = r->first, .value = frees(x) ? x->operand : x->access.address};
  keep.assignments = arena_copy(&view->arena, &assignment, sizeof assignment);
  keep.assignment_count = 1;
  StepVector_push(&view->steps, keep);
}

static void push_check(Races *r, const Step *x, const Step *y) {
  Step check = step_plain(r->view, y->position);
  check.kind = STEP_ASSUME;
  check.guard = term_and(r->view->terms, overlaps(r, x, y), is_not_settled(r, x, y));
  StepVector_push(&r->view->steps, check);
}

// The second of two deallocations is invalid and races all the same: it is in the schedule, but changes nothing here.
static void push_free(Races *r, const RaceAccess *b) {
  Step step = *step_of(r, b);
  step.kind = STEP_PLAIN;
  step.operand = TERM_NONE;
  StepVector_push(&r->view->steps, step);
}

static void push_end(Races *r, CutId cut, Term guard) {
  Step end = step_plain(r->view, (Position){0});
  end.kind = cut == NO_ID ? STEP_ERROR : STEP_CUT;
  end.target = cut;
  end.guard = guard;
  StepVector_push(&r->view->steps, end);
}

// Adds the edge of `a` before `b`. It is an edge of the thread of `own`, which is one of the two.
static void add_edge(Races *r, const RaceAccess *a, const RaceAccess *b, const RaceAccess *own, CutId cut, Term guard) {
  const Step x = *step_of(r, a), y = *step_of(r, b);
  StepId first = (StepId)r->view->steps.count;
  push_steps(r, a, 0, a->place);
  push_capture(r, &x);
  if (!a->open) push_steps(r, a, a->place, a->length);
  uint32_t first_count = (uint32_t)r->view->steps.count - first;
  push_steps(r, b, 0, b->place);
  push_check(r, &x, &y);
  bool last = b->place + 1 == b->length;
  if (frees(&y) && last)
    push_free(r, b);
  else if (!a->open)
    push_steps(r, b, b->place, b->length);
  uint32_t second_count = (uint32_t)r->view->steps.count - first - first_count;
  push_end(r, cut, guard);
  const RaceAccess *other = own == a ? b : a;
  JointEdge joint = {.kind = JOINT_RACE,
                     .partner = r->view->edges.data[other->edge].from,
                     .own_first = own == a ? 0 : first_count,
                     .own_count = own == a ? first_count : second_count,
                     .raced = {x.origin, y.origin}};
  joint_edges_push(r->view, &joint, r->view->edges.data[own->edge].from, first);
}

static void add_order(Races *r, const RaceAccess *a, const RaceAccess *b) {
  TermStore *terms = r->view->terms;
  const RaceAccess *own = b->section ? b : a; // its lock facts hold for the steps of the section
  Term unconditional = term_true(terms);
  if (a->open)
    add_edge(r, a, b, own, r->too_large, unconditional);
  else if (step_of(r, a)->access.doubtful || step_of(r, b)->access.doubtful || may_be_ordered(r, a, b))
    add_edge(r, a, b, own, r->doubt, unconditional);
  else
    add_edge(r, a, b, own, NO_ID, r->unsupposed);
  if (r->supposed != NO_ID && !a->open) add_edge(r, a, b, own, r->supposed, term_not(terms, r->unsupposed));
}

// Does memory decide whether the step can be taken?
static bool depends_on_memory(const Races *r, const Step *step) {
  if (step->access.address == TERM_NONE || step->access.into == NO_ID) return false;
  return term_mentions(r->view->terms, step->guard, variable_term(r->view, step->access.into));
}

static void add_pair(Races *r, const RaceAccess *a, const RaceAccess *b) {
  if (!may_race(r, a, b)) return;
  if (b->open) {
    add_pair(r, b, a);
    return;
  }
  const Step *x = step_of(r, a), *y = step_of(r, b);
  // After a FREE the other access cannot be made.
  bool a_first = !a->ends && (!frees(x) || frees(y)), b_first = !b->ends && (!frees(y) || frees(x));
  bool both = a->section || b->section || depends_on_memory(r, x) || depends_on_memory(r, y);
  if (a->open || a_first) add_order(r, a, b);
  if (!a->open && b_first && (!a_first || both)) add_order(r, b, a);
}

// --- all ---

// Finds the condition that no attempt to lock was supposed to fail, and the cut of one that was.
static void find_supposed(Races *r) {
  const Program *p = r->view;
  r->unsupposed = term_true(p->terms);
  r->supposed = NO_ID;
  Bitset cells;
  bitset_init(&cells, p->cells.count, p->account);
  for (size_t i = 0; i < p->supposed.count; i++) {
    const Object *object = &p->objects.data[p->supposed.data[i]];
    if (object->cell_count == 0) continue;
    Term held = p->cells.data[object->first_cell].term;
    r->unsupposed = term_and(p->terms, r->unsupposed, term_not(p->terms, term_is_nonzero(p->terms, held)));
    bitset_set(&cells, object->first_cell);
  }
  for (size_t s = 0; s < p->steps.count; s++) {
    const Access *access = &p->steps.data[s].access;
    if (access->address == TERM_NONE || !access->writes || access->cells.count != 1) continue;
    if (!bitset_get(&cells, cell_set_cells(p, access->cells)[0]) || value_is_fresh(access->stored)) continue;
    if (!term_is_constant(p->terms, access->stored)) continue;
    Bits stored = term_constant_value(p->terms, access->stored);
    if (stored > 0 && stored <= p->cuts.count) r->supposed = (CutId)(stored - 1);
  }
  bitset_free(&cells);
}

static void open_races(Races *r, Program *view, const Program *whole) {
  *r = (Races){.view = view, .whole = whole};
  r->edge_of = memory_allocate(view->account, whole->steps.count * sizeof(EdgeId));
  for (EdgeId e = 0; e < whole->edges.count; e++) r->edge_of[whole->edges.data[e].first_step] = e;
  lock_facts(whole, &r->locks, view->account);
  RaceAccessVector_init(&r->accesses, view->account);
  map_init(&r->seen, view->account);
  map_init(&r->meets, view->account);
  Position nowhere = {0};
  r->doubt = program_add_cut(view, CUT_CONSTRUCT, "a race with an access that may not happen", nowhere);
  r->too_large = program_add_cut(view, CUT_CONSTRUCT, "a race with an atomic section that is too large", nowhere);
  find_supposed(r);
  r->first = program_add_variable(view, 0, view->pointer_width, "raced", true);
  joint_edges_begin(view, whole);
}

static void close_races(Races *r) {
  Account *account = r->view->account;
  map_free(&r->meets);
  map_free(&r->seen);
  RaceAccessVector_free(&r->accesses);
  lock_facts_free(&r->locks);
  memory_free(account, r->edge_of, r->whole->steps.count * sizeof(EdgeId));
}

void joint_edges_add_races(Program *view, const Program *whole) {
  Races r;
  open_races(&r, view, whole);
  size_t edges = view->edges.count;
  for (EdgeId e = 0; e < edges; e++) list_edge(&r, e);
  bool few = r.accesses.count <= MOST_ACCESSES;
  for (size_t i = 0; i < r.accesses.count && few; i++)
    for (size_t k = 0; k < i && few; k++) {
      RaceAccess a = r.accesses.data[k], b = r.accesses.data[i];
      add_pair(&r, &a, &b);
      few = view->joints.count <= MOST_RACE_EDGES;
    }
  if (!few) view->joints_missing = "too many pairs of accesses that may race";
  close_races(&r);
}
