// Decorators: dumped files can be read back by an independent reader, cross-checking notices lies.
#include "base/file.h"
#include "solver/decorators.h"
#include "solver/inspection.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ccadical.h>
#include <cmocka.h>
#include <z3.h>

typedef struct Fixture {
  Account account;
  TermStore *store;
} Fixture;

static void fixture_init(Fixture *f) {
  *f = (Fixture){.account = {.room = "test"}};
  f->store = term_store_new(&f->account);
}

static void fixture_free(Fixture *f) {
  term_store_free(f->store);
  assert_int_equal(f->account.bytes, 0);
}

static Solver *make(Fixture *f, SolverKind kind) { return solver_new(kind, f->store, &f->account, NULL); }

// --- dump ---

static SolverAnswer answer_of_smtlib(const char *path) {
  Z3_config config = Z3_mk_config();
  Z3_context context = Z3_mk_context(config);
  Z3_del_config(config);
  Z3_solver solver = Z3_mk_solver(context);
  Z3_solver_inc_ref(context, solver);
  Z3_solver_from_file(context, solver, path);
  assert_int_equal(Z3_get_error_code(context), Z3_OK);
  Z3_lbool answer = Z3_solver_check(context, solver);
  Z3_solver_dec_ref(context, solver);
  Z3_del_context(context);
  return answer == Z3_L_TRUE ? SOLVER_SAT : answer == Z3_L_FALSE ? SOLVER_UNSAT : SOLVER_UNKNOWN;
}

static SolverAnswer answer_of_dimacs(const char *path) {
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  char line[80];
  int variables, literal, largest = 0;
  unsigned clauses, ends = 0;
  assert_non_null(fgets(line, sizeof line, file));
  assert_int_equal(line[0], 'c');
  assert_int_equal(fscanf(file, "p cnf %d %u", &variables, &clauses), 2);
  CCaDiCaL *sat = ccadical_init();
  while (fscanf(file, "%d", &literal) == 1) {
    ccadical_add(sat, literal);
    ends += literal == 0;
    if (abs(literal) > largest) largest = abs(literal);
  }
  fclose(file);
  assert_int_equal(ends, clauses);
  assert_true(largest <= variables);
  int answer = ccadical_solve(sat);
  ccadical_release(sat);
  return answer == 10 ? SOLVER_SAT : answer == 20 ? SOLVER_UNSAT : SOLVER_UNKNOWN;
}

static bool file_contains(const char *path, const char *what) {
  Text text;
  text_init(&text, NULL);
  assert_true(file_read(&text, path, FILE_MOST_DATA, NULL));
  bool found = strstr(text.data, what) != NULL;
  text_free(&text);
  return found;
}

static void dumped_queries_have_the_same_answer(void **state) {
  (void)state;
  char folder[] = "/tmp/heddle-dump-XXXXXX", path[100];
  assert_non_null(mkdtemp(folder));
  for (unsigned kind = SOLVER_CADICAL; kind <= SOLVER_Z3; kind++) {
    Fixture f;
    fixture_init(&f);
    TermStore *s = f.store;
    int error = 0;
    Solver *solver = dump_new(make(&f, kind), folder, "query", &error);
    Term x = term_variable(s, 8, "x"), y = term_variable(s, 8, "y"), i = term_variable(s, 4, "i");
    Term a = term_variable(s, sort_array(4, 8), "a"), b = term_variable(s, 1, "b");
    solver_assert(solver, term_eq(s, term_binary(s, TERM_MUL, x, y), term_constant(s, 8, 77)));
    solver_assert(solver, term_eq(s, term_select(s, a, i), x));
    solver_add_clause(solver, (const Term[]){b, term_binary(s, TERM_SLT, x, y), term_eq(s, x, y)}, 3);
    Term assumptions[] = {term_not(s, b), term_binary(s, TERM_ULT, y, x),
                          term_eq(s, term_select(s, a, term_constant(s, 4, 3)), term_constant(s, 8, 4)),
                          term_eq(s, i, term_constant(s, 4, 3))};
    for (unsigned count = 0; count <= 4; count++) {
      SolverAnswer answer = solver_check(solver, assumptions, count);
      assert_int_equal(answer, count < 4 ? SOLVER_SAT : SOLVER_UNSAT); // x is odd, and would be 4
      if (answer == SOLVER_SAT) assert_int_equal(solver_value(solver, term_binary(s, TERM_MUL, x, y)), 77);
      snprintf(path, sizeof path, "%s/query-%06u.smt2", folder, count + 1);
      assert_true(file_contains(path, answer == SOLVER_SAT ? ":status sat" : ":status unsat"));
      assert_int_equal(answer_of_smtlib(path), answer);
      unlink(path);
      snprintf(path, sizeof path, "%s/query-%06u.cnf", folder, count + 1);
      assert_int_equal(answer_of_dimacs(path), answer);
      unlink(path);
    }
    assert_int_equal(error, 0);
    solver_free(solver);
    fixture_free(&f);
  }
  assert_int_equal(rmdir(folder), 0);
}

