#include "explicit/machine/state_layout.h"

#include "explicit/machine/variable_places.h"

#include <stdlib.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values in the state vector are little-endian");

static uint8_t bytes_of_width(unsigned width) {
  if (width <= 8) return 1;
  if (width <= 16) return 2;
  if (width <= 32) return 4;
  return width <= 64 ? 8 : 16;
}

// --- which threads touch a cell ---

static void touch(ThreadId *toucher, ThreadId thread) {
  if (*toucher == NO_THREAD)
    *toucher = thread;
  else if (*toucher != thread)
    *toucher = SEVERAL;
}

typedef struct TouchContext {
  StateLayout *layout;
  ThreadId thread;
  Map *lists; // long lists of cells -> bits: this thread has read (1) or written (2) them
} TouchContext;

enum { MOST_CELLS_ONE_BY_ONE = 16 };

// Has the thread touched the same long list in the same way before?
static bool touched_before(TouchContext *context, const Access *access) {
  if (access->cells.count <= MOST_CELLS_ONE_BY_ONE) return false;
  uint64_t key = cell_set_key(access->cells);
  uint64_t known = map_get_or(context->lists, key, 0), now = access->writes ? 3 : 1;
  map_put(context->lists, key, known | now);
  return (known & now) == now;
}

static void touch_heap(void *context, ObjectId object) {
  TouchContext *c = context;
  touch(&c->layout->heap_toucher[object], c->thread);
}

void state_layout_each_freed(const Program *p, const Step *step, void (*visit)(void *context, ObjectId object),
                             void *context) {
  if (term_is_constant(p->terms, step->operand)) {
    ObjectId object = program_object_at(p, (uint64_t)term_constant_value(p->terms, step->operand));
    if (object != NO_ID && p->objects.data[object].storage == STORAGE_HEAP) visit(context, object);
    return;
  }
  for (ObjectId o = 0; o < p->objects.count; o++) {
    if (p->objects.data[o].storage == STORAGE_HEAP) visit(context, o);
  }
}

static void touch_step(TouchContext *context, const Step *step) {
  StateLayout *layout = context->layout;
  const Program *p = layout->program;
  if (step->kind == STEP_FREE) state_layout_each_freed(p, step, touch_heap, context);
  if (step->kind == STEP_ALLOCATE || step->kind == STEP_END) touch_heap(context, step->target);
  if (step->access.address == TERM_NONE || touched_before(context, &step->access)) return;
  uint32_t count;
  const CellId *cells = access_cells(p, &step->access, &count);
  for (uint32_t i = 0; i < count; i++) {
    CellId cell = cells[i];
    touch(&layout->cell_toucher[cell], context->thread);
    touch_heap(context, p->cells.data[cell].object);
    if (step->access.writes) layout->cell_written[cell] = true;
  }
}

static void find_touchers(StateLayout *layout) {
  const Program *p = layout->program;
  for (CellId c = 0; c < p->cells.count; c++) layout->cell_toucher[c] = NO_THREAD;
  for (ObjectId o = 0; o < p->objects.count; o++) layout->heap_toucher[o] = NO_THREAD;
  Map *lists = memory_allocate_zeroed(layout->account, p->threads.count * sizeof *lists);
  for (ThreadId t = 0; t < p->threads.count; t++) map_init(&lists[t], layout->account);
  for (EdgeId e = 0; e < p->edges.count; e++) {
    ThreadId thread = p->locations.data[p->edges.data[e].from].thread;
    TouchContext context = {.layout = layout, .thread = thread, .lists = &lists[thread]};
    uint32_t count;
    const Step *steps = edge_steps(p, e, &count);
    for (uint32_t i = 0; i < count; i++) touch_step(&context, &steps[i]);
  }
  for (ThreadId t = 0; t < p->threads.count; t++) map_free(&lists[t]);
  memory_free(layout->account, lists, p->threads.count * sizeof *lists);
}

// --- what is used ---

static bool mentions(const Program *p, Term t, Term variable) {
  return t != TERM_NONE && !value_is_fresh(t) && term_mentions(p->terms, t, variable);
}

// Does nothing use the value that the step loads: neither the step itself, nor what follows?
static bool loads_idly(const StateLayout *layout, const Edge *edge, const Step *step) {
  const Program *p = layout->program;
  if (step->access.address == TERM_NONE || !step->access.reads) return false;
  Term into = variable_term(p, step->access.into);
  if (mentions(p, step->guard, into) || mentions(p, step->operand, into) || mentions(p, step->access.stored, into))
    return false;
  bool overwritten = false;
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    if (mentions(p, step->assignments[i].value, into)) return false;
    overwritten |= step->assignments[i].variable == step->access.into;
  }
  return overwritten || !live_at(&layout->live, edge->to, step->access.into);
}

