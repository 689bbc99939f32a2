#include "explicit/footprint.h"

// --- resources ---

static bool is_resource(const StateLayout *layout, CellId cell, bool silent) {
  // A cell whose first read (not an idle one) chooses its value is changed by that read.
  bool changes = layout->cell_written[cell] || layout->cells[cell].flag != NO_ID;
  bool counts = changes && (silent || !layout->cell_silent[cell]);
  return layout->cell_toucher[cell] == SEVERAL && counts;
}

static uint32_t locked_resource(const Footprint *f, const EdgeCode *edge);

// Large arrays would make rows as long as they are. In an object with many resources, neighbours become one. That adds
// conflicts and loses none. Locks keep a resource of their own, because LATER_RELEASES depends on single locks.
enum { MOST_FINE_RESOURCES = 4096, MOST_OF_OBJECT = 64 };

static void join_resources(Footprint *f) {
  const StateLayout *layout = f->code->layout;
  const Program *p = layout->program;
  bool *locks = memory_allocate_zeroed(f->account, p->cells.count * sizeof *locks);
  for (size_t e = 0; e < p->edges.count; e++)
    if (locked_resource(f, &f->code->edges[e]) != NO_ID) locks[f->code->edges[e].cell] = true;
  uint32_t next = 0;
  for (ObjectId o = 0; o < p->objects.count; o++) {
    const Object *object = &p->objects.data[o];
    uint32_t members = 0, placed = 0, first = next;
    for (uint32_t i = 0; i < object->cell_count; i++)
      members += f->cell_resource[object->first_cell + i] != NO_ID && !locks[object->first_cell + i];
    uint32_t together = (members + MOST_OF_OBJECT - 1) / MOST_OF_OBJECT;
    next += together ? (members + together - 1) / together : 0;
    for (uint32_t i = 0; i < object->cell_count; i++) {
      uint32_t *resource = &f->cell_resource[object->first_cell + i];
      if (*resource != NO_ID) *resource = locks[object->first_cell + i] ? next++ : first + placed++ / together;
    }
  }
  f->resource_count = next;
  memory_free(f->account, locks, p->cells.count * sizeof *locks);
}

static void number_resources(Footprint *f, bool silent) {
  const StateLayout *layout = f->code->layout;
  const Program *p = layout->program;
  for (CellId c = 0; c < p->cells.count; c++)
    f->cell_resource[c] = is_resource(layout, c, silent) ? (uint32_t)f->resource_count++ : NO_ID;
  if (f->resource_count > MOST_FINE_RESOURCES) join_resources(f);
  uint32_t next = (uint32_t)f->resource_count;
  for (ObjectId o = 0; o < p->objects.count; o++) {
    bool shared = layout->heap[o] != NO_ID && layout->heap_toucher[o] == SEVERAL;
    f->heap_resource[o] = shared ? next++ : NO_ID;
  }
  f->resource_count = next;
}

typedef struct TouchContext {
  const Footprint *footprint;
  void (*visit)(void *context, ResourceTouch touch);
  void *context;
} TouchContext;

static void touch_freed(void *context, ObjectId object) {
  TouchContext *c = context;
  uint32_t resource = c->footprint->heap_resource[object];
  if (resource != NO_ID) c->visit(c->context, (ResourceTouch){.resource = resource, .reads = true, .writes = true});
}

// --- long lists of cells ---

enum { MOST_CELLS_ONE_BY_ONE = 16 };

// `place`: per resource, where it was put, + 1.
static void add_to_list(Footprint *f, uint32_t first, uint32_t *place, ListTouch touch) {
  ListTouchVector *touches = &f->list_touches;
  assert(touch.resource < f->resource_count);
  uint32_t at = place[touch.resource];
  if (at > first && at <= touches->count && touches->data[at - 1].resource == touch.resource) {
    touches->data[at - 1].chooses |= touch.chooses;
    return;
  }
  ListTouchVector_push(touches, touch);
  place[touch.resource] = (uint32_t)touches->count;
}

