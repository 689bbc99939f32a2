// The dumping decorator. See decorators.h.
//
// It blasts all terms a second time into a graph and clauses of its own, so that it can write DIMACS for whatever back
// end it wraps. Text and clauses of the assertions are kept; a query adds only its assumptions.
#include "solver/bitblast.h"
#include "solver/cnf.h"
#include "solver/decorators.h"

#include <errno.h>

typedef struct Dump {
  Wrapper wrapper; // first, see Wrapper
  Text folder_and_name;
  uint64_t queries;
  int *error;                    // of the caller
  Text declarations, assertions; // SMT-LIB
  Map declared;
  Aig aig;
  Bitblaster blaster;
  CnfEncoder encoder;
  size_t constraints_given;
  U32Vector clauses;     // the literals of all clauses, each ended by 0
  bool beyond_dimacs;    // something was asserted that cannot be bit-blasted
  U32Vector assumptions; // the literals of the query or clause at hand
} Dump;

static Dump *state_of(const Solver *solver) { return solver->state; }

static void record_literal(void *context, int literal) { U32Vector_push(context, (uint32_t)literal); }

// --- assertions ---

static void write_assertion(Solver *solver, Text *out, const Term *literals, size_t count) {
  Dump *dump = state_of(solver);
  text_add(out, count == 1 ? "(assert " : "(assert (or false");
  for (size_t i = 0; i < count; i++) {
    term_print_declarations(solver->store, literals[i], &dump->declared, &dump->declarations);
    if (count != 1) text_add(out, "\n  ");
    term_print_smtlib(solver->store, literals[i], true, out);
  }
  text_add(out, count == 1 ? ")\n" : "))\n");
}

static void give_constraints(Dump *dump) {
  while (dump->constraints_given < dump->blaster.constraints.count) {
    cnf_assert(&dump->encoder, dump->blaster.constraints.data[dump->constraints_given++]);
  }
}

static void encode_clause(Dump *dump, const Term *literals, size_t count) {
  U32Vector_clear(&dump->assumptions);
  for (size_t i = 0; i < count; i++) {
    dump->beyond_dimacs |= !bitblast_supports(&dump->blaster, literals[i]);
    if (dump->beyond_dimacs) return;
    U32Vector_push(&dump->assumptions, bitblast_bool(&dump->blaster, literals[i]));
  }
  give_constraints(dump);
  if (count == 1)
    cnf_assert(&dump->encoder, dump->assumptions.data[0]);
  else
    cnf_assert_clause(&dump->encoder, dump->assumptions.data, count);
}

static void add_clause(Solver *solver, const Term *literals, size_t count) {
  Dump *dump = state_of(solver);
  write_assertion(solver, &dump->assertions, literals, count);
  encode_clause(dump, literals, count);
  wrapper_add_clause(solver, literals, count);
}

static void assert_term(Solver *solver, Term t) {
  Dump *dump = state_of(solver);
  write_assertion(solver, &dump->assertions, &t, 1);
  encode_clause(dump, &t, 1);
  wrapper_assert_term(solver, t);
}

// --- files ---

static void write_file(Dump *dump, const Text *content, const char *extension) {
  Text path;
  text_init(&path, content->account);
  text_format(&path, "%s-%06llu.%s", dump->folder_and_name.data, (unsigned long long)dump->queries, extension);
  if (text_write_file(content, path.data) != 0 && *dump->error == 0) *dump->error = errno;
  text_free(&path);
}

typedef struct Answered {
  SolverAnswer answer;
  double seconds; // negative: it is still being asked
} Answered;

static void write_smtlib(Solver *solver, const Term *assumptions, size_t count, const Answered *answered) {
  Dump *dump = state_of(solver);
  Text assumed, content;
  text_init(&assumed, solver->account);
  text_init(&content, solver->account);
  for (size_t i = 0; i < count; i++) write_assertion(solver, &assumed, &assumptions[i], 1);
  text_format(&content, "(set-logic ALL)\n(set-info :status %s)\n", solver_answer_name(answered->answer));
  if (answered->seconds >= 0) text_format(&content, "; answered in %.6f s\n", answered->seconds);
  text_add(&content, dump->declarations.data);
  text_add(&content, dump->assertions.data);
  if (count > 0) text_add(&content, "; assumptions\n");
  text_add(&content, assumed.data);
  text_add(&content, "(check-sat)\n(exit)\n");
  write_file(dump, &content, "smt2");
  text_free(&assumed);
  text_free(&content);
}

