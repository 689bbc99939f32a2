#include "program/program.h"

#include "base/sorted.h"

// Objects start high enough that small integers are not mistaken for addresses, and low enough for 31 bits.
#define FIRST_ADDRESS UINT64_C(0x10000000)
// Gaps are at least as large as the objects beside them (within these limits), so that an address constant into which
// an index offset was folded (`a[i - 3]` is `(a - 12) + 4 * i`) still lies near its own object.
#define SMALLEST_GAP UINT64_C(4096)
#define LARGEST_GAP (UINT64_C(1) << 20)
#define RESERVE (UINT64_C(1) << 26)
#define LARGEST_RESERVED (UINT64_C(1) << 16)

const char *step_kind_name(StepKind kind) {
  static const char *const names[] = {
#define X(name, text) text,
      STEP_KINDS(X)
#undef X
  };
  assert(kind < STEP_KIND_COUNT);
  return names[kind];
}

const char *cut_kind_text(CutKind kind) {
  static const char *const texts[] = {
#define X(name, text) text,
      CUT_KINDS(X)
#undef X
  };
  assert(kind < CUT_KIND_COUNT);
  return texts[kind];
}

const char *assumption_text(Assumption assumption) {
  static const char *const texts[] = {
#define X(name, text) text,
      ASSUMPTIONS(X)
#undef X
  };
  assert(assumption < ASSUMPTION_COUNT);
  return texts[assumption];
}

static void init_vectors(Program *p, Account *account) {
  interner_init(&p->strings, account);
  arena_init(&p->arena, account);
  VariableVector_init(&p->variables, account);
  ObjectVector_init(&p->objects, account);
  CellVector_init(&p->cells, account);
  StepVector_init(&p->steps, account);
  EdgeVector_init(&p->edges, account);
  LocationVector_init(&p->locations, account);
  ThreadVector_init(&p->threads, account);
  CutVector_init(&p->cuts, account);
  InterruptionVector_init(&p->interrupts, account);
  RelianceVector_init(&p->reliances, account);
  U32Vector_init(&p->cell_lists, account);
  U32Vector_init(&p->out_edges, account);
  U32Vector_init(&p->in_edges, account);
  U32Vector_init(&p->variable_of, account);
  U32Vector_init(&p->cell_of, account);
  TermVector_init(&p->observations, account);
  LabelVector_init(&p->labels, account);
  U32Vector_init(&p->supposed, account);
  SettledVector_init(&p->settled, account);
  JointEdgeVector_init(&p->joints, account);
}

static void free_vectors(Program *p) {
  VariableVector_free(&p->variables);
  ObjectVector_free(&p->objects);
  CellVector_free(&p->cells);
  StepVector_free(&p->steps);
  EdgeVector_free(&p->edges);
  LocationVector_free(&p->locations);
  ThreadVector_free(&p->threads);
  CutVector_free(&p->cuts);
  InterruptionVector_free(&p->interrupts);
  RelianceVector_free(&p->reliances);
  U32Vector_free(&p->cell_lists);
  U32Vector_free(&p->out_edges);
  U32Vector_free(&p->in_edges);
  U32Vector_free(&p->variable_of);
  U32Vector_free(&p->cell_of);
  TermVector_free(&p->observations);
  LabelVector_free(&p->labels);
  U32Vector_free(&p->supposed);
  SettledVector_free(&p->settled);
  JointEdgeVector_free(&p->joints);
  arena_free(&p->arena);
  interner_free(&p->strings);
}

Program *program_new(unsigned pointer_width, Account *account) {
  assert(pointer_width == 32 || pointer_width == 64);
  Program *p = memory_allocate_zeroed(account, sizeof *p);
  p->terms = term_store_new(account);
  p->pointer_width = pointer_width;
  p->account = account;
  p->next_address = FIRST_ADDRESS;
  init_vectors(p, account);
  return p;
}

void program_free(Program *p) {
  if (!p) return;
  free_vectors(p);
  term_store_free(p->terms);
  memory_free(p->account, p, sizeof *p);
}