static void dumping_to_nowhere_is_an_error(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  int error = 0;
  Solver *solver = dump_new(make(&f, SOLVER_CADICAL), "/nonexistent/folder", "query", &error);
  Term b = term_variable(f.store, 1, "b");
  assert_int_equal(solver_check(solver, &b, 1), SOLVER_SAT);
  assert_int_equal(error, ENOENT);
  solver_free(solver);
  fixture_free(&f);
}

// --- cross-check ---

typedef struct Reports {
  unsigned count;
  char last[100];
} Reports;

static void report(void *context, const char *what) {
  Reports *reports = context;
  reports->count++;
  snprintf(reports->last, sizeof reports->last, "%s", what);
}

static void honest_solvers_agree(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  TermStore *s = f.store;
  Reports reports = {0};
  uint64_t compared = 0;
  Solver *solver = crosscheck_new(make(&f, SOLVER_CADICAL), make(&f, SOLVER_Z3), report, &reports, &compared);
  Term x = term_variable(s, 16, "x"), y = term_variable(s, 16, "y");
  solver_assert(solver, term_binary(s, TERM_ULT, x, y));
  Term swapped = term_binary(s, TERM_ULT, y, x);
  assert_int_equal(solver_check(solver, NULL, 0), SOLVER_SAT);
  assert_true(solver_value(solver, x) < solver_value(solver, y));
  assert_int_equal(solver_check(solver, &swapped, 1), SOLVER_UNSAT);
  assert_int_equal(solver_core(solver)->count, 1);
  assert_int_equal(compared, 2);
  // What only the second one can do is its answer alone.
  Term p = term_variable(s, 32, "p"), q = term_variable(s, 32, "q");
  Term less = term_binary(s, TERM_FP_LT, p, q), more = term_binary(s, TERM_FP_LT, q, p);
  assert_int_equal(solver_check(solver, &less, 1), SOLVER_SAT);
  assert_true(solver_holds(solver, less));
  assert_int_equal(solver_check(solver, (const Term[]){less, more}, 2), SOLVER_UNSAT);
  assert_int_equal(solver_core(solver)->count, 2);
  assert_int_equal(reports.count, 0);
  assert_true(compared < 4); // the first one alone says nothing about them
  solver_free(solver);
  fixture_free(&f);
}

// A solver that lies: it asks an honest one and changes the answer.
typedef struct Liar {
  Wrapper wrapper;
  bool denies;     // says unsat instead of sat
  bool invents;    // its models give 0 for everything
  bool cuts_cores; // its cores are empty
} Liar;

static SolverAnswer lie_check(Solver *solver, const Term *assumptions, size_t count) {
  const Liar *liar = solver->state;
  SolverAnswer answer = wrapper_check(solver, assumptions, count);
  if (answer == SOLVER_UNSAT && liar->cuts_cores) TermVector_clear(&solver->core);
  return answer == SOLVER_SAT && liar->denies ? SOLVER_UNSAT : answer;
}

static Bits always_zero(void *context, Term variable) {
  (void)context;
  (void)variable;
  return 0;
}

static ModelSource lie_model(Solver *solver) {
  const Liar *liar = solver->state;
  if (liar->invents) return (ModelSource){.valuation = {.value_of = always_zero}};
  return wrapper_model(solver);
}

static void lie_free(Solver *solver) {
  solver_free(wrapped(solver));
  memory_free(solver->account, solver->state, sizeof(Liar));
}

static const SolverOps liar_ops = {
    .name = "liar",
    .supports = wrapper_supports,
    .assert_term = wrapper_assert_term,
    .add_clause = wrapper_add_clause,
    .check = lie_check,
    .model = lie_model,
    .statistics = wrapper_statistics,
    .free = lie_free,
};

static Solver *make_liar(Fixture *f, Liar what) {
  Liar *liar = memory_allocate(&f->account, sizeof(Liar));
  *liar = what;
  liar->wrapper.inner = make(f, SOLVER_CADICAL);
  Solver *solver = solver_make(&liar_ops, liar, f->store, &f->account, NULL);
  solver_set_checking(solver, false); // the cross-check has to notice
  return solver;
}

