#include "replay/state_layout.h"

#include <stdlib.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values in the state vector are little-endian");

static uint8_t bytes_of_width(unsigned width) {
  if (width <= 8) return 1;
  if (width <= 16) return 2;
  if (width <= 32) return 4;
  return width <= 64 ? 8 : 16;
}

// --- who touches what ---

static void touch(ThreadId *toucher, ThreadId thread) {
  if (*toucher == NOBODY)
    *toucher = thread;
  else if (*toucher != thread)
    *toucher = SEVERAL;
}

typedef struct TouchContext {
  StateLayout *layout;
  ThreadId thread;
} TouchContext;

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

static void touch_step(StateLayout *layout, ThreadId thread, const Step *step) {
  const Program *p = layout->program;
  TouchContext context = {.layout = layout, .thread = thread};
  if (step->kind == STEP_FREE) state_layout_each_freed(p, step, touch_heap, &context);
  if (step->kind == STEP_ALLOCATE || step->kind == STEP_END) touch_heap(&context, step->target);
  if (step->access.address == TERM_NONE) return;
  for (uint32_t i = 0; i < step->access.cells.count; i++) {
    CellId cell = p->cell_lists.data[step->access.cells.first + i];
    touch(&layout->cell_toucher[cell], thread);
    touch_heap(&context, p->cells.data[cell].object);
    if (step->access.writes) layout->cell_written[cell] = true;
  }
}