Program *program_view(Program *p) {
  Program *view = memory_allocate(p->account, sizeof *view);
  *view = *p;
  init_vectors(view, p->account);
#define COPY_VECTOR(Type, field)                                                                                       \
  do {                                                                                                                 \
    Type##_resize(&view->field, p->field.count);                                                                       \
    if (p->field.count) memcpy(view->field.data, p->field.data, p->field.count * sizeof *p->field.data);               \
  } while (0)
  COPY_VECTOR(VariableVector, variables);
  COPY_VECTOR(ObjectVector, objects);
  COPY_VECTOR(CellVector, cells);
  COPY_VECTOR(StepVector, steps);
  COPY_VECTOR(EdgeVector, edges);
  COPY_VECTOR(LocationVector, locations);
  COPY_VECTOR(ThreadVector, threads);
  COPY_VECTOR(CutVector, cuts);
  COPY_VECTOR(InterruptionVector, interrupts);
  COPY_VECTOR(RelianceVector, reliances);
  COPY_VECTOR(U32Vector, supposed);
  COPY_VECTOR(SettledVector, settled);
  COPY_VECTOR(JointEdgeVector, joints);
  COPY_VECTOR(U32Vector, cell_lists);
  COPY_VECTOR(U32Vector, out_edges);
  COPY_VECTOR(U32Vector, in_edges);
  COPY_VECTOR(U32Vector, variable_of);
  COPY_VECTOR(U32Vector, cell_of);
  COPY_VECTOR(TermVector, observations);
  COPY_VECTOR(LabelVector, labels);
#undef COPY_VECTOR
  return view;
}

void program_free_view(Program *view) {
  if (!view) return;
  free_vectors(view); // the terms belong to the program
  memory_free(view->account, view, sizeof *view);
}

// --- building ---

ThreadId program_add_thread(Program *p, const char *routine, ThreadId parent, unsigned ordinal, Position created_at) {
  assert((parent == NO_ID) == (p->threads.count == 0));
  Thread thread = {.routine = intern(&p->strings, routine),
                   .parent = parent,
                   .created_at = created_at,
                   .entry = NO_ID,
                   .final = NO_ID,
                   .control = NO_ID};
  if (parent == NO_ID)
    thread.path = intern(&p->strings, "0");
  else
    thread.path = intern_format(&p->strings, "%s.%u", ThreadVector_at(&p->threads, parent)->path, ordinal);
  thread.label = thread.path;
  ThreadVector_push(&p->threads, thread);
  return (ThreadId)(p->threads.count - 1);
}

// Records in `map` that the term variable `term` is number `id` of its kind.
static void bind_term(U32Vector *map, const TermStore *terms, Term term, uint32_t id) {
  assert(id != NO_ID);
  uint32_t index = term_variable_index(terms, term);
  while (map->count <= index) U32Vector_push(map, NO_ID);
  map->data[index] = id;
}

VariableId program_add_variable(Program *p, ThreadId thread, unsigned width, const char *name, bool temporary) {
  assert(thread < p->threads.count);
  VariableId id = (VariableId)p->variables.count;
  Variable variable = {.term = term_variable(p->terms, sort_bits(width), name),
                       .thread = thread,
                       .name = intern(&p->strings, name),
                       .temporary = temporary};
  VariableVector_push(&p->variables, variable);
  bind_term(&p->variable_of, p->terms, variable.term, id);
  return id;
}

// The next address of that alignment, with the gap that the last object and `size` ask for.
static uint64_t next_free_address(const Program *p, uint64_t size, uint64_t alignment) {
  uint64_t gap = size;
  if (p->objects.count > 0 && p->objects.data[p->objects.count - 1].size > gap)
    gap = p->objects.data[p->objects.count - 1].size;
  // Where addresses are scarce, small gaps have to do.
  bool scarce = p->pointer_width == 32 && p->next_address > UINT64_C(0x80000000);
  if (gap > LARGEST_GAP) gap = LARGEST_GAP;
  if (gap < SMALLEST_GAP || scarce) gap = SMALLEST_GAP;
  uint64_t address = p->objects.count > 0 ? p->next_address + gap : p->next_address;
  return (address + alignment - 1) & ~(alignment - 1);
}

// Where an object has to end. The last addresses are kept for small objects that are there once: a control block, a
// function, a variable of the library is never missing one because the program's own objects fill the space.
static uint64_t address_limit(const Program *p, Storage storage, uint64_t size) {
  uint64_t limit = p->pointer_width == 32 ? UINT64_C(0xffff0000) : UINT64_C(0x7fffffff0000);
  bool small = storage != STORAGE_HEAP && storage != STORAGE_STACK && size <= LARGEST_RESERVED;
  return small ? limit : limit - RESERVE;
}

ObjectId program_add_object(Program *p, uint64_t size, Storage storage, ThreadId owner, const char *name) {
  return program_add_aligned_object(p, size, OBJECT_ALIGNMENT, storage, owner, name);
}

