// Control flow of one function: its reachable blocks in reverse postorder, which of them are in cycles, and edges.
//
// One depth-first search gives the postorder and the strongly connected components (Tarjan).
#include "front/code/reader.h"

typedef struct Visit {
  uint32_t number; // in order of discovery
  unsigned next;   // successor to look at
} Visit;
VECTOR(VisitVector, Visit);

typedef struct Search {
  Map numbers; // block -> number
  BlockRefVector found;
  U32Vector low;     // per number: the smallest one that is known to be reached inside the component
  ByteVector open;   // per number: on `component`
  ByteVector cyclic; // per number
  U32Vector component, finished;
  VisitVector visits;
} Search;

// Can control go to that successor? A constant condition decides.
static bool is_possible(LLVMValueRef end, unsigned successor) {
  if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return true;
  LLVMValueRef condition = LLVMGetCondition(end);
  return !LLVMIsAConstantInt(condition) || (LLVMConstIntGetZExtValue(condition) != 0) == (successor == 0);
}

static void discover(Search *s, LLVMBasicBlockRef block) {
  uint32_t number = (uint32_t)s->found.count;
  map_put(&s->numbers, pointer_key(block), number);
  BlockRefVector_push(&s->found, block);
  U32Vector_push(&s->low, number);
  ByteVector_push(&s->open, 1);
  ByteVector_push(&s->cyclic, 0);
  U32Vector_push(&s->component, number);
  VisitVector_push(&s->visits, (Visit){.number = number});
}

static void lower_to(Search *s, uint32_t number, uint32_t low) {
  if (low < s->low.data[number]) s->low.data[number] = low;
}

static void leave_component(Search *s, uint32_t number) {
  bool several = *U32Vector_last(&s->component) != number;
  uint32_t member;
  do {
    member = U32Vector_pop(&s->component);
    s->open.data[member] = 0;
    if (several) s->cyclic.data[member] = 1;
  } while (member != number);
}

static void leave(Search *s) {
  uint32_t number = VisitVector_pop(&s->visits).number;
  U32Vector_push(&s->finished, number);
  if (s->low.data[number] == number) leave_component(s, number);
  if (s->visits.count > 0) lower_to(s, VisitVector_last(&s->visits)->number, s->low.data[number]);
}

static void step(Search *s) {
  Visit *visit = VisitVector_last(&s->visits);
  uint32_t number = visit->number;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(s->found.data[number]);
  if (!end || visit->next >= LLVMGetNumSuccessors(end)) {
    leave(s);
    return;
  }
  unsigned index = visit->next++;
  if (!is_possible(end, index)) return;
  LLVMBasicBlockRef successor = LLVMGetSuccessor(end, index);
  uint64_t target;
  if (!map_get(&s->numbers, pointer_key(successor), &target)) {
    discover(s, successor);
    return;
  }
  if (target == number) s->cyclic.data[number] = 1;
  if (s->open.data[target]) lower_to(s, number, (uint32_t)target);
}

static void search_init(Search *s, Account *account) {
  *s = (Search){0};
  map_init(&s->numbers, account);
  BlockRefVector_init(&s->found, account);
  U32Vector_init(&s->low, account);
  ByteVector_init(&s->open, account);
  ByteVector_init(&s->cyclic, account);
  U32Vector_init(&s->component, account);
  U32Vector_init(&s->finished, account);
  VisitVector_init(&s->visits, account);
}

static void search_free(Search *s) {
  map_free(&s->numbers);
  BlockRefVector_free(&s->found);
  U32Vector_free(&s->low);
  ByteVector_free(&s->open);
  ByteVector_free(&s->cyclic);
  U32Vector_free(&s->component);
  U32Vector_free(&s->finished);
  VisitVector_free(&s->visits);
}

void read_order(Reader *r, LLVMValueRef function) {
  Search s;
  search_init(&s, r->account);
  discover(&s, LLVMGetEntryBasicBlock(function));
  while (s.visits.count > 0) step(&s);
  assert(s.component.count == 0 && s.finished.count == s.found.count);
  BlockRefVector_clear(&r->order);
  for (size_t i = s.finished.count; i-- > 0;) {
    uint32_t number = s.finished.data[i];
    map_put(&r->block_ids, pointer_key(s.found.data[number]), r->blocks.count);
    CodeBlockVector_push(
        &r->blocks,
        (CodeBlock){.function = r->function, .condition = nothing_operand(), .in_cycle = s.cyclic.data[number]});
    BlockRefVector_push(&r->order, s.found.data[number]);
  }
  search_free(&s);
}

// --- edges ---

static void add_edge(Reader *r, LLVMBasicBlockRef to, CodeEdgeKind kind, int64_t number) {
  uint64_t target;
  bool known = map_get(&r->block_ids, pointer_key(to), &target);
  assert(known);
  if (known) CodeEdgeVector_push(&r->edges, (CodeEdge){.target = (uint32_t)target, .kind = kind, .number = number});
}

static void add_branch(Reader *r, LLVMValueRef end) {
  for (unsigned i = 0; i < 2; i++) {
    CodeEdgeKind kind = LLVMIsAConstantInt(LLVMGetCondition(end)) ? CODE_ALWAYS : i ? CODE_IF_ZERO : CODE_IF_NONZERO;
    if (is_possible(end, i)) add_edge(r, LLVMGetSuccessor(end, i), kind, 0);
  }
}

// The first operands of a switch are its value and the default; then come pairs of a case and its block.
static void add_switch(Reader *r, LLVMValueRef end) {
  bool wide = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(end, 0))) > 64;
  for (unsigned i = 1; i < LLVMGetNumSuccessors(end); i++) {
    CodeOperand number;
    bool known = !wide && read_constant(r, LLVMGetOperand(end, 2 * i), &number) && number.kind == CODE_NUMBER;
    add_edge(r, LLVMGetSuccessor(end, i), known ? CODE_IF_EQUAL : CODE_OTHERWISE, known ? number.number : 0);
  }
  add_edge(r, LLVMGetSuccessor(end, 0), CODE_OTHERWISE, 0);
}

void read_edges(Reader *r, LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  bool branch = end && LLVMIsABranchInst(end), two = branch && LLVMIsConditional(end);
  CodeOperand condition = nothing_operand();
  if (two) condition = read_operand(r, LLVMGetCondition(end));
  if (end && LLVMIsASwitchInst(end)) condition = read_operand(r, LLVMGetOperand(end, 0));
  uint32_t first = (uint32_t)r->edges.count;
  if (two)
    add_branch(r, end);
  else if (end && LLVMIsASwitchInst(end))
    add_switch(r, end);
  else
    for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++)
      add_edge(r, LLVMGetSuccessor(end, i), branch ? CODE_ALWAYS : CODE_OTHERWISE, 0);
  CodeBlock *b = &r->blocks.data[r->block];
  b->condition = condition;
  b->first_edge = first;
  b->edge_count = (uint32_t)r->edges.count - first;
}
