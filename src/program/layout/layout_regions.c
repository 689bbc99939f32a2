// Regions: parts of objects that block operations touch and no other access does.
//
// Nothing depends on the value of such bytes, but accesses to them can race. The marks of an object are the places
// where a block operation begins or ends; marks are carried from one side of a copy to the other. Between two
// neighbouring marks every block operation touches all bytes or none. So one cell stands for all of them: a cell that
// another access made there, or else the first byte.
#include "base/sorted.h"
#include "program/layout/layout.h"

#include <stdlib.h>

typedef struct Marks {
  U64Vector places; // once normal, ordered and each once
  bool normal;
  IntervalVector touched; // by block operations
} Marks;

typedef struct Regions {
  Layout *layout;
  Marks *marks; // per object
  Map seen;     // windows that were added already
} Regions;

static void regions_init(Regions *regions, Layout *layout) {
  *regions = (Regions){.layout = layout};
  regions->marks = memory_allocate_zeroed(layout->account, layout->object_count * sizeof *regions->marks);
  for (size_t o = 0; o < layout->object_count; o++) {
    U64Vector_init(&regions->marks[o].places, layout->account);
    IntervalVector_init(&regions->marks[o].touched, layout->account);
    regions->marks[o].normal = true;
  }
  map_init(&regions->seen, layout->account);
}

static void regions_free(Regions *regions) {
  for (size_t o = 0; o < regions->layout->object_count; o++) {
    U64Vector_free(&regions->marks[o].places);
    IntervalVector_free(&regions->marks[o].touched);
  }
  memory_free(regions->layout->account, regions->marks, regions->layout->object_count * sizeof *regions->marks);
  map_free(&regions->seen);
}

// --- marks ---