ObjectId program_add_aligned_object(Program *p, uint64_t size, uint64_t alignment, Storage storage, ThreadId owner,
                                    const char *name) {
  assert(alignment >= OBJECT_ALIGNMENT && (alignment & (alignment - 1)) == 0);
  uint64_t limit = address_limit(p, storage, size);
  if (size > limit || alignment > limit) return NO_ID;
  uint64_t address = next_free_address(p, size, alignment);
  if (address > limit - size) return NO_ID;
  Object object = {.address = address,
                   .size = size,
                   .storage = storage,
                   .owner = owner,
                   .name = intern(&p->strings, name),
                   .first_cell = NO_ID};
  p->next_address = address + size;
  ObjectVector_push(&p->objects, object);
  return (ObjectId)(p->objects.count - 1);
}

void program_extend_object(Program *p, ObjectId object, const Beyond *beyond) {
  Object *extended = ObjectVector_at(&p->objects, object);
  assert(object + 1 == p->objects.count && beyond->exact <= extended->size);
  Beyond *kept = arena_copy(&p->arena, beyond, sizeof *beyond);
  extended->beyond = kept;
  // What would lie behind all addresses cannot be accessed.
  uint64_t end = extended->address + extended->size, limit = address_limit(p, STORAGE_HEAP, 0);
  uint64_t room = end < limit ? limit - end : 0;
  if (kept->more > room) kept->more = room;
  p->next_address = end + kept->more;
}

LocationId program_add_location(Program *p, ThreadId thread, Position position) {
  assert(thread < p->threads.count);
  LocationVector_push(&p->locations, (Location){.thread = thread, .position = position});
  return (LocationId)(p->locations.count - 1);
}

EdgeId program_add_edge(Program *p, LocationId from, LocationId to, const Step *step) {
  assert(from < p->locations.count && to < p->locations.count);
  assert(p->locations.data[from].thread == p->locations.data[to].thread);
  assert(step->kind < STEP_KIND_COUNT && step->guard != TERM_NONE && term_width(p->terms, step->guard) == 1);
  Step copy = *step;
  copy.origin = (StepId)p->steps.count;
  copy.assignments = NULL;
  if (step->assignment_count > 0)
    copy.assignments = arena_copy(&p->arena, step->assignments, step->assignment_count * sizeof *step->assignments);
  if (step->block) copy.block = arena_copy(&p->arena, step->block, sizeof *step->block);
  StepVector_push(&p->steps, copy);
  EdgeVector_push(&p->edges, (Edge){.from = from, .to = to, .first_step = copy.origin, .step_count = 1});
  return (EdgeId)(p->edges.count - 1);
}

CutId program_add_cut(Program *p, CutKind kind, const char *what, Position position) {
  assert(kind < CUT_KIND_COUNT);
  CutVector_push(&p->cuts, (Cut){.kind = kind, .what = intern(&p->strings, what), .position = position});
  return (CutId)(p->cuts.count - 1);
}

void program_rely(Program *p, Assumption assumption, const char *what, Position position) {
  assert(assumption < ASSUMPTION_COUNT);
  p->assumptions |= UINT32_C(1) << assumption;
  const char *name = intern(&p->strings, what);
  for (size_t i = 0; i < p->reliances.count; i++)
    if (p->reliances.data[i].assumption == assumption && p->reliances.data[i].what == name) return;
  if (p->reliances.count < MOST_RELIANCES)
    RelianceVector_push(&p->reliances, (Reliance){.assumption = assumption, .what = name, .position = position});
}

void program_suppress(Program *p, const char *what, Position position, const char *by, bool external) {
  p->assumptions |= UINT32_C(1) << ASSUME_SUPPRESSED;
  Reliance row = {.assumption = ASSUME_SUPPRESSED,
                  .what = intern(&p->strings, what),
                  .position = position,
                  .by = intern(&p->strings, by),
                  .external = external};
  for (size_t i = 0; i < p->reliances.count; i++) {
    const Reliance *old = &p->reliances.data[i];
    bool place = old->position.file == position.file && old->position.line == position.line;
    if (old->assumption == ASSUME_SUPPRESSED && place && old->what == row.what && old->by == row.by) return;
  }
  if (p->reliances.count < MOST_RELIANCES) RelianceVector_push(&p->reliances, row);
}

Step step_plain(const Program *p, Position position) {
  return (Step){.kind = STEP_PLAIN,
                .guard = term_true(p->terms),
                .access = {.into = NO_ID},
                .target = NO_ID,
                .position = position,
                .origin = NO_ID};
}

