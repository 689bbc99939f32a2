// The points-to solver: rounds over all steps until nothing changes. A step is evaluated again only if a variable it
// reads, or the content of an object it loads from, has changed since.
#include "program/points_to/points_to.h"

#include "base/sorted.h"
#include "program/passes/rewrite.h"

enum { STRIDED_ENTRIES = 8 };

// Pointers stored at one place (or one family of places) of an object.
typedef struct Entry {
  int64_t offset;
  uint64_t stride;
  uint64_t bytes;
  SetId set;
  uint32_t changed; // when it last grew
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
  SetTable table;
  PointsToEvaluator evaluator;
  SetId *variables;           // per variable
  SetId *targets, *sources;   // per step
  Content *contents;          // per object
  uint32_t *variable_changed; // per variable
  uint32_t *evaluated;        // per step; 0: never
  uint32_t clock;
  StepUses uses;
  Account *account;
} Solver;

// --- memory content ---

SORTED_FIND(find_entry, Entry, .offset, int64_t);

// A longer entry is met by more windows than before.
static void widen_entry(Solver *solver, Content *content, Entry *entry, uint64_t bytes) {
  if (entry->bytes >= bytes) return;
  entry->bytes = bytes;
  if (entry->set != SET_EMPTY) entry->changed = content->changed = ++solver->clock;
}

static Entry *exact_entry(Solver *solver, Content *content, int64_t offset, uint64_t bytes) {
  size_t at = find_entry(content->exact.data, content->exact.count, offset);
  if (bytes > content->longest) content->longest = bytes;
  if (at < content->exact.count && content->exact.data[at].offset == offset) {
    widen_entry(solver, content, &content->exact.data[at], bytes);
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
    bool joint = content->strided.count == 1 && entry->stride == 1; // it covers all entries
    if (!joint && (entry->offset != offset || entry->stride != stride)) continue;
    widen_entry(solver, content, entry, bytes);
    return entry;
  }
  if (content->strided.count < STRIDED_ENTRIES)
    return EntryVector_push(&content->strided, (Entry){.offset = offset, .stride = stride, .bytes = bytes});
  Entry joint = {.stride = 1, .bytes = bytes};
  for (size_t i = 0; i < content->strided.count; i++)
    joint.set = set_union(&solver->table, joint.set, content->strided.data[i].set);
  joint.changed = content->changed = ++solver->clock;
  content->strided.count = 0;
  return EntryVector_push(&content->strided, joint);
}

static void add_content(Solver *solver, ObjectId object, int64_t offset, uint64_t stride, uint64_t bytes, SetId set) {
  assert(object < solver->program->objects.count);
  Content *content = &solver->contents[object];
  uint64_t size = solver->program->objects.data[object].size;
  if (set == SET_EMPTY || size == 0) return;
  if (stride > 0 && stride <= INT64_MAX) {
    offset %= (int64_t)stride;
    if (offset < 0) offset += (int64_t)stride;
  }
  if (stride > size) stride = 0; // at most one place inside
  if (stride == 0 && (offset < 0 || (uint64_t)offset >= size)) return;
  Entry *entry =
      stride == 0 ? exact_entry(solver, content, offset, bytes) : strided_entry(solver, content, offset, stride, bytes);
  SetId grown = set_union(&solver->table, entry->set, set);
  if (grown == entry->set) return;
  entry->set = grown;
  entry->changed = content->changed = ++solver->clock;
}

typedef struct Window {
  ObjectId object;
  int64_t offset;
  uint64_t stride, bytes;
  uint32_t since; // only entries that have changed since then count
} Window;

