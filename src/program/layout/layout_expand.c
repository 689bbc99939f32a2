// Block operations become chains of single accesses.
#include "program/layout/layout.h"

// The chain that replaces one edge: steps are collected, then laid out between its ends.
typedef struct Chain {
  Layout *layout;
  Program *program;
  Position position;
  const BlockOperation *block;
  StepVector steps;
  VariableId temporaries[17]; // by bytes
} Chain;

static void chain_init(Chain *chain, Layout *layout, const Step *step) {
  *chain = (Chain){.layout = layout, .program = layout->program, .position = step->position};
  chain->block = step->block;
  StepVector_init(&chain->steps, layout->account);
  for (size_t i = 0; i < 17; i++) chain->temporaries[i] = NO_ID;
}

static VariableId new_temporary(Chain *chain, ThreadId thread, uint32_t bytes) {
  return program_add_variable(chain->program, thread, 8 * bytes, "copied", true);
}

static VariableId temporary(Chain *chain, ThreadId thread, uint32_t bytes) {
  assert(bytes <= 16);
  if (chain->temporaries[bytes] == NO_ID) chain->temporaries[bytes] = new_temporary(chain, thread, bytes);
  return chain->temporaries[bytes];
}

static Step access_step(Chain *chain, Term address, uint32_t bytes, CellSet cells) {
  assert(bytes >= 1 && bytes <= 16);
  Step step = step_plain(chain->program, chain->position);
  step.access.address = address;
  step.access.bytes = (uint8_t)bytes;
  step.access.synchronises = chain->block->synchronises;
  step.access.doubtful = chain->block->doubtful;
  step.access.is_volatile = chain->block->is_volatile;
  step.access.innocent = chain->block->innocent;
  step.access.cells = cells;
  step.access.invalid = cells.count == 0;
  return step;
}

static void chain_load(Chain *chain, const PointsToSet *set, Term base, Interval chunk, VariableId into) {
  uint32_t bytes = (uint32_t)chunk.size;
  Step step = access_step(chain, term_add_constant(chain->program->terms, base, chunk.start), bytes,
                          layout_cell_set(chain->layout, set, chunk.start, bytes, false));
  step.access.reads = true;
  step.access.into = into;
  StepVector_push(&chain->steps, step);
}

static void chain_store(Chain *chain, Term address, uint32_t bytes, CellSet cells, Term stored) {
  Step step = access_step(chain, address, bytes, cells);
  step.access.writes = true;
  step.access.stored = stored;
  StepVector_push(&chain->steps, step);
}

// Lays the collected steps out from `edge->from` to `edge->to`. The first takes the guard, the last the assignments.
// `edge` is the edge to reuse, or NO_ID for a new one beside it.
static void chain_emit(Chain *chain, EdgeId edge, LocationId from, LocationId to, Term guard, const Step *whole) {
  Program *p = chain->program;
  if (chain->steps.count == 0) StepVector_push(&chain->steps, step_plain(p, chain->position));
  bool atomic = p->locations.data[from].atomic && p->locations.data[to].atomic;
  size_t count = chain->steps.count;
  LocationId at = from;
  for (size_t i = 0; i < count; i++) {
    Step step = chain->steps.data[i];
    if (i == 0) step.guard = guard;
    if (i + 1 == count && whole->assignment_count > 0) {
      assert(step.assignment_count == 0);
      step.assignments = whole->assignments;
      step.assignment_count = whole->assignment_count;
    }
    LocationId next = to;
    if (i + 1 < count) {
      next = program_add_location(p, p->locations.data[from].thread, chain->position);
      p->locations.data[next].atomic = atomic;
    }
    EdgeId added = program_add_edge(p, at, next, &step);
    if (i == 0 && edge != NO_ID) { // the new edge takes the place of the old one
      p->edges.data[edge] = p->edges.data[added];
      p->edges.count--;
    }
    at = next;
  }
  StepVector_clear(&chain->steps);
}