static void lies_are_noticed(void **state) {
  (void)state;
  static const struct {
    Liar liar;
    const char *noticed;
  } cases[] = {
      {{.denies = true}, "one solver says sat, the other unsat"},
      {{.invents = true}, "a model does not satisfy the query"},
      {{.cuts_cores = true}, "a core is satisfiable for the other solver"},
  };
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned first = 0; first < 2; first++) {
      Fixture f;
      fixture_init(&f);
      TermStore *s = f.store;
      Reports reports = {0};
      Solver *liar = make_liar(&f, cases[i].liar), *honest = make(&f, SOLVER_Z3);
      Solver *solver = crosscheck_new(first ? liar : honest, first ? honest : liar, report, &reports, NULL);
      Term x = term_variable(s, 8, "x"), seven = term_eq(s, x, term_constant(s, 8, 7));
      Term three = term_eq(s, x, term_constant(s, 8, 3)), both[] = {seven, three};
      solver_add_clause(solver, both, 2);
      assert_int_equal(solver_check(solver, both, cases[i].liar.cuts_cores ? 2 : 1), SOLVER_UNKNOWN);
      assert_int_equal(reports.count, 1);
      assert_string_equal(reports.last, cases[i].noticed);
      solver_free(solver);
      fixture_free(&f);
    }
  }
}

// --- inspection ---

static void inspected_solvers_have_decorators(void **state) {
  (void)state;
  char folder[] = "/tmp/heddle-inspection-XXXXXX", path[100];
  assert_non_null(mkdtemp(folder));
  for (unsigned run = 1; run <= 2; run++) { // each in a folder of its own
    Fixture f;
    fixture_init(&f);
    Log log = {.level = LOG_QUIET};
    Inspection inspection;
    assert_true(inspection_init(&inspection, folder, "order", true, &log));
    term_store_inspect(f.store, &inspection);
    Term b = term_variable(f.store, 1, "b");
    for (unsigned k = 1; k <= 2; k++) {
      Solver *solver = make(&f, SOLVER_AUTOMATIC);
      assert_int_equal(solver_check(solver, &b, 1), SOLVER_SAT);
      assert_int_equal(solver_check(solver, (const Term[]){b, term_not(f.store, b)}, 2), SOLVER_UNSAT);
      solver_free(solver);
      for (unsigned question = 1; question <= 2; question++) {
        snprintf(path, sizeof path, "%s/order-%u/%03u-%06u.smt2", folder, run, k, question);
        assert_int_equal(answer_of_smtlib(path), question == 1 ? SOLVER_SAT : SOLVER_UNSAT);
        assert_true(file_contains(path, "; answered in "));
        unlink(path);
        snprintf(path, sizeof path, "%s/order-%u/%03u-%06u.cnf", folder, run, k, question);
        assert_int_equal(answer_of_dimacs(path), question == 1 ? SOLVER_SAT : SOLVER_UNSAT);
        unlink(path);
      }
    }
    assert_int_equal(inspection.solvers, 2);
    assert_int_equal(inspection.compared, 4);
    assert_int_equal(inspection.contradictions, 0);
    assert_int_equal(inspection.error, 0);
    assert_int_equal(rmdir(inspection.folder), 0);
    if (run == 1) assert_int_equal(mkdir(inspection.folder, 0700), 0);
    inspection_free(&inspection);
    fixture_free(&f);
  }
  snprintf(path, sizeof path, "%s/order-1", folder);
  assert_int_equal(rmdir(path), 0);
  assert_int_equal(rmdir(folder), 0);
}

static void inspection_wants_a_folder(void **state) {
  (void)state;
  Inspection inspection;
  errno = 0;
  assert_false(inspection_init(&inspection, "/nonexistent/folder", "order", false, NULL));
  assert_int_equal(errno, ENOENT);
  assert_null(inspection.folder);
  inspection_free(&inspection);
}

// The checking that every solver can do by itself ends the process. It happens in a child.
static void check_in_child(Liar what, size_t assumptions, bool dies) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    if (freopen("/dev/null", "w", stderr) == NULL) _exit(3);
    signal(SIGABRT, SIG_DFL);
    Fixture f;
    fixture_init(&f);
    Solver *solver = make_liar(&f, what);
    solver_set_checking(solver, true);
    Term x = term_variable(f.store, 8, "x"), seven = term_eq(f.store, x, term_constant(f.store, 8, 7));
    Term three = term_eq(f.store, x, term_constant(f.store, 8, 3)), both[] = {seven, three};
    solver_add_clause(solver, both, 2);
    solver_check(solver, both, assumptions);
    _exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, dies);
}

static void wrong_answers_end_the_process(void **state) {
  (void)state;
  check_in_child((Liar){.invents = false}, 1, false);
  check_in_child((Liar){.invents = true}, 0, true); // the clause does not hold
  check_in_child((Liar){.invents = true}, 1, true); // the assumption neither
  check_in_child((Liar){.cuts_cores = false}, 2, false);
  check_in_child((Liar){.cuts_cores = true}, 2, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dumped_queries_have_the_same_answer),
      cmocka_unit_test(dumping_to_nowhere_is_an_error),
      cmocka_unit_test(honest_solvers_agree),
      cmocka_unit_test(lies_are_noticed),
      cmocka_unit_test(inspected_solvers_have_decorators),
      cmocka_unit_test(inspection_wants_a_folder),
      cmocka_unit_test(wrong_answers_end_the_process),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
