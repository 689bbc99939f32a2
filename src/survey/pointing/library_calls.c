// Calls of functions without a body whose effects are known.
#include "survey/pointing/constraints.h"

typedef struct Call {
  uint32_t statement;
  const CodeStatement *code;
  const Effect *effect;
} Call;

static NodeId argument(Solver *s, const Call *call, uint32_t index) {
  if (index + 1 >= call->code->operand_count) return NO_NODE;
  return operand_value(s, code_operand(s->code, call->code, index + 1)).whole;
}

static NodeId result_of(const Call *call) {
  return call->code->result == NO_CODE_ID ? NO_NODE : register_value(call->code->result).whole;
}

static NodeId moved_anywhere(Solver *s, NodeId from) {
  NodeId node = solver_node(s);
  solver_edge(s, from, node, ANY_MOVE_ID);
  return node;
}

static NodeId pointed(Solver *s, NodeId pointer) {
  NodeId node = solver_node(s);
  solver_load(s, pointer, node, 0);
  return moved_anywhere(s, node);
}

static NodeId resized(Solver *s, const Call *call, NodeId block, bool result) {
  NodeId node = solver_node(s), fresh = heap_new_block(s, call->statement, result);
  solver_edge(s, block, node, COPY_MOVE);
  solver_edge(s, fresh, node, COPY_MOVE);
  solver_copy(s, fresh, block, 0);
  return node;
}

static NodeId address_of(Solver *s, const Call *call, ResultEffect kind, uint32_t of, bool result) {
  switch (kind) {
  case RESULT_NUMBER: return NO_NODE;
  case RESULT_NEW_BLOCK: return heap_new_block(s, call->statement, result);
  case RESULT_ARGUMENT: return moved_anywhere(s, argument(s, call, of));
  case RESULT_ARGUMENT_OR_LIBRARY: {
    NodeId either = moved_anywhere(s, argument(s, call, of));
    solver_edge(s, s->library, either, COPY_MOVE);
    return either;
  }
  case RESULT_LIBRARY: return call->effect->keeps != 0 ? s->outside : s->library;
  case RESULT_POINTED: return pointed(s, argument(s, call, of));
  case RESULT_RESIZED: return resized(s, call, argument(s, call, of), result);
  }
  return NO_NODE;
}

static void add_routine(Solver *s, NodeId callee, Routine routine) {
  if (callee == NO_NODE) return;
  RoutineVector_push(&s->routines, routine);
  solver_constrain(s, callee, (Constraint){.kind = ON_ROUTINE, .index = (uint32_t)s->routines.count - 1});
}

// It is called with any addresses in what the other arguments point to, with the library's own, or with what it keeps.
static NodeId given_to_routine(Solver *s, const Call *call, uint32_t index) {
  NodeId given = solver_node(s);
  for (uint32_t i = 0; i + 1 < call->code->operand_count; i++) {
    bool behind = i < EFFECT_ARGUMENTS && call->effect->arguments[i] & ARGUMENT_CALLED_BEHIND;
    if (behind) solver_edge(s, pointed(s, argument(s, call, i)), given, COPY_MOVE);
    if (i != index) solver_edge(s, argument(s, call, i), given, ANY_MOVE_ID);
  }
  solver_edge(s, call->effect->keeps != 0 ? s->outside : s->library, given, COPY_MOVE);
  return given;
}

static void call_argument(Solver *s, const Call *call, uint32_t index) {
  add_routine(s, argument(s, call, index), (Routine){given_to_routine(s, call, index), false, NO_NODE, false});
}

static void call_behind(Solver *s, const Call *call, uint32_t index) {
  if (argument(s, call, index) == NO_NODE) return;
  NodeId called = solver_node(s), result = solver_node(s), given = given_to_routine(s, call, EFFECT_ARGUMENTS);
  solver_load(s, argument(s, call, index), called, 0);
  add_routine(s, called, (Routine){given, false, result, false});
  solver_edge(s, result, given, COPY_MOVE); // what was allocated is freed
  solver_store(s, argument(s, call, index), result, 0);
}

