// The CaDiCaL back end: terms are bit-blasted to an and-inverter graph, and the part of the graph that assertions and
// assumptions need is handed to the SAT solver as clauses. Graph, clauses and what CaDiCaL learned live as long as the
// solver, so a later check pays only for what is new.
//
// A satisfiable answer gives a value to every variable, needed or not. A solver that is only ever asked under
// assumptions therefore starts over with the clauses when most of them are about questions of the past; the graph
// stays.
//
// CaDiCaL aborts the process on misuse: values are read only right after it answered satisfiable, failed assumptions
// only right after unsatisfiable. Both are therefore copied inside the check.
#include "solver/bitblast.h"
#include "solver/cnf.h"
#include "solver/solver.h"

#include <ccadical.h>

typedef struct Cadical {
  CCaDiCaL *sat;
  Aig aig;
  Bitblaster blaster;
  CnfEncoder encoder;
  size_t constraints_given; // of blaster.constraints
  bool asserted;            // something holds for ever
  uint32_t checks;          // since the start of these clauses
  U32Vector visited;        // per node of the graph: the last round in which it was counted
  uint32_t round;
  ByteVector inputs;              // values of the inputs in the model; inputs beyond its end are 0
  BitblastElementVector elements; // of arrays in the model
  U32Vector literals;             // of the assumptions or the clause at hand
  Map seen;                       // literals of the core so far
} Cadical;

static Cadical *state_of(const Solver *solver) { return solver->state; }

static void add_literal(void *context, int literal) { ccadical_add(context, literal); }

static int must_stop(void *context) { return budget_exhausted_now(context, "solver-search"); }

// --- assertions ---

static bool supports(Solver *solver, Term t) { return bitblast_supports(&state_of(solver)->blaster, t); }

// What the blaster found out about array reads holds for ever.
static void give_constraints(Cadical *cadical) {
  while (cadical->constraints_given < cadical->blaster.constraints.count) {
    cnf_assert(&cadical->encoder, cadical->blaster.constraints.data[cadical->constraints_given++]);
  }
}

static void assert_term(Solver *solver, Term t) {
  Cadical *cadical = state_of(solver);
  cadical->asserted = true;
  AigLiteral literal = bitblast_bool(&cadical->blaster, t);
  give_constraints(cadical);
  cnf_assert(&cadical->encoder, literal);
}

// The position of an equality of words in a clause that no gate stands for yet, or `count`.
static size_t find_equality(Solver *solver, const Term *literals, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (term_operator(solver->store, literals[i]) != TERM_EQ) continue;
    Sort sort = term_sort(solver->store, term_child(solver->store, literals[i], 0));
    if (sort_is_array(sort) || sort < 2 || bitblast_find(&state_of(solver)->blaster, literals[i])) continue;
    return i;
  }
  return count;
}

// `rest or a = b`, bit by bit: shorter than with a gate for the equality, and each bit propagates by itself.
// `literals` holds the rest and one place for each side.
static void add_equality(Solver *solver, Term equality) {
  Cadical *cadical = state_of(solver);
  Term a = term_child(solver->store, equality, 0), b = term_child(solver->store, equality, 1);
  unsigned width = term_width(solver->store, a);
  bitblast_term(&cadical->blaster, a);
  bitblast_term(&cadical->blaster, b);
  give_constraints(cadical);
  size_t rest = cadical->literals.count - 2;
  for (unsigned i = 0; i < width; i++) {
    AigLiteral x = bitblast_find(&cadical->blaster, a)[i], y = bitblast_find(&cadical->blaster, b)[i];
    if (x == y) continue;
    cadical->literals.data[rest] = x;
    cadical->literals.data[rest + 1] = y ^ 1;
    cnf_assert_clause(&cadical->encoder, cadical->literals.data, rest + 2);
    cadical->literals.data[rest] = x ^ 1;
    cadical->literals.data[rest + 1] = y;
    cnf_assert_clause(&cadical->encoder, cadical->literals.data, rest + 2);
  }
}