static void add_list(Footprint *f, CellSet set, uint32_t *place) {
  const Program *p = f->code->layout->program;
  uint32_t first = (uint32_t)f->list_touches.count;
  map_put(&f->lists, cell_set_key(set), f->list_start.count - 1);
  const CellId *cells = cell_set_cells(p, set);
  for (uint32_t i = 0; i < set.count; i++) {
    CellId cell = cells[i];
    uint32_t heap = f->heap_resource[p->cells.data[cell].object], resource = f->cell_resource[cell];
    if (heap != NO_ID) add_to_list(f, first, place, (ListTouch){.resource = heap, .life = true});
    bool chooses = f->code->layout->cells[cell].flag != NO_ID;
    if (resource != NO_ID) add_to_list(f, first, place, (ListTouch){.resource = resource, .chooses = chooses});
  }
  U32Vector_push(&f->list_start, (uint32_t)f->list_touches.count);
}

static void find_lists(Footprint *f) {
  const Program *p = f->code->layout->program;
  uint32_t *place = memory_allocate_zeroed(f->account, (f->resource_count + 1) * sizeof *place);
  map_init(&f->lists, f->account);
  U32Vector_init(&f->list_start, f->account);
  ListTouchVector_init(&f->list_touches, f->account);
  U32Vector_push(&f->list_start, 0);
  for (StepId s = 0; s < p->steps.count; s++) {
    CellSet set = p->steps.data[s].access.cells;
    bool wanted = p->steps.data[s].access.address != TERM_NONE && set.count > MOST_CELLS_ONE_BY_ONE;
    if (wanted && !map_contains(&f->lists, cell_set_key(set))) add_list(f, set, place);
  }
  memory_free(f->account, place, (f->resource_count + 1) * sizeof *place);
}

static void touch_list(const Footprint *f, const Access *access, bool idle,
                       void (*visit)(void *context, ResourceTouch touch), void *context) {
  assert(map_contains(&f->lists, cell_set_key(access->cells)));
  uint64_t list = map_get_or(&f->lists, cell_set_key(access->cells), 0);
  assert(list + 1 < f->list_start.count);
  for (uint32_t i = f->list_start.data[list]; i < f->list_start.data[list + 1]; i++) {
    const ListTouch *touch = &f->list_touches.data[i];
    if (touch->life)
      visit(context, (ResourceTouch){.resource = touch->resource, .reads = true});
    else
      visit(context, (ResourceTouch){.resource = touch->resource,
                                     .reads = access->reads,
                                     .writes = access->writes || (access->reads && !idle && touch->chooses)});
  }
}

// --- steps ---

// Calls `visit` for each resource that the step may touch.
static void footprint_each_touch(const Footprint *f, const Step *step,
                                 void (*visit)(void *context, ResourceTouch touch), void *context) {
  const Program *p = f->code->layout->program;
  TouchContext inner = {.footprint = f, .visit = visit, .context = context};
  if (step->kind == STEP_FREE) state_layout_each_freed(p, step, touch_freed, &inner);
  if (step->kind == STEP_ALLOCATE || step->kind == STEP_END) touch_freed(&inner, step->target);
  if (step->access.address == TERM_NONE) return;
  const StateLayout *layout = f->code->layout;
  // A load that is idle, or that carries, chooses nothing.
  bool plain = bitset_get(&layout->idle, (size_t)(step - p->steps.data)) ||
               indeterminate_carries(&layout->indeterminate, p, step);
  if (step->access.cells.count > MOST_CELLS_ONE_BY_ONE) {
    touch_list(f, &step->access, plain, visit, context);
    return;
  }
  ObjectId last = NO_ID;
  uint32_t count;
  const CellId *cells = access_cells(p, &step->access, &count);
  for (uint32_t i = 0; i < count; i++) {
    CellId cell = cells[i];
    ObjectId object = p->cells.data[cell].object;
    uint32_t heap = f->heap_resource[object];
    if (heap != NO_ID && object != last) visit(context, (ResourceTouch){.resource = heap, .reads = true});
    last = object;
    uint32_t resource = f->cell_resource[cell];
    if (resource == NO_ID) continue;
    bool chooses = step->access.reads && !plain && layout->cells[cell].flag != NO_ID;
    ResourceTouch touch = {.resource = resource, .reads = step->access.reads, .writes = step->access.writes || chooses};
    visit(context, touch);
  }
}