static void find_touchers(StateLayout *layout) {
  const Program *p = layout->program;
  for (CellId c = 0; c < p->cells.count; c++) layout->cell_toucher[c] = NOBODY;
  for (ObjectId o = 0; o < p->objects.count; o++) layout->heap_toucher[o] = NOBODY;
  for (EdgeId e = 0; e < p->edges.count; e++) {
    const Edge *edge = &p->edges.data[e];
    for (uint32_t i = 0; i < edge->step_count; i++)
      touch_step(layout, p->locations.data[edge->from].thread, &p->steps.data[edge->first_step + i]);
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
  if (toucher == NOBODY) return NO_ID;
  bool changes = layout->cell_written[cell] || layout->program->cells.data[cell].initial == TERM_NONE;
  if (!changes) return (uint32_t)layout->component_count; // the constant part
  return toucher == SEVERAL ? 0 : 1 + toucher;
}

// May a cell become indeterminate (again)?
static void mark_forgotten(const StateLayout *layout, bool *forgotten) {
  const Program *p = layout->program;
  for (StepId s = 0; s < p->steps.count; s++) {
    const Access *access = &p->steps.data[s].access;
    if (access->address == TERM_NONE || !access->writes || access->stored != VALUE_INDETERMINATE) continue;
    for (uint32_t i = 0; i < access->cells.count; i++) forgotten[p->cell_lists.data[access->cells.first + i]] = true;
  }
}

static void gather_cells(StateLayout *layout, ItemVector *items) {
  const Program *p = layout->program;
  bool *forgotten = memory_allocate_zeroed(layout->account, p->cells.count);
  mark_forgotten(layout, forgotten);
  for (CellId c = 0; c < p->cells.count; c++) {
    Place *place = &layout->cells[c];
    *place = (Place){.offset = NO_ID, .flag = NO_ID, .bytes = (uint8_t)p->cells.data[c].bytes};
    uint32_t component = cell_component(layout, c);
    if (component == NO_ID) continue;
    ItemVector_push(items, (Item){component, place->bytes, &place->offset, 0});
    if (p->cells.data[c].initial == TERM_NONE || forgotten[c])
      ItemVector_push(items, (Item){component, 1, &place->flag, 0});
  }
  memory_free(layout->account, forgotten, p->cells.count);
}

static void gather_heap(StateLayout *layout, ItemVector *items) {
  const Program *p = layout->program;
  for (ObjectId o = 0; o < p->objects.count; o++) {
    layout->heap[o] = layout->extent[o] = NO_ID;
    ThreadId toucher = layout->heap_toucher[o];
    if (!p->objects.data[o].dynamic || toucher == NOBODY) continue;
    uint32_t component = toucher == SEVERAL ? 0 : 1 + toucher;
    ItemVector_push(items, (Item){component, 1, &layout->heap[o], 0});
    if (p->objects.data[o].sized) ItemVector_push(items, (Item){component, 4, &layout->extent[o], 0});
  }
}

// --- variables: colouring ---

// A place that variables of one thread share.
typedef struct Colour {
  uint8_t bytes;
  VariableId first; // the variable whose place is the colour's
  Bitset members;   // over the thread's variables
} Colour;
VECTOR(ColourVector, Colour);

enum { MOST_COLOURED = 6000 }; // variables of a thread; beyond it each has its own place

// For each variable of a thread (dense numbers), those that are live together with it.
static Bitset *find_interference(const StateLayout *layout, ThreadId thread, const U32Vector *variables,
                                 const uint32_t *dense) {
  const Program *p = layout->program;
  Bitset *interference = memory_allocate(layout->account, variables->count * sizeof(Bitset));
  for (size_t i = 0; i < variables->count; i++) bitset_init(&interference[i], variables->count, layout->account);
  Bitset here;
  bitset_init(&here, variables->count, layout->account);
  for (LocationId l = 0; l < p->locations.count; l++) {
    if (p->locations.data[l].thread != thread) continue;
    const Bitset *live = &layout->live.at[l];
    bitset_clear_all(&here);
    for (size_t v = bitset_next(live, 0); v < live->bits; v = bitset_next(live, v + 1)) {
      if (dense[v] != NO_ID) bitset_set(&here, dense[v]);
    }
    for (size_t i = bitset_next(&here, 0); i < here.bits; i = bitset_next(&here, i + 1))
      bitset_union(&interference[i], &here);
  }
  bitset_free(&here);
  return interference;
}

// Gives each variable the first colour of its size that it does not interfere with.
static void colour(StateLayout *layout, const U32Vector *variables, const Bitset *interference, uint32_t *shares) {
  ColourVector colours = {.account = layout->account};
  for (size_t i = 0; i < variables->count; i++) {
    VariableId v = variables->data[i];
    size_t c = 0;
    while (c < colours.count && (colours.data[c].bytes != layout->variables[v].bytes ||
                                 bitset_intersects(&colours.data[c].members, &interference[i])))
      c++;
    if (c == colours.count) {
      ColourVector_push(&colours, (Colour){.bytes = layout->variables[v].bytes, .first = v});
      bitset_init(&ColourVector_last(&colours)->members, variables->count, layout->account);
    }
    bitset_set(&colours.data[c].members, i);
    shares[v] = colours.data[c].first;
  }
  for (size_t c = 0; c < colours.count; c++) bitset_free(&colours.data[c].members);
  ColourVector_free(&colours);
}

// `shares[v]` becomes the variable whose place v uses.
static void colour_thread(StateLayout *layout, ThreadId thread, const Bitset *ever_live, uint32_t *dense,
                          uint32_t *shares) {
  const Program *p = layout->program;
  U32Vector variables = {.account = layout->account};
  for (VariableId v = 0; v < p->variables.count; v++) {
    dense[v] = NO_ID;
    if (p->variables.data[v].thread != thread || !bitset_get(ever_live, v)) continue;
    dense[v] = (uint32_t)variables.count;
    U32Vector_push(&variables, v);
  }
  if (variables.count <= MOST_COLOURED) {
    Bitset *interference = find_interference(layout, thread, &variables, dense);
    colour(layout, &variables, interference, shares);
    for (size_t i = 0; i < variables.count; i++) bitset_free(&interference[i]);
    memory_free(layout->account, interference, variables.count * sizeof(Bitset));
  }
  U32Vector_free(&variables);
}

static void find_fresh_variables(const Program *p, Bitset *fresh) {
  for (StepId s = 0; s < p->steps.count; s++) {
    const Step *step = &p->steps.data[s];
    for (uint32_t i = 0; i < step->assignment_count; i++) {
      if (step->assignments[i].value == VALUE_INDETERMINATE) bitset_set(fresh, step->assignments[i].variable);
    }
  }
}

static void gather_variables(StateLayout *layout, ItemVector *items, uint32_t *shares) {
  const Program *p = layout->program;
  Bitset ever_live, fresh;
  bitset_init(&ever_live, p->variables.count, layout->account);
  bitset_init(&fresh, p->variables.count, layout->account);
  for (LocationId l = 0; l < p->locations.count; l++) bitset_union(&ever_live, &layout->live.at[l]);
  find_fresh_variables(p, &fresh);
  for (VariableId v = 0; v < p->variables.count; v++) {
    unsigned width = term_width(p->terms, variable_term(p, v));
    layout->variables[v] = (Place){.offset = NO_ID, .flag = NO_ID, .bytes = bytes_of_width(width)};
    shares[v] = v;
  }
  uint32_t *dense = memory_allocate(layout->account, p->variables.count * sizeof(uint32_t));
  for (ThreadId t = 0; t < p->threads.count; t++) colour_thread(layout, t, &ever_live, dense, shares);
  memory_free(layout->account, dense, p->variables.count * sizeof(uint32_t));
  for (VariableId v = 0; v < p->variables.count; v++) {
    Place *place = &layout->variables[v];
    if (!bitset_get(&ever_live, v)) continue;
    uint32_t component = 1 + p->variables.data[v].thread;
    if (shares[v] == v) ItemVector_push(items, (Item){component, place->bytes, &place->offset, 0});
    if (bitset_get(&fresh, v)) ItemVector_push(items, (Item){component, 1, &place->flag, 0});
  }
  bitset_free(&fresh);
  bitset_free(&ever_live);
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

void state_layout_init(StateLayout *layout, const Program *program, Account *account) {
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
  layout->heap_toucher = memory_allocate_zeroed(account, p->objects.count * sizeof(ThreadId));
  live_variables(p, &layout->live, account);
  find_touchers(layout);
  ItemVector items = {.account = account};
  uint32_t *shares = memory_allocate(account, p->variables.count * sizeof(uint32_t));
  for (ThreadId t = 0; t < p->threads.count; t++) ItemVector_push(&items, (Item){1 + t, 4, &layout->location[t], 0});
  gather_cells(layout, &items);
  gather_heap(layout, &items);
  gather_variables(layout, &items, shares);
  place_items(layout, &items);
  for (VariableId v = 0; v < p->variables.count; v++) layout->variables[v].offset = layout->variables[shares[v]].offset;
  memory_free(account, shares, p->variables.count * sizeof(uint32_t));
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
  memory_free(account, layout->heap_toucher, p->objects.count * sizeof(ThreadId));
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
    if (initial == TERM_NONE)
      vector[place->flag] = 1;
    else
      vector_write_wide(vector + place->offset, place->bytes, term_constant_value(p->terms, initial));
  }
}
