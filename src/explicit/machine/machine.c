#include "explicit/machine/machine.h"

#include "program/facts/lost_blocks.h"

#include "program/passes/rewrite.h"

#include "judge/interpreter.h" // HeapState

void machine_init(Machine *machine, const MachineCode *code, Property property, Chooser *chooser, Account *account) {
  *machine = (Machine){.code = code,
                       .layout = code->layout,
                       .program = code->layout->program,
                       .property = property,
                       .chooser = chooser,
                       .into = NO_ID,
                       .account = account};
  bitset_init(&machine->ended, code->layout->program->steps.count, account);
  bitset_init(&machine->unforeseen, code->layout->program->steps.count, account);
  machine->vector = memory_allocate(account, code->layout->vector_bytes);
  machine->registers = memory_allocate_zeroed(account, REGISTER_COUNT * sizeof(uint64_t));
  machine->wide_values = memory_allocate(account, (code->most_writes + 1) * sizeof(Bits));
  machine->copied = memory_allocate(account, (code->most_writes + 1) * sizeof(bool));
  state_layout_initial(code->layout, machine->vector);
  size_t constants = code->constants.count < FIRST_TEMPORARY ? code->constants.count : FIRST_TEMPORARY;
  if (constants > 0) memcpy(machine->registers, code->constants.data, constants * sizeof(uint64_t));
}

void machine_free(Machine *machine) {
  bitset_free(&machine->ended);
  bitset_free(&machine->unforeseen);
  memory_free(machine->account, machine->vector, machine->layout->vector_bytes);
  memory_free(machine->account, machine->registers, REGISTER_COUNT * sizeof(uint64_t));
  memory_free(machine->account, machine->wide_values, (machine->code->most_writes + 1) * sizeof(Bits));
  memory_free(machine->account, machine->copied, (machine->code->most_writes + 1) * sizeof(bool));
}

// --- finding cells ---

static const Access *access_of(const Machine *machine, const EdgeCode *edge) {
  return &machine->program->steps.data[edge->step].access;
}

