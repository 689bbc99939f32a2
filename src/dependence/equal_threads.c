#include "dependence/equal_threads.h"

#include "dependence/equal_steps.h"
#include "dependence/owner_cells.h"

// --- lists ---

static void lists_init(ThreadLists *lists, size_t threads, size_t count, Account *account) {
  lists->count = count;
  lists->start = memory_allocate_zeroed(account, (threads + 1) * sizeof(uint32_t));
  lists->ids = memory_allocate_zeroed(account, count * sizeof(uint32_t));
  lists->rank = memory_allocate_zeroed(account, count * sizeof(uint32_t));
}

static void lists_free(ThreadLists *lists, size_t threads, Account *account) {
  memory_free(account, lists->start, (threads + 1) * sizeof(uint32_t));
  memory_free(account, lists->ids, lists->count * sizeof(uint32_t));
  memory_free(account, lists->rank, lists->count * sizeof(uint32_t));
}

static ThreadId thread_of_location(const Program *p, uint32_t id) { return p->locations.data[id].thread; }
static ThreadId thread_of_edge(const Program *p, uint32_t id) { return thread_of_location(p, p->edges.data[id].from); }
static ThreadId thread_of_variable(const Program *p, uint32_t id) { return p->variables.data[id].thread; }

static void lists_fill(ThreadLists *lists, const Program *p, ThreadId (*thread_of)(const Program *p, uint32_t id)) {
  uint32_t counts[MOST_MASKED_THREADS] = {0};
  size_t threads = p->threads.count;
  for (uint32_t id = 0; id < lists->count; id++) lists->rank[id] = counts[thread_of(p, id)]++;
  for (ThreadId t = 0; t < threads; t++) lists->start[t + 1] = lists->start[t] + counts[t];
  for (uint32_t id = 0; id < lists->count; id++) lists->ids[lists->start[thread_of(p, id)] + lists->rank[id]] = id;
}

// --- workers ---

// Is this a write of a thread to its own `status` or `ended` that does not just say that it has finished?
static bool unlike_an_end(const Program *p, const Step *step, const Object *control, CellId cell) {
  uint64_t field = p->cells.data[cell].address - control->address;
  if (!step->access.writes || (field != CONTROL_STATUS && field != CONTROL_ENDED)) return false;
  Term stored = step->access.stored;
  uint64_t wanted = field == CONTROL_STATUS ? THREAD_FINISHED : 1;
  return value_is_fresh(stored) || !term_is_constant(p->terms, stored) ||
         term_constant_value(p->terms, stored) != wanted;
}

static ThreadMask bit_of_owner(const Object *object) { return object->owner == NO_ID ? 0 : thread_bit(object->owner); }

// The threads that are no workers because of this step of thread `t`.
static ThreadMask spoiled_by(const Program *p, ThreadId t, const Step *step) {
  ThreadMask spoiled = step->kind == STEP_CREATE ? thread_bit(t) : 0;
  if (step->kind == STEP_ALLOCATE || step->kind == STEP_END) {
    const Object *object = &p->objects.data[step->target];
    if (object->owner != t) spoiled |= bit_of_owner(object);
  }
  if (step->access.address == TERM_NONE) return spoiled;
  uint32_t count;
  const CellId *cells = access_cells(p, &step->access, &count);
  for (uint32_t i = 0; i < count; i++) {
    const Object *object = &p->objects.data[p->cells.data[cells[i]].object];
    bool foreign = object->owner != t && !(t == 0 && object->storage == STORAGE_CONTROL);
    if (foreign) spoiled |= bit_of_owner(object);
    bool own_control = object->owner == t && object->storage == STORAGE_CONTROL;
    if (own_control && unlike_an_end(p, step, object, cells[i])) spoiled |= thread_bit(t);
  }
  return spoiled;
}

static void find_workers(EqualThreads *equal) {
  const Program *p = equal->program;
  for (ThreadId t = 1; t < p->threads.count; t++)
    if (p->threads.data[t].parent == 0) equal->workers |= thread_bit(t);
  for (EdgeId e = 0; e < equal->edges.count; e++) {
    uint32_t count;
    const Step *steps = edge_steps(p, e, &count);
    for (uint32_t i = 0; i < count; i++) equal->workers &= ~spoiled_by(p, thread_of_edge(p, e), &steps[i]);
  }
}

// --- equality ---

static bool locations_equal(const EqualThreads *equal, ThreadId a, ThreadId b) {
  const Program *p = equal->program;
  const ThreadLists *lists = &equal->locations;
  if (thread_list_count(lists, a) != thread_list_count(lists, b)) return false;
  for (uint32_t i = 0; i < thread_list_count(lists, a); i++) {
    const Location *x = &p->locations.data[thread_list_at(lists, a, i)];
    const Location *y = &p->locations.data[thread_list_at(lists, b, i)];
    if (x->atomic != y->atomic || x->final != y->final || x->observed != y->observed || x->out_count != y->out_count)
      return false;
  }
  return lists->rank[p->threads.data[a].entry] == lists->rank[p->threads.data[b].entry];
}

