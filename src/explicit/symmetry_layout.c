#include "explicit/symmetry_layout.h"

static bool in_component(const StateLayout *layout, size_t component, uint32_t offset) {
  return offset != NO_ID && offset >= layout->base[component] &&
         offset < layout->base[component] + layout->size[component];
}

// --- control blocks ---

// The cells that their own thread writes.
static Bitset find_own_writes(const Program *p, Account *account) {
  Bitset written;
  bitset_init(&written, p->cells.count, account);
  for (EdgeId e = 0; e < p->edges.count; e++) {
    const Access *access = &edge_first_step(p, e)->access;
    if (access->address == TERM_NONE || !access->writes) continue;
    ThreadId t = p->locations.data[p->edges.data[e].from].thread;
    uint32_t count;
    const CellId *cells = access_cells(p, access, &count);
    for (uint32_t i = 0; i < count; i++)
      if (p->objects.data[p->cells.data[cells[i]].object].owner == t) bitset_set(&written, cells[i]);
  }
  return written;
}

static void add_field(FieldPlace *fields, uint32_t *count, uint32_t offset, uint8_t bytes) {
  assert(*count < CONTROL_FIELDS && bytes <= 8);
  fields[(*count)++] = (FieldPlace){offset, bytes};
}

static void place_cell(Symmetry *symmetry, ThreadId t, CellId cell, bool own_write) {
  const StateLayout *layout = symmetry->mover->machine.layout;
  const Program *p = layout->program;
  ControlCells *control = &symmetry->control;
  const Place *place = &layout->cells[cell];
  uint64_t field = p->cells.data[cell].address - p->objects.data[p->cells.data[cell].object].address;
  if (place->offset == NO_ID || place->offset >= layout->state_bytes) return;
  if (field == CONTROL_STATUS) control->status[t] = *place;
  if (field == CONTROL_ENDED) control->ended[t] = *place;
  uint32_t resource = symmetry->mover->footprint->cell_resource[cell];
  bool end = field == CONTROL_STATUS || field == CONTROL_ENDED;
  if (end && resource != NO_ID) bitset_set(&control->watched, resource);
  if (in_component(layout, 1 + t, place->offset)) return; // moves with the thread
  if (own_write)
    add_field(control->moved[t], &control->moved_count[t], place->offset, place->bytes);
  else
    add_field(control->fixed[t], &control->fixed_count[t], place->offset, place->bytes);
}

// A block is cut into as many cells of as many bytes as there are fields. Else the thread is no worker here.
static bool control_fits(const StateLayout *layout, const Object *object) {
  if (object->cell_count == 0 || object->cell_count > CONTROL_FIELDS || object->dynamic) return false;
  for (uint32_t i = 0; i < object->cell_count; i++) {
    const Place *place = &layout->cells[object->first_cell + i];
    if (place->bytes > 8 || (place->offset < layout->state_bytes && place->flag != NO_ID)) return false;
  }
  return true;
}

static void find_control(Symmetry *symmetry) {
  const StateLayout *layout = symmetry->mover->machine.layout;
  const Program *p = layout->program;
  ControlCells *control = &symmetry->control;
  Bitset own_writes = find_own_writes(p, symmetry->account);
  bitset_init(&control->watched, symmetry->mover->footprint->resource_count, symmetry->account);
  for (ThreadId t = 0; t < p->threads.count; t++) {
    control->status[t] = control->ended[t] = (Place){.offset = NO_ID};
    if (symmetry->equal.like[t] == NO_ID || p->threads.data[t].control == NO_ID) continue;
    const Object *object = &p->objects.data[p->threads.data[t].control];
    if (!control_fits(layout, object)) continue;
    for (uint32_t i = 0; i < object->cell_count; i++)
      place_cell(symmetry, t, object->first_cell + i, bitset_get(&own_writes, object->first_cell + i));
    if (control->status[t].offset != NO_ID) control->workers |= thread_bit(t);
  }
  bitset_free(&own_writes);
}

void control_cells_free(ControlCells *control) { bitset_free(&control->watched); }

// --- the same order ---

static bool same_offset(const StateLayout *layout, ThreadId a, uint32_t x, ThreadId b, uint32_t y) {
  if (x == NO_ID || y == NO_ID) return x == y;
  return x - layout->base[1 + a] == y - layout->base[1 + b];
}

static bool variables_match(const Symmetry *symmetry, ThreadId a, ThreadId b) {
  const StateLayout *layout = symmetry->mover->machine.layout;
  const ThreadLists *lists = &symmetry->equal.variables;
  for (uint32_t i = 0; i < thread_list_count(lists, a); i++) {
    const Place *x = &layout->variables[thread_list_at(lists, a, i)];
    const Place *y = &layout->variables[thread_list_at(lists, b, i)];
    if (x->bytes != y->bytes || !same_offset(layout, a, x->offset, b, y->offset) ||
        !same_offset(layout, a, x->flag, b, y->flag))
      return false;
  }
  return true;
}

// Places of cells: in the components of the threads, or both in the same other part of the vector.
static bool places_match(const StateLayout *layout, ThreadId a, uint32_t x, ThreadId b, uint32_t y) {
  bool own = in_component(layout, 1 + a, x);
  if (own != in_component(layout, 1 + b, y) || (x == NO_ID) != (y == NO_ID)) return false;
  return own ? same_offset(layout, a, x, b, y) : x == NO_ID || (x >= layout->state_bytes) == (y >= layout->state_bytes);
}