static void add_clause(Solver *solver, const Term *literals, size_t count) {
  Cadical *cadical = state_of(solver);
  cadical->asserted = true;
  size_t equality = find_equality(solver, literals, count);
  U32Vector_clear(&cadical->literals);
  for (size_t i = 0; i < count; i++)
    if (i != equality) U32Vector_push(&cadical->literals, bitblast_bool(&cadical->blaster, literals[i]));
  give_constraints(cadical);
  if (equality < count) {
    U32Vector_resize(&cadical->literals, cadical->literals.count + 2);
    add_equality(solver, literals[equality]);
  } else {
    cnf_assert_clause(&cadical->encoder, cadical->literals.data, count);
  }
}

// --- models ---

// Copies the model, so that it survives new clauses. An input that no clause mentions is 0.
static void keep_model(Cadical *cadical) {
  const U32Vector *inputs = &cadical->aig.inputs;
  ByteVector_clear(&cadical->inputs);
  ByteVector_resize(&cadical->inputs, inputs->count);
  for (size_t i = 0; i < inputs->count; i++) {
    int variable = cnf_find(&cadical->encoder, inputs->data[i] << 1);
    cadical->inputs.data[i] = variable != 0 && ccadical_val(cadical->sat, variable) > 0;
  }
  bitblast_elements(&cadical->blaster, cadical->inputs.data, &cadical->elements);
}

static Bits value_of(void *context, Term variable) {
  const Cadical *cadical = context;
  const AigLiteral *word = bitblast_find(&cadical->blaster, variable);
  Bits value = 0;
  for (unsigned i = 0; word != NULL && i < term_width(cadical->blaster.store, variable); i++) {
    uint32_t input = aig_input_index(&cadical->aig, aig_node(word[i]));
    if (input < cadical->inputs.count) value |= (Bits)cadical->inputs.data[input] << i;
  }
  return value;
}

static Bits element_of(void *context, Term array, Bits index) {
  const Cadical *cadical = context;
  return bitblast_element(&cadical->elements, array, index);
}

static ModelSource model(Solver *solver) {
  return (ModelSource){.valuation = {.value_of = value_of, .element_of = element_of, .context = solver->state}};
}

// --- checks ---

// Each failed literal is charged to the first assumption that has it.
static void keep_core(Solver *solver, const Term *assumptions, size_t count) {
  Cadical *cadical = state_of(solver);
  TermVector_clear(&solver->core);
  map_clear(&cadical->seen);
  for (size_t i = 0; i < count; i++) {
    int literal = (int)cadical->literals.data[i];
    if (map_contains(&cadical->seen, (uint32_t)literal) || !ccadical_failed(cadical->sat, literal)) continue;
    map_put(&cadical->seen, (uint32_t)literal, 1);
    TermVector_push(&solver->core, assumptions[i]);
  }
}

static void open_sat(Solver *solver, Cadical *cadical) {
  cadical->sat = ccadical_init();
  ccadical_set_option(cadical->sat, "quiet", 1); // it reports trivial conflicts on standard output
  if (solver->budget != NULL) ccadical_set_terminate(cadical->sat, solver->budget, must_stop);
  CnfSink sink = {.add = add_literal, .context = cadical->sat};
  cnf_init(&cadical->encoder, &cadical->aig, sink, solver->account);
  cadical->constraints_given = 0;
  cadical->checks = 0;
}

static void close_sat(Cadical *cadical) {
  ccadical_release(cadical->sat);
  cnf_free(&cadical->encoder);
}