// The resource of a blocking lock of one known cell that waits for zero, or NO_ID.
static uint32_t locked_resource(const Footprint *f, const EdgeCode *edge) {
  const Program *p = f->code->layout->program;
  if (edge->kind != STEP_LOCK || edge->access != ACCESS_DIRECT || !edge->reads || !edge->writes) return NO_ID;
  const Step *step = &p->steps.data[edge->step];
  Term into = variable_term(p, step->access.into);
  Term zero = term_constant(p->terms, term_width(p->terms, into), 0);
  return step->guard == term_eq(p->terms, into, zero) ? f->cell_resource[edge->cell] : NO_ID;
}

// --- as a source of touches (dependence/touch_source.h): things are resources ---

typedef struct ThingContext {
  ThingVisit visit;
  void *to;
} ThingContext;

static void touch_thing(void *context, ResourceTouch touch) {
  ThingContext *c = context;
  c->visit(c->to, touch.resource, touch.reads, touch.writes);
}

static void source_each_touch(const void *context, EdgeId edge, ThingVisit visit, void *to) {
  const Footprint *f = context;
  ThingContext inner = {.visit = visit, .to = to};
  footprint_each_touch(f, edge_first_step(f->code->layout->program, edge), touch_thing, &inner);
}

static uint32_t source_locks(const void *context, EdgeId edge) {
  const Footprint *f = context;
  return locked_resource(f, &f->code->edges[f->code->edge_index[edge]]);
}

static void find_later(Footprint *f) {
  enum { MOST_BYTES_OF_A_ROW = 1 << 28 };
  TouchSource source = {.program = f->code->layout->program,
                        .context = f,
                        .thing_count = f->resource_count,
                        .all_shared = true,
                        .each_touch = source_each_touch,
                        .locks = source_locks};
  TouchRowRange range = {
      .first = LATER_READS, .last = LATER_RELEASES, .most_bytes = 3 * (size_t)MOST_BYTES_OF_A_ROW - 1};
  may_touch_init(&f->later, &source, range, f->account);
}

// --- stops ---

static void note_visible(void *context, ResourceTouch touch) {
  (void)touch;
  *(bool *)context = true;
}

typedef struct NextContext {
  Footprint *footprint;
  uint32_t first;
  uint32_t *place; // per resource: where it was last put
} NextContext;

static void add_next(void *context, ResourceTouch touch) {
  NextContext *c = context;
  assert(touch.resource < c->footprint->resource_count);
  ResourceTouchVector *next = &c->footprint->next;
  uint32_t at = c->place[touch.resource];
  if (at >= c->first && at < next->count && next->data[at].resource == touch.resource) {
    next->data[at].reads |= touch.reads;
    next->data[at].writes |= touch.writes;
    return;
  }
  c->place[touch.resource] = (uint32_t)next->count;
  ResourceTouchVector_push(next, touch);
}

static bool can_block(StepKind kind) {
  return kind == STEP_ASSUME || kind == STEP_WAIT || kind == STEP_LOCK || kind == STEP_START || kind == STEP_AGAIN ||
         kind == STEP_HALT || kind == STEP_DIVIDE || kind == STEP_FREE;
}

// Walks the inside of an atomic section: collects what it touches, and whether it can always be finished.
typedef struct SectionWalk {
  Footprint *footprint;
  NextContext next;
  uint32_t *seen; // per location: number of the walk
  uint32_t walk;
  U32Vector work;
  bool never_blocks;
} SectionWalk;

static void walk_edge(SectionWalk *walk, const EdgeCode *edge) {
  Footprint *f = walk->footprint;
  const Program *p = f->code->layout->program;
  footprint_each_touch(f, &p->steps.data[edge->step], add_next, &walk->next);
  if (edge->access != ACCESS_NONE && edge->access != ACCESS_DIRECT) walk->never_blocks = false; // may be invalid
  if (edge->kind != STEP_PLAIN && can_block((StepKind)edge->kind)) walk->never_blocks = false;
  if (edge->back) walk->never_blocks = false;
  if (!p->locations.data[edge->to].atomic || walk->seen[edge->to] == walk->walk) return;
  walk->seen[edge->to] = walk->walk;
  U32Vector_push(&walk->work, edge->to);
}

