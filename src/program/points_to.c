// The points-to solver: rounds over all steps until nothing changes. A step is evaluated again only if a variable it
// reads, or the content of an object it loads from, has changed since.
#include "program/points_to.h"

#include "program/rewrite.h"

enum { STRIDED_ENTRIES = 8 };

// Pointers stored at one place (or one family of places) of an object.
typedef struct Entry {
  int64_t offset;
  uint64_t stride;
  uint64_t bytes;
  PointsToSet set;
} Entry;
VECTOR(EntryVector, Entry);

typedef struct Content {
  EntryVector exact;   // stride 0, ordered by offset
  EntryVector strided; // at most STRIDED_ENTRIES
  uint64_t longest;    // largest `bytes` of an exact entry
  uint32_t changed;    // when it last grew
} Content;

typedef struct Solver {
  const Program *program;
  PointsTo *result;
  PointsToEvaluator evaluator;
  Arena scratch;
  Content *contents;          // per object
  uint32_t *variable_changed; // per variable
  uint32_t *evaluated;        // per step; 0: never
  uint32_t clock;
  StepUses uses;
  Account *account;
} Solver;

// --- memory content ---

static size_t find_entry(const EntryVector *entries, int64_t offset) {
  size_t low = 0, high = entries->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (entries->data[middle].offset < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

static Entry *exact_entry(Content *content, int64_t offset, uint64_t bytes) {
  size_t at = find_entry(&content->exact, offset);
  if (bytes > content->longest) content->longest = bytes;
  if (at < content->exact.count && content->exact.data[at].offset == offset) {
    if (content->exact.data[at].bytes < bytes) content->exact.data[at].bytes = bytes;
    return &content->exact.data[at];
  }
  EntryVector_push(&content->exact, (Entry){0});
  memmove(content->exact.data + at + 1, content->exact.data + at,
          (content->exact.count - 1 - at) * sizeof *content->exact.data);
  content->exact.data[at] = (Entry){.offset = offset, .bytes = bytes};
  return &content->exact.data[at];
}

static Entry *strided_entry(Solver *solver, Content *content, int64_t offset, uint64_t stride, uint64_t bytes) {
  for (size_t i = 0; i < content->strided.count; i++) {
    Entry *entry = &content->strided.data[i];
    bool joint = content->strided.count == 1 && entry->stride == 1; // the one that took all the others in
    if (!joint && (entry->offset != offset || entry->stride != stride)) continue;
    if (entry->bytes < bytes) entry->bytes = bytes;
    return entry;
  }
  if (content->strided.count < STRIDED_ENTRIES)
    return EntryVector_push(&content->strided, (Entry){.offset = offset, .stride = stride, .bytes = bytes});
  Entry joint = {.stride = 1, .bytes = bytes};
  for (size_t i = 0; i < content->strided.count; i++)
    points_to_union(&solver->result->arena, &joint.set, &content->strided.data[i].set);
  content->changed = ++solver->clock;
  content->strided.count = 0;
  return EntryVector_push(&content->strided, joint);
}

static void add_content(Solver *solver, ObjectId object, int64_t offset, uint64_t stride, uint64_t bytes,
                        const PointsToSet *set) {
  Content *content = &solver->contents[object];
  uint64_t size = solver->program->objects.data[object].size;
  if (set->count == 0 || size == 0) return;
  if (stride > 0 && stride <= INT64_MAX) {
    offset %= (int64_t)stride;
    if (offset < 0) offset += (int64_t)stride;
  }
  if (stride > size) stride = 0; // at most one place inside
  if (stride == 0 && (offset < 0 || (uint64_t)offset >= size)) return;
  Entry *entry =
      stride == 0 ? exact_entry(content, offset, bytes) : strided_entry(solver, content, offset, stride, bytes);
  if (points_to_union(&solver->result->arena, &entry->set, set)) content->changed = ++solver->clock;
}

// Several possible parts of pointers to one object may be mixed: then they point anywhere in it.
static void add_parts(Solver *solver, PointsToSet *out, const PointsToSet *set) {
  for (uint32_t i = 0; i < set->count; i++) {
    PointsToItem item = set->items[i];
    bool several = (i > 0 && set->items[i - 1].object == item.object) ||
                   (i + 1 < set->count && set->items[i + 1].object == item.object);
    if (several) item = (PointsToItem){.object = item.object, .stride = 1};
    points_to_insert(&solver->scratch, out, item);
  }
}

typedef struct Window {
  ObjectId object;
  int64_t offset;
  uint64_t stride, bytes;
} Window;

// Calls `visit` for each entry that overlaps the window.
static void each_entry(Solver *solver, const Window *window, void (*visit)(Solver *, const Entry *, void *),
                       void *context) {
  Content *content = &solver->contents[window->object];
  size_t from = 0, to = content->exact.count;
  if (window->stride == 0) {
    from = find_entry(&content->exact, window->offset - (int64_t)content->longest + 1);
    to = find_entry(&content->exact, window->offset + (int64_t)window->bytes);
  }
  for (size_t i = from; i < to && i < content->exact.count; i++) {
    Entry entry = content->exact.data[i];
    if (places_overlap(window->offset, window->stride, window->bytes, entry.offset, 0, entry.bytes))
      visit(solver, &entry, context);
  }
  for (size_t i = 0; i < content->strided.count; i++) {
    Entry entry = content->strided.data[i];
    if (places_overlap(window->offset, window->stride, window->bytes, entry.offset, entry.stride, entry.bytes))
      visit(solver, &entry, context);
  }
}

typedef struct LoadContext {
  PointsToSet found;
  const PointsToItem *last; // the set added last: lists of like nodes have like content
  uint32_t last_count;
} LoadContext;

static void load_entry(Solver *solver, const Entry *entry, void *context) {
  LoadContext *load = context;
  if (load->last && load->last_count == entry->set.count &&
      memcmp(load->last, entry->set.items, entry->set.count * sizeof *entry->set.items) == 0)
    return;
  points_to_union(&solver->scratch, &load->found, &entry->set);
  load->last = entry->set.items;
  load->last_count = entry->set.count;
}

static void load_content(Solver *solver, const PointsToSet *targets, uint64_t bytes, PointsToSet *out) {
  LoadContext load = {0};
  for (uint32_t i = 0; i < targets->count; i++) {
    const PointsToItem *item = &targets->items[i];
    Window window = {item->object, item->offset, item->stride, bytes};
    each_entry(solver, &window, load_entry, &load);
  }
  if (bytes * 8 < solver->program->pointer_width) add_parts(solver, out, &load.found);
  else points_to_union(&solver->scratch, out, &load.found);
}

// Pointers that stand in the initial bytes of an object.
static void load_relocations(Solver *solver, ObjectId id) {
  const Program *p = solver->program;
  const Object *object = &p->objects.data[id];
  unsigned bytes = p->pointer_width / 8;
  if (!object->initial || object->indeterminate) return;
  for (uint64_t at = 0; at + bytes <= object->size; at += bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) value |= (uint64_t)object->initial[at + i] << 8 * i;
    ObjectId target = value ? program_object_at(p, value) : NO_ID;
    if (target == NO_ID) continue;
    PointsToItem item = {.object = target, .offset = (int64_t)(value - p->objects.data[target].address)};
    PointsToSet set = {.items = &item, .count = 1, .capacity = 1};
    add_content(solver, id, (int64_t)at, 0, bytes, &set);
  }
}

// --- steps ---

static void add_to_variable(Solver *solver, VariableId variable, const PointsToSet *set) {
  if (points_to_union(&solver->result->arena, &solver->result->variables[variable], set))
    solver->variable_changed[variable] = ++solver->clock;
}

static PointsToSet evaluate(Solver *solver, Term t) {
  PointsToSet set = {0};
  solver->evaluator.visits = 0;
  points_to_evaluate(&solver->evaluator, t, &set);
  return set;
}

typedef struct CopyContext {
  const PointsToItem *from, *to;
  uint64_t length;
} CopyContext;

static void copy_entry(Solver *solver, const Entry *entry, void *context) {
  const CopyContext *copy = context;
  uint64_t stride = greatest_common_divisor(greatest_common_divisor(copy->from->stride, copy->to->stride), entry->stride);
  int64_t offset = copy->to->offset + (entry->offset - copy->from->offset);
  if (copy->from->stride == 0 && entry->stride == 0 &&
      (entry->offset < copy->from->offset || entry->offset + (int64_t)entry->bytes >
                                                 copy->from->offset + (int64_t)copy->length)) {
    // Only a part of this pointer is copied: it may be mixed with what is there.
    PointsToSet parts = {0};
    for (uint32_t i = 0; i < entry->set.count; i++)
      points_to_insert(&solver->scratch, &parts, (PointsToItem){.object = entry->set.items[i].object, .stride = 1});
    add_content(solver, copy->to->object, offset < 0 ? 0 : offset, stride, entry->bytes, &parts);
    return;
  }
  PointsToSet set = entry->set; // the vector of entries may move while content is added
  add_content(solver, copy->to->object, offset, stride, entry->bytes, &set);
}

static void evaluate_copy(Solver *solver, const PointsToSet *to, const PointsToSet *from, uint64_t length) {
  for (uint32_t i = 0; i < from->count; i++) {
    for (uint32_t j = 0; j < to->count; j++) {
      CopyContext copy = {&from->items[i], &to->items[j], length};
      Window window = {from->items[i].object, from->items[i].offset, from->items[i].stride, length};
      each_entry(solver, &window, copy_entry, &copy);
    }
  }
}

static void evaluate_block(Solver *solver, StepId id, const BlockOperation *block, StepKind kind) {
  PointsToSet to = evaluate(solver, block->destination);
  points_to_union(&solver->result->arena, &solver->result->targets[id], &to);
  if (kind != STEP_COPY) return;
  PointsToSet from = evaluate(solver, block->source);
  points_to_union(&solver->result->arena, &solver->result->sources[id], &from);
  evaluate_copy(solver, &solver->result->targets[id], &solver->result->sources[id], block->length);
}

static void evaluate_access(Solver *solver, StepId id, const Access *access) {
  PointsToSet targets = evaluate(solver, access->address);
  points_to_union(&solver->result->arena, &solver->result->targets[id], &targets);
  const PointsToSet *all = &solver->result->targets[id];
  if (access->reads) {
    PointsToSet loaded = {0};
    load_content(solver, all, access->bytes, &loaded);
    add_to_variable(solver, access->into, &loaded);
  }
  if (!access->writes) return;
  PointsToSet stored = evaluate(solver, access->stored);
  for (uint32_t i = 0; i < all->count && stored.count; i++)
    add_content(solver, all->items[i].object, all->items[i].offset, all->items[i].stride, access->bytes, &stored);
}

static void evaluate_step(Solver *solver, StepId id) {
  const Step *step = &solver->program->steps.data[id];
  solver->evaluated[id] = ++solver->clock;
  ArenaMark mark = arena_mark(&solver->scratch);
  if (step->block) evaluate_block(solver, id, step->block, step->kind);
  if (step->access.address != TERM_NONE) evaluate_access(solver, id, &step->access);
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    if (value_is_fresh(step->assignments[i].value)) continue;
    PointsToSet value = evaluate(solver, step->assignments[i].value);
    add_to_variable(solver, step->assignments[i].variable, &value);
  }
  arena_rollback(&solver->scratch, mark);
}

