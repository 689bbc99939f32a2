#include "survey/sent_addresses.h"

typedef struct SendingFunction {
  const char *name;
  uint32_t operand; // of a call: what is sent
  uint32_t levels;  // so many pointers lead from there to the bytes
} SendingFunction;

// clang-format off: a table.
static const SendingFunction functions[] = {
    {"write", 2, 1}, {"pwrite", 2, 1}, {"pwrite64", 2, 1}, {"send", 2, 1}, {"sendto", 2, 1}, {"mq_send", 2, 1},
    {"mq_timedsend", 2, 1}, {"msgsnd", 2, 1}, {"fwrite", 1, 1}, {"fwrite_unlocked", 1, 1}, {"writev", 2, 2},
    {"pwritev", 2, 2}, {"pwritev2", 2, 2}, {"vmsplice", 2, 2}, {"aio_write", 1, 2}, {"sendmsg", 2, 3},
    {"sendmmsg", 2, 3}, {"sigqueue", 3, 0}, {"pthread_sigqueue", 3, 0},
};
// clang-format on

static const SendingFunction *sending_function(const char *name) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, name) == 0) return &functions[i];
  return NULL;
}

static bool is_constant(const SurveyFacts *facts, uint32_t id) {
  const Area *area = pointing_area(facts->pointing, id);
  return area->kind == AREA_FUNCTION || (area->kind == AREA_STATIC && facts->code->objects[area->object].constant);
}

// Replaces the areas by those whose addresses they hold. At the levels before the last nothing is forgotten: an area
// may hold both the bytes and pointers to more of them.
static void follow(const SurveyFacts *facts, Bitset *areas, bool last) {
  uint32_t count = pointing_area_count(facts->pointing);
  Bitset held;
  bitset_init(&held, count, facts->account);
  for (uint32_t i = 0; i < count; i++)
    if (bitset_get(areas, i)) pointing_add_contents(facts->pointing, i, &held);
  if (last) bitset_clear_all(areas);
  bitset_union(areas, &held);
  bitset_free(&held);
}

static bool sends(const SurveyFacts *facts, const CodeStatement *call, const SendingFunction *function) {
  if (function->operand >= call->operand_count) return false;
  uint32_t count = pointing_area_count(facts->pointing);
  Bitset areas;
  bitset_init(&areas, count, facts->account);
  PlaceRange range = pointing_of(facts->pointing, code_operand(facts->code, call, function->operand));
  for (uint32_t i = 0; i < range.count; i++) bitset_set(&areas, range.data[i].area);
  for (uint32_t level = 1; level <= function->levels; level++) follow(facts, &areas, level == function->levels);
  bool some = false;
  for (uint32_t i = 0; i < count && !some; i++) some = bitset_get(&areas, i) && !is_constant(facts, i);
  bitset_free(&areas);
  return some;
}

bool addresses_may_be_sent(const SurveyFacts *facts) {
  const Code *code = facts->code;
  for (uint32_t s = 0; s < code->statement_count; s++) {
    CallTargets targets = calls_of(facts->calls, s);
    for (uint32_t i = 0; i < targets.count; i++) {
      if (targets.data[i].kind != CALL_LIBRARY) continue;
      assert(targets.data[i].function < code->function_count);
      const SendingFunction *function = sending_function(code->functions[targets.data[i].function].name);
      if (function && sends(facts, &code->statements[s], function)) return true;
    }
  }
  return false;
}
