// What one statement that is not a call does to a state, and what edges tell.
#include "survey/flow/conditions.h"
#include "survey/flow/internal.h"

static void forget_register(Flow *flow, FlowState *state, uint32_t reg) {
  NumberSets *sets = &flow->facts->sets;
  SetRange range = set_range(sets, state->locks);
  U32Vector kept;
  U32Vector_init(&kept, flow->facts->account);
  for (uint32_t i = 0; i < range.count; i++) {
    const Lock *lock = locks_at(flow->facts->locks, range.data[i]);
    const Lock *tried = lock->kind == LOCK_TRIED ? locks_at(flow->facts->locks, (uint32_t)lock->offset) : lock;
    bool about = (lock->kind == LOCK_TRIED && lock->id == reg) || (tried->kind == LOCK_RELATIVE && tried->id == reg);
    if (!about) U32Vector_push(&kept, range.data[i]);
  }
  if (kept.count < range.count) state->locks = set_make(sets, kept.data, kept.count);
  U32Vector_free(&kept);
}

void flow_unlock(Flow *flow, FlowState *state, CodeOperand lock) {
  NumberSets *sets = &flow->facts->sets;
  SetRange range = set_range(sets, state->locks);
  U32Vector kept;
  U32Vector_init(&kept, flow->facts->account);
  for (uint32_t i = 0; i < range.count; i++)
    if (!locks_may_be(flow->facts->locks, range.data[i], lock)) U32Vector_push(&kept, range.data[i]);
  if (kept.count < range.count) state->locks = set_make(sets, kept.data, kept.count);
  U32Vector_free(&kept);
}

// --- values ---

static bool is_nothing_or_owned(const Flow *flow, const FlowState *state, CodeOperand operand) {
  if (operand.kind == CODE_NUMBER || operand.kind == CODE_NOTHING) return true;
  uint32_t root = ownership_root(&flow->ownership, operand);
  return root != NO_CODE_ID && !set_has(&flow->facts->sets, state->published, root);
}

// Choices at the beginning of a block take their values at the same time: of an earlier one in the block, the old
// value is not known any more.
static bool is_renewed(const Code *code, const CodeStatement *s, uint32_t root) {
  uint32_t made = code->register_statements[root];
  return made != NO_CODE_ID && &code->statements[made] <= s && code->statements[made].block == s->block &&
         code->statements[made].kind == CODE_CHOICE;
}

static void choose(Flow *flow, const CodeStatement *s, FlowState *state) {
  bool owned = true, linked = false;
  for (uint32_t i = 0; i < s->operand_count; i++) {
    CodeOperand operand = code_operand(flow->facts->code, s, i);
    owned &= is_nothing_or_owned(flow, state, operand);
    uint32_t root = ownership_root(&flow->ownership, operand);
    owned &= root == NO_CODE_ID || !is_renewed(flow->facts->code, s, root);
    linked |= root != NO_CODE_ID && set_has(&flow->facts->sets, state->linked, root);
  }
  ownership_define(&flow->ownership, state, s->result, owned);
  if (owned && linked && bitset_get(&flow->ownership.owners, s->result))
    state->linked = set_with(&flow->facts->sets, state->linked, s->result);
}

static void exchange(Flow *flow, const CodeStatement *s, FlowState *state) {
  assert(s->kind == CODE_EXCHANGE && s->atomic);
  for (uint32_t i = 1; i < s->operand_count; i++)
    ownership_publish(&flow->ownership, state, s->function, code_operand(flow->facts->code, s, i));
}

static void meet_opaque(Flow *flow, const CodeStatement *s, FlowState *state) {
  for (uint32_t i = 0; i < s->operand_count; i++)
    ownership_publish(&flow->ownership, state, s->function, code_operand(flow->facts->code, s, i));
  ownership_publish_linked(&flow->ownership, state);
  ownership_define(&flow->ownership, state, s->result, false);
}