static bool content_changed(const Solver *solver, const PointsToSet *objects, uint32_t since) {
  for (uint32_t i = 0; i < objects->count; i++)
    if (solver->contents[objects->items[i].object].changed > since) return true;
  return false;
}

static bool must_evaluate(const Solver *solver, StepId id) {
  uint32_t since = solver->evaluated[id];
  if (since == 0) return true;
  const Step *step = &solver->program->steps.data[id];
  const StepUses *uses = &solver->uses;
  uint32_t first = uses->first_group[id], last = first + USES_FIRST_ASSIGNMENT + step->assignment_count;
  for (uint32_t i = uses->group_start.data[first]; i < uses->group_start.data[last]; i++)
    if (solver->variable_changed[uses->variables.data[i]] > since) return true;
  if (step->block && step->kind == STEP_COPY) return content_changed(solver, &solver->result->sources[id], since);
  return step->access.reads && content_changed(solver, &solver->result->targets[id], since);
}

static void solve(Solver *solver) {
  const Program *p = solver->program;
  for (size_t o = 0; o < p->objects.count; o++) load_relocations(solver, (ObjectId)o);
  bool again = true;
  while (again) {
    again = false;
    for (size_t s = 0; s < p->steps.count; s++) {
      if (!must_evaluate(solver, (StepId)s)) continue;
      uint32_t before = solver->clock;
      evaluate_step(solver, (StepId)s);
      again |= solver->clock > before + 1;
    }
  }
}