static bool may_overlap_harmfully(const PointsToItem *a, const PointsToItem *b, uint64_t length) {
  if (a->object != b->object) return false;
  if (!places_overlap(a->offset, a->stride, length, b->offset, b->stride, length)) return false;
  uint64_t step = greatest_common_divisor(a->stride, b->stride);
  uint64_t apart = a->offset > b->offset ? (uint64_t)(a->offset - b->offset) : (uint64_t)(b->offset - a->offset);
  if (step == 0) return apart != 0;
  return apart % step != 0 || step < length; // else the two are the same place or apart
}

static bool sides_may_overlap(const PointsToSet *to, const PointsToSet *from, uint64_t length) {
  for (uint32_t i = 0; i < to->count; i++)
    for (uint32_t j = 0; j < from->count; j++)
      if (may_overlap_harmfully(&to->items[i], &from->items[j], length)) return true;
  return false;
}

static void expand_copy(Chain *chain, const BlockPlan *plan, StepId id, const BlockOperation *block, ThreadId thread) {
  Layout *layout = chain->layout;
  const PointsToSet *to = &layout->points.targets[id], *from = &layout->points.sources[id];
  const IntervalVector *chunks = &plan->chunks.intervals;
  // memmove: if the two sides may overlap, everything is read before anything is written.
  bool apart = !sides_may_overlap(to, from, block->length);
  U32Vector loaded;
  U32Vector_init(&loaded, layout->account);
  for (size_t i = 0; i < chunks->count; i++) {
    uint32_t bytes = (uint32_t)chunks->data[i].size;
    VariableId into = apart ? temporary(chain, thread, bytes) : new_temporary(chain, thread, bytes);
    U32Vector_push(&loaded, into);
  }
  for (size_t round = 0; round < (apart ? 1 : 2); round++) {
    for (size_t i = 0; i < chunks->count; i++) {
      Interval chunk = chunks->data[i];
      uint32_t bytes = (uint32_t)chunk.size;
      if (round == 0) chain_load(chain, from, block->source, chunk, loaded.data[i]);
      if (!apart && round == 0) continue;
      chain_store(chain, term_add_constant(chain->program->terms, block->destination, chunk.start), bytes,
                  layout_cell_set(layout, to, chunk.start, bytes, true), variable_term(chain->program, loaded.data[i]));
    }
  }
  U32Vector_free(&loaded);
}

static void expand_fill(Chain *chain, const BlockPlan *plan, StepId id, const BlockOperation *block) {
  TermStore *terms = chain->program->terms;
  bool any = block->source == TERM_NONE;
  Term byte = any ? VALUE_INDETERMINATE : term_resize_unsigned(terms, block->source, 8);
  for (size_t i = 0; i < plan->chunks.intervals.count; i++) {
    Interval chunk = plan->chunks.intervals.data[i];
    uint32_t bytes = (uint32_t)chunk.size;
    Term value = byte;
    for (uint32_t b = 1; b < bytes && !any; b++) value = term_binary(terms, TERM_CONCAT, value, byte);
    chain_store(chain, term_add_constant(terms, block->destination, chunk.start), bytes,
                layout_cell_set(chain->layout, &chain->layout->points.targets[id], chunk.start, bytes, true), value);
  }
}

static void expand_read(Chain *chain, const BlockPlan *plan, StepId id, const BlockOperation *block, ThreadId thread) {
  const PointsToSet *from = &chain->layout->points.targets[id];
  for (size_t i = 0; i < plan->chunks.intervals.count; i++) {
    Interval chunk = plan->chunks.intervals.data[i];
    chain_load(chain, from, block->destination, chunk, temporary(chain, thread, (uint32_t)chunk.size));
  }
}

// Joins neighbouring bytes, so that they are written or read together. That is permitted if the property is about races
// only: a thread that sees the operation half done races with it. It is not permitted if the operation synchronises, or
// if a part of it may lie outside of its object (may_join_bytes).
static void join_bytes(Layout *layout, BlockPlan *plan) {
  IntervalVector *chunks = &plan->chunks.intervals, joined;
  IntervalVector_init(&joined, layout->account);
  for (size_t i = 0; i < chunks->count;) {
    Interval chunk = chunks->data[i];
    size_t count = 1;
    while (chunk.size == 1 && count < 16 && i + count < chunks->count && chunks->data[i + count].size == 1 &&
           chunks->data[i + count].start == chunk.start + count)
      count++;
    while (count & (count - 1)) count &= count - 1;
    if (count > 1) chunk.size = count;
    IntervalVector_push(&joined, chunk);
    i += count;
  }
  IntervalVector_free(chunks);
  *chunks = joined;
}