// How many nodes of the graph the assumptions in `literals` need.
static size_t count_needed(Cadical *cadical) {
  const Aig *aig = &cadical->aig;
  while (cadical->visited.count < aig_node_count(aig)) U32Vector_push(&cadical->visited, 0);
  cadical->round++;
  U32Vector open;
  U32Vector_init(&open, aig->account);
  for (size_t i = 0; i < cadical->literals.count; i++) U32Vector_push(&open, aig_node(cadical->literals.data[i]));
  size_t count = 0;
  while (open.count > 0) {
    uint32_t node = U32Vector_pop(&open);
    if (cadical->visited.data[node] == cadical->round) continue;
    cadical->visited.data[node] = cadical->round;
    count++;
    if (!aig_is_gate(aig, node)) continue;
    U32Vector_push(&open, aig_node(aig_left(aig, node)));
    U32Vector_push(&open, aig_node(aig_right(aig, node)));
  }
  U32Vector_free(&open);
  return count;
}

// Are most clauses about nothing in this check? It is looked at now and then.
static bool is_stale(Cadical *cadical) {
  enum { CHECKS = 16, FEW_VARIABLES = 1000, SHARE = 4 };
  if (cadical->asserted || ++cadical->checks % CHECKS != 0 || cadical->encoder.variable_count < FEW_VARIABLES)
    return false;
  return (size_t)cadical->encoder.variable_count > SHARE * count_needed(cadical);
}

static SolverAnswer check(Solver *solver, const Term *assumptions, size_t count) {
  Cadical *cadical = state_of(solver);
  U32Vector_clear(&cadical->literals);
  for (size_t i = 0; i < count; i++)
    U32Vector_push(&cadical->literals, bitblast_bool(&cadical->blaster, assumptions[i]));
  if (is_stale(cadical)) {
    close_sat(cadical);
    open_sat(solver, cadical);
  }
  for (size_t i = 0; i < count; i++)
    cadical->literals.data[i] = (uint32_t)cnf_literal(&cadical->encoder, cadical->literals.data[i]);
  give_constraints(cadical);
  // Only now: adding a clause forgets the assumptions.
  for (size_t i = 0; i < count; i++) ccadical_assume(cadical->sat, (int)cadical->literals.data[i]);
  int result = ccadical_solve(cadical->sat);
  if (result == 10) {
    keep_model(cadical);
    return SOLVER_SAT;
  }
  if (result == 20) {
    keep_core(solver, assumptions, count);
    return SOLVER_UNSAT;
  }
  return SOLVER_UNKNOWN;
}

// --- the rest ---

static void statistics(const Solver *solver, SolverStatistics *statistics) {
  const Cadical *cadical = state_of(solver);
  statistics->clauses += cadical->encoder.clause_count;
  statistics->variables += (uint64_t)cadical->encoder.variable_count;
  statistics->gates += cadical->aig.gate_count;
}

static void free_state(Solver *solver) {
  Cadical *cadical = state_of(solver);
  close_sat(cadical);
  U32Vector_free(&cadical->visited);
  bitblast_free(&cadical->blaster);
  aig_free(&cadical->aig);
  ByteVector_free(&cadical->inputs);
  BitblastElementVector_free(&cadical->elements);
  U32Vector_free(&cadical->literals);
  map_free(&cadical->seen);
  memory_free(solver->account, cadical, sizeof(Cadical));
}

static const SolverOps cadical_ops = {
    .name = "cadical",
    .supports = supports,
    .assert_term = assert_term,
    .add_clause = add_clause,
    .check = check,
    .model = model,
    .statistics = statistics,
    .free = free_state,
};

Solver *cadical_new(TermStore *store, Account *account, Budget *budget) {
  Cadical *cadical = memory_allocate_zeroed(account, sizeof(Cadical));
  aig_init(&cadical->aig, account);
  bitblast_init(&cadical->blaster, store, &cadical->aig, account);
  U32Vector_init(&cadical->visited, account);
  ByteVector_init(&cadical->inputs, account);
  BitblastElementVector_init(&cadical->elements, account);
  U32Vector_init(&cadical->literals, account);
  map_init(&cadical->seen, account);
  Solver *solver = solver_make(&cadical_ops, cadical, store, account, budget);
  open_sat(solver, cadical);
  return solver;
}
