#include "survey/sharing.h"

typedef struct Closure {
  const Code *code;
  const Pointing *pointing;
  const Calls *calls;
  Bitset *shared;
  Bitset hands_on; // areas whose contents come to be in shared memory, or are read from a copy of it
  bool grown;
} Closure;

static void mark(Closure *c, Bitset *set, uint32_t area) { c->grown |= bitset_add(set, area); }

static void mark_all(Closure *c, Bitset *set, CodeOperand operand) {
  PlaceRange range = pointing_of(c->pointing, operand), parts = pointing_in_part(c->pointing, operand);
  for (uint32_t i = 0; i < range.count; i++) mark(c, set, range.data[i].area);
  for (uint32_t i = 0; i < parts.count; i++) mark(c, set, parts.data[i].area);
}

static bool any_in(const Closure *c, const Bitset *set, CodeOperand operand) {
  PlaceRange range = pointing_of(c->pointing, operand);
  for (uint32_t i = 0; i < range.count; i++)
    if (bitset_get(set, range.data[i].area)) return true;
  return false;
}

static bool is_reached(const Closure *c, CodeOperand address) {
  return any_in(c, c->shared, address) || any_in(c, &c->hands_on, address);
}

static void mark_result(Closure *c, const CodeStatement *s) {
  if (s->result != NO_CODE_ID) mark_all(c, c->shared, (CodeOperand){CODE_REGISTER, s->result, 0});
}

// Memory is copied between the two: what one holds, the other may hold.
static void tie(Closure *c, CodeOperand a, CodeOperand b) {
  bool reached_a = is_reached(c, a), reached_b = is_reached(c, b);
  if (reached_a && !reached_b) mark_all(c, &c->hands_on, b);
  if (reached_b && !reached_a) mark_all(c, &c->hands_on, a);
}

// An operand that the effect tells of by its number + 1.
static bool has_operand(const CodeStatement *s, unsigned operand) { return operand > 0 && operand < s->operand_count; }

// What the library takes out of memory or puts there: a thread may take out what another one put in.
static void hand_over(Closure *c, const CodeStatement *s, const Effect *effect) {
  if (has_operand(s, effect->gives)) mark_all(c, &c->hands_on, code_operand(c->code, s, effect->gives));
  if (has_operand(s, effect->takes)) mark_all(c, &c->hands_on, code_operand(c->code, s, effect->takes));
  unsigned result = effect->result_argument + 1u, stored = effect->stored_argument + 1u;
  if (effect->result == RESULT_POINTED && has_operand(s, result) && is_reached(c, code_operand(c->code, s, result)))
    mark_result(c, s);
  if (has_operand(s, effect->stores_to) && effect->stored == RESULT_POINTED && has_operand(s, stored))
    tie(c, code_operand(c->code, s, effect->stores_to), code_operand(c->code, s, stored));
}

static void visit_library(Closure *c, const CodeStatement *s, const Effect *effect) {
  assert(effect != NULL && s->kind == CODE_CALL);
  SynchronisationKind sync = effect->synchronisation;
  bool creates = sync == SYNC_CREATE_POSIX || sync == SYNC_CREATE_C11;
  if (creates && calls_argument_operand(sync) < s->operand_count)
    mark_all(c, c->shared, code_operand(c->code, s, calls_argument_operand(sync)));
  for (uint32_t i = 1; i < s->operand_count; i++) {
    bool kept = i - 1 < 8 && (effect->keeps >> (i - 1) & 1);
    if (kept || sync == SYNC_EXIT_THREAD || sync == SYNC_AT_EXIT) mark_all(c, c->shared, code_operand(c->code, s, i));
  }
  if (effect->copies_from && effect->copies_from < s->operand_count && effect->copies_to < s->operand_count)
    tie(c, code_operand(c->code, s, effect->copies_from), code_operand(c->code, s, effect->copies_to));
  hand_over(c, s, effect);
}

