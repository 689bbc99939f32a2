// Areas of allocated blocks.
//
// A block is named by the call that allocates it. A function that returns a new block which it has allocated once (a
// wrapper: xmalloc, new_queue) would give all its callers one area. So each call of a wrapper has an area of its own:
// the result of the call is this area only, and the allocation inside of the wrapper gives the areas of all calls.
//
// A wrapper returns only NULL or the result of one call, which is not in a loop and is a call of an allocating
// function of the library or of another wrapper; its address is not taken. So one execution of a call of it makes at
// most one block of the call's area.
#include "survey/pointing/constraints.h"

static uint32_t *origin_of(const Solver *s, uint32_t function) { return U32Vector_at(&s->origins, function); }

// The block of this call is one of the areas of the calls of the function around it.
static bool is_origin(const Solver *s, uint32_t statement) {
  return *origin_of(s, s->code->statements[statement].function) == statement;
}

// --- which functions are wrappers ---

typedef enum OriginState { ORIGIN_UNKNOWN, ORIGIN_SEARCHED, ORIGIN_KNOWN } OriginState;

typedef struct OriginSearch {
  Solver *s;
  ByteVector states;
  Bitset taken;
  U32Vector seen; // registers that were looked at in the current function
} OriginSearch;

static uint32_t search_origin(OriginSearch *search, uint32_t function);

// The parameter of the function around the call of realloc whose block it resizes; NO_CODE_ID: none.
static uint32_t resized_parameter(const Solver *s, const CodeStatement *call, const Effect *effect) {
  if (effect->result_argument + 1u >= call->operand_count) return NO_CODE_ID;
  CodeOperand block = code_operand(s->code, call, effect->result_argument + 1u);
  const CodeFunction *f = &s->code->functions[call->function];
  bool own = block.kind == CODE_REGISTER && block.id >= f->first_parameter &&
             block.id - f->first_parameter < f->parameter_count;
  return own ? block.id - f->first_parameter : NO_CODE_ID;
}

// Is the function a wrapper of realloc?
static bool resizes(const Solver *s, uint32_t function) {
  uint32_t origin = *origin_of(s, function);
  if (origin == NO_CODE_ID) return false;
  const CodeFunction *f = &s->code->functions[code_operand(s->code, &s->code->statements[origin], 0).id];
  return !f->defined && effect_of(f->name)->result == RESULT_RESIZED;
}

static bool allocates(OriginSearch *search, const CodeStatement *call) {
  CodeOperand callee = code_operand(search->s->code, call, 0);
  if (callee.kind != CODE_FUNCTION || search->s->code->blocks[call->block].in_cycle) return false;
  const CodeFunction *f = &search->s->code->functions[callee.id];
  if (f->defined) return search_origin(search, callee.id) != NO_CODE_ID && !resizes(search->s, callee.id);
  const Effect *effect = effect_of(f->name);
  if (effect && effect->result == RESULT_RESIZED) return resized_parameter(search->s, call, effect) != NO_CODE_ID;
  return effect && effect->result == RESULT_NEW_BLOCK;
}

// Follows a returned value to the call it comes from. False: it comes from somewhere else, too.
static bool follow(OriginSearch *search, CodeOperand operand, uint32_t *origin) {
  const Code *code = search->s->code;
  if (operand.kind == CODE_NUMBER) return true;
  if (operand.kind != CODE_REGISTER || code->register_statements[operand.id] == NO_CODE_ID) return false;
  for (size_t i = 0; i < search->seen.count; i++)
    if (search->seen.data[i] == operand.id) return true;
  if (search->seen.count >= 32) return false; // deep chains are no wrappers
  U32Vector_push(&search->seen, operand.id);
  uint32_t id = code->register_statements[operand.id];
  const CodeStatement *statement = &code->statements[id];
  if (statement->kind == CODE_CALL) {
    if (*origin != NO_CODE_ID) return *origin == id;
    *origin = id;
    return true;
  }
  if (statement->kind != CODE_CHOICE) return false;
  for (uint32_t i = 0; i < statement->operand_count; i++)
    if (!follow(search, code_operand(code, statement, i), origin)) return false;
  return true;
}

static uint32_t returned_call(OriginSearch *search, const CodeFunction *f) {
  const Code *code = search->s->code;
  uint32_t origin = NO_CODE_ID;
  U32Vector_clear(&search->seen);
  for (uint32_t i = f->first_statement; i < f->first_statement + f->statement_count; i++) {
    const CodeStatement *statement = &code->statements[i];
    if (statement->jump_buffer) return NO_CODE_ID; // the call may come again after a jump
    if (statement->kind != CODE_RETURN) continue;
    if (statement->operand_count != 1 || !follow(search, code_operand(code, statement, 0), &origin)) return NO_CODE_ID;
  }
  return origin;
}

static uint32_t search_origin(OriginSearch *search, uint32_t function) {
  uint32_t *origin = origin_of(search->s, function);
  if (search->states.data[function] != ORIGIN_UNKNOWN) return *origin; // NO_CODE_ID while it is searched
  search->states.data[function] = ORIGIN_SEARCHED;
  const CodeFunction *f = &search->s->code->functions[function];
  uint32_t found = NO_CODE_ID;
  if (f->defined && !bitset_get(&search->taken, function)) found = returned_call(search, f);
  if (found != NO_CODE_ID && !allocates(search, &search->s->code->statements[found])) found = NO_CODE_ID;
  search->states.data[function] = ORIGIN_KNOWN;
  return *origin = found;
}