static void free_solver(Solver *solver) {
  const Program *p = solver->program;
  for (size_t o = 0; o < p->objects.count; o++) {
    EntryVector_free(&solver->contents[o].exact);
    EntryVector_free(&solver->contents[o].strided);
  }
  memory_free(solver->account, solver->contents, p->objects.count * sizeof *solver->contents);
  memory_free(solver->account, solver->variable_changed, p->variables.count * sizeof *solver->variable_changed);
  memory_free(solver->account, solver->evaluated, p->steps.count * sizeof *solver->evaluated);
  step_uses_free(&solver->uses);
  arena_free(&solver->scratch);
}

void points_to(const Program *p, PointsTo *result, Account *account) {
  *result = (PointsTo){.step_count = p->steps.count, .variable_count = p->variables.count, .account = account};
  arena_init(&result->arena, account);
  result->targets = memory_allocate_zeroed(account, p->steps.count * sizeof *result->targets);
  result->sources = memory_allocate_zeroed(account, p->steps.count * sizeof *result->sources);
  result->variables = memory_allocate_zeroed(account, p->variables.count * sizeof *result->variables);
  Solver solver = {.program = p, .result = result, .account = account};
  arena_init(&solver.scratch, account);
  solver.evaluator = (PointsToEvaluator){.program = p, .variables = result->variables, .scratch = &solver.scratch};
  solver.contents = memory_allocate_zeroed(account, p->objects.count * sizeof *solver.contents);
  for (size_t o = 0; o < p->objects.count; o++) {
    EntryVector_init(&solver.contents[o].exact, account);
    EntryVector_init(&solver.contents[o].strided, account);
  }
  solver.variable_changed = memory_allocate_zeroed(account, p->variables.count * sizeof *solver.variable_changed);
  solver.evaluated = memory_allocate_zeroed(account, p->steps.count * sizeof *solver.evaluated);
  step_uses_init(&solver.uses, p, account);
  solve(&solver);
  free_solver(&solver);
}

void points_to_free(PointsTo *result) {
  memory_free(result->account, result->targets, result->step_count * sizeof *result->targets);
  memory_free(result->account, result->sources, result->step_count * sizeof *result->sources);
  memory_free(result->account, result->variables, result->variable_count * sizeof *result->variables);
  arena_free(&result->arena);
}
