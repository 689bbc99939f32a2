#include "explicit/machine/compile.h"

#include "explicit/machine/compile_term.h"

// --- the access ---

static CellId list_at(const Program *p, CellSet set, uint32_t i) { return cell_set_cells(p, set)[i]; }

static bool cells_are_strided(const Program *p, const Access *access) {
  const Cell *first = &p->cells.data[list_at(p, access->cells, 0)];
  if (first->bytes != access->bytes) return false;
  for (uint32_t i = 1; i < access->cells.count; i++) {
    CellId id = list_at(p, access->cells, i);
    const Cell *cell = &p->cells.data[id];
    if (id != list_at(p, access->cells, 0) + i || cell->bytes != first->bytes || cell->object != first->object ||
        cell->address != first->address + (uint64_t)i * first->bytes)
      return false;
  }
  return true;
}

static bool cell_is_direct(const StateLayout *layout, CellId cell, const Access *access) {
  const Program *p = layout->program;
  const Object *object = &p->objects.data[p->cells.data[cell].object];
  return p->cells.data[cell].bytes == access->bytes && access->bytes <= 8 && layout->cells[cell].flag == NO_ID &&
         !object->dynamic && !(access->writes && object->storage == STORAGE_CONSTANT);
}

static void compile_constant_access(EdgeCode *edge, const StateLayout *layout, const Access *access) {
  const Program *p = layout->program;
  uint64_t address = (uint64_t)term_constant_value(p->terms, access->address);
  edge->access = ACCESS_INVALID;
  for (uint32_t i = 0; i < access->cells.count; i++) {
    CellId cell = list_at(p, access->cells, i);
    if (p->cells.data[cell].address != address) continue;
    edge->cell = cell;
    edge->offset = layout->cells[cell].offset;
    edge->access = cell_is_direct(layout, cell, access) ? ACCESS_DIRECT : ACCESS_FIXED;
    return;
  }
}

static void compile_access(EdgeCode *edge, TermCompiler *compiler, const Step *step) {
  const Access *access = &step->access;
  const StateLayout *layout = compiler->code->layout;
  const Program *p = layout->program;
  if (access->address == TERM_NONE) return;
  edge->access_bytes = access->bytes;
  edge->reads = access->reads && !bitset_get(&layout->idle, edge->step);
  edge->writes = access->writes;
  edge->forgets = access->writes && access->stored == VALUE_INDETERMINATE;
  edge->carries = edge->reads && indeterminate_carries(&layout->indeterminate, p, step);
  VariableId carrier = access->writes ? indeterminate_carrier(&layout->indeterminate, p, access->stored) : NO_ID;
  if (carrier != NO_ID) edge->stored_flag = layout->variables[carrier].flag;
  if (access->invalid || access->cells.count == 0)
    edge->access = ACCESS_INVALID;
  else if (term_is_constant(p->terms, access->address))
    compile_constant_access(edge, layout, access);
  else {
    edge->access = cells_are_strided(p, access) ? ACCESS_STRIDED : ACCESS_SEARCHED;
    edge->cell = list_at(p, access->cells, 0);
    edge->address_register = compiler_term(compiler, access->address);
  }
}

// --- what changes ---

static void compile_write(EdgeCode *edge, TermCompiler *compiler, VariableId variable, Term value) {
  MachineCode *code = compiler->code;
  const Program *p = compiler->program;
  const Place *place = &code->layout->variables[variable];
  if (!live_at(&code->layout->live, edge->to, variable)) return; // no step will read it
  VariableWrite write = {.kind = WRITE_REGISTER, .variable = variable, .offset = place->offset, .flag = place->flag};
  write.bytes = place->bytes;
  write.width = (uint8_t)term_width(p->terms, variable_term(p, variable));
  if (value == VALUE_INPUT) {
    write.kind = WRITE_INPUT;
    edge->makes_inputs = true;
  } else if (value == VALUE_INDETERMINATE)
    write.kind = WRITE_INDETERMINATE;
  else if (write.width > 64) {
    write.kind = WRITE_WIDE;
    write.term = value;
    edge->wide = true;
  } else {
    VariableId carrier = indeterminate_carrier(&code->layout->indeterminate, p, value);
    write.source = compiler_term(compiler, value);
    if (edge->carries && value == variable_term(p, p->steps.data[edge->step].access.into))
      write.kind = WRITE_LOADED;
    else if (carrier != NO_ID) {
      write.kind = WRITE_COPY;
      write.copied = code->layout->variables[carrier].flag;
    }
  }
  VariableWriteVector_push(&code->writes, write);
}