static bool may_join_bytes(const Program *p, const BlockPlan *plan, const Step *step) {
  bool simple = step->kind == STEP_FILL || step->kind == STEP_READ;
  return p->whole_blocks && simple && !step->block->synchronises && !plan->out_of_range;
}

static void expand_plan(Layout *layout, BlockPlan *plan) {
  Program *p = layout->program;
  Edge edge = p->edges.data[plan->edge];
  if (may_join_bytes(p, plan, edge_step(p, &edge, 0))) join_bytes(layout, plan);
  if (plan->too_large || p->edges.count + plan->chunks.intervals.count > LAYOUT_ALL_EDGES) {
    layout_make_cut(p, edge.first_step, CUT_SIZE, "block of memory with too many parts");
    return;
  }
  Step whole = *edge_step(p, &edge, 0);
  Chain chain;
  chain_init(&chain, layout, &whole);
  ThreadId thread = p->locations.data[edge.from].thread;
  if (whole.kind == STEP_COPY)
    expand_copy(&chain, plan, edge.first_step, whole.block, thread);
  else if (whole.kind == STEP_READ)
    expand_read(&chain, plan, edge.first_step, whole.block, thread);
  else
    expand_fill(&chain, plan, edge.first_step, whole.block);
  chain_emit(&chain, plan->edge, edge.from, edge.to, whole.guard, &whole);
  StepVector_free(&chain.steps);
}

// --- havoc ---

// The condition that the pointer is at `item`: exactly there, or anywhere in its object.
static Term havoc_condition(Program *p, Term pointer, const PointsToItem *item) {
  TermStore *terms = p->terms;
  const Object *object = &p->objects.data[item->object];
  unsigned width = p->pointer_width;
  if (item->stride == 0)
    return term_eq(terms, pointer, term_constant(terms, width, object->address + (uint64_t)item->offset));
  Term inside = term_add_constant(terms, pointer, -(Bits)object->address);
  return term_binary(terms, TERM_ULE, inside, term_constant(terms, width, object->size));
}

bool layout_havoc_window(const Program *p, const PointsToItem *item, uint64_t length, Interval *window) {
  const Object *object = &p->objects.data[item->object];
  *window = (Interval){0, object->size};
  if (object->storage == STORAGE_CONSTANT || object->storage == STORAGE_FUNCTION || object->storage == STORAGE_CONTROL)
    return false;
  if (item->stride > 0) return true;
  if (item->offset < 0 || (uint64_t)item->offset >= object->size) return false;
  *window = (Interval){(uint64_t)item->offset, object->size - (uint64_t)item->offset};
  if (length > 0 && length < window->size) window->size = length;
  return true;
}

// The cells that become indeterminate when the pointer is at `item`.
static void havoc_cells(const Program *p, const PointsToItem *item, uint64_t length, U32Vector *out) {
  const Object *object = &p->objects.data[item->object];
  Interval window;
  if (!layout_havoc_window(p, item, length, &window)) return;
  for (uint32_t i = 0; i < object->cell_count; i++) {
    const Cell *cell = &p->cells.data[object->first_cell + i];
    uint64_t start = cell->address - object->address;
    if (start < window.start + window.size && start + cell->bytes > window.start)
      U32Vector_push(out, object->first_cell + i);
  }
}

// How many of the cells from `first` on are neighbouring bytes, as a power of two up to 16; 1 for another cell.
static uint32_t bytes_together(const Program *p, const U32Vector *cells, size_t first) {
  const Cell *start = &p->cells.data[cells->data[first]];
  uint32_t count = 1;
  while (count < 16 && first + count < cells->count) {
    const Cell *next = &p->cells.data[cells->data[first + count]];
    if (start->bytes != 1 || next->bytes != 1 || next->object != start->object) break;
    if (next->address != start->address + count || cells->data[first + count] != cells->data[first] + count) break;
    count++;
  }
  while (count & (count - 1)) count &= count - 1;
  return count;
}

