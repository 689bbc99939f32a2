#include "survey/orders/recursive_locks.h"

enum { POSIX_RECURSIVE = 1, C11_RECURSIVE = 1 }; // PTHREAD_MUTEX_RECURSIVE, mtx_recursive of glibc and musl

static const char *library_name(const SurveyFacts *facts, uint32_t statement) {
  CallTargets targets = calls_of(facts->calls, statement);
  for (uint32_t i = 0; i < targets.count; i++)
    if (targets.data[i].kind == CALL_LIBRARY) return facts->code->functions[targets.data[i].function].name;
  return "";
}

static bool may_be_same(const SurveyFacts *facts, CodeOperand a, CodeOperand b) {
  PlaceRange x = pointing_of(facts->pointing, a), y = pointing_of(facts->pointing, b);
  for (uint32_t i = 0; i < x.count; i++)
    for (uint32_t k = 0; k < y.count; k++)
      if (pointing_overlap(x.data[i], 1, y.data[k], 1)) return true;
  return x.count == 0 || y.count == 0;
}

static Recursion both(Recursion a, Recursion b) { return a == b ? a : RECURSION_UNKNOWN; }

static Recursion of_attributes(const SurveyFacts *facts, CodeOperand attributes) {
  const Code *code = facts->code;
  if (attributes.kind == CODE_NUMBER) return RECURSION_NO;
  Recursion result = RECURSION_NO;
  bool found = false;
  for (uint32_t s = 0; s < code->statement_count; s++) {
    const CodeStatement *call = &code->statements[s];
    if (call->kind != CODE_CALL || call->operand_count < 3) continue;
    if (strcmp(library_name(facts, s), "pthread_mutexattr_settype") != 0) continue;
    if (!may_be_same(facts, code_operand(code, call, 1), attributes)) continue;
    CodeOperand type = code_operand(code, call, 2);
    bool yes = type.kind == CODE_NUMBER && type.number == POSIX_RECURSIVE;
    Recursion one = yes ? RECURSION_YES : RECURSION_UNKNOWN;
    result = found ? both(result, one) : one;
    found = true;
  }
  return result;
}

static Recursion of_initialisation(const SurveyFacts *facts, uint32_t statement) {
  const CodeStatement *call = &facts->code->statements[statement];
  const char *name = library_name(facts, statement);
  if (call->operand_count < 3) return RECURSION_UNKNOWN;
  CodeOperand how = code_operand(facts->code, call, 2);
  if (strcmp(name, "pthread_mutex_init") == 0) return of_attributes(facts, how);
  if (strcmp(name, "mtx_init") != 0) return RECURSION_NO;
  if (how.kind != CODE_NUMBER) return RECURSION_UNKNOWN;
  return how.number & C11_RECURSIVE ? RECURSION_YES : RECURSION_NO;
}

Recursion recursion_of(LockNodes *nodes, SetId taken) {
  SurveyFacts *facts = nodes->facts;
  Recursion result = RECURSION_NO;
  bool found = false;
  for (uint32_t s = 0; s < facts->code->statement_count; s++) {
    const CodeStatement *call = &facts->code->statements[s];
    if (call->kind != CODE_CALL || call->operand_count < 2) continue;
    const char *name = library_name(facts, s);
    const Effect *effect = *name ? effect_of(name) : NULL;
    if (!effect || effect->synchronisation != SYNC_INITIALISE) continue;
    SetId at = lock_nodes_of(nodes, code_operand(facts->code, call, 1));
    if (set_intersection(&facts->sets, at, taken) == SET_EMPTY) continue;
    Recursion one = of_initialisation(facts, s);
    result = found ? both(result, one) : one;
    found = true;
  }
  return result;
}