static void compile_writes(EdgeCode *edge, TermCompiler *compiler, const Step *step) {
  MachineCode *code = compiler->code;
  edge->first_write = (uint32_t)code->writes.count;
  if (edge->reads) {
    bool overwritten = false;
    for (uint32_t i = 0; i < step->assignment_count; i++)
      overwritten |= step->assignments[i].variable == step->access.into;
    if (!overwritten)
      compile_write(edge, compiler, step->access.into, variable_term(compiler->program, step->access.into));
  }
  for (uint32_t i = 0; i < step->assignment_count; i++)
    compile_write(edge, compiler, step->assignments[i].variable, step->assignments[i].value);
  edge->write_count = (uint32_t)code->writes.count - edge->first_write;
  if (edge->write_count > code->most_writes) code->most_writes = edge->write_count;
}

// Is the place at `offset`, or the flag at `flag`, that of a variable that is live at `location`?
static bool is_occupied(const StateLayout *layout, LocationId location, uint32_t offset, uint32_t flag) {
  uint32_t count;
  const VariableId *live = live_list(&layout->live, location, &count);
  for (uint32_t i = 0; i < count; i++) {
    const Place *place = &layout->variables[live[i]];
    if ((offset != NO_ID && place->offset == offset) || (flag != NO_ID && place->flag == flag)) return true;
  }
  return false;
}

static void compile_clears(EdgeCode *edge, MachineCode *code) {
  const StateLayout *layout = code->layout;
  uint32_t before_count, after_count;
  const VariableId *before = live_list(&layout->live, edge->from, &before_count);
  const VariableId *after = live_list(&layout->live, edge->to, &after_count);
  edge->first_clear = (uint32_t)code->clears.count;
  for (uint32_t i = 0, j = 0; i < before_count; i++) {
    while (j < after_count && after[j] < before[i]) j++;
    if (j < after_count && after[j] == before[i]) continue;
    const Place *place = &layout->variables[before[i]];
    if (!is_occupied(layout, edge->to, place->offset, NO_ID))
      ClearVector_push(&code->clears, (Clear){place->offset, place->bytes});
    if (place->flag != NO_ID && !is_occupied(layout, edge->to, NO_ID, place->flag))
      ClearVector_push(&code->clears, (Clear){place->flag, 1});
  }
  edge->clear_count = (uint32_t)code->clears.count - edge->first_clear;
}

static void compile_edge(MachineCode *code, TermCompiler *compiler, EdgeCode *edge, EdgeId id) {
  const Program *p = compiler->program;
  const Edge *e = &p->edges.data[id];
  const Step *step = edge_step(p, e, 0);
  assert(e->step_count == 1);
  *edge = (EdgeCode){.edge = id,
                     .step = e->first_step,
                     .from = e->from,
                     .to = e->to,
                     .kind = (uint8_t)step->kind,
                     .back = e->back,
                     .stored_flag = NO_ID};
  edge->first_instruction = (uint32_t)code->instructions.count;
  compiler_begin(compiler, NO_ID);
  compile_access(edge, compiler, step);
  edge->address_end = (uint32_t)code->instructions.count;
  if (edge->reads) {
    // The address sees the old value of `into`, everything else the loaded one.
    Term into = variable_term(p, step->access.into);
    bool narrow = term_width(p->terms, into) <= 64;
    if (term_mentions(p->terms, step->access.address, into)) map_clear(&compiler->registers);
    edge->wide = !narrow;
    compiler->into = step->access.into;
    edge->into_register = compiler->into_register = (uint16_t)compiler->next++;
    edge->guard_needs_load = term_mentions(p->terms, step->guard, into);
  }
  edge->guard_true = term_is_true(p->terms, step->guard);
  if (!edge->guard_true) edge->guard_register = compiler_term(compiler, step->guard);
  if (step->operand != TERM_NONE) {
    if (term_width(p->terms, step->operand) > 64) {
      Term nonzero = term_is_nonzero(p->terms, step->operand);
      edge->operand_register = compiler_term(compiler, nonzero);
    } else
      edge->operand_register = compiler_term(compiler, step->operand);
  }
  edge->guard_end = (uint32_t)code->instructions.count;
  if (edge->writes && !edge->forgets) {
    if (term_width(p->terms, step->access.stored) > 64)
      edge->wide = true;
    else
      edge->stored_register = compiler_term(compiler, step->access.stored);
  }
  compile_writes(edge, compiler, step);
  edge->end = (uint32_t)code->instructions.count;
  compile_clears(edge, code);
}

// --- locations ---

typedef struct ResolveContext {
  MachineCode *code;
  LocationCode *location;
} ResolveContext;

static void add_resolve(void *context, Term variable) {
  ResolveContext *c = context;
  const Program *p = c->code->layout->program;
  VariableId v = program_variable_of_term(p, variable);
  if (v == NO_ID) return;
  const Place *place = &c->code->layout->variables[v];
  if (bitset_get(&c->code->layout->indeterminate.carriers, v)) return; // is carried on
  if (place->flag == NO_ID || !live_at(&c->code->layout->live, c->code->edges[c->location->first_edge].from, v)) return;
  for (uint32_t i = 0; i < c->location->resolve_count; i++) {
    if (c->code->resolves.data[c->location->first_resolve + i].variable == v) return;
  }
  Resolve resolve = {.variable = v, .offset = place->offset, .flag = place->flag, .bytes = place->bytes};
  resolve.width = (uint8_t)term_width(p->terms, variable);
  ResolveVector_push(&c->code->resolves, resolve);
  c->location->resolve_count++;
}