// Neighbouring bytes become indeterminate together. A thread that could read one of them before its turn would find the
// old value; it can find that value afterwards as well, since the byte may then have any value.
static void chain_havoc(Chain *chain, const U32Vector *cells) {
  Program *p = chain->program;
  for (size_t i = 0; i < cells->count;) {
    Cell cell = p->cells.data[cells->data[i]];
    uint32_t count = bytes_together(p, cells, i);
    chain_store(chain, term_constant(p->terms, p->pointer_width, cell.address), count > 1 ? count : cell.bytes,
                (CellSet){cells->data[i], count}, VALUE_INDETERMINATE);
    StepVector_last(&chain->steps)->access.to_the_end = true;
    i += count;
  }
}

// Is the pointer at a function, or do pointers lead from there to one? The function that got the pointer may call it.
static bool leads_to_callback(const Layout *layout, const BlockOperation *block, const PointsToItem *item) {
  return block->callback != NO_ID && layout->points.leads_to_function[item->object];
}

static void chain_cut(Chain *chain, CutId cut) {
  Step step = step_plain(chain->program, chain->position);
  step.kind = STEP_CUT;
  step.target = cut;
  StepVector_push(&chain->steps, step);
}

// One branch per possible target, and one for a pointer to none of them.
static void expand_havoc(Layout *layout, EdgeId id) {
  Program *p = layout->program;
  Edge edge = p->edges.data[id];
  Step whole = *edge_step(p, &edge, 0);
  const PointsToSet *targets = &layout->points.targets[edge.first_step];
  Chain chain;
  chain_init(&chain, layout, &whole);
  Term rest = whole.guard; // no target so far
  EdgeId reuse = id;
  U32Vector cells;
  U32Vector_init(&cells, layout->account);
  for (uint32_t i = 0; i < targets->count; i++) {
    U32Vector_clear(&cells);
    havoc_cells(p, &targets->items[i], whole.block->length, &cells);
    bool callback = leads_to_callback(layout, whole.block, &targets->items[i]);
    if (cells.count == 0 && !callback) continue;
    Term here = havoc_condition(p, whole.block->destination, &targets->items[i]);
    Term guard = term_and(p->terms, rest, here);
    rest = term_and(p->terms, rest, term_not(p->terms, here));
    if (term_is_false(p->terms, guard)) continue;
    if (callback)
      chain_cut(&chain, whole.block->callback);
    else
      chain_havoc(&chain, &cells);
    chain_emit(&chain, reuse, edge.from, edge.to, guard, &whole);
    reuse = NO_ID;
  }
  if (reuse != NO_ID || !term_is_false(p->terms, rest)) chain_emit(&chain, reuse, edge.from, edge.to, rest, &whole);
  U32Vector_free(&cells);
  StepVector_free(&chain.steps);
}

static bool havoc_is_large(const Layout *layout, StepId step) {
  const PointsToSet *targets = &layout->points.targets[step];
  uint64_t cells = 0;
  for (uint32_t i = 0; i < targets->count; i++)
    cells += layout->program->objects.data[targets->items[i].object].cell_count;
  return cells > LAYOUT_CHUNKS || layout->program->edges.count + cells / 16 > LAYOUT_ALL_EDGES;
}

void layout_expand_blocks(Layout *layout) {
  Program *p = layout->program;
  size_t edges = p->edges.count; // new ones are not block operations
  for (size_t i = 0; i < layout->plans.count; i++) expand_plan(layout, &layout->plans.data[i]);
  for (size_t e = 0; e < edges; e++) {
    StepId step = p->edges.data[e].first_step;
    if (p->steps.data[step].kind != STEP_HAVOC) continue;
    if (havoc_is_large(layout, step))
      layout_make_cut(p, step, CUT_SIZE, "block of memory with too many parts");
    else
      expand_havoc(layout, (EdgeId)e);
  }
}