CellId program_add_cell(Program *p, ObjectId object, uint64_t address, uint32_t bytes, Term initial, const char *name) {
  CellId id = (CellId)p->cells.count;
  assert(id == 0 || p->cells.data[id - 1].address + p->cells.data[id - 1].bytes <= address);
  Object *owner = ObjectVector_at(&p->objects, object);
  assert(address >= owner->address && address + bytes <= owner->address + owner->size);
  assert(initial == TERM_NONE || term_width(p->terms, initial) == 8 * bytes);
  if (owner->cell_count++ == 0) owner->first_cell = id;
  Cell cell = {.address = address,
               .bytes = bytes,
               .object = object,
               .term = term_variable(p->terms, sort_bits(8 * bytes), name),
               .initial = initial,
               .name = intern(&p->strings, name)};
  CellVector_push(&p->cells, cell);
  bind_term(&p->cell_of, p->terms, cell.term, id);
  return id;
}

void program_index(Program *p) {
  for (size_t l = 0; l < p->locations.count; l++) p->locations.data[l].out_count = p->locations.data[l].in_count = 0;
  for (size_t e = 0; e < p->edges.count; e++) {
    p->locations.data[p->edges.data[e].from].out_count++;
    p->locations.data[p->edges.data[e].to].in_count++;
  }
  uint32_t out = 0, in = 0;
  for (size_t l = 0; l < p->locations.count; l++) {
    Location *location = &p->locations.data[l];
    location->first_out = out;
    location->first_in = in;
    out += location->out_count;
    in += location->in_count;
    location->out_count = location->in_count = 0;
  }
  U32Vector_resize(&p->out_edges, p->edges.count);
  U32Vector_resize(&p->in_edges, p->edges.count);
  for (size_t e = 0; e < p->edges.count; e++) {
    Location *from = &p->locations.data[p->edges.data[e].from], *to = &p->locations.data[p->edges.data[e].to];
    p->out_edges.data[from->first_out + from->out_count++] = (EdgeId)e;
    p->in_edges.data[to->first_in + to->in_count++] = (EdgeId)e;
  }
}

// --- looking up ---

ObjectId program_object_at(const Program *p, uint64_t address) {
  size_t low = 0, high = p->objects.count; // the last object that starts at or before `address` is below `high`
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (p->objects.data[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0) return NO_ID;
  const Object *object = &p->objects.data[low - 1];
  return address - object->address <= object->size ? (ObjectId)(low - 1) : NO_ID;
}

bool position_is_same_line(const Position *a, const Position *b) {
  if (a->line != b->line) return false;
  return a->file == b->file || (a->file && b->file && strcmp(a->file, b->file) == 0);
}

bool program_block_cells(const Program *p, uint64_t pointer, CellId *first, uint32_t *count) {
  ObjectId id = pointer == 0 ? NO_ID : program_object_at(p, pointer);
  const Object *object = id == NO_ID ? NULL : &p->objects.data[id];
  bool block = object && object->storage == STORAGE_HEAP && object->address == pointer;
  *first = block ? object->first_cell : NO_ID;
  *count = block ? object->cell_count : 0;
  return *count > 0;
}

SORTED_FIND(find_cell, Cell, .address, uint64_t);

CellId program_cell_at(const Program *p, uint64_t address) {
  size_t at = find_cell(p->cells.data, p->cells.count, address);
  return at < p->cells.count && p->cells.data[at].address == address ? (CellId)at : NO_ID;
}

VariableId program_variable_of_term(const Program *p, Term variable) {
  uint32_t index = term_variable_index(p->terms, variable);
  return index < p->variable_of.count ? p->variable_of.data[index] : NO_ID;
}

LocationId thread_beginning(const Program *p, ThreadId thread, EdgeId *start) {
  assert(thread < p->threads.count);
  LocationId entry = p->threads.data[thread].entry;
  *start = NO_ID;
  uint32_t count;
  const EdgeId *edges = location_edges(p, entry, &count);
  if (count != 1) return entry;
  const Edge *edge = &p->edges.data[edges[0]];
  if (edge->step_count != 1 || edge_first_step(p, edges[0])->kind != STEP_START) return entry;
  *start = edges[0];
  return edge->to;
}

CellId program_cell_of_term(const Program *p, Term variable) {
  uint32_t index = term_variable_index(p->terms, variable);
  return index < p->cell_of.count ? p->cell_of.data[index] : NO_ID;
}
