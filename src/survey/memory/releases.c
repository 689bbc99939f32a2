#include "survey/memory/releases.h"

#include "survey/contents.h"

static void free_all(Releases *r, const SurveyFacts *facts, CodeOperand operand) {
  PlaceRange range = pointing_of(facts->pointing, operand);
  for (uint32_t i = 0; i < range.count; i++) bitset_set(&r->freed, range.data[i].area);
}

// getline and its like resize the block whose address is in the memory of an argument.
static void free_deep(Releases *r, const SurveyFacts *facts, CodeOperand operand, Contents *contents, bool *filled) {
  if (!*filled) contents_init(contents, facts);
  *filled = true;
  contents_reach(contents, facts, operand, &r->freed);
}

static bool frees(const Effect *effect) {
  if (effect->stores_to != 0 || (effect->rest & (ARGUMENT_FREED | ARGUMENT_DEEP_WRITTEN))) return true;
  for (uint32_t i = 0; i < EFFECT_ARGUMENTS; i++)
    if (effect->arguments[i] & (ARGUMENT_FREED | ARGUMENT_DEEP_WRITTEN)) return true;
  return effect->result == RESULT_RESIZED;
}

static void visit_call(Releases *r, const SurveyFacts *facts, uint32_t statement, Contents *contents, bool *filled) {
  const CodeStatement *s = &facts->code->statements[statement];
  CallTargets targets = calls_of(facts->calls, statement);
  for (uint32_t i = 0; i < targets.count; i++) {
    CallTarget target = targets.data[i];
    const Effect *effect = target.function == NO_CODE_ID ? NULL : calls_effect(facts->calls, target.function);
    if (target.kind == CALL_UNKNOWN && effect) r->all_freed |= frees(effect); // free as a destructor
    if (target.kind != CALL_LIBRARY) continue;
    for (uint32_t k = 1; k < s->operand_count; k++) {
      uint8_t argument = calls_argument_effect(effect, k - 1);
      if (argument & ARGUMENT_FREED) free_all(r, facts, code_operand(facts->code, s, k));
      if (argument & ARGUMENT_DEEP_WRITTEN) free_deep(r, facts, code_operand(facts->code, s, k), contents, filled);
    }
  }
}

void releases_init(Releases *r, const SurveyFacts *facts) {
  *r = (Releases){.all_freed = false};
  bitset_init(&r->freed, pointing_area_count(facts->pointing), facts->account);
  Contents contents;
  bool filled = false;
  for (uint32_t s = 0; s < facts->code->statement_count; s++)
    if (facts->code->statements[s].kind == CODE_CALL) visit_call(r, facts, s, &contents, &filled);
  if (filled) contents_free(&contents);
}

void releases_free(Releases *r) { bitset_free(&r->freed); }

bool releases_may_free(const Releases *r, const SurveyFacts *facts, uint32_t area) {
  const Area *a = pointing_area(facts->pointing, area);
  if (a->kind == AREA_OUTSIDE) return true;
  return a->kind == AREA_HEAP && (r->all_freed || a->exposed || bitset_get(&r->freed, area));
}
