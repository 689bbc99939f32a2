#include "survey/contents.h"

static PlaceRange places(const SurveyFacts *facts, CodeOperand operand) {
  return pointing_of(facts->pointing, operand);
}

static bool is_same_area(PlaceRange range, uint32_t index) { // as the place before
  return index > 0 && range.data[index].area == range.data[index - 1].area;
}

static bool hold_many(Contents *c, PlaceRange to, PlaceRange what) {
  Bitset areas;
  bitset_init(&areas, c->areas, c->account);
  for (uint32_t k = 0; k < what.count; k++) bitset_set(&areas, what.data[k].area);
  bool grown = false;
  for (uint32_t i = 0; i < to.count; i++)
    if (!is_same_area(to, i)) grown |= bitset_union(&c->held[to.data[i].area], &areas);
  bitset_free(&areas);
  return grown;
}

static bool hold_places(Contents *c, PlaceRange to, PlaceRange what) {
  if (what.count > 1 + bitset_words(c->areas)) return hold_many(c, to, what);
  bool grown = false;
  for (uint32_t i = 0; i < to.count; i++)
    for (uint32_t k = 0; k < what.count && !is_same_area(to, i); k++)
      grown |= bitset_add(&c->held[to.data[i].area], what.data[k].area);
  return grown;
}

static bool hold(Contents *c, const SurveyFacts *facts, CodeOperand address, CodeOperand value) {
  PlaceRange to = places(facts, address);
  bool grown = hold_places(c, to, places(facts, value));
  return hold_places(c, to, pointing_in_part(facts->pointing, value)) || grown;
}

static bool copy(Contents *c, const SurveyFacts *facts, CodeOperand to_address, CodeOperand from_address) {
  PlaceRange to = places(facts, to_address), from = places(facts, from_address);
  bool grown = false;
  for (uint32_t i = 0; i < to.count; i++)
    for (uint32_t k = 0; k < from.count; k++)
      if (to.data[i].area != from.data[k].area)
        grown |= bitset_union(&c->held[to.data[i].area], &c->held[from.data[k].area]);
  return grown;
}

static bool visit_library(Contents *c, const SurveyFacts *facts, const CodeStatement *s, const Effect *effect) {
  const Code *code = facts->code;
  bool grown = false;
  if (effect->copies_from && effect->copies_from < s->operand_count && effect->copies_to < s->operand_count)
    grown |= copy(c, facts, code_operand(code, s, effect->copies_to), code_operand(code, s, effect->copies_from));
  uint32_t stored = effect->stored_argument + 1u;
  if (effect->stores_to && effect->stores_to < s->operand_count && stored < s->operand_count)
    grown |= hold(c, facts, code_operand(code, s, effect->stores_to), code_operand(code, s, stored));
  uint32_t with = effect->filled_with + 1u;
  if (effect->fills && effect->fills < s->operand_count && with < s->operand_count)
    grown |= hold(c, facts, code_operand(code, s, effect->fills), code_operand(code, s, with));
  return grown;
}

static void visit_once(Contents *c, const SurveyFacts *facts, uint32_t statement) {
  const Code *code = facts->code;
  const CodeStatement *s = &code->statements[statement];
  if (s->kind == CODE_LOAD && s->result != NO_CODE_ID)
    hold(c, facts, code_operand(code, s, 0), (CodeOperand){CODE_REGISTER, s->result, 0});
  for (uint32_t i = 1; (s->kind == CODE_STORE || s->kind == CODE_EXCHANGE) && i < s->operand_count; i++)
    hold(c, facts, code_operand(code, s, 0), code_operand(code, s, i));
}

static bool visit(Contents *c, const SurveyFacts *facts, uint32_t statement) {
  const Code *code = facts->code;
  const CodeStatement *s = &code->statements[statement];
  bool grown = false;
  switch (s->kind) {
  case CODE_COPY_BLOCK: return copy(c, facts, code_operand(code, s, 0), code_operand(code, s, 1));
  case CODE_CALL: {
    CallTargets targets = calls_of(facts->calls, statement);
    for (uint32_t i = 0; i < targets.count; i++)
      if (targets.data[i].kind == CALL_LIBRARY)
        grown |= visit_library(c, facts, s, calls_effect(facts->calls, targets.data[i].function));
    return grown;
  }
  default: return false;
  }
}

void contents_init(Contents *c, const SurveyFacts *facts) {
  const Code *code = facts->code;
  *c = (Contents){.areas = pointing_area_count(facts->pointing), .account = facts->account};
  c->held = memory_allocate_zeroed(c->account, c->areas * sizeof *c->held);
  for (size_t i = 0; i < c->areas; i++) bitset_init(&c->held[i], c->areas, c->account);
  for (uint32_t i = 0; i < code->initial_count; i++) {
    PlaceRange what = places(facts, code->initials[i].operand);
    for (uint32_t k = 0; k < what.count; k++) bitset_set(&c->held[code->initials[i].object], what.data[k].area);
  }
  for (uint32_t i = 0; i < c->areas; i++) pointing_add_contents(facts->pointing, i, &c->held[i]);
  for (uint32_t s = 0; s < code->statement_count; s++) visit_once(c, facts, s);
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t s = 0; s < code->statement_count; s++) grown |= visit(c, facts, s);
  }
}

void contents_free(Contents *c) {
  for (size_t i = 0; i < c->areas; i++) bitset_free(&c->held[i]);
  memory_free(c->account, c->held, c->areas * sizeof *c->held);
}

void contents_reach(const Contents *c, const SurveyFacts *facts, CodeOperand operand, Bitset *areas) {
  PlaceRange range = places(facts, operand);
  Bitset found;
  bitset_init(&found, c->areas, c->account);
  for (uint32_t i = 0; i < range.count; i++) bitset_union(&found, &c->held[range.data[i].area]);
  for (bool grown = true; grown;) {
    grown = false;
    for (size_t i = bitset_next(&found, 0); i < c->areas; i = bitset_next(&found, i + 1))
      grown |= bitset_union(&found, &c->held[i]);
  }
  bitset_union(areas, &found);
  bitset_free(&found);
}
