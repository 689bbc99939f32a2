// Where objects are cut: from accesses, and from one side of a copy to the other.
#include "program/layout/layout.h"

#include <stdlib.h>

// --- cuttings ---

void cutting_add(Cutting *cutting, uint64_t start, uint64_t size) {
  assert(size > 0 && start + size > start);
  IntervalVector_push(&cutting->intervals, (Interval){start, size});
  cutting->normal = false;
}

static int compare_intervals(const void *a, const void *b) {
  const Interval *x = a, *y = b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  return (x->size > y->size) - (x->size < y->size);
}

static bool is_cell_size(uint64_t size) { return size <= 16 && (size & (size - 1)) == 0; }

// Writes the group of overlapping intervals [first, last) as one cell if they are all the same, else as bytes.
static void add_group(IntervalVector *out, const Interval *first, const Interval *last) {
  assert(first < last);
  uint64_t end = first->start + first->size;
  bool same = is_cell_size(first->size);
  for (const Interval *i = first + 1; i < last; i++) {
    same &= i->start == first->start && i->size == first->size;
    if (i->start + i->size > end) end = i->start + i->size;
  }
  if (same) {
    IntervalVector_push(out, *first);
  } else {
    for (uint64_t at = first->start; at < end; at++) IntervalVector_push(out, (Interval){at, 1});
  }
}

void cutting_normalise(Cutting *cutting) {
  if (cutting->normal) return;
  IntervalVector *all = &cutting->intervals;
  if (all->count > 1) qsort(all->data, all->count, sizeof *all->data, compare_intervals);
  IntervalVector out;
  IntervalVector_init(&out, all->account);
  for (size_t first = 0, last; first < all->count; first = last) {
    uint64_t end = all->data[first].start + all->data[first].size;
    for (last = first + 1; last < all->count && all->data[last].start < end; last++)
      if (all->data[last].start + all->data[last].size > end) end = all->data[last].start + all->data[last].size;
    add_group(&out, all->data + first, all->data + last);
  }
  IntervalVector_free(all);
  *all = out;
  cutting->normal = true;
}

