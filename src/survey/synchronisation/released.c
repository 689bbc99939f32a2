#include "survey/synchronisation/released.h"

typedef struct Search {
  const Code *code;
  const Pointing *pointing;
  const Calls *calls;
  const Semaphores *semaphores;
  NumberSets *sets;
  Released *released;
} Search;

static SetId areas_of(Search *s, CodeOperand operand) {
  PlaceRange range = pointing_of(s->pointing, operand);
  SetId set = range.count == 0 ? set_with(s->sets, SET_EMPTY, pointing_outside(s->pointing)) : SET_EMPTY;
  for (uint32_t i = 0; i < range.count; i++) set = set_with(s->sets, set, range.data[i].area);
  return set;
}

static SetId by_target(Search *s, uint32_t statement, CallTarget target) {
  const CodeStatement *call = &s->code->statements[statement];
  switch (target.kind) {
  case CALL_BODY:
  case CALL_BACK:
  case CALL_ONCE: return released_by(s->released, target.function);
  case CALL_LIBRARY: {
    SynchronisationKind kind = calls_effect(s->calls, target.function)->synchronisation;
    bool unlocks = kind == SYNC_UNLOCK || (kind == SYNC_SEMAPHORE_POST && semaphores_is_lock(s->semaphores, statement));
    return unlocks && call->operand_count > 1 ? areas_of(s, code_operand(s->code, call, 1)) : SET_EMPTY;
  }
  case CALL_KEPT:
  case CALL_UNKNOWN: return s->released->outside;
  default: return SET_EMPTY;
  }
}

static SetId by_function(Search *s, uint32_t function) {
  const CodeFunction *f = &s->code->functions[function];
  SetId set = SET_EMPTY;
  for (uint32_t i = f->first_statement; i < f->first_statement + f->statement_count; i++) {
    CallTargets targets = calls_of(s->calls, i);
    for (uint32_t k = 0; k < targets.count; k++) set = set_unite(s->sets, set, by_target(s, i, targets.data[k]));
    if (s->code->statements[i].kind == CODE_OPAQUE) set = set_unite(s->sets, set, s->released->outside);
  }
  return set;
}

static bool improve(Search *s) {
  bool grown = false;
  for (uint32_t f = s->code->function_count; f-- > 0;) {
    if (!s->code->functions[f].defined) continue;
    SetId old = released_by(s->released, f), set = set_unite(s->sets, old, by_function(s, f));
    s->released->sets.data[f] = set;
    if (pointing_called_from_outside(s->pointing, f)) {
      SetId outside = set_unite(s->sets, s->released->outside, set);
      grown |= outside != s->released->outside;
      s->released->outside = outside;
    }
    grown |= set != old;
  }
  return grown;
}

void released_init(Released *released, const Code *code, const Pointing *pointing, const Calls *calls,
                   const Semaphores *semaphores, NumberSets *sets, Account *account) {
  U32Vector_init(&released->sets, account);
  U32Vector_resize(&released->sets, code->function_count);
  released->outside = set_with(sets, SET_EMPTY, pointing_outside(pointing));
  Search s = {code, pointing, calls, semaphores, sets, released};
  while (improve(&s)) continue;
}

void released_free(Released *released) { U32Vector_free(&released->sets); }