// Control may come here from anywhere later in the function, or from what it calls.
static void come_back(Flow *flow, uint32_t context, const CodeStatement *s, FlowState *state) {
  const Templates *templates = flow->facts->templates;
  uint32_t own = flow_context(flow, context)->template_id;
  const Bitset *offspring = templates_offspring(templates, own);
  state->locks = SET_EMPTY;
  for (size_t i = bitset_next(offspring, 0); i < offspring->bits; i = bitset_next(offspring, i + 1)) {
    state->running = set_with(&flow->facts->sets, state->running, flow_running((uint32_t)i));
    state->running = set_with(&flow->facts->sets, state->running, flow_created((uint32_t)i));
  }
  const CodeFunction *f = &flow->facts->code->functions[s->function];
  for (uint32_t r = f->first_register; r < f->first_register + f->register_count; r++)
    ownership_define(&flow->ownership, state, r, false);
}

// Can no other thread reach the block? One that was given may still be used by the thread that gave it.
static bool is_hidden(const Flow *flow, uint32_t context, const FlowState *state, CodeOperand address) {
  return ownership_holds(&flow->ownership, state, address) &&
         !flow_may_be_given(flow, flow_context(flow, context)->template_id, address);
}

static void store(Flow *flow, uint32_t context, const CodeStatement *s, FlowState *state) {
  CodeOperand address = code_operand(flow->facts->code, s, 0), value = code_operand(flow->facts->code, s, 1);
  assert(s->kind == CODE_STORE);
  if (is_hidden(flow, context, state, address))
    ownership_link(&flow->ownership, state, s->function, value);
  else
    ownership_publish(&flow->ownership, state, s->function, value);
}

void flow_step(Flow *flow, uint32_t context, uint32_t statement, FlowState *state) {
  const Code *code = flow->facts->code;
  const CodeStatement *s = &code->statements[statement];
  assert(state->reached);
  U32Vector_clear(&flow->entered);
  if (s->result != NO_CODE_ID) forget_register(flow, state, s->result);
  switch (s->kind) {
  case CODE_LOCAL: ownership_define(&flow->ownership, state, s->result, true); break;
  case CODE_CHOICE: choose(flow, s, state); break;
  case CODE_STORE: store(flow, context, s, state); break;
  case CODE_COPY_BLOCK:
    if (!is_hidden(flow, context, state, code_operand(code, s, 0))) ownership_publish_linked(&flow->ownership, state);
    break;
  case CODE_EXCHANGE: exchange(flow, s, state); break;
  case CODE_OPAQUE: meet_opaque(flow, s, state); break;
  case CODE_CALL: flow_step_call(flow, context, statement, state); break;
  default: break;
  }
  if ((s->kind == CODE_CALL || s->kind == CODE_OPAQUE) && state->reached &&
      calls_is_return_twice(flow->facts->calls, statement))
    come_back(flow, context, s, state);
}

// --- edges ---

// A loop that has joined all threads of a creation is left.
static void leave_loop(Flow *flow, uint32_t context, const CodeBlock *block, const CodeEdge *edge, FlowState *state) {
  const Templates *templates = flow->facts->templates;
  for (size_t i = 0; i < flow->handles.loops.count; i++) {
    JoiningLoop loop = flow->handles.loops.data[i];
    if (block != &flow->facts->code->blocks[loop.header] || edge->kind != CODE_IF_ZERO) continue;
    for (uint32_t k = 0; k < templates_count(templates); k++)
      if (templates_at(templates, k)->statement == loop.creation) flow_forget_thread(flow, context, k, state);
  }
}

FlowState flow_on_edge(Flow *flow, uint32_t context, const CodeBlock *block, const CodeEdge *edge, FlowState state) {
  assert(state.reached);
  leave_loop(flow, context, block, edge, &state);
  if (state.locks == SET_EMPTY) return state;
  uint32_t zero = condition_zero(flow->facts->code, block, edge);
  if (zero == NO_CODE_ID) return state;
  NumberSets *sets = &flow->facts->sets;
  SetRange range = set_range(sets, state.locks);
  U32Vector all;
  U32Vector_init(&all, flow->facts->account);
  for (uint32_t i = 0; i < range.count; i++) {
    const Lock *lock = locks_at(flow->facts->locks, range.data[i]);
    U32Vector_push(&all, range.data[i]);
    if (lock->kind == LOCK_TRIED && lock->id == zero) U32Vector_push(&all, (uint32_t)lock->offset);
  }
  state.locks = set_make(sets, all.data, all.count);
  U32Vector_free(&all);
  return state;
}