// An own object other than the control block is in the component of its thread, or not in the state.
static bool stays_home(const StateLayout *layout, ThreadId t, uint32_t offset) {
  return offset == NO_ID || offset >= layout->state_bytes || in_component(layout, 1 + t, offset);
}

static bool object_matches(const Symmetry *symmetry, ThreadId a, ObjectId object, ThreadId b) {
  const StateLayout *layout = symmetry->mover->machine.layout;
  const Program *p = layout->program;
  const Object *one = &p->objects.data[object];
  for (uint32_t i = 0; i < one->cell_count; i++) {
    CellId cell = one->first_cell + i, other = equal_cell(&symmetry->equal, cell, a, b);
    if (other == NO_ID) return false;
    const Place *x = &layout->cells[cell], *y = &layout->cells[other];
    bool home =
        one->storage == STORAGE_CONTROL || (stays_home(layout, a, x->offset) && stays_home(layout, b, y->offset));
    if (!home || !places_match(layout, a, x->offset, b, y->offset) || !places_match(layout, a, x->flag, b, y->flag))
      return false;
  }
  if (one->cell_count == 0) return !one->dynamic || layout->heap[object] == NO_ID;
  ObjectId there = p->cells.data[equal_cell(&symmetry->equal, one->first_cell, a, b)].object;
  return stays_home(layout, a, layout->heap[object]) && stays_home(layout, a, layout->extent[object]) &&
         same_offset(layout, a, layout->heap[object], b, layout->heap[there]) &&
         same_offset(layout, a, layout->extent[object], b, layout->extent[there]);
}

static bool controls_match(const ControlCells *control, ThreadId a, ThreadId b) {
  if (control->moved_count[a] != control->moved_count[b] || control->fixed_count[a] != control->fixed_count[b])
    return false;
  for (uint32_t i = 0; i < control->moved_count[a]; i++)
    if (control->moved[a][i].bytes != control->moved[b][i].bytes) return false;
  for (uint32_t i = 0; i < control->fixed_count[a]; i++)
    if (control->fixed[a][i].bytes != control->fixed[b][i].bytes) return false;
  return true;
}

// --- choices ---

static bool domains_match(const Domains *domains, ChoiceKind kind, size_t x, size_t y) {
  uint32_t count = 0, other_count = 0;
  const uint64_t *values = domains_get(domains, kind, x, &count), *others = domains_get(domains, kind, y, &other_count);
  if (values == NULL || others == NULL) return values == others;
  return count == other_count && memcmp(values, others, count * sizeof *values) == 0;
}

// Do the edges make the same choices, so that the digits of one are good for the other?
static bool choices_match(const Symmetry *symmetry, ThreadId a, ThreadId b) {
  const Machine *machine = &symmetry->mover->machine;
  const MachineCode *code = machine->code;
  const Domains *domains = machine->chooser->domains;
  const ThreadLists *edges = &symmetry->equal.edges, *locations = &symmetry->equal.locations;
  for (uint32_t i = 0; i < thread_list_count(edges, a); i++) {
    const EdgeCode *x = &code->edges[code->edge_index[thread_list_at(edges, a, i)]];
    const EdgeCode *y = &code->edges[code->edge_index[thread_list_at(edges, b, i)]];
    if (x->write_count != y->write_count || x->access != y->access || x->reads != y->reads) return false;
    for (uint32_t w = 0; domains && w < x->write_count; w++)
      if (!domains_match(domains, CHOICE_INPUT, x->first_write + w, y->first_write + w)) return false;
  }
  for (uint32_t i = 0; i < thread_list_count(locations, a); i++) {
    const LocationCode *x = &code->locations[thread_list_at(locations, a, i)];
    const LocationCode *y = &code->locations[thread_list_at(locations, b, i)];
    if (x->resolve_count != y->resolve_count || x->edge_count != y->edge_count || x->exclusive != y->exclusive)
      return false;
    for (uint32_t r = 0; domains && r < x->resolve_count; r++)
      if (!domains_match(domains, CHOICE_VARIABLE, x->first_resolve + r, y->first_resolve + r)) return false;
  }
  return true;
}

static bool threads_match(const Symmetry *symmetry, ThreadId a, ThreadId b) {
  const StateLayout *layout = symmetry->mover->machine.layout;
  const Program *p = layout->program;
  ThreadMask both = thread_bit(a) | thread_bit(b);
  if ((symmetry->control.workers & both) != both || layout->size[1 + a] != layout->size[1 + b] ||
      !same_offset(layout, a, layout->location[a], b, layout->location[b]))
    return false;
  if (!controls_match(&symmetry->control, a, b) || !variables_match(symmetry, a, b) || !choices_match(symmetry, a, b))
    return false;
  for (ObjectId o = 0; o < p->objects.count; o++)
    if (p->objects.data[o].owner == a && !object_matches(symmetry, a, o, b)) return false;
  return true;
}

bool symmetry_layout_find(Symmetry *symmetry) {
  const StateLayout *layout = symmetry->mover->machine.layout;
  EqualThreads *equal = &symmetry->equal;
  find_control(symmetry);
  for (ThreadId t = 0; t < layout->program->threads.count; t++) {
    ThreadId first = equal->like[t];
    if (first != NO_ID && first != t && !threads_match(symmetry, first, t)) equal->like[t] = t;
  }
  for (size_t i = 0; i < equal->owners.count; i++) {
    const Place *place = &layout->cells[equal->owners.data[i]];
    if (!in_component(layout, 0, place->offset) || place->flag != NO_ID) return false;
    U32Vector_push(&symmetry->owners, place->offset);
  }
  return symmetry->owners.count <= MOST_OWNER_CELLS;
}