static void copy_contents(Solver *s, const Call *call) {
  const Effect *effect = call->effect;
  if (effect->copies_to == 0) return;
  NodeId to = argument(s, call, effect->copies_to - 1u), from = argument(s, call, effect->copies_from - 1u);
  if (to == NO_NODE || from == NO_NODE) return;
  if (effect->copies_to != effect->copies_from) {
    solver_copy(s, to, from, 0);
    return;
  }
  // Elements change their places among themselves.
  NodeId mixed = solver_node(s), anywhere = moved_anywhere(s, to);
  solver_load(s, anywhere, mixed, 0);
  solver_store(s, anywhere, mixed, 0);
}

static void synchronise(Solver *s, const Call *call) {
  switch (call->effect->synchronisation) {
  case SYNC_CREATE_POSIX:
    add_routine(s, argument(s, call, 2), (Routine){argument(s, call, 3), true, s->joined, false});
    break;
  case SYNC_CREATE_C11:
    add_routine(s, argument(s, call, 1), (Routine){argument(s, call, 2), true, s->joined, false});
    break;
  case SYNC_JOIN: solver_store(s, argument(s, call, 1), s->joined, s->code->pointer_bytes); break;
  case SYNC_EXIT_THREAD: solver_edge(s, argument(s, call, 0), s->joined, COPY_MOVE); break;
  case SYNC_KEY: solver_edge(s, argument(s, call, 1), s->destructors, COPY_MOVE); break;
  case SYNC_KEY_SET: solver_edge(s, argument(s, call, 1), s->key_values, COPY_MOVE); break;
  case SYNC_KEY_GET: solver_edge(s, s->key_values, result_of(call), COPY_MOVE); break;
  case SYNC_HANDLER: // signal has the handler itself, sigaction a struct with it; both give back the last one
    solver_edge(s, argument(s, call, 1), s->handlers, COPY_MOVE);
    solver_load(s, argument(s, call, 1), s->handlers, 0);
    solver_edge(s, s->handlers, result_of(call), COPY_MOVE);
    solver_store(s, argument(s, call, 2), s->handlers, 0);
    break;
  default: break;
  }
}

// Functions whose addresses a program puts into structs of a library are called by that library.
static void meet_foreign(Solver *s) {
  if (s->foreign) return;
  s->foreign = true;
  Routine routine = {.argument = s->outside, .result = s->outside, .kept = true};
  add_routine(s, cell_loaded(s, place_whole(s->library_area), 0), routine);
}

void link_library(Solver *s, uint32_t statement, const Effect *effect) {
  if (effect_is_foreign(effect)) meet_foreign(s);
  Call call = {statement, &s->code->statements[statement], effect};
  for (uint32_t i = 0; i < EFFECT_ARGUMENTS; i++) {
    if (effect->keeps >> i & 1) solver_edge(s, argument(s, &call, i), s->outside, COPY_MOVE);
    if (effect->arguments[i] & ARGUMENT_CALLED) call_argument(s, &call, i);
    if (effect->arguments[i] & ARGUMENT_CALLED_BEHIND) call_behind(s, &call, i);
  }
  copy_contents(s, &call);
  if (effect->gives != 0) solver_load(s, argument(s, &call, effect->gives - 1u), s->given, 0);
  if (effect->takes != 0) solver_store(s, argument(s, &call, effect->takes - 1u), s->given, 0);
  solver_edge(s, address_of(s, &call, effect->result, effect->result_argument, true), result_of(&call), COPY_MOVE);
  if (effect->stores_to != 0) {
    NodeId stored = address_of(s, &call, effect->stored, effect->stored_argument, false);
    bool anywhere = effect->stored == RESULT_LIBRARY || effect->stores_anywhere;
    uint64_t size = anywhere ? 0 : s->code->pointer_bytes;
    solver_store(s, argument(s, &call, effect->stores_to - 1u), stored, size);
  }
  if (effect->fills != 0)
    solver_store(s, argument(s, &call, effect->fills - 1u), moved_anywhere(s, argument(s, &call, effect->filled_with)),
                 0);
  synchronise(s, &call);
}

void library_start(Solver *s) {
  add_routine(s, s->destructors, (Routine){s->key_values, true, NO_NODE, false});
  add_routine(s, s->handlers, (Routine){s->outside, false, NO_NODE, false});
}