static bool variables_equal(const EqualThreads *equal, ThreadId a, ThreadId b) {
  const Program *p = equal->program;
  const ThreadLists *lists = &equal->variables;
  if (thread_list_count(lists, a) != thread_list_count(lists, b)) return false;
  for (uint32_t i = 0; i < thread_list_count(lists, a); i++) {
    const Variable *x = &p->variables.data[thread_list_at(lists, a, i)];
    const Variable *y = &p->variables.data[thread_list_at(lists, b, i)];
    if (term_sort(p->terms, x->term) != term_sort(p->terms, y->term)) return false;
  }
  return true;
}

static bool step_rows_equal(StepComparison *comparison, EdgeId x, EdgeId y) {
  const Program *p = comparison->equal->program;
  uint32_t count, other_count;
  const Step *steps = edge_steps(p, x, &count), *others = edge_steps(p, y, &other_count);
  bool same = count == other_count;
  for (uint32_t i = 0; same && i < count; i++) same = steps_equal(comparison, &steps[i], &others[i]);
  return same;
}

static bool edges_equal(const EqualThreads *equal, ThreadId a, ThreadId b) {
  const Program *p = equal->program;
  const ThreadLists *lists = &equal->edges;
  if (thread_list_count(lists, a) != thread_list_count(lists, b)) return false;
  StepComparison comparison;
  step_comparison_init(&comparison, equal, a, b);
  bool same = true;
  for (uint32_t i = 0; same && i < thread_list_count(lists, a); i++) {
    EdgeId x = thread_list_at(lists, a, i), y = thread_list_at(lists, b, i);
    const Edge *one = &p->edges.data[x], *other = &p->edges.data[y];
    const uint32_t *rank = equal->locations.rank;
    same = rank[one->from] == rank[other->from] && rank[one->to] == rank[other->to] && one->back == other->back &&
           step_rows_equal(&comparison, x, y);
  }
  step_comparison_free(&comparison);
  return same;
}

static void find_equal(EqualThreads *equal) {
  const Program *p = equal->program;
  for (ThreadId t = 0; t < p->threads.count; t++) {
    equal->like[t] = NO_ID;
    if (!(equal->workers & thread_bit(t))) continue;
    equal->like[t] = t;
    for (ThreadId other = 1; other < t && equal->like[t] == t; other++) {
      bool first = equal->like[other] == other && p->threads.data[other].routine == p->threads.data[t].routine;
      if (first && locations_equal(equal, other, t) && variables_equal(equal, other, t) && edges_equal(equal, other, t))
        equal->like[t] = other;
    }
  }
}

void equal_threads_forget(EqualThreads *equal) {
  for (ThreadId t = 0; t < equal->program->threads.count; t++)
    if (equal->like[t] != NO_ID) equal->like[t] = t;
}

bool equal_threads_any(const EqualThreads *equal) {
  for (ThreadId t = 0; t < equal->program->threads.count; t++)
    if (equal->like[t] != NO_ID && equal->like[t] != t) return true;
  return false;
}

CellId equal_cell(const EqualThreads *equal, CellId cell, ThreadId from, ThreadId to) {
  const Program *p = equal->program;
  const Cell *c = &p->cells.data[cell];
  const Object *object = &p->objects.data[c->object];
  if (object->owner != from) return cell;
  // The objects of a thread are added in the order in which its code is lowered.
  uint32_t rank = 0;
  for (ObjectId o = 0; o < c->object; o++) rank += p->objects.data[o].owner == from;
  for (ObjectId o = 0; o < p->objects.count; o++) {
    const Object *other = &p->objects.data[o];
    if (other->owner != to || rank-- != 0) continue;
    bool alike = other->storage == object->storage && other->size == object->size &&
                 other->cell_count == object->cell_count && other->dynamic == object->dynamic &&
                 other->sized == object->sized && !other->beyond && !object->beyond;
    CellId there = other->first_cell + (cell - object->first_cell);
    if (!alike || p->cells.data[there].bytes != c->bytes || p->cells.data[there].initial != c->initial ||
        p->cells.data[there].address - other->address != c->address - object->address)
      return NO_ID;
    return there;
  }
  return NO_ID;
}

void equal_threads_init(EqualThreads *equal, const Program *p, const LiveVariables *live, Account *account) {
  assert(p->threads.count <= MOST_MASKED_THREADS);
  *equal = (EqualThreads){.program = p, .owners = {.account = account}, .account = account};
  size_t threads = p->threads.count;
  lists_init(&equal->locations, threads, p->locations.count, account);
  lists_init(&equal->edges, threads, p->edges.count - p->joints.count, account);
  lists_init(&equal->variables, threads, p->variables.count, account);
  lists_fill(&equal->locations, p, thread_of_location);
  lists_fill(&equal->edges, p, thread_of_edge);
  lists_fill(&equal->variables, p, thread_of_variable);
  find_workers(equal);
  find_equal(equal);
  if (equal_threads_any(equal) && !owner_cells_find(equal, live)) equal_threads_forget(equal);
}

void equal_threads_free(EqualThreads *equal) {
  size_t threads = equal->program->threads.count;
  lists_free(&equal->locations, threads, equal->account);
  lists_free(&equal->edges, threads, equal->account);
  lists_free(&equal->variables, threads, equal->account);
  U32Vector_free(&equal->owners);
}