static void add_resolves_of(ResolveContext *context, const Step *step) {
  const TermStore *terms = context->code->layout->program->terms;
  term_each_variable(terms, step->guard, add_resolve, context);
  if (step->access.address != TERM_NONE) {
    term_each_variable(terms, step->access.address, add_resolve, context);
    if (step->access.writes && !value_is_fresh(step->access.stored))
      term_each_variable(terms, step->access.stored, add_resolve, context);
  }
  if (step->operand != TERM_NONE) term_each_variable(terms, step->operand, add_resolve, context);
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    if (!value_is_fresh(step->assignments[i].value))
      term_each_variable(terms, step->assignments[i].value, add_resolve, context);
  }
}

// Do exactly one of the two steps' guards hold, whatever the state?
static bool are_complementary(const Program *p, const Step *a, const Step *b) {
  if (term_not(p->terms, a->guard) != b->guard) return false;
  bool a_loads = a->access.address != TERM_NONE && a->access.reads;
  bool b_loads = b->access.address != TERM_NONE && b->access.reads;
  if (!a_loads && !b_loads) return true;
  return a_loads && b_loads && a->access.address == b->access.address && a->access.bytes == b->access.bytes &&
         a->access.into == b->access.into;
}

static bool may_read_indeterminate(const StateLayout *layout, const EdgeCode *edge) {
  if (!edge->reads || edge->carries) return false;
  const Program *p = layout->program;
  const Step *step = &p->steps.data[edge->step];
  for (uint32_t i = 0; i < step->access.cells.count; i++) {
    if (layout->cells[list_at(p, step->access.cells, i)].flag != NO_ID) return true;
  }
  return false;
}

static void compile_location(MachineCode *code, LocationCode *location) {
  const Program *p = code->layout->program;
  ResolveContext context = {.code = code, .location = location};
  location->first_resolve = (uint32_t)code->resolves.count;
  const EdgeCode *edges = code->edges + location->first_edge;
  for (uint32_t i = 0; i < location->edge_count; i++) {
    const Step *step = &p->steps.data[edges[i].step];
    add_resolves_of(&context, step);
    if (edges[i].makes_inputs || may_read_indeterminate(code->layout, &edges[i])) location->chooses = true;
  }
  bool pair =
      location->edge_count == 2 && are_complementary(p, &p->steps.data[edges[0].step], &p->steps.data[edges[1].step]);
  location->exclusive = location->edge_count <= 1 || pair;
  location->complete = pair || (location->edge_count == 1 && edges[0].guard_true);
  if (!location->exclusive || location->resolve_count > 0) location->chooses = true;
}

// --- all ---

void machine_code_init(MachineCode *code, const StateLayout *layout, Account *account) {
  const Program *p = layout->program;
  *code = (MachineCode){.layout = layout, .account = account};
  InstructionVector_init(&code->instructions, account);
  VariableWriteVector_init(&code->writes, account);
  ClearVector_init(&code->clears, account);
  ResolveVector_init(&code->resolves, account);
  U64Vector_init(&code->constants, account);
  code->edges = memory_allocate_zeroed(account, p->edges.count * sizeof(EdgeCode));
  code->edge_index = memory_allocate_zeroed(account, p->edges.count * sizeof(uint32_t));
  code->locations = memory_allocate_zeroed(account, p->locations.count * sizeof(LocationCode));
  TermCompiler compiler;
  compiler_init(&compiler, code);
  uint32_t next = 0;
  for (LocationId l = 0; l < p->locations.count; l++) {
    LocationCode *location = &code->locations[l];
    location->first_edge = next;
    uint32_t count;
    const EdgeId *edges = location_edges(p, l, &count);
    for (uint32_t i = 0; i < count; i++) {
      EdgeId edge = edges[i];
      code->edge_index[edge] = next;
      compile_edge(code, &compiler, &code->edges[next++], edge);
      location->edge_count++;
    }
    compile_location(code, location);
  }
  assert(next == p->edges.count);
  compiler_free(&compiler);
}

void machine_code_free(MachineCode *code) {
  const Program *p = code->layout->program;
  InstructionVector_free(&code->instructions);
  VariableWriteVector_free(&code->writes);
  ClearVector_free(&code->clears);
  ResolveVector_free(&code->resolves);
  U64Vector_free(&code->constants);
  memory_free(code->account, code->edges, p->edges.count * sizeof(EdgeCode));
  memory_free(code->account, code->edge_index, p->edges.count * sizeof(uint32_t));
  memory_free(code->account, code->locations, p->locations.count * sizeof(LocationCode));
}
