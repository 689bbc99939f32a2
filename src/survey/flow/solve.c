// States within one function, and visits of them.
#include "survey/flow/internal.h"

typedef struct Solving {
  Flow *flow;
  uint32_t context;
  const CodeFunction *function;
  FlowState *states; // at the beginnings of blocks
  Bitset changed;    // blocks
} Solving;

static void note_return(Solving *s, const CodeStatement *statement, FlowState state) {
  assert(state.reached && statement->kind == CODE_RETURN);
  Flow *flow = s->flow;
  FlowContext *c = FlowContextVector_at(&flow->contexts, s->context);
  c->exit = flow_join(&flow->facts->sets, c->exit, state);
  if (statement->operand_count == 0) return;
  CodeOperand result = code_operand(flow->facts->code, statement, 0);
  if (pointing_of(flow->facts->pointing, result).count == 0) return;
  uint32_t root = ownership_root(&flow->ownership, result);
  bool owned = ownership_holds(&flow->ownership, &state, result) && !set_has(&flow->facts->sets, state.linked, root);
  c->result_published |= !owned;
}

static void leave_block(Solving *s, const CodeBlock *block, FlowState state) {
  const Code *code = s->flow->facts->code;
  for (uint32_t i = block->first_edge; i < block->first_edge + block->edge_count; i++) {
    const CodeEdge *edge = &code->edges[i];
    uint32_t target = edge->target - s->function->first_block;
    assert(edge->target >= s->function->first_block && target < s->function->block_count);
    FlowState on_edge = flow_on_edge(s->flow, s->context, block, edge, state);
    FlowState joined = flow_join(&s->flow->facts->sets, s->states[target], on_edge);
    if (flow_equal(joined, s->states[target])) continue;
    s->states[target] = joined;
    bitset_set(&s->changed, target);
  }
}

static void through_block(Solving *s, uint32_t index) {
  const Code *code = s->flow->facts->code;
  const CodeBlock *block = &code->blocks[s->function->first_block + index];
  FlowState state = s->states[index];
  assert(index < s->function->block_count && state.reached);
  for (uint32_t i = block->first_statement; state.reached && i < block->first_statement + block->statement_count; i++) {
    flow_step(s->flow, s->context, i, &state);
    if (state.reached && code->statements[i].kind == CODE_RETURN) note_return(s, &code->statements[i], state);
  }
  if (state.reached) leave_block(s, block, state);
}

FlowState *flow_solve(Flow *flow, uint32_t context) {
  const FlowContext *c = flow_context(flow, context);
  const CodeFunction *f = &flow->facts->code->functions[c->function];
  assert(f->defined && f->block_count > 0 && c->entry.reached);
  Account *account = flow->facts->account;
  Solving s = {.flow = flow, .context = context, .function = f};
  s.states = memory_allocate_zeroed(account, f->block_count * sizeof *s.states);
  bitset_init(&s.changed, f->block_count, account);
  s.states[0] = c->entry;
  bitset_set(&s.changed, 0);
  for (size_t i = 0; i < f->block_count;) {
    bitset_reset(&s.changed, i);
    through_block(&s, (uint32_t)i);
    i = bitset_next(&s.changed, 0); // the first block in reverse postorder
  }
  bitset_free(&s.changed);
  return s.states;
}

// On the way to its solution, a function may be called in states that were not there before: until there are no new
// ones.
bool flow_settle(Flow *flow) {
  const Code *code = flow->facts->code;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t id = 0; id < flow->contexts.count; id++) {
      const CodeFunction *f = &code->functions[flow_context(flow, id)->function];
      memory_free(flow->facts->account, flow_solve(flow, id), f->block_count * sizeof(FlowState));
      again |= flow->work.count > 0;
      if (!flow_work(flow)) return false;
    }
  }
  return true;
}

static void visit_block(Flow *flow, uint32_t context, const CodeBlock *block, FlowState state, FlowVisit visit,
                        void *argument) {
  for (uint32_t i = block->first_statement; state.reached && i < block->first_statement + block->statement_count; i++) {
    FlowState before = state;
    flow_step(flow, context, i, &state);
    assert(flow_context(flow, context)->function == flow->facts->code->statements[i].function);
    visit(argument, context, i, &before, &state);
  }
}

const uint32_t *flow_entered(const Flow *flow, uint32_t *count) {
  *count = (uint32_t)flow->entered.count;
  return flow->entered.data;
}

void flow_visit(Flow *flow, FlowVisit visit, void *argument) {
  const Code *code = flow->facts->code;
  for (uint32_t id = 0; id < flow->contexts.count; id++) {
    const CodeFunction *f = &code->functions[flow_context(flow, id)->function];
    FlowState *states = flow_solve(flow, id);
    for (uint32_t i = 0; i < f->block_count; i++)
      visit_block(flow, id, &code->blocks[f->first_block + i], states[i], visit, argument);
    memory_free(flow->facts->account, states, f->block_count * sizeof *states);
  }
  assert(flow->work.count == 0);
}