// Position in the access's list of the cell at `address`, or NO_ID.
static uint32_t find_listed(const Machine *machine, const Access *access, uint64_t address) {
  const Program *p = machine->program;
  const CellId *list = cell_set_cells(p, access->cells);
  uint32_t low = 0, high = access->cells.count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (p->cells.data[list[middle]].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < access->cells.count && p->cells.data[list[low]].address == address ? low : NO_ID;
}

// How many cells from position `at` of the list on make up the access; 0 if it does not fit.
static uint32_t count_cells(const Machine *machine, const Access *access, uint32_t at) {
  const Program *p = machine->program;
  const CellId *list = cell_set_cells(p, access->cells);
  const Cell *first = &p->cells.data[list[at]];
  assert(at < access->cells.count);
  uint32_t covered = 0, count = 0;
  while (covered < access->bytes) {
    if (at + count >= access->cells.count || list[at + count] != list[at] + count) return 0;
    const Cell *cell = &p->cells.data[list[at + count]];
    if (cell->object != first->object || cell->address != first->address + covered) return 0;
    covered += cell->bytes;
    count++;
  }
  return covered == access->bytes ? count : 0;
}

static bool locate_strided(const Machine *machine, const EdgeCode *edge, uint64_t address, CellId *first) {
  assert(edge->access_bytes > 0);
  const Cell *base = &machine->program->cells.data[edge->cell];
  uint64_t offset = address - base->address, index = offset / edge->access_bytes;
  if (offset % edge->access_bytes != 0 || index >= access_of(machine, edge)->cells.count) return false;
  *first = edge->cell + (CellId)index;
  return true;
}

// With the address part executed already.
static bool locate(Machine *machine, const EdgeCode *edge, CellId *first, uint32_t *count) {
  *count = 1;
  *first = edge->cell;
  uint64_t address;
  switch ((AccessMode)edge->access) {
  case ACCESS_NONE:
  case ACCESS_INVALID: return false;
  case ACCESS_DIRECT: return true;
  case ACCESS_FIXED: address = machine->program->cells.data[edge->cell].address; break;
  case ACCESS_STRIDED: return locate_strided(machine, edge, machine->registers[edge->address_register], first);
  default: address = machine->registers[edge->address_register]; break;
  }
  const Access *access = access_of(machine, edge);
  uint32_t at = find_listed(machine, access, address);
  if (at == NO_ID) return false;
  *first = cell_set_cells(machine->program, access->cells)[at];
  *count = count_cells(machine, access, at);
  return *count > 0;
}

bool machine_locate(Machine *machine, const EdgeCode *edge, CellId *first, uint32_t *count) {
  if (edge->access == ACCESS_NONE) return false;
  machine_execute(machine, edge->first_instruction, edge->address_end);
  return locate(machine, edge, first, count);
}

// Does an object that has a size of its own end before the `bytes` at `address` do?
static bool is_too_small(const Machine *machine, ObjectId object, uint64_t address, uint32_t bytes) {
  uint32_t extent = machine->layout->extent[object];
  if (extent == NO_ID) return false;
  return address - machine->program->objects.data[object].address + bytes > vector_read(machine->vector + extent, 4);
}

static bool is_accessible(const Machine *machine, const EdgeCode *edge, CellId cell) {
  const Cell *first = &machine->program->cells.data[cell];
  if (edge->writes && machine->program->objects.data[first->object].storage == STORAGE_CONSTANT) return false;
  uint32_t heap = machine->layout->heap[first->object];
  if (heap == NO_ID) return true;
  if (machine->vector[heap] != HEAP_LIVE) return false;
  return access_of(machine, edge)->to_the_end ||
         !is_too_small(machine, first->object, first->address, edge->access_bytes);
}

// --- choices ---

bool machine_needs_resolve(const Machine *machine, const LocationCode *location) {
  for (uint32_t i = 0; i < location->resolve_count; i++) {
    if (machine->vector[machine->code->resolves.data[location->first_resolve + i].flag]) return true;
  }
  return false;
}

void machine_resolve(Machine *machine, const LocationCode *location) {
  assert(!machine->testing); // it chooses
  for (uint32_t i = 0; i < location->resolve_count; i++) {
    const Resolve *resolve = &machine->code->resolves.data[location->first_resolve + i];
    if (!machine->vector[resolve->flag]) continue;
    machine->chooser->step = machine->code->edges[location->first_edge].step;
    uint64_t value = chooser_value(machine->chooser, CHOICE_VARIABLE, resolve->variable, location->first_resolve + i,
                                   resolve->width);
    machine->vector[resolve->flag] = 0;
    vector_write_wide(machine->vector + resolve->offset, resolve->bytes, value);
  }
}

// Loads the located cells into `loaded`; false if that needs a choice and the machine is only testing.
static bool load(Machine *machine, const EdgeCode *edge) {
  Bits loaded = 0;
  unsigned shift = 0;
  assert(machine->cell_count > 0 && machine->cell_count <= MOST_ACCESS_CELLS);
  for (uint32_t i = 0; i < machine->cell_count; i++) {
    const Place *place = &machine->layout->cells[machine->cell + i];
    assert(place->offset != NO_ID);
    Bits value;
    if (place->flag != NO_ID && machine->vector[place->flag] && edge->carries) {
      machine->carried = true;
      value = 0;
    } else if (place->flag != NO_ID && machine->vector[place->flag]) {
      if (machine->testing) return false;
      machine->chooser->step = edge->step;
      value = chooser_value(machine->chooser, CHOICE_CELL, machine->cell + i, machine->cell + i, 8u * place->bytes);
      machine->chosen[i] = value;
      machine->chosen_mask |= UINT64_C(1) << i;
    } else
      value = vector_read_wide(machine->vector + place->offset, place->bytes);
    loaded |= value << shift;
    shift += 8u * place->bytes;
  }
  machine->loaded = loaded;
  return true;
}

// --- begin ---

static EdgeResult ends(Machine *machine, const EdgeCode *edge, Property violated) {
  if (machine->property == violated && !machine->program->steps.data[edge->step].excused) return EDGE_VIOLATES;
  if (edge->kind != STEP_ERROR) bitset_set(&machine->ended, edge->step);
  return EDGE_ENDS;
}

static EdgeResult begin_free(Machine *machine, const EdgeCode *edge, uint64_t pointer) {
  if (pointer == 0) return EDGE_TAKEN;
  ObjectId object = program_object_at(machine->program, pointer);
  bool start = object != NO_ID && machine->program->objects.data[object].address == pointer &&
               machine->program->objects.data[object].storage == STORAGE_HEAP && machine->layout->heap[object] != NO_ID;
  if (!start || machine->vector[machine->layout->heap[object]] != HEAP_LIVE)
    return ends(machine, edge, PROPERTY_VALID_MEMSAFETY);
  return EDGE_TAKEN;
}

// --- checks ---

static bool cell_value(const void *context, CellId cell, Bits *value) {
  const Machine *machine = context;
  const Place *place = &machine->layout->cells[cell];
  if (place->offset == NO_ID || (place->flag != NO_ID && machine->vector[place->flag])) return false;
  *value = vector_read_wide(machine->vector + place->offset, place->bytes);
  return true;
}

static bool block_lives(const void *context, ObjectId block) {
  const Machine *machine = context;
  uint32_t heap = machine->layout->heap[block];
  return heap != NO_ID && machine->vector[heap] == HEAP_LIVE;
}

static LocationId location_of(const void *context, ThreadId thread) {
  const Machine *machine = context;
  return vector_location(machine->layout, machine->vector, thread);
}

static ThreadId thread_at(const Machine *machine, StepId step) {
  for (ThreadId t = 0; t < machine->program->threads.count; t++) {
    uint32_t count;
    const EdgeId *edges = location_edges(machine->program, location_of(machine, t), &count);
    for (uint32_t i = 0; i < count; i++)
      if (machine->program->edges.data[edges[i]].first_step == step) return t;
  }
  assert(false && "a thread stands at the step");
  return NO_ID;
}

static EdgeResult begin_tracking(const Machine *machine, const EdgeCode *edge) {
  const MemoryState state = {.context = machine, .value = cell_value, .lives = block_lives, .location = location_of};
  const Program *p = machine->program;
  const Step *step = &p->steps.data[edge->step];
  switch (lost_blocks_find(p, &state, thread_at(machine, edge->step), step->check, NULL)) {
  case LOSS_NONE: return EDGE_TAKEN;
  case LOSS_SURE: return EDGE_VIOLATES;
  case LOSS_UNKNOWN: break;
  }
  return EDGE_CUT;
}

static EdgeResult begin_check(const Machine *machine, const EdgeCode *edge) {
  const Step *step = &machine->program->steps.data[edge->step];
  if (step->excused || !property_has_check(machine->property, step->check)) return EDGE_TAKEN;
  return step->check->subject == CHECK_TRACK ? begin_tracking(machine, edge) : EDGE_VIOLATES;
}

// What the step's kind makes of it, the guard being true.
static EdgeResult begin_kind(Machine *machine, const EdgeCode *edge) {
  switch ((StepKind)edge->kind) {
  case STEP_ERROR: return ends(machine, edge, PROPERTY_UNREACH_CALL);
  case STEP_HALT: return EDGE_ENDS;
  case STEP_CUT: return EDGE_CUT;
  case STEP_DIVIDE:
    return machine->registers[edge->operand_register] == 0 ? ends(machine, edge, PROPERTY_NO_DIVISION_BY_ZERO)
                                                           : EDGE_TAKEN;
  case STEP_CHECK: return machine->registers[edge->operand_register] != 0 ? begin_check(machine, edge) : EDGE_TAKEN;
  case STEP_FREE: return begin_free(machine, edge, machine->registers[edge->operand_register]);
  default: return EDGE_TAKEN;
  }
}

// Accesses that may be invalid, indeterminate, of several cells or wide. Sets `valid`; false: testing cannot say.
static bool begin_access(Machine *machine, const EdgeCode *edge, bool *valid) {
  machine->chosen_mask = 0;
  machine->into = edge->reads ? access_of(machine, edge)->into : NO_ID;
  machine->loaded = 0;
  *valid = locate(machine, edge, &machine->cell, &machine->cell_count) && is_accessible(machine, edge, machine->cell);
  if (*valid && edge->reads && !load(machine, edge)) return false;
  if (edge->reads) machine->registers[edge->into_register] = (uint64_t)machine->loaded;
  return true;
}

// The address lies inside a live object, and yet the access may not go there: the points-to facts missed a target, or
// the pointer was made from an input. Nothing can be said of what follows, and the answer must not be SAFE.
static bool is_unforeseen(Machine *machine, const EdgeCode *edge) {
  const Program *p = machine->program;
  const Access *access = access_of(machine, edge);
  if (access_has_base(p, access)) return false;
  VariableId into = machine->into;
  machine->into = NO_ID; // the address is read before the load
  uint64_t address = (uint64_t)machine_evaluate(machine, access->address);
  machine->into = into;
  ObjectId id = address == 0 ? NO_ID : program_object_at(p, address);
  if (id == NO_ID) return false;
  const Object *object = &p->objects.data[id];
  if (object->storage == STORAGE_FUNCTION || (access->writes && object->storage == STORAGE_CONSTANT)) return false;
  if (address < object->address || address + access->bytes > object->address + object->size) return false;
  uint32_t heap = machine->layout->heap[id];
  if (object->dynamic && (heap == NO_ID || machine->vector[heap] != HEAP_LIVE)) return false;
  if (is_too_small(machine, id, address, access->bytes)) return false;
  bitset_set(&machine->unforeseen, edge->step);
  return true;
}

EdgeResult machine_begin(Machine *machine, const EdgeCode *edge) {
  bool valid = true;
  machine->carried = false;
  if (edge->access == ACCESS_DIRECT && !edge->wide) {
    if (edge->reads) {
      uint64_t value = vector_read(machine->vector + edge->offset, edge->access_bytes);
      machine->registers[edge->into_register] = value;
      machine->loaded = value;
      machine->into = access_of(machine, edge)->into;
    } else
      machine->into = NO_ID;
  } else if (edge->access != ACCESS_NONE) {
    machine_execute(machine, edge->first_instruction, edge->address_end);
    if (!begin_access(machine, edge, &valid)) return EDGE_TAKEN;
  } else
    machine->into = NO_ID;
  machine_execute(machine, edge->address_end, edge->guard_end);
  bool known = valid || !edge->guard_needs_load;
  if (!edge->guard_true && known && machine->registers[edge->guard_register] == 0) return EDGE_BLOCKED;
  if (!valid) return is_unforeseen(machine, edge) ? EDGE_ENDS : ends(machine, edge, PROPERTY_VALID_MEMSAFETY);
  return edge->kind == STEP_PLAIN ? EDGE_TAKEN : begin_kind(machine, edge);
}

// --- commit ---

static void commit_store(Machine *machine, const EdgeCode *edge) {
  uint8_t *vector = machine->vector;
  if (edge->access == ACCESS_DIRECT && !edge->wide) {
    if (edge->writes)
      vector_write(vector + edge->offset, edge->access_bytes, machine->registers[edge->stored_register]);
    return;
  }
  for (uint32_t i = 0; edge->reads && i < machine->cell_count; i++) {
    if (!(machine->chosen_mask >> i & 1)) continue;
    const Place *place = &machine->layout->cells[machine->cell + i];
    vector[place->flag] = 0;
    vector_write_wide(vector + place->offset, place->bytes, machine->chosen[i]);
  }
  if (!edge->writes) return;
  Bits value = edge->forgets ? 0
               : edge->wide  ? machine_evaluate(machine, access_of(machine, edge)->stored)
                             : machine->registers[edge->stored_register];
  bool forgets = edge->forgets || (edge->stored_flag != NO_ID && vector[edge->stored_flag]);
  for (uint32_t i = 0; i < machine->cell_count; i++) {
    const Place *place = &machine->layout->cells[machine->cell + i];
    vector_write_wide(vector + place->offset, place->bytes, value);
    if (place->flag != NO_ID) vector[place->flag] = forgets;
    if (place->bytes < 16) value >>= 8u * place->bytes;
  }
}

static void commit_write(Machine *machine, const EdgeCode *edge, const VariableWrite *write, Bits wide, bool copied) {
  uint8_t *vector = machine->vector;
  bool indeterminate = write->kind == WRITE_INDETERMINATE || (write->kind == WRITE_LOADED && machine->carried) ||
                       (write->kind == WRITE_COPY && copied);
  switch (write->kind) {
  case WRITE_REGISTER:
  case WRITE_LOADED:
  case WRITE_COPY: vector_write(vector + write->offset, write->bytes, machine->registers[write->source]); break;
  case WRITE_WIDE: vector_write_wide(vector + write->offset, write->bytes, wide); break;
  case WRITE_INPUT:
    machine->chooser->step = edge->step;
    vector_write_wide(vector + write->offset, write->bytes,
                      chooser_value(machine->chooser, CHOICE_INPUT, write->variable,
                                    (size_t)(write - machine->code->writes.data), write->width));
    break;
  case WRITE_INDETERMINATE: vector_write_wide(vector + write->offset, write->bytes, 0); break;
  }
  assert(!indeterminate || write->flag != NO_ID);
  if (write->flag != NO_ID) vector[write->flag] = indeterminate;
}

static void commit_heap(Machine *machine, const EdgeCode *edge) {
  if (edge->kind == STEP_ALLOCATE || edge->kind == STEP_END) {
    ObjectId target = machine->program->steps.data[edge->step].target;
    uint32_t heap = machine->layout->heap[target];
    if (heap == NO_ID) return; // its lifetime is not observed
    assert(machine->program->objects.data[target].storage != STORAGE_HEAP || machine->vector[heap] == HEAP_UNBORN);
    machine->vector[heap] = edge->kind == STEP_END ? HEAP_FREED : HEAP_LIVE;
    uint32_t extent = machine->layout->extent[target];
    if (extent == NO_ID) return;
    uint64_t bytes = edge->kind == STEP_END ? 0 : machine->registers[edge->operand_register];
    vector_write(machine->vector + extent, 4, bytes);
  } else if (edge->kind == STEP_FREE) {
    uint64_t pointer = machine->registers[edge->operand_register];
    if (pointer == 0) return;
    ObjectId freed = program_object_at(machine->program, pointer);
    assert(freed != NO_ID && machine->layout->heap[freed] != NO_ID);
    machine->vector[machine->layout->heap[freed]] = HEAP_FREED;
    if (machine->layout->extent[freed] != NO_ID) vector_write(machine->vector + machine->layout->extent[freed], 4, 0);
  }
}

void machine_commit(Machine *machine, const EdgeCode *edge, ThreadId thread) {
  assert(!machine->testing && machine->program->locations.data[edge->to].thread == thread);
  assert(edge->write_count <= machine->code->most_writes);
  machine_execute(machine, edge->guard_end, edge->end);
  const VariableWrite *writes = machine->code->writes.data + edge->first_write;
  if (edge->wide) {
    for (uint32_t i = 0; i < edge->write_count; i++) {
      if (writes[i].kind == WRITE_WIDE) machine->wide_values[i] = machine_evaluate(machine, writes[i].term);
    }
  }
  for (uint32_t i = 0; i < edge->write_count; i++)
    machine->copied[i] = writes[i].kind == WRITE_COPY && machine->vector[writes[i].copied];
  if (edge->kind == STEP_ALLOCATE || edge->kind == STEP_END || edge->kind == STEP_FREE) commit_heap(machine, edge);
  if (edge->access != ACCESS_NONE) commit_store(machine, edge);
  for (uint32_t i = 0; i < edge->write_count; i++)
    commit_write(machine, edge, &writes[i], edge->wide ? machine->wide_values[i] : 0, machine->copied[i]);
  const Clear *clears = machine->code->clears.data + edge->first_clear;
  for (uint32_t i = 0; i < edge->clear_count; i++) {
    if (clears[i].bytes <= 8)
      vector_write(machine->vector + clears[i].offset, clears[i].bytes, 0);
    else
      vector_write_wide(machine->vector + clears[i].offset, clears[i].bytes, 0);
  }
  vector_write(machine->vector + machine->layout->location[thread], 4, edge->to);
}
