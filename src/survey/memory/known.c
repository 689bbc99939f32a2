#include "survey/memory/known.h"

#include "survey/flow/conditions.h"

// Farther from NULL than this an address may be that of an object.
enum { NEAR_NULL = 4096 };

void known_init(Known *k, const Code *code, Account *account) {
  *k = (Known){.code = code};
  ByteVector_init(&k->flags, account);
  I64Vector_init(&k->below, account);
  KnownChangeVector_init(&k->changes, account);
  ByteVector_resize(&k->flags, code->register_count);
  I64Vector_resize(&k->below, code->register_count);
  for (uint32_t r = 0; r < code->register_count; r++) k->below.data[r] = INT64_MAX;
}

void known_free(Known *k) {
  ByteVector_free(&k->flags);
  I64Vector_free(&k->below);
  KnownChangeVector_free(&k->changes);
}

const CodeStatement *known_definition(const Code *code, CodeOperand operand) {
  if (operand.kind != CODE_REGISTER) return NULL;
  uint32_t made = code->register_statements[operand.id];
  return made == NO_CODE_ID ? NULL : &code->statements[made];
}

bool known_same(const CodeStatement *s) {
  if (s->kind == CODE_MOVE) return s->offset == 0 && s->stride == 0;
  return s->kind == CODE_CHOICE && s->selects && s->operand_count == 1;
}

uint32_t known_dereferenced(const CodeStatement *s) {
  switch (s->kind) {
  case CODE_LOAD:
  case CODE_STORE:
  case CODE_EXCHANGE:
  case CODE_FILL_BLOCK: return 1;
  case CODE_COPY_BLOCK: return 2;
  default: return 0;
  }
}

// --- what is found out ---

static void learn(Known *k, CodeOperand operand, uint8_t flags, int64_t below) {
  if (operand.kind != CODE_REGISTER) return;
  uint8_t *known = ByteVector_at(&k->flags, operand.id);
  int64_t *least = I64Vector_at(&k->below, operand.id);
  if ((*known | flags) == *known && below >= *least) return;
  KnownChangeVector_push(&k->changes, (KnownChange){operand.id, *known, *least});
  *known |= flags;
  if (below < *least) *least = below;
}

static void take_back(Known *k, size_t mark) {
  while (k->changes.count > mark) {
    KnownChange change = KnownChangeVector_pop(&k->changes);
    k->flags.data[change.reg] = change.flags;
    k->below.data[change.reg] = change.below;
  }
}

static CodeComparison opposite(CodeComparison comparison) {
  switch (comparison) {
  case CODE_EQUAL: return CODE_UNEQUAL;
  case CODE_UNEQUAL: return CODE_EQUAL;
  case CODE_LESS: return CODE_AT_LEAST;
  case CODE_AT_MOST: return CODE_MORE;
  case CODE_MORE: return CODE_AT_MOST;
  case CODE_AT_LEAST: return CODE_LESS;
  }
  return comparison;
}

static CodeComparison turned(CodeComparison comparison) {
  switch (comparison) {
  case CODE_LESS: return CODE_MORE;
  case CODE_AT_MOST: return CODE_AT_LEAST;
  case CODE_MORE: return CODE_LESS;
  case CODE_AT_LEAST: return CODE_AT_MOST;
  default: return comparison;
  }
}

// `left` compares so with `right`.
static void learn_comparison(Known *k, CodeOperand left, CodeComparison comparison, CodeOperand right) {
  bool number = right.kind == CODE_NUMBER && right.number < INT64_MAX;
  uint8_t not_negative = number && right.number >= 0 ? KNOWN_NOT_NEGATIVE : 0;
  switch (comparison) {
  case CODE_LESS: learn(k, left, KNOWN_NOT_LARGEST, number ? right.number : INT64_MAX); break;
  case CODE_AT_MOST: learn(k, left, 0, number ? right.number + 1 : INT64_MAX); break;
  case CODE_AT_LEAST: learn(k, left, not_negative, INT64_MAX); break;
  case CODE_MORE: learn(k, left, number && right.number >= -1 ? KNOWN_NOT_NEGATIVE : 0, INT64_MAX); break;
  case CODE_EQUAL: // of truth values, too, which have no sign
  case CODE_UNEQUAL: break;
  }
}

