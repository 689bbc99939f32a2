// The statements of the program as edges and constraints.
#include "survey/pointing/constraints.h"

NodeId constant_node(Solver *s, AreaPlace place) {
  uint64_t key = (uint64_t)place_table_id(&s->places, place), known;
  if (map_get(&s->constants, key, &known)) return (NodeId)known;
  NodeId node = solver_node(s);
  map_put(&s->constants, key, node);
  solver_add(s, node, place);
  return node;
}

AreaPlace object_place(const Solver *s, uint32_t object, int64_t offset) {
  assert(object < s->code->object_count);
  if (bitset_get(&s->is_literal, object)) return place_whole(s->literals);
  return (AreaPlace){.area = object, .offset = offset};
}

Value operand_value(Solver *s, CodeOperand operand) {
  switch (operand.kind) {
  case CODE_REGISTER: return register_value(operand.id);
  case CODE_ADDRESS: return (Value){constant_node(s, object_place(s, operand.id, operand.number)), NO_NODE};
  case CODE_FUNCTION: return (Value){constant_node(s, function_place(s, operand.id)), NO_NODE};
  case CODE_NUMBER:
  case CODE_NOTHING: return NO_VALUE;
  }
  return NO_VALUE;
}

static Value value_at(Solver *s, const CodeStatement *statement, uint32_t index) {
  return index < statement->operand_count ? operand_value(s, code_operand(s->code, statement, index)) : NO_VALUE;
}

static Value result_of(const CodeStatement *statement) {
  return statement->result == NO_CODE_ID ? NO_VALUE : register_value(statement->result);
}

// --- accesses ---

void solver_load(Solver *s, NodeId pointer, NodeId to, uint64_t size) {
  if (to != NO_NODE) solver_constrain(s, pointer, (Constraint){.kind = ON_LOAD, .node = to, .size = size});
}

void solver_store(Solver *s, NodeId pointer, NodeId from, uint64_t size) {
  if (from != NO_NODE) solver_constrain(s, pointer, (Constraint){.kind = ON_STORE, .node = from, .size = size});
}

void solver_copy(Solver *s, NodeId to, NodeId from, uint64_t size) {
  if (to == NO_NODE || from == NO_NODE) return;
  CopyVector_push(&s->copies, (Copy){to, from, size, NO_NODE});
  uint32_t index = (uint32_t)s->copies.count - 1;
  solver_constrain(s, to, (Constraint){.kind = ON_COPY_TO, .index = index});
  solver_constrain(s, from, (Constraint){.kind = ON_COPY_FROM, .index = index});
}

static bool is_part(const Solver *s, uint64_t size) { return size != 0 && size < s->code->pointer_bytes; }

static void build_load(Solver *s, const CodeStatement *statement) {
  Value to = result_of(statement);
  solver_load(s, value_at(s, statement, 0).whole, is_part(s, statement->size) ? to.part : to.whole, statement->size);
}

// A word gets no part of an address: it would have been computed with first. More than a word may consist of parts.
static void store_value(Solver *s, NodeId pointer, Value value, uint64_t size) {
  solver_store(s, pointer, value.whole, size);
  if (size != s->code->pointer_bytes) solver_store(s, pointer, value.part, size);
}

static void build_exchange(Solver *s, const CodeStatement *statement) {
  NodeId pointer = value_at(s, statement, 0).whole;
  Value value = value_at(s, statement, 1);
  build_load(s, statement);
  store_value(s, pointer, value, statement->size);
  if (!statement->computed) return;
  NodeId computed = solver_node(s), loaded = solver_node(s);
  solver_load(s, pointer, loaded, statement->size);
  solver_edge(s, loaded, computed, ANY_MOVE_ID);
  solver_edge(s, value.whole, computed, ANY_MOVE_ID);
  solver_edge(s, value.part, computed, ANY_MOVE_ID);
  solver_store(s, pointer, computed, statement->size);
}

// --- values ---

static void build_move(Solver *s, const CodeStatement *statement) {
  Value from = value_at(s, statement, 0), to = result_of(statement);
  PlaceMove move = {statement->offset, statement->stride, s->strict ? 0 : statement->extent, false};
  solver_edge(s, from.whole, to.whole, solver_move(s, move));
  solver_edge(s, from.part, to.part, COPY_MOVE);
}

static void build_compute(Solver *s, const CodeStatement *statement) {
  Value result = result_of(statement);
  NodeId to = is_part(s, statement->size) ? result.part : result.whole;
  for (uint32_t i = 0; i < statement->operand_count; i++) {
    Value from = value_at(s, statement, i);
    solver_edge(s, from.whole, to, ANY_MOVE_ID);
    solver_edge(s, from.part, to, ANY_MOVE_ID);
  }
}

static void build_opaque(Solver *s, const CodeStatement *statement) {
  if (statement->jump_buffer) return;
  for (uint32_t i = 0; i < statement->operand_count; i++)
    solver_flow(s, value_at(s, statement, i), (Value){s->outside, s->outside});
  solver_edge(s, s->outside, result_of(statement).whole, COPY_MOVE);
}

