#include "solver/cnf.h"

void cnf_init(CnfEncoder *encoder, const Aig *aig, CnfSink sink, Account *account) {
  *encoder = (CnfEncoder){.aig = aig, .sink = sink};
  U32Vector_init(&encoder->variables, account);
  U32Vector_init(&encoder->stack, account);
}

void cnf_free(CnfEncoder *encoder) {
  U32Vector_free(&encoder->variables);
  U32Vector_free(&encoder->stack);
}

static void add_clause(CnfEncoder *encoder, const int *literals, size_t count) {
  for (size_t i = 0; i < count; i++) {
    assert(literals[i] != 0);
    encoder->sink.add(encoder->sink.context, literals[i]);
  }
  encoder->sink.add(encoder->sink.context, 0);
  encoder->clause_count++;
}

static void add_2(CnfEncoder *encoder, int a, int b) { add_clause(encoder, (const int[]){a, b}, 2); }
static void add_3(CnfEncoder *encoder, int a, int b, int c) { add_clause(encoder, (const int[]){a, b, c}, 3); }

static bool has_variable(const CnfEncoder *encoder, uint32_t node) {
  return node < encoder->variables.count && encoder->variables.data[node] != 0;
}

int cnf_find(const CnfEncoder *encoder, AigLiteral a) {
  if (!has_variable(encoder, aig_node(a))) return 0;
  int variable = (int)encoder->variables.data[aig_node(a)];
  return aig_is_inverted(a) ? -variable : variable;
}

// The literal of `a`; a node without a variable gets one, and its definition is put off.
static int literal_of(CnfEncoder *encoder, AigLiteral a) {
  uint32_t node = aig_node(a);
  if (!has_variable(encoder, node)) {
    assert(encoder->variable_count < INT32_MAX);
    if (encoder->variables.count < aig_node_count(encoder->aig)) {
      U32Vector_resize(&encoder->variables, aig_node_count(encoder->aig));
    }
    encoder->variables.data[node] = (uint32_t)++encoder->variable_count;
    if (node == 0 || aig_is_gate(encoder->aig, node)) U32Vector_push(&encoder->stack, node);
  }
  return cnf_find(encoder, a);
}

static void define_ite(CnfEncoder *encoder, int gate, int condition, int then_literal, int else_literal) {
  add_3(encoder, -condition, -then_literal, gate);
  add_3(encoder, -condition, then_literal, -gate);
  add_3(encoder, condition, -else_literal, gate);
  add_3(encoder, condition, else_literal, -gate);
  if (then_literal == -else_literal) return; // xor
  // Implied, but lets unit propagation work without the condition.
  add_3(encoder, -then_literal, -else_literal, gate);
  add_3(encoder, then_literal, else_literal, -gate);
}

static void define(CnfEncoder *encoder, uint32_t node) {
  int gate = literal_of(encoder, node << 1);
  if (node == 0) {
    add_clause(encoder, (const int[]){-gate}, 1);
    return;
  }
  AigLiteral condition, then_literal, else_literal;
  if (aig_match_ite(encoder->aig, node, &condition, &then_literal, &else_literal)) {
    int c = literal_of(encoder, condition), t = literal_of(encoder, then_literal);
    define_ite(encoder, gate, c, t, literal_of(encoder, else_literal));
    return;
  }
  int left = literal_of(encoder, aig_left(encoder->aig, node));
  int right = literal_of(encoder, aig_right(encoder->aig, node));
  add_2(encoder, -gate, left);
  add_2(encoder, -gate, right);
  add_3(encoder, gate, -left, -right);
}

static void define_all(CnfEncoder *encoder) {
  while (!U32Vector_empty(&encoder->stack)) define(encoder, U32Vector_pop(&encoder->stack));
}

int cnf_literal(CnfEncoder *encoder, AigLiteral a) {
  int literal = literal_of(encoder, a);
  define_all(encoder);
  return literal;
}

// --- assertions ---

// More than this many operands are not collected into one clause: sharing is worth more than the gates saved.
enum { FLAT_CLAUSE = 64 };

// Whether `a` is an inverted gate, that is, a disjunction, that is better taken apart than given a variable.
static bool is_open_disjunction(const CnfEncoder *encoder, AigLiteral a) {
  uint32_t node = aig_node(a);
  AigLiteral ignored[3];
  return aig_is_inverted(a) && aig_is_gate(encoder->aig, node) && !has_variable(encoder, node) &&
         !aig_match_ite(encoder->aig, node, &ignored[0], &ignored[1], &ignored[2]);
}

typedef struct FlatClause {
  AigLiteral literals[FLAT_CLAUSE];
  size_t count;
  bool is_true;
} FlatClause;

static void add_flat(FlatClause *clause, AigLiteral a) {
  for (size_t i = 0; i < clause->count; i++) {
    if (clause->literals[i] == a) return;
    clause->is_true |= clause->literals[i] == aig_not(a);
  }
  clause->is_true |= a == AIG_TRUE;
  if (a == AIG_FALSE) return;
  assert(clause->count < FLAT_CLAUSE);
  clause->literals[clause->count++] = a;
}

// Replaces disjunctions among the literals by their operands while there is room.
static void flatten(const CnfEncoder *encoder, FlatClause *clause) {
  for (size_t i = 0; i < clause->count && clause->count + 1 < FLAT_CLAUSE; i++) {
    AigLiteral a = clause->literals[i];
    if (!is_open_disjunction(encoder, a)) continue;
    clause->literals[i] = clause->literals[--clause->count];
    add_flat(clause, aig_not(aig_left(encoder->aig, aig_node(a))));
    add_flat(clause, aig_not(aig_right(encoder->aig, aig_node(a))));
    i--; // what took the place has not been looked at
  }
}

static void add_long_clause(CnfEncoder *encoder, const AigLiteral *literals, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (literals[i] == AIG_TRUE) return;
  }
  for (size_t i = 0; i < count; i++) literal_of(encoder, literals[i]);
  define_all(encoder);
  for (size_t i = 0; i < count; i++) encoder->sink.add(encoder->sink.context, cnf_find(encoder, literals[i]));
  encoder->sink.add(encoder->sink.context, 0);
  encoder->clause_count++;
}

void cnf_assert_clause(CnfEncoder *encoder, const AigLiteral *literals, size_t count) {
  if (count >= FLAT_CLAUSE) {
    add_long_clause(encoder, literals, count);
    return;
  }
  FlatClause clause = {.count = 0};
  for (size_t i = 0; i < count; i++) add_flat(&clause, literals[i]);
  flatten(encoder, &clause);
  if (!clause.is_true) add_long_clause(encoder, clause.literals, clause.count);
}

void cnf_assert(CnfEncoder *encoder, AigLiteral a) {
  // The operands of a conjunction, each asserted alone; the vector is local since asserting uses `stack`.
  U32Vector todo;
  U32Vector_init(&todo, encoder->stack.account);
  U32Vector_push(&todo, a);
  while (!U32Vector_empty(&todo)) {
    AigLiteral at = U32Vector_pop(&todo);
    uint32_t node = aig_node(at);
    AigLiteral ignored[3];
    bool conjunction = !aig_is_inverted(at) && aig_is_gate(encoder->aig, node) && !has_variable(encoder, node) &&
                       !aig_match_ite(encoder->aig, node, &ignored[0], &ignored[1], &ignored[2]);
    if (conjunction) {
      U32Vector_push(&todo, aig_left(encoder->aig, node));
      U32Vector_push(&todo, aig_right(encoder->aig, node));
    } else {
      cnf_assert_clause(encoder, &at, 1);
    }
  }
  U32Vector_free(&todo);
}