size_t cutting_find(const Cutting *cutting, uint64_t at) {
  assert(cutting->normal);
  size_t low = 0, high = cutting->intervals.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (cutting->intervals.data[middle].start + cutting->intervals.data[middle].size <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// --- accesses ---

void layout_make_cut(Program *p, StepId id, CutKind kind, const char *what) {
  Position position = p->steps.data[id].position;
  CutId cut = program_add_cut(p, kind, what, position);
  Step *step = &p->steps.data[id];
  Term guard = step->guard;
  // The guard may read what the access loads; without the access, reaching the step is enough to give up.
  if (step->access.into != NO_ID && term_mentions(p->terms, guard, variable_term(p, step->access.into)))
    guard = term_true(p->terms);
  StepId origin = step->origin;
  *step = step_plain(p, position);
  step->kind = STEP_CUT;
  step->guard = guard;
  step->target = cut;
  step->origin = origin;
}

// How many places inside the object an access of `bytes` at `item` has; `*first` is the first of them.
static uint64_t count_places(const Object *object, const PointsToItem *item, uint64_t bytes, uint64_t *first) {
  if (bytes > object->size) return 0;
  uint64_t last = object->size - bytes;
  if (item->offset < 0 || (uint64_t)item->offset > last) return 0;
  *first = (uint64_t)item->offset;
  return item->stride == 0 ? 1 : (last - *first) / item->stride + 1;
}

static bool has_cells(const Object *object, bool writes) {
  return object->storage != STORAGE_FUNCTION && !(writes && object->storage == STORAGE_CONSTANT);
}

// Cuts the object where `item` is accessed. False: too many places.
static bool cut_at(Layout *layout, const PointsToItem *item, uint64_t bytes, bool writes) {
  assert(item->object < layout->object_count && bytes > 0);
  const Object *object = &layout->program->objects.data[item->object];
  uint64_t first = 0, count = count_places(object, item, bytes, &first);
  if (count == 0 || !has_cells(object, writes)) return true;
  if (count > LAYOUT_PLACES) return false;
  uint64_t pattern[4] = {item->object, first, item->stride, bytes};
  uint64_t key = hash_bytes(pattern, sizeof pattern);
  if (map_contains(&layout->patterns, key)) return true;
  if (item->stride > 0 && layout->places + count > LAYOUT_ALL_PLACES) return false;
  layout->places += count;
  map_put(&layout->patterns, key, 1);
  for (uint64_t i = 0; i < count; i++) cutting_add(&layout->cuttings[item->object], first + i * item->stride, bytes);
  return true;
}

// Many accesses share their set of targets. Only sets that were cut without trouble are remembered.
static bool was_cut_before(const Layout *layout, const PointsToSet *set, uint32_t bytes, bool writes) {
  return set->count > 1 && map_contains(&layout->patterns, layout_set_key(set, 0, bytes, writes));
}

static void cut_by_access(Layout *layout, StepId id) {
  const Access *access = &layout->program->steps.data[id].access;
  const PointsToSet *targets = &layout->points.targets[id];
  if (was_cut_before(layout, targets, access->bytes, access->writes)) return;
  for (uint32_t i = 0; i < targets->count; i++) {
    if (cut_at(layout, &targets->items[i], access->bytes, access->writes)) continue;
    layout_make_cut(layout->program, id, CUT_SIZE, "array with too many elements");
    return;
  }
  if (targets->count > 1) map_put(&layout->patterns, layout_set_key(targets, 0, access->bytes, access->writes), 1);
}

// --- block operations ---

// For windows that overlap each other (a buffer at any offset): each cell of one window is in the next one, shifted. So
// all of them become bytes at once. False: too many.
static bool cut_to_bytes(Layout *layout, BlockPlan *plan, ObjectId object, uint64_t start, uint64_t bytes,
                         uint64_t length) {
  uint64_t pattern[4] = {object, start, 0, bytes}; // accesses have at most 16 bytes
  uint64_t key = hash_bytes(pattern, sizeof pattern);
  if (bytes > LAYOUT_PLACES || length > LAYOUT_CHUNKS) return false;
  if (!map_contains(&layout->patterns, key)) {
    if (layout->places + bytes > LAYOUT_ALL_PLACES) return false;
    layout->places += bytes;
    map_put(&layout->patterns, key, 1);
    for (uint64_t i = 0; i < bytes; i++) cutting_add(&layout->cuttings[object], start + i, 1);
  }
  cutting_normalise(&plan->chunks);
  if (plan->chunks.intervals.count == length) return true; // by another item: all bytes already
  for (uint64_t i = 0; i < length; i++) cutting_add(&plan->chunks, i, 1);
  return true;
}

static void add_windows(Layout *layout, BlockPlan *plan, const PointsToSet *set, uint64_t length, bool writes) {
  bool any = false;
  for (uint32_t i = 0; i < set->count; i++) {
    const PointsToItem *item = &set->items[i];
    const Object *object = &layout->program->objects.data[item->object];
    plan->must_access |= object->storage == STORAGE_HEAP || item->stride > 0;
    plan->out_of_range |= object->sized;
    if (!has_cells(object, writes)) {
      plan->must_access = true;
      continue;
    }
    if (item->stride == 0) {
      bool inside = item->offset >= 0 && (uint64_t)item->offset <= object->size;
      uint64_t room = inside ? object->size - (uint64_t)item->offset : 0;
      plan->out_of_range |= room < length;
      BlockWindow window = {item->object, (uint64_t)item->offset, length < room ? length : room};
      if (window.bytes) BlockWindowVector_push(&plan->windows, window);
      any |= window.bytes > 0;
      continue;
    }
    uint64_t first = 0, count = count_places(object, item, length, &first);
    bool overlap = count > 1 && item->stride < length;
    bool fits = overlap ? cut_to_bytes(layout, plan, item->object, first, (count - 1) * item->stride + length, length)
                        : layout->windows + count <= LAYOUT_ALL_PLACES;
    if (!fits) {
      plan->too_large = true;
      return;
    }
    layout->windows += overlap ? 0 : count;
    for (uint64_t k = 0; !overlap && k < count; k++)
      BlockWindowVector_push(&plan->windows, (BlockWindow){item->object, first + k * item->stride, length});
    any |= count > 0;
  }
  plan->must_access |= !any;
}

static void plan_block(Layout *layout, EdgeId edge) {
  StepId id = layout->program->edges.data[edge].first_step;
  const Step *step = &layout->program->steps.data[id];
  const TermStore *terms = layout->program->terms;
  BlockPlan plan = {.edge = edge};
  BlockWindowVector_init(&plan.windows, layout->account);
  IntervalVector_init(&plan.chunks.intervals, layout->account);
  plan.chunks.normal = true;
  plan.must_access = !term_is_constant(terms, step->block->destination);
  add_windows(layout, &plan, &layout->points.targets[id], step->block->length, step->kind != STEP_READ);
  if (step->kind == STEP_COPY) {
    plan.must_access |= !term_is_constant(terms, step->block->source);
    add_windows(layout, &plan, &layout->points.sources[id], step->block->length, false);
  }
  BlockPlanVector_push(&layout->plans, plan);
}

static bool holds(const Cutting *cutting, uint64_t start, uint64_t size) {
  size_t at = cutting_find(cutting, start);
  return at < cutting->intervals.count && cutting->intervals.data[at].start == start &&
         cutting->intervals.data[at].size == size;
}

static void note_change(Layout *layout, Cutting *cutting) { cutting->changed = ++layout->clock; }

// An interval to be added to the cutting of one of a plan's windows. Additions are collected over all windows first: a
// plan may have thousands of windows on one object, and its cutting is then ordered only once.
typedef struct Addition {
  ObjectId object;
  Interval interval;
} Addition;
VECTOR(AdditionVector, Addition);

// Adds the intervals; true if a cutting has more cells afterwards. Intervals over bytes that are cells of their own
// change nothing.
static bool add_all(Layout *layout, const BlockPlan *plan, const AdditionVector *additions) {
  bool changed = false;
  for (size_t i = 0; i < additions->count; i++) {
    const Addition *addition = &additions->data[i];
    cutting_add(&layout->cuttings[addition->object], addition->interval.start, addition->interval.size);
  }
  for (size_t w = 0; additions->count > 0 && w < plan->windows.count; w++) {
    Cutting *cutting = &layout->cuttings[plan->windows.data[w].object];
    if (cutting->normal) continue;
    cutting_normalise(cutting);
    if (cutting->intervals.count == cutting->count_before) continue;
    note_change(layout, cutting);
    changed = true;
  }
  return changed;
}

static void normalise_windows(Layout *layout, const BlockPlan *plan) {
  for (size_t w = 0; w < plan->windows.count; w++) {
    Cutting *cutting = &layout->cuttings[plan->windows.data[w].object];
    cutting_normalise(cutting);
    cutting->count_before = cutting->intervals.count;
  }
}

// Splits a cell that crosses the end `at` of a window into bytes.
static void split_at(const Cutting *cutting, ObjectId object, uint64_t at, AdditionVector *additions) {
  size_t i = cutting_find(cutting, at);
  if (i == cutting->intervals.count) return;
  Interval cell = cutting->intervals.data[i];
  if (cell.start >= at) return;
  for (uint64_t byte = 0; byte < cell.size; byte++)
    AdditionVector_push(additions, (Addition){object, {cell.start + byte, 1}});
}

static bool split_cells(Layout *layout, const BlockPlan *plan) {
  AdditionVector additions;
  AdditionVector_init(&additions, layout->account);
  normalise_windows(layout, plan);
  for (size_t w = 0; w < plan->windows.count; w++) {
    const BlockWindow *window = &plan->windows.data[w];
    split_at(&layout->cuttings[window->object], window->object, window->start, &additions);
    split_at(&layout->cuttings[window->object], window->object, window->start + window->bytes, &additions);
  }
  bool changed = add_all(layout, plan, &additions);
  AdditionVector_free(&additions);
  return changed;
}

static bool has_too_many_chunks(const BlockPlan *plan) {
  size_t chunks = plan->chunks.intervals.count;
  return chunks > LAYOUT_CHUNKS || chunks * plan->windows.count > LAYOUT_ALL_PLACES;
}

// Adds the cells of one window to the plan's chunks. No cell crosses an end of the window.
static void gather_window(const Layout *layout, BlockPlan *plan, const BlockWindow *window, IntervalVector *missing) {
  const Cutting *cutting = &layout->cuttings[window->object];
  cutting_normalise(&plan->chunks); // windows are mostly cut alike: what the chunks hold is not added again
  IntervalVector_clear(missing);
  for (size_t i = cutting_find(cutting, window->start); i < cutting->intervals.count; i++) {
    Interval cell = cutting->intervals.data[i];
    if (cell.start >= window->start + window->bytes) break;
    if (!holds(&plan->chunks, cell.start - window->start, cell.size))
      IntervalVector_push(missing, (Interval){cell.start - window->start, cell.size});
  }
  for (size_t i = 0; i < missing->count; i++) cutting_add(&plan->chunks, missing->data[i].start, missing->data[i].size);
}

// False if the plan has too many chunks.
static bool gather_windows(const Layout *layout, BlockPlan *plan) {
  IntervalVector missing;
  IntervalVector_init(&missing, layout->account);
  bool fits = true;
  for (size_t w = 0; fits && w < plan->windows.count; w++) {
    gather_window(layout, plan, &plan->windows.data[w], &missing);
    if (has_too_many_chunks(plan)) cutting_normalise(&plan->chunks);
    fits = !has_too_many_chunks(plan);
  }
  cutting_normalise(&plan->chunks);
  IntervalVector_free(&missing);
  return fits;
}

// Cuts the windows like the plan's chunks.
static bool spread_windows(Layout *layout, const BlockPlan *plan) {
  AdditionVector additions;
  AdditionVector_init(&additions, layout->account);
  normalise_windows(layout, plan);
  for (size_t w = 0; w < plan->windows.count; w++) {
    const BlockWindow *window = &plan->windows.data[w];
    uint64_t size = layout->program->objects.data[window->object].size;
    for (size_t i = 0; i < plan->chunks.intervals.count; i++) {
      Interval chunk = plan->chunks.intervals.data[i];
      uint64_t start = window->start + chunk.start;
      if (start + chunk.size > size || holds(&layout->cuttings[window->object], start, chunk.size)) continue;
      AdditionVector_push(&additions, (Addition){window->object, {start, chunk.size}});
    }
  }
  bool changed = add_all(layout, plan, &additions);
  AdditionVector_free(&additions);
  return changed;
}

// Has no cutting of the plan's windows changed since the plan was aligned?
static bool is_aligned(const Layout *layout, const BlockPlan *plan) {
  if (plan->aligned == 0) return false;
  for (size_t w = 0; w < plan->windows.count; w++)
    if (layout->cuttings[plan->windows.data[w].object].changed > plan->aligned) return false;
  return true;
}

// A copy within an object carries its cuts on by its distance each time it is aligned. After LAYOUT_TIMES alignments
// all its bytes get a cell at once, so that aligning ends.
static void make_chunks_of_bytes(BlockPlan *plan) {
  uint64_t longest = 0;
  for (size_t w = 0; w < plan->windows.count; w++)
    if (plan->windows.data[w].bytes > longest) longest = plan->windows.data[w].bytes;
  plan->too_large = longest > LAYOUT_CHUNKS;
  for (uint64_t at = 0; !plan->too_large && at < longest; at++) cutting_add(&plan->chunks, at, 1);
}

// True if a cutting changed.
static bool align_plan(Layout *layout, BlockPlan *plan) {
  assert(!plan->too_large && plan->times < UINT32_MAX);
  plan->aligned = ++layout->clock;
  bool changed = split_cells(layout, plan);
  if (++plan->times == LAYOUT_TIMES) make_chunks_of_bytes(plan);
  plan->too_large |= !gather_windows(layout, plan);
  return plan->too_large ? true : spread_windows(layout, plan) || changed;
}

static void align_plans(Layout *layout) {
  bool changed = true;
  for (size_t i = 0; i < layout->plans.count; i++) layout->plans.data[i].aligned = 0;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < layout->plans.count; i++) {
      BlockPlan *plan = &layout->plans.data[i];
      if (!plan->too_large && !is_aligned(layout, plan)) changed |= align_plan(layout, plan);
    }
  }
}