// Calls `visit` for each entry that overlaps the window and has changed.
static void each_entry(Solver *solver, const Window *window, void (*visit)(Solver *, const Entry *, void *),
                       void *context) {
  Content *content = &solver->contents[window->object];
  assert(window->object < solver->program->objects.count);
  if (content->changed <= window->since) return;
  size_t from = 0, to = content->exact.count;
  if (window->stride == 0) {
    from = find_entry(content->exact.data, content->exact.count, window->offset - (int64_t)content->longest + 1);
    to = find_entry(content->exact.data, content->exact.count, window->offset + (int64_t)window->bytes);
  }
  for (size_t i = from; i < to && i < content->exact.count; i++) {
    Entry entry = content->exact.data[i];
    if (entry.changed <= window->since) continue;
    if (places_overlap(window->offset, window->stride, window->bytes, entry.offset, 0, entry.bytes))
      visit(solver, &entry, context);
  }
  for (size_t i = 0; i < content->strided.count; i++) {
    Entry entry = content->strided.data[i];
    if (entry.changed <= window->since) continue;
    if (places_overlap(window->offset, window->stride, window->bytes, entry.offset, entry.stride, entry.bytes))
      visit(solver, &entry, context);
  }
}

static void load_entry(Solver *solver, const Entry *entry, void *context) {
  SetId *found = context;
  *found = set_union(&solver->table, *found, entry->set);
}

static SetId load_content(Solver *solver, SetId targets, uint64_t bytes, uint32_t since) {
  SetId found = SET_EMPTY;
  for (uint32_t i = 0; i < set_items(&solver->table, targets)->count; i++) {
    PointsToItem item = set_items(&solver->table, targets)->items[i];
    Window window = {item.object, item.offset, item.stride, bytes, since};
    each_entry(solver, &window, load_entry, &found);
  }
  return bytes * 8 < solver->program->pointer_width ? set_parts(&solver->table, found) : found;
}

// Pointers that stand in the initial bytes of an object, at any byte: a packed struct need not align them.
static void load_relocations(Solver *solver, ObjectId id) {
  const Program *p = solver->program;
  const Object *object = &p->objects.data[id];
  unsigned bytes = p->pointer_width / 8;
  if (!object->initial || object->indeterminate) return;
  for (uint64_t at = 0; at + bytes <= object->size; at++) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) value |= (uint64_t)object->initial[at + i] << 8 * i;
    ObjectId target = value ? program_object_at(p, value) : NO_ID;
    if (target == NO_ID) continue;
    PointsToItem item = {.object = target, .offset = (int64_t)(value - p->objects.data[target].address)};
    add_content(solver, id, (int64_t)at, 0, bytes, set_single(&solver->table, item));
  }
}

// --- steps ---

static void add_to_variable(Solver *solver, VariableId variable, SetId set) {
  SetId grown = set_union(&solver->table, solver->variables[variable], set);
  if (grown == solver->variables[variable]) return;
  solver->variables[variable] = grown;
  solver->variable_changed[variable] = ++solver->clock;
}

static SetId evaluate(Solver *solver, Term t) {
  solver->evaluator.visits = 0;
  return points_to_evaluate(&solver->evaluator, t);
}

typedef struct CopyContext {
  PointsToItem from, to;
  uint64_t length;
} CopyContext;

static void copy_entry(Solver *solver, const Entry *entry, void *context) {
  const CopyContext *copy = context;
  const PointsToItem *from = &copy->from, *to = &copy->to;
  uint64_t stride = greatest_common_divisor(greatest_common_divisor(from->stride, to->stride), entry->stride);
  int64_t offset = to->offset + (entry->offset - from->offset);
  bool exact = from->stride == 0 && entry->stride == 0;
  bool whole =
      entry->offset >= from->offset && entry->offset + (int64_t)entry->bytes <= from->offset + (int64_t)copy->length;
  if (!exact || whole) {
    add_content(solver, to->object, offset, stride, entry->bytes, entry->set);
  } else { // only a part of this pointer is copied: it may be mixed with what is there
    add_content(solver, to->object, offset < 0 ? 0 : offset, stride, entry->bytes,
                set_anywhere(&solver->table, entry->set));
  }
}