static void write_dimacs(Solver *solver, const Term *assumptions, size_t count, SolverAnswer answer) {
  Dump *dump = state_of(solver);
  U32Vector_clear(&dump->assumptions);
  for (size_t i = 0; i < count; i++) {
    if (!bitblast_supports(&dump->blaster, assumptions[i])) return;
    AigLiteral literal = bitblast_bool(&dump->blaster, assumptions[i]);
    give_constraints(dump);
    U32Vector_push(&dump->assumptions, (uint32_t)cnf_literal(&dump->encoder, literal));
  }
  Text content;
  text_init(&content, solver->account);
  text_format(&content, "c answer %s\np cnf %d %llu\n", solver_answer_name(answer), dump->encoder.variable_count,
              (unsigned long long)dump->encoder.clause_count + count);
  for (size_t i = 0; i < dump->clauses.count; i++) {
    int literal = (int)dump->clauses.data[i];
    text_format(&content, literal == 0 ? "%d\n" : "%d ", literal);
  }
  for (size_t i = 0; i < count; i++) text_format(&content, "%d 0\n", (int)dump->assumptions.data[i]);
  write_file(dump, &content, "cnf");
  text_free(&content);
}

static void write_query(Solver *solver, const Term *assumptions, size_t count, Answered answered) {
  write_smtlib(solver, assumptions, count, &answered);
  if (!state_of(solver)->beyond_dimacs) write_dimacs(solver, assumptions, count, answered.answer);
}

static SolverAnswer check(Solver *solver, const Term *assumptions, size_t count) {
  state_of(solver)->queries++;
  write_query(solver, assumptions, count, (Answered){SOLVER_UNKNOWN, -1});
  double start = clock_now();
  SolverAnswer answer = wrapper_check(solver, assumptions, count);
  write_query(solver, assumptions, count, (Answered){answer, clock_now() - start});
  return answer;
}

// --- the rest ---

static void free_state(Solver *solver) {
  Dump *dump = state_of(solver);
  solver_free(dump->wrapper.inner);
  text_free(&dump->folder_and_name);
  text_free(&dump->declarations);
  text_free(&dump->assertions);
  map_free(&dump->declared);
  cnf_free(&dump->encoder);
  bitblast_free(&dump->blaster);
  aig_free(&dump->aig);
  U32Vector_free(&dump->clauses);
  U32Vector_free(&dump->assumptions);
  memory_free(solver->account, dump, sizeof(Dump));
}

static const SolverOps dump_ops = {
    .name = "dump",
    .supports = wrapper_supports,
    .assert_term = assert_term,
    .add_clause = add_clause,
    .check = check,
    .model = wrapper_model,
    .statistics = wrapper_statistics,
    .free = free_state,
};

Solver *dump_new(Solver *inner, const char *folder, const char *name, int *error) {
  Account *account = inner->account;
  Dump *dump = memory_allocate_zeroed(account, sizeof(Dump));
  dump->wrapper.inner = inner;
  dump->error = error;
  text_init(&dump->folder_and_name, account);
  text_format(&dump->folder_and_name, "%s/%s", folder, name);
  text_init(&dump->declarations, account);
  text_init(&dump->assertions, account);
  map_init(&dump->declared, account);
  aig_init(&dump->aig, account);
  bitblast_init(&dump->blaster, inner->store, &dump->aig, account);
  cnf_init(&dump->encoder, &dump->aig, (CnfSink){.add = record_literal, .context = &dump->clauses}, account);
  U32Vector_init(&dump->clauses, account);
  U32Vector_init(&dump->assumptions, account);
  Solver *solver = solver_make(&dump_ops, dump, inner->store, account, inner->budget);
  solver_set_checking(solver, false); // the wrapped solver checks its answers
  return solver;
}