// If an address may be invalid, the block operation has to access it, even if no other access touches the bytes.
static void add_probes(Layout *layout) {
  for (size_t i = 0; i < layout->plans.count; i++) {
    BlockPlan *plan = &layout->plans.data[i];
    uint64_t length = edge_first_step(layout->program, plan->edge)->block->length;
    if (plan->too_large || length == 0) continue;
    if (plan->out_of_range)
      cutting_add(&plan->chunks, length - 1, 1);
    else if (plan->must_access && plan->chunks.intervals.count == 0)
      cutting_add(&plan->chunks, 0, 1);
  }
}

void layout_cut_objects(Layout *layout) {
  Program *p = layout->program;
  for (size_t e = 0; e < p->edges.count; e++) {
    StepId id = p->edges.data[e].first_step;
    const Step *step = &p->steps.data[id];
    if (step->access.address != TERM_NONE)
      cut_by_access(layout, id);
    else if (step->kind == STEP_COPY || step->kind == STEP_FILL || step->kind == STEP_READ)
      plan_block(layout, (EdgeId)e);
  }
  align_plans(layout);
  if (p->every_access) layout_add_regions(layout);
  add_probes(layout);
  align_plans(layout);
  for (size_t o = 0; o < layout->object_count; o++) cutting_normalise(&layout->cuttings[o]);
}