static void visit_call(Closure *c, uint32_t statement) {
  const CodeStatement *s = &c->code->statements[statement];
  CallTargets targets = calls_of(c->calls, statement);
  for (uint32_t i = 0; i < targets.count; i++) {
    if (targets.data[i].kind == CALL_LIBRARY) visit_library(c, s, calls_effect(c->calls, targets.data[i].function));
    if (targets.data[i].kind != CALL_UNKNOWN) continue;
    for (uint32_t k = 1; k < s->operand_count; k++) mark_all(c, c->shared, code_operand(c->code, s, k));
    mark_result(c, s);
  }
}

static void visit(Closure *c, uint32_t statement) {
  const CodeStatement *s = &c->code->statements[statement];
  CodeOperand address = s->operand_count > 0 ? code_operand(c->code, s, 0) : (CodeOperand){CODE_NOTHING, 0, 0};
  switch (s->kind) {
  case CODE_LOAD:
    if (is_reached(c, address)) mark_result(c, s);
    break;
  case CODE_STORE:
    if (is_reached(c, address)) mark_all(c, c->shared, code_operand(c->code, s, 1));
    break;
  case CODE_EXCHANGE:
    if (!is_reached(c, address)) break;
    mark_result(c, s);
    for (uint32_t i = 1; i < s->operand_count; i++) mark_all(c, c->shared, code_operand(c->code, s, i));
    break;
  case CODE_COPY_BLOCK: tie(c, address, code_operand(c->code, s, 1)); break;
  case CODE_CALL: visit_call(c, statement); break;
  case CODE_OPAQUE:
    for (uint32_t i = 0; i < s->operand_count; i++) mark_all(c, c->shared, code_operand(c->code, s, i));
    mark_result(c, s);
    break;
  default: break;
  }
}

static void share_results(Closure *c, uint32_t function) {
  const CodeFunction *f = &c->code->functions[function];
  for (uint32_t s = f->first_statement; s < f->first_statement + f->statement_count; s++)
    if (c->code->statements[s].kind == CODE_RETURN && c->code->statements[s].operand_count > 0)
      mark_all(c, c->shared, code_operand(c->code, &c->code->statements[s], 0));
}

static void share_roots(Closure *c) {
  for (uint32_t i = 0; i < pointing_area_count(c->pointing); i++) {
    const Area *area = pointing_area(c->pointing, i);
    if (area->kind == AREA_STATIC || area->kind == AREA_OUTSIDE || area->exposed) mark(c, c->shared, i);
  }
  for (uint32_t i = 0; i < c->code->initial_count; i++) mark_all(c, c->shared, c->code->initials[i].operand);
  for (uint32_t s = 0; s < c->code->statement_count; s++) {
    CallTargets targets = calls_of(c->calls, s);
    for (uint32_t i = 0; i < targets.count; i++) // what a routine returns goes to the thread that joins
      if (targets.data[i].kind == CALL_CREATE) share_results(c, targets.data[i].function);
  }
}

// The library may put addresses into shared memory and use them there: no code of the program need load or store them.
static void visit_memory(Closure *c, const Bitset *memory) {
  for (size_t i = bitset_next(memory, 0); i < memory->bits; i = bitset_next(memory, i + 1))
    c->grown |= pointing_add_contents(c->pointing, (uint32_t)i, c->shared);
}

void sharing_init(Sharing *sharing, const Code *code, const Pointing *pointing, const Calls *calls, Account *account) {
  uint32_t areas = pointing_area_count(pointing);
  bitset_init(&sharing->shared, areas, account);
  Closure c = {.code = code, .pointing = pointing, .calls = calls, .shared = &sharing->shared};
  bitset_init(&c.hands_on, areas, account);
  share_roots(&c);
  for (c.grown = true; c.grown;) {
    c.grown = false;
    for (uint32_t s = 0; s < code->statement_count; s++) visit(&c, s);
    visit_memory(&c, c.shared);
    visit_memory(&c, &c.hands_on);
  }
  assert(bitset_get(&sharing->shared, pointing_outside(pointing)));
  bitset_free(&c.hands_on);
}

void sharing_free(Sharing *sharing) { bitset_free(&sharing->shared); }