static void evaluate_copy(Solver *solver, SetId to, SetId from, uint64_t length, uint32_t since) {
  for (uint32_t i = 0; i < set_items(&solver->table, from)->count; i++) {
    for (uint32_t j = 0; j < set_items(&solver->table, to)->count; j++) {
      CopyContext copy = {set_items(&solver->table, from)->items[i], set_items(&solver->table, to)->items[j], length};
      Window window = {copy.from.object, copy.from.offset, copy.from.stride, length, since};
      each_entry(solver, &window, copy_entry, &copy);
    }
  }
}

// Targets only grow: so does what an address evaluates to, except for sets that were widened in another order. If the
// targets grow, all entries count, not only those that have changed since the step was last evaluated: `*since` becomes
// 0.
static SetId grow(Solver *solver, SetId *set, Term t, uint32_t *since) {
  SetId grown = set_union(&solver->table, *set, evaluate(solver, t));
  if (grown != *set) *since = 0;
  *set = grown;
  return grown;
}

static void evaluate_block(Solver *solver, StepId id, const BlockOperation *block, StepKind kind, uint32_t since) {
  SetId to = grow(solver, &solver->targets[id], block->destination, &since);
  if (kind != STEP_COPY) return;
  SetId from = grow(solver, &solver->sources[id], block->source, &since);
  evaluate_copy(solver, to, from, block->length, since);
}

static void evaluate_access(Solver *solver, StepId id, const Access *access, uint32_t since) {
  SetId targets = grow(solver, &solver->targets[id], access->address, &since);
  if (access->reads) add_to_variable(solver, access->into, load_content(solver, targets, access->bytes, since));
  if (!access->writes || value_is_fresh(access->stored)) return;
  SetId stored = evaluate(solver, access->stored);
  for (uint32_t i = 0; stored != SET_EMPTY && i < set_items(&solver->table, targets)->count; i++) {
    PointsToItem item = set_items(&solver->table, targets)->items[i];
    add_content(solver, item.object, item.offset, item.stride, access->bytes, stored);
  }
}

static void evaluate_step(Solver *solver, StepId id) {
  const Step *step = &solver->program->steps.data[id];
  uint32_t since = solver->evaluated[id];
  solver->evaluated[id] = ++solver->clock;
  if (step->block) evaluate_block(solver, id, step->block, step->kind, since);
  if (step->access.address != TERM_NONE) evaluate_access(solver, id, &step->access, since);
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (!value_is_fresh(step->assignments[i].value))
      add_to_variable(solver, step->assignments[i].variable, evaluate(solver, step->assignments[i].value));
}

