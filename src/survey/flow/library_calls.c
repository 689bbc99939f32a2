// Calls of functions without a body: what they do to locks, threads and ownership.
#include "survey/flow/internal.h"

static void add_lock(Flow *flow, FlowState *state, uint32_t lock) {
  if (lock != NO_CODE_ID) state->locks = set_with(&flow->facts->sets, state->locks, lock);
}

static void take(Flow *flow, uint32_t statement, bool shared, bool tries, FlowState *state) {
  const CodeStatement *s = &flow->facts->code->statements[statement];
  if (s->operand_count < 2 || lock_families_mixed(&flow->facts->families, statement)) return;
  uint32_t lock = locks_named(flow->facts->locks, code_operand(flow->facts->code, s, 1), shared);
  if (lock == NO_CODE_ID) return;
  if (!tries)
    add_lock(flow, state, lock);
  else if (s->result != NO_CODE_ID)
    add_lock(flow, state,
             locks_intern(flow->facts->locks, (Lock){.kind = LOCK_TRIED, .id = s->result, .offset = lock}));
}

// The threads run on that the joined one created and had not joined when it ended. A thread that is cut short may end
// anywhere. (While no end is known, it is as if the join did not return: when one is found, this is computed again.)
void flow_forget_thread(Flow *flow, uint32_t context, uint32_t template_id, FlowState *state) {
  NumberSets *sets = &flow->facts->sets;
  assert(!templates_at(flow->facts->templates, template_id)->any_time);
  state->running = set_without(sets, state->running, flow_running(template_id));
  FlowState end = flow_end_of_thread(flow, context, template_id);
  const Bitset *offspring = templates_offspring(flow->facts->templates, template_id);
  bool anywhere = templates_cut_short(flow->facts->templates);
  for (size_t i = bitset_next(offspring, 0); i < offspring->bits; i = bitset_next(offspring, i + 1)) {
    uint32_t running = flow_running((uint32_t)i);
    if (anywhere || (end.reached && set_has(sets, end.running, running)))
      state->running = set_with(sets, state->running, running);
  }
}

static void join(Flow *flow, uint32_t context, uint32_t statement, FlowState *state) {
  uint32_t creation = handles_joined(&flow->handles, statement);
  if (creation == NO_CODE_ID) return;
  const Templates *templates = flow->facts->templates;
  for (uint32_t i = 0; i < templates_count(templates); i++) {
    const Template *t = templates_at(templates, i);
    if (t->statement == creation && !t->many) flow_forget_thread(flow, context, i, state);
  }
}

static uint32_t section_lock(Flow *flow) { return locks_intern(flow->facts->locks, (Lock){.kind = LOCK_SECTION}); }

static void synchronise(Flow *flow, uint32_t context, uint32_t statement, SynchronisationKind kind, FlowState *state) {
  const CodeStatement *s = &flow->facts->code->statements[statement];
  switch (kind) {
  case SYNC_LOCK: take(flow, statement, false, false, state); break;
  case SYNC_TRY_LOCK:
  case SYNC_TIMED_LOCK: take(flow, statement, false, true, state); break;
  case SYNC_READ_LOCK: take(flow, statement, true, false, state); break;
  case SYNC_TRY_READ_LOCK: take(flow, statement, true, true, state); break;
  case SYNC_UNLOCK:
    if (s->operand_count > 1) flow_unlock(flow, state, code_operand(flow->facts->code, s, 1));
    break;
  case SYNC_SEMAPHORE_WAIT:
  case SYNC_SEMAPHORE_TRY:
    if (semaphores_is_lock(&flow->facts->semaphores, statement))
      take(flow, statement, false, kind == SYNC_SEMAPHORE_TRY, state);
    break;
  case SYNC_SEMAPHORE_POST:
    if (semaphores_is_lock(&flow->facts->semaphores, statement))
      flow_unlock(flow, state, code_operand(flow->facts->code, s, 1));
    break;
  case SYNC_ATOMIC_BEGIN: add_lock(flow, state, section_lock(flow)); break;
  case SYNC_ATOMIC_END: state->locks = set_without(&flow->facts->sets, state->locks, section_lock(flow)); break;
  case SYNC_JOIN: join(flow, context, statement, state); break;
  case SYNC_EXIT_THREAD:
    flow_note_end(flow, context, *state);
    state->reached = false;
    break;
  case SYNC_EXIT_PROCESS: state->reached = false; break;
  default: break;
  }
}