static void build_call(Solver *s, uint32_t id) {
  CodeOperand callee = code_operand(s->code, &s->code->statements[id], 0);
  if (callee.kind == CODE_FUNCTION)
    link_function(s, id, callee.id);
  else
    solver_constrain(s, operand_value(s, callee).whole, (Constraint){.kind = ON_CALL, .index = id});
}

static void build_statement(Solver *s, uint32_t id) {
  const CodeStatement *statement = &s->code->statements[id];
  switch (statement->kind) {
  case CODE_MOVE: build_move(s, statement); break;
  case CODE_CHOICE:
    for (uint32_t i = 0; i < statement->operand_count; i++)
      solver_flow(s, value_at(s, statement, i), result_of(statement));
    break;
  case CODE_COMPUTE: build_compute(s, statement); break;
  case CODE_LOCAL: solver_add(s, result_of(statement).whole, (AreaPlace){.area = statement->object}); break;
  case CODE_LOAD: build_load(s, statement); break;
  case CODE_STORE: store_value(s, value_at(s, statement, 0).whole, value_at(s, statement, 1), statement->size); break;
  case CODE_EXCHANGE: build_exchange(s, statement); break;
  case CODE_COPY_BLOCK:
    solver_copy(s, value_at(s, statement, 0).whole, value_at(s, statement, 1).whole, statement->size);
    break;
  case CODE_CALL: build_call(s, id); break;
  case CODE_RETURN: solver_flow(s, value_at(s, statement, 0), result_value(s, statement->function)); break;
  case CODE_OPAQUE: build_opaque(s, statement); break;
  case CODE_COMPARE:
  case CODE_FILL_BLOCK:
  case CODE_FENCE: break;
  }
}

// --- objects ---

// Variables of the library that only hold addresses of its own memory.
static bool is_library_variable(const char *name) {
  static const char *const names[] = {
      "stdin",  "stdout", "stderr", "environ", "__environ", "program_invocation_name", "program_invocation_short_name",
      "optarg", "optind", "opterr", "optopt",  "__progname"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (name && strcmp(names[i], name) == 0) return true;
  return false;
}

static void build_object(Solver *s, uint32_t id) {
  const CodeObject *object = &s->code->objects[id];
  if (!object->external) return;
  AreaPlace place = {.area = id};
  if (is_library_variable(object->name)) {
    solver_edge(s, s->library, cell_stored(s, place_whole(id), 0), COPY_MOVE);
    if (strcmp(object->name, "optarg") == 0) solver_edge(s, s->given, cell_stored(s, place_whole(id), 0), COPY_MOVE);
  } else
    solver_add(s, s->outside, place);
}

static void build_initial(Solver *s, const CodeInitial *initial) {
  AreaPlace place = {.area = initial->object, .offset = (int64_t)initial->offset};
  NodeId value = operand_value(s, initial->operand).whole;
  solver_edge(s, value, cell_stored(s, place, s->code->pointer_bytes), COPY_MOVE);
}

// What starts the program gives it addresses of its own memory: the arguments, the environment.
static void build_function(Solver *s, uint32_t id) {
  const CodeFunction *f = &s->code->functions[id];
  if (id != s->code->main && !f->at_start && !f->at_exit) return;
  for (uint32_t i = 0; i < f->parameter_count; i++)
    solver_edge(s, s->library, register_value(f->first_parameter + i).whole, COPY_MOVE);
}

// String literals and the like: all are one area, because sets would consist of little else.
static void find_literals(Solver *s) {
  const Code *code = s->code;
  s->literals = NO_CODE_ID;
  for (uint32_t i = 0; i < code->object_count; i++) {
    const CodeObject *object = &code->objects[i];
    if (object->kind == CODE_STATIC && object->constant && !object->name) bitset_set(&s->is_literal, i);
  }
  for (uint32_t i = 0; i < code->initial_count; i++) bitset_reset(&s->is_literal, code->initials[i].object);
  size_t first = bitset_next(&s->is_literal, 0);
  if (first < code->object_count) s->literals = (uint32_t)first;
}

void solver_build(Solver *s, const uint32_t *entries, uint32_t entry_count) {
  const Code *code = s->code;
  find_literals(s);
  for (uint32_t i = 0; i < code->object_count; i++) build_object(s, i);
  for (uint32_t i = 0; i < code->initial_count; i++) build_initial(s, &code->initials[i]);
  s->started = true; // from here on nothing is stored to constant objects
  for (uint32_t i = 0; i < code->function_count; i++) build_function(s, i);
  for (uint32_t i = 0; i < code->operand_count; i++) operand_value(s, code->operands[i]);
  for (uint32_t i = 0; i < code->statement_count; i++) build_statement(s, i);
  for (uint32_t i = 0; i < entry_count; i++) solver_add(s, s->outside, function_place(s, entries[i]));
}