static int compare_places(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void sort_once(U64Vector *places) {
  if (places->count > 1) qsort(places->data, places->count, sizeof *places->data, compare_places);
  size_t kept = 0;
  for (size_t i = 0; i < places->count; i++)
    if (kept == 0 || places->data[kept - 1] != places->data[i]) places->data[kept++] = places->data[i];
  places->count = kept;
}

static void add_mark(Marks *marks, uint64_t place) {
  U64Vector_push(&marks->places, place);
  marks->normal = false;
}

static void normalise(Marks *marks) {
  if (!marks->normal) sort_once(&marks->places);
  marks->normal = true;
}

// The first mark at or behind `place`.
static size_t find_mark(const Marks *marks, uint64_t place) {
  assert(marks->normal);
  return sorted_find_u64(marks->places.data, marks->places.count, place);
}

static void add_window(Regions *regions, ObjectId object, uint64_t start, uint64_t bytes) {
  uint64_t parts[3] = {object, start, bytes}, key = hash_bytes(parts, sizeof parts);
  if (bytes == 0 || map_contains(&regions->seen, key)) return;
  map_put(&regions->seen, key, 1);
  Marks *marks = &regions->marks[object];
  add_mark(marks, start);
  add_mark(marks, start + bytes);
  IntervalVector_push(&marks->touched, (Interval){start, bytes});
}

static void add_havoc_windows(Regions *regions, StepId step) {
  const Program *p = regions->layout->program;
  const PointsToSet *targets = &regions->layout->points.targets[step];
  for (uint32_t i = 0; i < targets->count; i++) {
    Interval window;
    if (layout_havoc_window(p, &targets->items[i], p->steps.data[step].block->length, &window))
      add_window(regions, targets->items[i].object, window.start, window.size);
  }
}

static void add_all_windows(Regions *regions) {
  const Layout *layout = regions->layout;
  const Program *p = layout->program;
  for (size_t i = 0; i < layout->plans.count; i++) {
    const BlockPlan *plan = &layout->plans.data[i];
    for (size_t w = 0; !plan->too_large && w < plan->windows.count; w++)
      add_window(regions, plan->windows.data[w].object, plan->windows.data[w].start, plan->windows.data[w].bytes);
  }
  for (size_t s = 0; s < p->steps.count; s++)
    if (p->steps.data[s].kind == STEP_HAVOC) add_havoc_windows(regions, (StepId)s);
}

// --- from window to window ---

static bool has_too_many(const BlockPlan *plan, const U64Vector *relative) {
  return relative->count * plan->windows.count > LAYOUT_ALL_PLACES;
}

// Collects the marks inside the plan's windows, relative to their start.
static void gather_marks(Regions *regions, const BlockPlan *plan, U64Vector *relative) {
  for (size_t w = 0; w < plan->windows.count; w++) {
    if (has_too_many(plan, relative)) sort_once(relative);
    if (has_too_many(plan, relative)) return;
    const BlockWindow *window = &plan->windows.data[w];
    Marks *marks = &regions->marks[window->object];
    normalise(marks);
    for (size_t i = find_mark(marks, window->start + 1); i < marks->places.count; i++) {
      if (marks->places.data[i] >= window->start + window->bytes) break;
      U64Vector_push(relative, marks->places.data[i] - window->start);
    }
  }
  sort_once(relative);
}

static bool spread_marks(Regions *regions, const BlockWindow *window, const U64Vector *relative) {
  Marks *marks = &regions->marks[window->object];
  bool changed = false;
  normalise(marks);
  size_t before = marks->places.count;
  for (size_t i = 0; i < relative->count && relative->data[i] < window->bytes; i++) {
    uint64_t place = window->start + relative->data[i];
    size_t at = find_mark(marks, place);
    if (at < before && marks->places.data[at] == place) continue;
    U64Vector_push(&marks->places, place); // behind the ordered ones, which the search still looks at
    changed = true;
  }
  marks->normal = !changed;
  return changed;
}

// A copy within an object carries its marks on by its distance each time: after a few times all bytes are marked.
static void mark_all_bytes(Regions *regions) {
  const Layout *layout = regions->layout;
  for (size_t i = 0; i < layout->plans.count; i++) {
    BlockPlan *plan = &layout->plans.data[i];
    for (size_t w = 0; w < plan->windows.count && plan->windows.count > 1 && !plan->too_large; w++) {
      const BlockWindow *window = &plan->windows.data[w];
      plan->too_large = window->bytes * plan->windows.count > LAYOUT_ALL_PLACES;
      for (uint64_t at = 1; !plan->too_large && at < window->bytes; at++)
        add_mark(&regions->marks[window->object], window->start + at);
    }
  }
}

static bool settle_marks(Regions *regions, BlockPlan *plan) {
  if (plan->windows.count < 2) return false;
  U64Vector relative;
  U64Vector_init(&relative, regions->layout->account);
  gather_marks(regions, plan, &relative);
  bool changed = false;
  if (has_too_many(plan, &relative))
    plan->too_large = true;
  else
    for (size_t w = 0; w < plan->windows.count; w++)
      changed |= spread_marks(regions, &plan->windows.data[w], &relative);
  U64Vector_free(&relative);
  return changed;
}

static void settle_all(Regions *regions) {
  BlockPlanVector *plans = &regions->layout->plans;
  unsigned times = 0;
  for (bool changed = true; changed;) {
    changed = false;
    if (++times == LAYOUT_TIMES) mark_all_bytes(regions);
    for (size_t i = 0; i < plans->count; i++)
      if (!plans->data[i].too_large) changed |= settle_marks(regions, &plans->data[i]);
  }
}

// --- cells ---

static int compare_starts(const void *a, const void *b) {
  const Interval *x = a, *y = b;
  return (x->start > y->start) - (x->start < y->start);
}

// Joins overlapping intervals.
static void join_touched(IntervalVector *touched) {
  if (touched->count > 1) qsort(touched->data, touched->count, sizeof *touched->data, compare_starts);
  size_t last = 0;
  for (size_t i = 1; i < touched->count; i++) {
    Interval *open = &touched->data[last], next = touched->data[i];
    uint64_t end = open->start + open->size;
    if (next.start > end)
      touched->data[++last] = next;
    else if (next.start + next.size > end)
      open->size = next.start + next.size - open->start;
  }
  if (touched->count > 0) touched->count = last + 1;
}

static bool has_cell(const Cutting *cutting, uint64_t start, uint64_t end) {
  size_t at = cutting_find(cutting, start);
  return at < cutting->intervals.count && cutting->intervals.data[at].start < end;
}

// A cell for each region of the object that has none.
static void add_cells(Regions *regions, ObjectId object) {
  Marks *marks = &regions->marks[object];
  Cutting *cutting = &regions->layout->cuttings[object];
  normalise(marks);
  join_touched(&marks->touched);
  cutting_normalise(cutting);
  U64Vector missing;
  U64Vector_init(&missing, regions->layout->account);
  for (size_t t = 0; t < marks->touched.count; t++) {
    uint64_t end = marks->touched.data[t].start + marks->touched.data[t].size;
    for (size_t i = find_mark(marks, marks->touched.data[t].start); i + 1 < marks->places.count; i++) {
      if (marks->places.data[i] >= end) break;
      if (!has_cell(cutting, marks->places.data[i], marks->places.data[i + 1]))
        U64Vector_push(&missing, marks->places.data[i]);
    }
  }
  for (size_t i = 0; i < missing.count; i++) cutting_add(cutting, missing.data[i], 1);
  U64Vector_free(&missing);
}

// Deallocations of a block race with each other, too: a block that is never accessed has a cell for them.
static void add_cell_to_free(Layout *layout, ObjectId object) {
  const Object *block = &layout->program->objects.data[object];
  Cutting *cutting = &layout->cuttings[object];
  bool has_none = cutting->intervals.count == 0;
  if (has_none && block->storage == STORAGE_HEAP && block->dynamic && block->size > 0) cutting_add(cutting, 0, 1);
}

void layout_add_regions(Layout *layout) {
  Regions regions;
  regions_init(&regions, layout);
  add_all_windows(&regions);
  settle_all(&regions);
  for (size_t o = 0; o < layout->object_count; o++)
    if (regions.marks[o].touched.count > 0) add_cells(&regions, (ObjectId)o);
  regions_free(&regions);
  for (size_t o = 0; o < layout->object_count; o++) add_cell_to_free(layout, (ObjectId)o);
}