static void walk_section(SectionWalk *walk, const EdgeCode *entry) {
  const MachineCode *code = walk->footprint->code;
  assert(walk->work.count == 0);
  walk->walk++;
  walk_edge(walk, entry);
  while (walk->work.count > 0) {
    LocationId l = U32Vector_pop(&walk->work);
    if (!code->locations[l].complete) walk->never_blocks = false;
    for (uint32_t i = 0; i < code->locations[l].edge_count; i++)
      walk_edge(walk, &code->edges[code->locations[l].first_edge + i]);
  }
}

static void describe_stop(Footprint *f, LocationId l, SectionWalk *walk) {
  const MachineCode *code = f->code;
  const Program *p = code->layout->program;
  const LocationCode *location = &code->locations[l];
  StopInfo *info = &f->locations[l];
  if (p->locations.data[l].atomic) return; // passed through in one go
  walk->next.first = info->first_next = (uint32_t)f->next.count;
  walk->never_blocks = location->complete && location->resolve_count == 0;
  info->only_locks = location->edge_count > 0;
  for (uint32_t i = 0; i < location->edge_count; i++) {
    const EdgeCode *edge = &code->edges[location->first_edge + i];
    bool visible = false;
    footprint_each_touch(f, &p->steps.data[edge->step], note_visible, &visible);
    bool enters = p->locations.data[edge->to].atomic && !p->locations.data[l].atomic;
    info->stop |= visible || enters || edge->kind == STEP_HALT;
    info->section |= enters;
    if (locked_resource(f, edge) == NO_ID) info->only_locks = false;
    if (enters)
      walk_section(walk, edge);
    else
      walk_edge(walk, edge);
    bool dynamic = edge->access == ACCESS_STRIDED || edge->access == ACCESS_SEARCHED;
    info->narrow |= visible && dynamic && location->edge_count == 1;
    if (visible || enters) info->memory_guard = true;
    if (edge->kind == STEP_CUT) f->locations[edge->to].cut = true;
  }
  if (info->section) info->narrow = false;
  info->never_blocks = walk->never_blocks;
  info->next_count = (uint32_t)f->next.count - info->first_next;
}

void footprint_init(Footprint *f, const MachineCode *code, bool silent, Account *account) {
  const Program *p = code->layout->program;
  *f = (Footprint){.code = code, .account = account};
  f->cell_resource = memory_allocate(account, p->cells.count * sizeof(uint32_t));
  f->heap_resource = memory_allocate(account, p->objects.count * sizeof(uint32_t));
  f->locations = memory_allocate_zeroed(account, p->locations.count * sizeof(StopInfo));
  ResourceTouchVector_init(&f->next, account);
  number_resources(f, silent);
  find_lists(f);
  SectionWalk walk = {.footprint = f, .next.footprint = f};
  U32Vector_init(&walk.work, account);
  walk.seen = memory_allocate_zeroed(account, p->locations.count * sizeof(uint32_t));
  walk.next.place = memory_allocate_zeroed(account, (f->resource_count + 1) * sizeof(uint32_t));
  for (LocationId l = 0; l < p->locations.count; l++) describe_stop(f, l, &walk);
  memory_free(account, walk.seen, p->locations.count * sizeof(uint32_t));
  memory_free(account, walk.next.place, (f->resource_count + 1) * sizeof(uint32_t));
  U32Vector_free(&walk.work);
  find_later(f);
}

void footprint_free(Footprint *f) {
  const Program *p = f->code->layout->program;
  memory_free(f->account, f->cell_resource, p->cells.count * sizeof(uint32_t));
  memory_free(f->account, f->heap_resource, p->objects.count * sizeof(uint32_t));
  memory_free(f->account, f->locations, p->locations.count * sizeof(StopInfo));
  ResourceTouchVector_free(&f->next);
  map_free(&f->lists);
  U32Vector_free(&f->list_start);
  ListTouchVector_free(&f->list_touches);
  may_touch_free(&f->later);
}