static void take(Bitset *taken, CodeOperand operand) {
  if (operand.kind == CODE_FUNCTION) bitset_set(taken, operand.id);
}

static void mark_taken(const Code *code, Bitset *taken) {
  for (uint32_t i = 0; i < code->initial_count; i++) take(taken, code->initials[i].operand);
  for (uint32_t i = 0; i < code->statement_count; i++) {
    const CodeStatement *statement = &code->statements[i];
    for (uint32_t k = statement->kind == CODE_CALL; k < statement->operand_count; k++)
      take(taken, code_operand(code, statement, k));
  }
  for (uint32_t i = 0; i < code->block_count; i++) take(taken, code->blocks[i].condition);
}

void heap_find_wrappers(Solver *s, const uint32_t *entries, uint32_t entry_count) {
  size_t count = s->code->function_count;
  U32Vector_resize(&s->origins, count);
  for (size_t i = 0; i < count; i++) s->origins.data[i] = NO_CODE_ID;
  OriginSearch search = {.s = s};
  ByteVector_init(&search.states, s->account);
  ByteVector_resize(&search.states, count);
  U32Vector_init(&search.seen, s->account);
  bitset_init(&search.taken, count, s->account);
  mark_taken(s->code, &search.taken);
  for (uint32_t i = 0; i < entry_count; i++) bitset_set(&search.taken, entries[i]);
  for (uint32_t f = 0; f < count; f++) search_origin(&search, f);
  bitset_free(&search.taken);
  ByteVector_free(&search.states);
  U32Vector_free(&search.seen);
}

// --- areas ---

// malloc(n), calloc(m, n): of other functions it is not known.
static uint64_t allocated_bytes(const Solver *s, uint32_t statement) {
  const Code *code = s->code;
  const CodeStatement *call = &code->statements[statement];
  CodeOperand callee = code_operand(code, call, 0);
  if (callee.kind != CODE_FUNCTION) return 0;
  const CodeFunction *f = &code->functions[callee.id];
  if (f->defined) return *origin_of(s, callee.id) == NO_CODE_ID ? 0 : allocated_bytes(s, *origin_of(s, callee.id));
  uint32_t factors = strcmp(f->name, "malloc") == 0 ? 1 : strcmp(f->name, "calloc") == 0 ? 2 : 0;
  uint64_t bytes = factors > 0;
  for (uint32_t i = 1; i <= factors; i++) {
    CodeOperand size = i < call->operand_count ? code_operand(code, call, i) : (CodeOperand){.kind = CODE_NOTHING};
    if (size.kind != CODE_NUMBER || size.number < 0) return 0;
    if (__builtin_mul_overflow(bytes, (uint64_t)size.number, &bytes)) return 0;
  }
  return bytes;
}

static uint32_t area_of(Solver *s, uint32_t statement) {
  uint64_t known;
  if (map_get(&s->heap_areas, statement, &known)) return (uint32_t)known;
  uint32_t area = (uint32_t)s->areas.count;
  AreaMemory memory = {.flat = NO_NODE,
                       .area = {.kind = AREA_HEAP,
                                .object = NO_CODE_ID,
                                .function = s->code->statements[statement].function,
                                .statement = statement,
                                .size = allocated_bytes(s, statement),
                                .type = NO_CODE_ID}};
  MemoryCellVector_init(&memory.cells, s->account);
  BlockCopyVector_init(&memory.blocks, s->account);
  AreaVector_push(&s->areas, memory);
  map_put(&s->heap_areas, statement, area);
  return area;
}

NodeId heap_new_block(Solver *s, uint32_t statement, bool result) {
  if (result && is_origin(s, statement)) return NO_NODE; // the calls of the wrapper add their areas
  return constant_node(s, (AreaPlace){.area = area_of(s, statement)});
}

// A wrapper of realloc gives the block that it was given, or a new one with the contents.
static void resize(Solver *s, uint32_t statement, uint32_t function, AreaPlace block, NodeId to) {
  const CodeStatement *call = &s->code->statements[statement];
  const CodeStatement *inner = &s->code->statements[*origin_of(s, function)];
  const Effect *effect = effect_of(s->code->functions[code_operand(s->code, inner, 0).id].name);
  uint32_t parameter = resized_parameter(s, inner, effect);
  if (parameter + 1 >= call->operand_count) return;
  NodeId old = operand_value(s, code_operand(s->code, call, parameter + 1)).whole;
  solver_edge(s, old, to, COPY_MOVE);
  solver_copy(s, constant_node(s, block), old, 0);
}

void heap_call_result(Solver *s, uint32_t statement, uint32_t function) {
  uint32_t result = s->code->statements[statement].result, origin = *origin_of(s, function);
  Value to = result == NO_CODE_ID ? NO_VALUE : register_value(result);
  if (origin == NO_CODE_ID) {
    solver_flow(s, result_value(s, function), to);
    return;
  }
  if (is_origin(s, statement)) return;
  AreaPlace block = {.area = area_of(s, statement)};
  if (to.whole != NO_NODE) solver_add(s, to.whole, block);
  if (resizes(s, function)) resize(s, statement, function, block, to.whole);
  while (origin != NO_CODE_ID) {
    solver_add(s, register_value(s->code->statements[origin].result).whole, block);
    CodeOperand callee = code_operand(s->code, &s->code->statements[origin], 0);
    origin = *origin_of(s, callee.id);
  }
}