static void find_idle(StateLayout *layout, bool idle) {
  const Program *p = layout->program;
  for (CellId c = 0; c < p->cells.count; c++) layout->cell_silent[c] = idle;
  for (size_t i = 0; i < p->supposed.count; i++) { // read by the search for races
    const Object *object = &p->objects.data[p->supposed.data[i]];
    if (object->cell_count) layout->cell_silent[object->first_cell] = false;
  }
  for (EdgeId e = 0; idle && e < p->edges.count; e++) {
    const Edge *edge = &p->edges.data[e];
    const Access *access = &edge_step(p, edge, 0)->access;
    if (access->address == TERM_NONE || !access->reads) continue;
    if (loads_idly(layout, edge, edge_step(p, edge, 0))) {
      bitset_set(&layout->idle, edge->first_step);
      continue;
    }
    uint32_t count;
    const CellId *cells = access_cells(p, access, &count);
    for (uint32_t i = 0; i < count; i++) layout->cell_silent[cells[i]] = false;
  }
}

// --- placing ---

// Something to be placed in a component.
typedef struct Item {
  uint32_t component;
  uint8_t bytes;
  uint32_t *offset;
  size_t order; // to keep the order of equal items
} Item;
VECTOR(ItemVector, Item);

static uint32_t cell_component(const StateLayout *layout, CellId cell) {
  ThreadId toucher = layout->cell_toucher[cell];
  if (toucher == NO_THREAD) return NO_ID;
  bool changes = layout->cell_written[cell] || layout->program->cells.data[cell].initial == TERM_NONE;
  if (!changes || layout->cell_silent[cell]) return (uint32_t)layout->component_count; // behind the state
  return toucher == SEVERAL ? 0 : 1 + toucher;
}

static void gather_cells(StateLayout *layout, ItemVector *items) {
  const Program *p = layout->program;
  for (CellId c = 0; c < p->cells.count; c++) {
    Place *place = &layout->cells[c];
    *place = (Place){.offset = NO_ID, .flag = NO_ID, .bytes = (uint8_t)p->cells.data[c].bytes};
    uint32_t component = cell_component(layout, c);
    if (component == NO_ID) continue;
    ItemVector_push(items, (Item){component, place->bytes, &place->offset, 0});
    if (!layout->cell_silent[c] && bitset_get(&layout->indeterminate.cells, c))
      ItemVector_push(items, (Item){component, 1, &place->flag, 0});
  }
}

static void gather_heap(StateLayout *layout, ItemVector *items) {
  const Program *p = layout->program;
  for (ObjectId o = 0; o < p->objects.count; o++) {
    layout->heap[o] = layout->extent[o] = NO_ID;
    ThreadId toucher = layout->heap_toucher[o];
    if (!p->objects.data[o].dynamic || toucher == NO_THREAD) continue;
    uint32_t component = toucher == SEVERAL ? 0 : 1 + toucher;
    ItemVector_push(items, (Item){component, 1, &layout->heap[o], 0});
    if (p->objects.data[o].sized) ItemVector_push(items, (Item){component, 4, &layout->extent[o], 0});
  }
}

// --- variables ---

static void gather_variables(StateLayout *layout, const VariablePlaces *places, ItemVector *items) {
  const Program *p = layout->program;
  for (VariableId v = 0; v < p->variables.count; v++) {
    if (!bitset_get(&places->ever_live, v)) continue;
    uint32_t component = 1 + p->variables.data[v].thread;
    if (places->shares[v] == v)
      ItemVector_push(items, (Item){component, layout->variables[v].bytes, &layout->variables[v].offset, 0});
    if (places->flag_shares[v] == v) ItemVector_push(items, (Item){component, 1, &layout->variables[v].flag, 0});
  }
}

// What shares a place gets the offsets of the variable whose place it is.
static void spread_offsets(StateLayout *layout, const VariablePlaces *places) {
  const Program *p = layout->program;
  for (VariableId v = 0; v < p->variables.count; v++) {
    layout->variables[v].offset = layout->variables[places->shares[v]].offset;
    VariableId flag = places->flag_shares[v];
    layout->variables[v].flag = flag == NO_ID ? NO_ID : layout->variables[flag].flag;
  }
}

