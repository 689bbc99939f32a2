#include "survey/flow/counted_loops.h"

static const CodeStatement *made_by(const Code *code, CodeOperand operand) {
  if (operand.kind != CODE_REGISTER) return NULL;
  uint32_t made = code->register_statements[operand.id];
  return made == NO_CODE_ID ? NULL : &code->statements[made];
}

static bool same_operand(CodeOperand a, CodeOperand b) {
  return a.kind == b.kind && a.id == b.id && a.number == b.number;
}

// --- ways through a function ---

// Marks the blocks that are reached from `from` without going through `without`.
static void reach(const Code *code, uint32_t from, uint32_t without, Bitset *reached, Account *account) {
  uint32_t first = code->functions[code->blocks[from].function].first_block;
  U32Vector work;
  U32Vector_init(&work, account);
  if (from != without && bitset_add(reached, from - first)) U32Vector_push(&work, from);
  while (work.count > 0) {
    const CodeBlock *block = &code->blocks[U32Vector_pop(&work)];
    for (uint32_t i = block->first_edge; i < block->first_edge + block->edge_count; i++) {
      uint32_t target = code->edges[i].target;
      if (target != without && bitset_add(reached, target - first)) U32Vector_push(&work, target);
    }
  }
  U32Vector_free(&work);
}

// From the end of block `from`, is `to` reached without going through `without`?
static bool leads(const SurveyFacts *facts, uint32_t from, uint32_t to, uint32_t without) {
  const Code *code = facts->code;
  const CodeFunction *f = &code->functions[code->blocks[from].function];
  Bitset reached;
  bitset_init(&reached, f->block_count, facts->account);
  const CodeBlock *block = &code->blocks[from];
  for (uint32_t i = block->first_edge; i < block->first_edge + block->edge_count; i++)
    reach(code, code->edges[i].target, without, &reached, facts->account);
  bool found = bitset_get(&reached, to - f->first_block);
  bitset_free(&reached);
  return found;
}

// One edge comes from the loop to its header, and one from elsewhere.
static bool is_entered_once(const SurveyFacts *facts, uint32_t header) {
  const Code *code = facts->code;
  const CodeFunction *f = &code->functions[code->blocks[header].function];
  uint32_t inside = 0, outside = 0;
  for (uint32_t b = f->first_block; b < f->first_block + f->block_count; b++)
    for (uint32_t i = code->blocks[b].first_edge; i < code->blocks[b].first_edge + code->blocks[b].edge_count; i++) {
      if (code->edges[i].target != header) continue;
      bool in_loop = b == header || leads(facts, header, b, NO_CODE_ID);
      inside += in_loop;
      outside += !in_loop;
    }
  return inside == 1 && outside == 1;
}

// --- the loop ---

static bool does_not_change(const Code *code, CodeOperand operand) {
  if (operand.kind == CODE_NUMBER || operand.kind == CODE_ADDRESS) return true;
  if (operand.kind != CODE_REGISTER) return false;
  const CodeStatement *made = made_by(code, operand);
  return !made || !code->blocks[made->block].in_cycle;
}

// The number is `start` at first, and 1 more in each round.
static bool counts(const Code *code, const CodeStatement *choice, CountedLoop *loop) {
  if (choice->kind != CODE_CHOICE || choice->operand_count != 2) return false;
  for (uint32_t i = 0; i < 2; i++) {
    CodeOperand start = code_operand(code, choice, i);
    const CodeStatement *next = made_by(code, code_operand(code, choice, 1 - i));
    if (start.kind != CODE_NUMBER || start.number < 0 || !next || !next->adds) continue;
    CodeOperand from = code_operand(code, next, 0), step = code_operand(code, next, 1);
    if (from.kind != CODE_REGISTER || from.id != choice->result || step.kind != CODE_NUMBER || step.number != 1)
      continue;
    loop->number = choice->result;
    loop->start = start;
    return true;
  }
  return false;
}

static bool is_header(const SurveyFacts *facts, uint32_t block, CountedLoop *loop) {
  const Code *code = facts->code;
  const CodeBlock *b = &code->blocks[block];
  if (!b->in_cycle || b->edge_count != 2) return false;
  const CodeEdge *edges = &code->edges[b->first_edge];
  uint32_t goes_on = edges[0].kind == CODE_IF_NONZERO ? 0 : 1;
  if (edges[goes_on].kind != CODE_IF_NONZERO || edges[1 - goes_on].kind != CODE_IF_ZERO) return false;
  const CodeStatement *compare = made_by(code, b->condition);
  if (!compare || compare->kind != CODE_COMPARE || compare->comparison != CODE_LESS || compare->block != block)
    return false;
  const CodeStatement *choice = made_by(code, code_operand(code, compare, 0));
  if (!choice || choice->block != block || !counts(code, choice, loop)) return false;
  loop->header = block;
  loop->bound = code_operand(code, compare, 1);
  uint32_t exit = edges[1 - goes_on].target;
  bool comes_back = exit == block || leads(facts, exit, block, NO_CODE_ID);
  return loop->bound.kind != CODE_ADDRESS && does_not_change(code, loop->bound) && !comes_back &&
         is_entered_once(facts, block);
}

