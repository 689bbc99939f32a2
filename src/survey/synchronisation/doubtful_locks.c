#include "survey/synchronisation/doubtful_locks.h"

typedef struct DoubtSearch {
  SurveyFacts *facts;
  Bitset *doubtful, initialised, taken; // areas
  bool all;                             // a lock that was not followed may be unlocked
} DoubtSearch;

static void add_areas(const DoubtSearch *s, CodeOperand operand, Bitset *areas) {
  PlaceRange range = pointing_of(s->facts->pointing, operand);
  for (uint32_t i = 0; i < range.count; i++) bitset_set(areas, range.data[i].area);
}

// Does the thread surely hold the lock, on either side?
static bool holds(const DoubtSearch *s, const FlowState *state, CodeOperand lock) {
  NumberSets *sets = &s->facts->sets;
  for (int shared = 0; shared <= 1; shared++) {
    uint32_t name = locks_named(s->facts->locks, lock, shared != 0);
    if (name != NO_CODE_ID && set_has(sets, state->locks, name)) return true;
  }
  return false;
}

static void release_any(DoubtSearch *s, CodeOperand lock) {
  add_areas(s, lock, s->doubtful);
  s->all |= lock.kind != CODE_NUMBER && pointing_of(s->facts->pointing, lock).count == 0;
}

// The operand of the call that is the lock which it releases; 0: it releases none.
static uint32_t released_operand(SynchronisationKind kind) {
  return kind == SYNC_UNLOCK ? 1 : kind == SYNC_WAIT ? 2 : 0;
}

// The operand of the call that is the lock which it takes, or takes again; 0: it takes none.
static uint32_t taken_operand(SynchronisationKind kind) {
  switch (kind) {
  case SYNC_LOCK:
  case SYNC_TRY_LOCK:
  case SYNC_TIMED_LOCK:
  case SYNC_READ_LOCK:
  case SYNC_TRY_READ_LOCK: return 1;
  case SYNC_WAIT: return 2;
  default: return 0;
  }
}

static void visit_library(DoubtSearch *s, const CodeStatement *call, const Effect *effect, const FlowState *state) {
  const Code *code = s->facts->code;
  assert(effect != NULL);
  uint32_t released = released_operand(effect->synchronisation);
  if (released && released < call->operand_count) {
    CodeOperand lock = code_operand(code, call, released);
    if (!holds(s, state, lock)) release_any(s, lock);
  }
  uint32_t taken = taken_operand(effect->synchronisation);
  if (taken && taken < call->operand_count) add_areas(s, code_operand(code, call, taken), &s->taken);
  if (effect->synchronisation == SYNC_INITIALISE && call->operand_count > 1)
    add_areas(s, code_operand(code, call, 1), &s->initialised);
}

static void visit(void *argument, uint32_t context, uint32_t statement, const FlowState *before,
                  const FlowState *after) {
  DoubtSearch *s = argument;
  (void)context;
  (void)after;
  const CodeStatement *at = &s->facts->code->statements[statement];
  assert(before->reached);
  if (at->kind == CODE_FILL_BLOCK || at->kind == CODE_COPY_BLOCK)
    add_areas(s, code_operand(s->facts->code, at, 0), &s->initialised);
  if (at->kind != CODE_CALL) return;
  CallTargets targets = calls_of(s->facts->calls, statement);
  for (uint32_t i = 0; i < targets.count; i++)
    if (targets.data[i].kind == CALL_LIBRARY)
      visit_library(s, at, calls_effect(s->facts->calls, targets.data[i].function), before);
}

// Is it born with zeros, which are an unlocked lock?
static bool is_born_zero(const SurveyFacts *facts, const Area *area) {
  if (area->kind == AREA_STATIC || area->kind == AREA_THREAD_LOCAL) return true;
  if (area->kind != AREA_HEAP || area->statement == NO_CODE_ID) return false;
  CallTargets targets = calls_of(facts->calls, area->statement);
  for (uint32_t i = 0; i < targets.count; i++)
    if (strcmp(facts->code->functions[targets.data[i].function].name, "calloc") != 0) return false;
  return targets.count > 0;
}

bool doubtful_locks_find(Bitset *doubtful, SurveyFacts *facts, Flow *flow) {
  uint32_t count = pointing_area_count(facts->pointing);
  assert(doubtful->bits >= count);
  DoubtSearch s = {.facts = facts, .doubtful = doubtful};
  bitset_init(&s.initialised, count, facts->account);
  bitset_init(&s.taken, count, facts->account);
  flow_visit(flow, visit, &s);
  bool unset = false;
  for (uint32_t i = 0; i < count; i++) {
    const Area *area = pointing_area(facts->pointing, i);
    bool outside = area->exposed || area->kind == AREA_OUTSIDE;
    bool known = is_born_zero(facts, area) || bitset_get(&s.initialised, i);
    if (s.all || !known || outside) bitset_set(doubtful, i);
    unset |= !known && !outside && bitset_get(&s.taken, i);
  }
  bitset_free(&s.taken);
  bitset_free(&s.initialised);
  return unset;
}