// Items by component, larger ones first (so that each is aligned), then in the order they were gathered in.
static int compare_items(const void *a, const void *b) {
  const Item *x = a, *y = b;
  if (x->component != y->component) return x->component < y->component ? -1 : 1;
  if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static void place_items(StateLayout *layout, ItemVector *items) {
  for (size_t i = 0; i < items->count; i++) items->data[i].order = i;
  qsort(items->data, items->count, sizeof(Item), compare_items);
  uint32_t at = 0;
  size_t next = 0;
  for (uint32_t c = 0; c <= layout->component_count; c++) {
    uint32_t start = at;
    for (; next < items->count && items->data[next].component == c; next++) {
      *items->data[next].offset = at;
      at += items->data[next].bytes;
    }
    at = (at + 7) / 8 * 8;
    if (c == layout->component_count) break;
    layout->base[c] = start;
    layout->size[c] = at - start;
    layout->state_bytes = at;
  }
  layout->vector_bytes = at + 8;
}

void state_layout_init(StateLayout *layout, const Program *program, LayoutMode mode, Account *account) {
  const Program *p = program;
  *layout = (StateLayout){.program = p, .component_count = p->threads.count + 1, .account = account};
  layout->base = memory_allocate_zeroed(account, layout->component_count * sizeof(uint32_t));
  layout->size = memory_allocate_zeroed(account, layout->component_count * sizeof(uint32_t));
  layout->location = memory_allocate_zeroed(account, p->threads.count * sizeof(uint32_t));
  layout->variables = memory_allocate_zeroed(account, p->variables.count * sizeof(Place));
  layout->cells = memory_allocate_zeroed(account, p->cells.count * sizeof(Place));
  layout->heap = memory_allocate_zeroed(account, p->objects.count * sizeof(uint32_t));
  layout->extent = memory_allocate_zeroed(account, p->objects.count * sizeof(uint32_t));
  layout->cell_toucher = memory_allocate_zeroed(account, p->cells.count * sizeof(ThreadId));
  layout->cell_written = memory_allocate_zeroed(account, p->cells.count * sizeof(bool));
  layout->cell_silent = memory_allocate_zeroed(account, p->cells.count * sizeof(bool));
  layout->heap_toucher = memory_allocate_zeroed(account, p->objects.count * sizeof(ThreadId));
  bitset_init(&layout->idle, p->steps.count, account);
  live_variables(p, &layout->live, account);
  find_touchers(layout);
  find_idle(layout, mode != LAYOUT_PLAIN);
  indeterminate_find(&layout->indeterminate, p, mode == LAYOUT_CARRYING, account);
  ItemVector items = {.account = account};
  for (VariableId v = 0; v < p->variables.count; v++) {
    unsigned width = term_width(p->terms, variable_term(p, v));
    layout->variables[v] = (Place){.offset = NO_ID, .flag = NO_ID, .bytes = bytes_of_width(width)};
  }
  VariablePlaces places;
  variable_places_init(&places, layout);
  for (ThreadId t = 0; t < p->threads.count; t++) ItemVector_push(&items, (Item){1 + t, 4, &layout->location[t], 0});
  gather_cells(layout, &items);
  gather_heap(layout, &items);
  gather_variables(layout, &places, &items);
  place_items(layout, &items);
  spread_offsets(layout, &places);
  variable_places_free(&places);
  ItemVector_free(&items);
}

void state_layout_free(StateLayout *layout) {
  const Program *p = layout->program;
  Account *account = layout->account;
  memory_free(account, layout->base, layout->component_count * sizeof(uint32_t));
  memory_free(account, layout->size, layout->component_count * sizeof(uint32_t));
  memory_free(account, layout->location, p->threads.count * sizeof(uint32_t));
  memory_free(account, layout->variables, p->variables.count * sizeof(Place));
  memory_free(account, layout->cells, p->cells.count * sizeof(Place));
  memory_free(account, layout->heap, p->objects.count * sizeof(uint32_t));
  memory_free(account, layout->extent, p->objects.count * sizeof(uint32_t));
  memory_free(account, layout->cell_toucher, p->cells.count * sizeof(ThreadId));
  memory_free(account, layout->cell_written, p->cells.count * sizeof(bool));
  memory_free(account, layout->cell_silent, p->cells.count * sizeof(bool));
  memory_free(account, layout->heap_toucher, p->objects.count * sizeof(ThreadId));
  bitset_free(&layout->idle);
  indeterminate_free(&layout->indeterminate);
  live_variables_free(&layout->live);
}

void state_layout_initial(const StateLayout *layout, uint8_t *vector) {
  const Program *p = layout->program;
  memset(vector, 0, layout->vector_bytes);
  for (ThreadId t = 0; t < p->threads.count; t++)
    vector_write(vector + layout->location[t], 4, p->threads.data[t].entry);
  for (CellId c = 0; c < p->cells.count; c++) {
    const Place *place = &layout->cells[c];
    if (place->offset == NO_ID) continue;
    Term initial = p->cells.data[c].initial;
    if (initial == TERM_NONE) {
      if (place->flag != NO_ID) vector[place->flag] = 1;
    } else
      vector_write_wide(vector + place->offset, place->bytes, term_constant_value(p->terms, initial));
  }
}