static bool content_changed(const Solver *solver, SetId set, uint32_t since) {
  const PointsToSet *objects = set_items(&solver->table, set);
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
  if (step->block && step->kind == STEP_COPY) return content_changed(solver, solver->sources[id], since);
  return step->access.reads && content_changed(solver, solver->targets[id], since);
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

static void init_solver(Solver *solver, const Program *p, PointsTo *result, Account *account) {
  *solver = (Solver){.program = p, .result = result, .account = account};
  set_table_init(&solver->table, p, &result->arena, account);
  solver->variables = memory_allocate_zeroed(account, p->variables.count * sizeof *solver->variables);
  solver->targets = memory_allocate_zeroed(account, p->steps.count * sizeof *solver->targets);
  solver->sources = memory_allocate_zeroed(account, p->steps.count * sizeof *solver->sources);
  solver->evaluator = (PointsToEvaluator){.program = p, .variables = solver->variables, .table = &solver->table};
  solver->contents = memory_allocate_zeroed(account, p->objects.count * sizeof *solver->contents);
  for (size_t o = 0; o < p->objects.count; o++) {
    EntryVector_init(&solver->contents[o].exact, account);
    EntryVector_init(&solver->contents[o].strided, account);
  }
  solver->variable_changed = memory_allocate_zeroed(account, p->variables.count * sizeof *solver->variable_changed);
  solver->evaluated = memory_allocate_zeroed(account, p->steps.count * sizeof *solver->evaluated);
  step_uses_init(&solver->uses, p, account);
}

static void free_solver(Solver *solver) {
  const Program *p = solver->program;
  Account *account = solver->account;
  for (size_t o = 0; o < p->objects.count; o++) {
    EntryVector_free(&solver->contents[o].exact);
    EntryVector_free(&solver->contents[o].strided);
  }
  memory_free(account, solver->contents, p->objects.count * sizeof *solver->contents);
  memory_free(account, solver->variables, p->variables.count * sizeof *solver->variables);
  memory_free(account, solver->targets, p->steps.count * sizeof *solver->targets);
  memory_free(account, solver->sources, p->steps.count * sizeof *solver->sources);
  memory_free(account, solver->variable_changed, p->variables.count * sizeof *solver->variable_changed);
  memory_free(account, solver->evaluated, p->steps.count * sizeof *solver->evaluated);
  step_uses_free(&solver->uses);
  set_table_free(&solver->table);
}

// --- functions in reach ---

static bool set_leads_to_function(const Solver *solver, SetId set) {
  const PointsToSet *items = set_items(&solver->table, set);
  for (uint32_t i = 0; i < items->count; i++)
    if (solver->result->leads_to_function[items->items[i].object]) return true;
  return false;
}

static bool content_leads_to_function(const Solver *solver, const Content *content) {
  for (size_t i = 0; i < content->exact.count; i++)
    if (set_leads_to_function(solver, content->exact.data[i].set)) return true;
  for (size_t i = 0; i < content->strided.count; i++)
    if (set_leads_to_function(solver, content->strided.data[i].set)) return true;
  return false;
}

// Control blocks of threads belong to the model: a function of the program cannot reach what they hold.
static void find_functions(Solver *solver) {
  const Program *p = solver->program;
  bool *leads = solver->result->leads_to_function;
  for (size_t o = 0; o < p->objects.count; o++) leads[o] = p->objects.data[o].storage == STORAGE_FUNCTION;
  bool again = true;
  while (again) {
    again = false;
    for (size_t o = 0; o < p->objects.count; o++) {
      if (leads[o] || p->objects.data[o].storage == STORAGE_CONTROL) continue;
      leads[o] = content_leads_to_function(solver, &solver->contents[o]);
      again |= leads[o];
    }
  }
}

void points_to(const Program *p, PointsTo *result, Account *account) {
  *result = (PointsTo){.step_count = p->steps.count, .variable_count = p->variables.count, .account = account};
  result->object_count = p->objects.count;
  result->leads_to_function = memory_allocate_zeroed(account, p->objects.count * sizeof *result->leads_to_function);
  arena_init(&result->arena, account);
  result->targets = memory_allocate_zeroed(account, p->steps.count * sizeof *result->targets);
  result->sources = memory_allocate_zeroed(account, p->steps.count * sizeof *result->sources);
  result->variables = memory_allocate_zeroed(account, p->variables.count * sizeof *result->variables);
  Solver solver;
  init_solver(&solver, p, result, account);
  solve(&solver);
  find_functions(&solver);
  for (size_t s = 0; s < p->steps.count; s++) {
    result->targets[s] = *set_items(&solver.table, solver.targets[s]);
    result->sources[s] = *set_items(&solver.table, solver.sources[s]);
  }
  for (size_t v = 0; v < p->variables.count; v++) result->variables[v] = *set_items(&solver.table, solver.variables[v]);
  free_solver(&solver);
}

void points_to_free(PointsTo *result) {
  memory_free(result->account, result->targets, result->step_count * sizeof *result->targets);
  memory_free(result->account, result->sources, result->step_count * sizeof *result->sources);
  memory_free(result->account, result->variables, result->variable_count * sizeof *result->variables);
  memory_free(result->account, result->leads_to_function, result->object_count * sizeof *result->leads_to_function);
  arena_free(&result->arena);
}