static void learn_condition(Known *k, CodeOperand condition, bool holds) {
  const CodeStatement *s = known_definition(k->code, condition);
  if (s && s->kind == CODE_COMPARE && s->operand_count == 2) {
    CodeOperand left = code_operand(k->code, s, 0), right = code_operand(k->code, s, 1);
    CodeComparison comparison = holds ? s->comparison : opposite(s->comparison);
    learn_comparison(k, left, comparison, right);
    learn_comparison(k, right, turned(comparison), left);
  }
  bool below = s && s->kind == CODE_COMPUTE && s->below > 0 && holds;
  // A number that is not negative as one without sign, and small, is the same with sign.
  if (below && s->below <= INT32_MAX)
    learn(k, (CodeOperand){CODE_REGISTER, s->index, 0}, KNOWN_NOT_NEGATIVE, (int64_t)s->below);
}

static void learn_edge(Known *k, uint32_t from, uint32_t edge) {
  const CodeBlock *block = &k->code->blocks[from];
  const CodeEdge *e = &k->code->edges[edge];
  uint32_t reg = condition_nonzero(k->code, block, e);
  if (reg != NO_CODE_ID) learn(k, (CodeOperand){CODE_REGISTER, reg, 0}, KNOWN_NOT_NULL, INT64_MAX);
  if (e->kind == CODE_IF_NONZERO || e->kind == CODE_IF_ZERO)
    learn_condition(k, block->condition, e->kind == CODE_IF_NONZERO);
}

// What the pointer was made of by constant moves is not NULL.
static void learn_access(Known *k, CodeOperand pointer) {
  int64_t distance = 0;
  for (;;) {
    const CodeStatement *s = known_definition(k->code, pointer);
    bool moves = s && s->kind == CODE_MOVE && s->stride == 0;
    if (moves && __builtin_add_overflow(distance, s->offset, &distance)) return;
    if (!moves && !(s && known_same(s))) break;
    pointer = code_operand(k->code, s, 0);
  }
  if (distance > -NEAR_NULL && distance < NEAR_NULL) learn(k, pointer, KNOWN_NOT_NULL, INT64_MAX);
}

static void learn_statement(Known *k, const CodeStatement *s) {
  if (s->size == 0) return; // perhaps of no bytes
  for (uint32_t i = 0; i < known_dereferenced(s); i++) learn_access(k, code_operand(k->code, s, i));
}

// --- the walk ---

typedef struct Children {
  U32Vector first, next; // per block; NO_CODE_ID: none
} Children;

static void children_init(Children *c, const Dominators *d, Account *account) {
  U32Vector_init(&c->first, account);
  U32Vector_init(&c->next, account);
  for (size_t b = 0; b < d->parents.count; b++) {
    U32Vector_push(&c->first, NO_CODE_ID);
    U32Vector_push(&c->next, NO_CODE_ID);
  }
  for (uint32_t b = (uint32_t)d->parents.count; b-- > 1;) {
    uint32_t *first = &c->first.data[d->parents.data[b]];
    c->next.data[b] = *first;
    *first = b;
  }
}

static void enter(Known *k, const Dominators *d, const CodeFunction *f, uint32_t b, KnownVisit visit, void *argument) {
  uint32_t edge = d->only_edge.data[b];
  if (edge != NO_CODE_ID) learn_edge(k, f->first_block + d->parents.data[b], edge);
  const CodeBlock *block = &k->code->blocks[f->first_block + b];
  for (uint32_t s = block->first_statement; s < block->first_statement + block->statement_count; s++) {
    visit(argument, k, s);
    learn_statement(k, &k->code->statements[s]);
  }
}

// A block on the way from the entry to the one that is visited.
typedef struct Level {
  uint32_t child; // the next one to go to
  size_t mark;    // in `changes`, from before the block
} Level;
VECTOR(LevelVector, Level);

void known_walk(Known *k, uint32_t function, KnownVisit visit, void *argument) {
  const CodeFunction *f = &k->code->functions[function];
  Account *account = k->flags.account;
  Dominators d;
  Children children;
  LevelVector levels;
  dominators_init(&d, k->code, function, account);
  children_init(&children, &d, account);
  LevelVector_init(&levels, account);
  assert(k->changes.count == 0);
  LevelVector_push(&levels, (Level){children.first.data[0], 0});
  enter(k, &d, f, 0, visit, argument);
  while (levels.count > 0) {
    Level *level = LevelVector_last(&levels);
    uint32_t b = level->child;
    if (b == NO_CODE_ID) {
      take_back(k, LevelVector_pop(&levels).mark);
      continue;
    }
    level->child = children.next.data[b];
    LevelVector_push(&levels, (Level){children.first.data[b], k->changes.count});
    enter(k, &d, f, b, visit, argument);
  }
  assert(k->changes.count == 0);
  LevelVector_free(&levels);
  U32Vector_free(&children.first);
  U32Vector_free(&children.next);
  dominators_free(&d);
}