// May an execution of the function be under way when it is called again, in the same thread?
static bool is_recursive(const SurveyFacts *facts, uint32_t function) {
  const Code *code = facts->code;
  Bitset seen;
  U32Vector work;
  bitset_init(&seen, code->function_count, facts->account);
  U32Vector_init(&work, facts->account);
  U32Vector_push(&work, function);
  while (work.count > 0 && !bitset_get(&seen, function)) {
    const CodeFunction *f = &code->functions[U32Vector_pop(&work)];
    for (uint32_t s = f->first_statement; s < f->first_statement + f->statement_count; s++) {
      CallTargets targets = calls_of(facts->calls, s);
      for (uint32_t i = 0; i < targets.count; i++) {
        CallTarget target = targets.data[i];
        bool runs = target.kind == CALL_BODY || target.kind == CALL_BACK || target.kind == CALL_ONCE;
        if (runs && bitset_add(&seen, target.function)) U32Vector_push(&work, target.function);
      }
    }
  }
  bool recursive = bitset_get(&seen, function);
  bitset_free(&seen);
  U32Vector_free(&work);
  return recursive;
}

static bool comes_back(const SurveyFacts *facts, const CodeFunction *f) {
  for (uint32_t s = f->first_statement; s < f->first_statement + f->statement_count; s++)
    if (calls_is_return_twice(facts->calls, s)) return true;
  return false;
}

bool counted_loop_of(SurveyFacts *facts, uint32_t statement, CountedLoop *loop) {
  const Code *code = facts->code;
  const CodeStatement *s = &code->statements[statement];
  const CodeFunction *f = &code->functions[s->function];
  if (!code->blocks[s->block].in_cycle) return false;
  loop->once = calls_once(facts->calls, f->first_statement);
  if (!loop->once && (comes_back(facts, f) || is_recursive(facts, s->function))) return false;
  for (uint32_t b = f->first_block; b < f->first_block + f->block_count; b++)
    if (b != s->block && is_header(facts, b, loop) && leads(facts, b, s->block, NO_CODE_ID) &&
        leads(facts, s->block, b, NO_CODE_ID))
      return true;
  return false;
}

bool counted_loop_same_numbers(const CountedLoop *a, const CountedLoop *b) {
  return a->header != b->header && same_operand(a->start, b->start) && same_operand(a->bound, b->bound);
}

bool counted_loop_at_most_once(const SurveyFacts *facts, const CountedLoop *loop, uint32_t statement) {
  uint32_t block = facts->code->statements[statement].block;
  return !leads(facts, block, block, loop->header);
}

bool counted_loop_each_round(const SurveyFacts *facts, const CountedLoop *loop, uint32_t statement) {
  return !leads(facts, loop->header, loop->header, facts->code->statements[statement].block);
}

bool counted_loop_must_end(const SurveyFacts *facts, const CountedLoop *loop, uint32_t statement) {
  const Code *code = facts->code;
  const CodeFunction *f = &code->functions[code->statements[statement].function];
  const CodeBlock *header = &code->blocks[loop->header];
  Bitset reached; // from the statement, or from a round of the loop
  bitset_init(&reached, f->block_count, facts->account);
  reach(code, code->statements[statement].block, loop->header, &reached, facts->account);
  for (uint32_t i = header->first_edge; i < header->first_edge + header->edge_count; i++)
    if (code->edges[i].kind != CODE_IF_ZERO) reach(code, code->edges[i].target, loop->header, &reached, facts->account);
  bool ends = true;
  for (uint32_t s = f->first_statement; s < f->first_statement + f->statement_count; s++)
    if (code->statements[s].kind == CODE_RETURN)
      ends &= !bitset_get(&reached, code->statements[s].block - f->first_block);
  bitset_free(&reached);
  return ends;
}

// --- elements ---

static bool is_number(const Code *code, const CountedLoop *loop, uint32_t reg) {
  for (;;) {
    if (reg == loop->number) return true;
    uint32_t made = code->register_statements[reg];
    if (made == NO_CODE_ID) return false;
    const CodeStatement *s = &code->statements[made];
    if (s->kind != CODE_COMPUTE || s->operand_count != 1) return false; // a change of width
    CodeOperand from = code_operand(code, s, 0);
    if (from.kind != CODE_REGISTER) return false;
    reg = from.id;
  }
}

bool counted_loop_element(const SurveyFacts *facts, const CountedLoop *loop, CodeOperand address,
                          CountedElement *element) {
  const Code *code = facts->code;
  *element = (CountedElement){.base = address};
  for (;;) {
    const CodeStatement *move = made_by(code, element->base);
    if (!move || move->kind != CODE_MOVE) break;
    if (move->stride != 0) {
      if (element->stride != 0 || move->index == NO_CODE_ID || !is_number(code, loop, move->index)) return false;
      element->stride = move->stride;
    }
    element->offset += move->offset;
    element->base = code_operand(code, move, 0);
  }
  return element->stride >= code->pointer_bytes && does_not_change(code, element->base);
}

bool counted_loop_same_element(const CountedElement *a, const CountedElement *b) {
  return same_operand(a->base, b->base) && a->offset == b->offset && a->stride == b->stride;
}