static bool keeps(const Effect *effect, uint32_t i) {
  SynchronisationKind sync = effect->synchronisation;
  bool hands_over = sync == SYNC_CREATE_POSIX || sync == SYNC_CREATE_C11 || sync == SYNC_EXIT_THREAD ||
                    sync == SYNC_AT_EXIT || sync == SYNC_KEY || sync == SYNC_KEY_SET || sync == SYNC_HANDLER;
  bool stores = (effect->stores_to && i == effect->stored_argument) || (effect->fills && i == effect->filled_with);
  return hands_over || stores || (i < 8 && (effect->keeps >> i & 1));
}

// The result is a block that nothing else refers to. A block that changes its size stays owned if it was.
static bool makes_own_block(Flow *flow, const CodeStatement *s, const Effect *effect, const FlowState *state) {
  if (effect->result == RESULT_NEW_BLOCK) return true;
  uint32_t from = effect->result_argument + 1u;
  if (effect->result != RESULT_RESIZED || from >= s->operand_count) return false;
  CodeOperand old = code_operand(flow->facts->code, s, from);
  return old.kind == CODE_NUMBER || ownership_holds(&flow->ownership, state, old);
}

FlowState flow_through_library(Flow *flow, uint32_t context, uint32_t statement, uint32_t function, FlowState state) {
  const Code *code = flow->facts->code;
  const CodeStatement *s = &code->statements[statement];
  const Effect *effect = calls_effect(flow->facts->calls, function);
  assert(effect != NULL);
  for (uint32_t i = 0; i + 1 < s->operand_count; i++)
    if (keeps(effect, i)) ownership_publish(&flow->ownership, &state, s->function, code_operand(code, s, i + 1));
  bool moves = effect->copies_from || effect->copies_to || effect->result == RESULT_RESIZED || effect->stores_to ||
               effect->gives || effect->fills;
  if (moves) ownership_publish_linked(&flow->ownership, &state);
  ownership_define(&flow->ownership, &state, s->result, makes_own_block(flow, s, effect, &state));
  synchronise(flow, context, statement, effect->synchronisation, &state);
  return state;
}

FlowState flow_through_unknown(Flow *flow, uint32_t context, uint32_t statement, FlowState state) {
  SurveyFacts *facts = flow->facts;
  const CodeStatement *s = &facts->code->statements[statement];
  for (uint32_t i = 1; i < s->operand_count; i++)
    ownership_publish(&flow->ownership, &state, s->function, code_operand(facts->code, s, i));
  ownership_publish_linked(&flow->ownership, &state);
  ownership_define(&flow->ownership, &state, s->result, false);
  return flow_through_kept(flow, context, state);
}

FlowState flow_through_kept(Flow *flow, uint32_t context, FlowState state) {
  flow_note_end(flow, context, state); // it might not return
  SurveyFacts *facts = flow->facts;
  SetRange range = set_range(&facts->sets, state.locks);
  U32Vector kept;
  U32Vector_init(&kept, facts->account);
  for (uint32_t i = 0; i < range.count; i++)
    if (!locks_may_be_in(facts->locks, range.data[i], &facts->sets, facts->released.outside) ||
        locks_at(facts->locks, range.data[i])->kind == LOCK_SECTION)
      U32Vector_push(&kept, range.data[i]);
  state.locks = set_make(&facts->sets, kept.data, kept.count);
  U32Vector_free(&kept);
  return state;
}
