// The front end on small sources: what is lowered, under which names, and how bad input is reported.
#include "front/front.h"
#include "program/passes/passes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Lowered {
  Account account;
  Text error;
  FrontUnit *unit;
  Program *program;
  char path[64];
} Lowered;

static void write_source(Lowered *l, const char *suffix, const void *bytes, size_t count) {
  snprintf(l->path, sizeof l->path, "/tmp/heddle-front-XXXXXX%s", suffix);
  int descriptor = mkstemps(l->path, (int)strlen(suffix));
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, bytes, count), (ssize_t)count);
  close(descriptor);
}

static void open_path(Lowered *l, unsigned pointer_width) {
  const char *files[] = {l->path};
  FrontOptions options = {.files = files, .file_count = 1, .pointer_width = pointer_width};
  l->unit = front_open(&options, &l->error, &l->account);
}

static void lower_with(Lowered *l, const char *source, FrontLimits limits) {
  *l = (Lowered){.account = {.room = "test"}};
  text_init(&l->error, NULL);
  write_source(l, ".c", source, strlen(source));
  open_path(l, 32);
  if (l->unit) l->program = front_lower(l->unit, &limits, (FrontView){0}, &l->error, &l->account);
}

static void lower(Lowered *l, const char *source) { lower_with(l, source, front_default_limits()); }

static void finish(Lowered *l) {
  if (l->program) program_free(l->program);
  front_close(l->unit);
  text_free(&l->error);
  unlink(l->path);
  assert_int_equal(l->account.bytes, 0);
}

static size_t count_kind(const Program *p, StepKind kind) {
  size_t count = 0;
  for (size_t i = 0; i < p->steps.count; i++) count += p->steps.data[i].kind == kind;
  return count;
}

static const Step *first_of_kind(const Program *p, StepKind kind) {
  for (size_t i = 0; i < p->steps.count; i++)
    if (p->steps.data[i].kind == kind) return &p->steps.data[i];
  fail_msg("no step of kind %s", step_kind_name(kind));
  return NULL;
}

static bool has_cell(const Program *p, const char *name) {
  for (size_t i = 0; i < p->cells.count; i++)
    if (strcmp(p->cells.data[i].name, name) == 0) return true;
  return false;
}

static void test_threads_get_slots(void **state) {
  (void)state;
  Lowered l;
  lower(&l, "#include <pthread.h>\n"
            "void *worker(void *a) { return a; }\n"
            "int main(void) { pthread_t t, u; pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, worker, 0);\n"
            "  pthread_join(t, 0); return 0; }\n");
  assert_non_null(l.program);
  assert_int_equal(l.program->threads.count, 3);
  assert_string_equal(l.program->threads.data[1].path, "0.0");
  assert_string_equal(l.program->threads.data[2].path, "0.1");
  assert_string_equal(l.program->threads.data[1].routine, "worker");
  assert_int_equal(count_kind(l.program, STEP_CREATE), 2);
  assert_int_equal(count_kind(l.program, STEP_START), 2);
  finish(&l);
}

static void test_creation_in_a_loop_is_bounded(void **state) {
  (void)state;
  Lowered l;
  FrontLimits limits = front_default_limits();
  limits.threads_per_site = 3;
  lower_with(
      &l,
      "#include <pthread.h>\nvoid *worker(void *a) { return a; }\n"
      "int main(void) { pthread_t t; for (int i = 0; i < 9; i++) pthread_create(&t, 0, worker, 0); return 0; }\n",
      limits);
  assert_int_equal(l.program->threads.count, 4);
  bool found = false;
  for (size_t i = 0; i < l.program->cuts.count; i++) found |= l.program->cuts.data[i].kind == CUT_THREADS;
  assert_true(found);
  finish(&l);
}

static void test_recursion_with_constants_needs_no_bound(void **state) {
  (void)state;
  Lowered l;
  FrontLimits limits = front_default_limits();
  limits.recursion = 8;
  lower_with(&l, "int f(int n) { return n ? n * f(n - 1) : 1; }\nint x;\nint main(void) { x = f(5); return 0; }\n",
             limits);
  assert_int_equal(l.program->cuts.count, 0);
  passes_prepare(l.program, NULL);
  const Step *store = NULL;
  for (size_t i = 0; i < l.program->steps.count; i++)
    if (l.program->steps.data[i].access.writes) store = &l.program->steps.data[i];
  assert_non_null(store);
  assert_true(term_is_constant(l.program->terms, store->access.stored));
  assert_int_equal((int)term_constant_value(l.program->terms, store->access.stored), 120);
  finish(&l);
}

static void test_source_names_and_positions_survive(void **state) {
  (void)state;
  Lowered l;
  lower(&l, "struct node { int value; struct node *next; } pair[2];\n"
            "int total;\n"
            "int main(void) {\n"
            "  int local = pair[1].value;\n"
            "  total = local;\n"
            "  pair[1].next = pair;\n"
            "  pair[1].value = 3;\n"
            "  return 0;\n"
            "}\n");
  passes_prepare(l.program, NULL);
  assert_true(has_cell(l.program, "pair[1].value"));
  assert_true(has_cell(l.program, "pair[1].next"));
  assert_true(has_cell(l.program, "total"));
  bool line = false;
  for (size_t i = 0; i < l.program->steps.count; i++) {
    const Step *step = &l.program->steps.data[i];
    line |= step->access.writes && step->position.line == 5 && strcmp(step->position.function, "main") == 0;
  }
  assert_true(line);
  finish(&l);
}

static const Label *find_label(const Program *p, const char *name) {
  const Label *found = NULL;
  for (size_t i = 0; i < p->labels.count; i++) {
    if (strcmp(p->labels.data[i].name, name) != 0) continue;
    assert_null(found); // each once, though its function is called twice
    found = &p->labels.data[i];
  }
  assert_non_null(found);
  return found;
}

static void test_labels_have_the_lines_behind_them(void **state) {
  (void)state;
  Lowered l;
  lower(&l, "int x, y;\n"
            "void f(void) {\n"
            "  y = 1;\n"
            "S: T: x = 1;\n"
            "  y = 2; C: y =\n"
            "    x;\n"
            "B: if (x)\n"
            "    y = 3;\n"
            "}\n"
            "int main(void) {\n"
            "  f();\n"
            "A: f();\n"
            "  x = 3;\n"
            "Z: for (;;) { ; }\n"
            "}\n");
  static const struct {
    const char *name, *function;
    uint32_t lines[MOST_LABEL_LINES], crowded;
  } rows[] = {
      {"S", "f", {4, 5, 6, 7}, 0}, {"T", "f", {4, 5, 6, 7}, 0}, {"C", "f", {6, 5, 7}, 5},
      {"B", "f", {7}, 0},          {"A", "main", {12}, 0},      {"Z", "main", {14}, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const Label *label = find_label(l.program, rows[i].name);
    assert_string_equal(label->function, rows[i].function);
    assert_memory_equal(label->lines, rows[i].lines, sizeof label->lines);
    assert_int_equal(label->crowded, rows[i].crowded);
  }
  finish(&l);
}

static void test_unknown_assembly_is_a_cut_with_its_line(void **state) {
  (void)state;
  Lowered l;
  lower(&l, "int main(void) {\n  __asm__ volatile(\"\" ::: \"memory\");\n  __asm__ volatile(\"nop\");\n"
            "  __asm__ volatile(\"frob\" ::: \"memory\");\n  return 0;\n}\n");
  assert_int_equal(l.program->cuts.count, 1);
  assert_string_equal(l.program->cuts.data[0].what, "inline assembly `frob`");
  assert_int_equal(l.program->cuts.data[0].position.line, 4);
  finish(&l);
}

static void test_locals_of_a_loop_are_indeterminate_each_time(void **state) {
  (void)state;
  Lowered l;
  lower(&l, "int g;\nint main(void) { for (int i = 0; i < 2; i++) { int y; if (i == 0) y = 3; g = y; } return 0; }\n");
  bool indeterminate = false;
  for (size_t i = 0; i < l.program->steps.count; i++) {
    const Step *step = &l.program->steps.data[i];
    for (uint32_t a = 0; a < step->assignment_count; a++)
      indeterminate |= step->assignments[a].value == VALUE_INDETERMINATE &&
                       strcmp(l.program->variables.data[step->assignments[a].variable].name, "y") == 0;
  }
  assert_true(indeterminate);
  finish(&l);
}

static void test_compare_exchange_is_one_step(void **state) {
  (void)state;
  Lowered l;
  lower(&l, "#include <stdatomic.h>\n_Atomic int x;\n"
            "int main(void) { int e = 0; atomic_compare_exchange_strong(&x, &e, 1); return 0; }\n");
  size_t both = 0;
  for (size_t i = 0; i < l.program->steps.count; i++) {
    const Access *access = &l.program->steps.data[i].access;
    both += access->address != TERM_NONE && access->reads && access->writes && access->synchronises;
  }
  assert_int_equal(both, 1);
  finish(&l);
}

static void test_reach_error_is_an_error_even_with_a_body(void **state) {
  (void)state;
  Lowered l;
  lower(&l, "void reach_error(void) {}\nint main(void) { reach_error(); return 0; }\n");
  assert_int_equal(first_of_kind(l.program, STEP_ERROR)->position.line, 2);
  finish(&l);
}

static const char tree_of_calls[] = "int g;\n"
                                    "static void a(int n) { g = n; }\n"
                                    "static void b(int n) { a(n); a(g); a(g); a(g); }\n"
                                    "static void c(int n) { b(n); b(g); b(g); b(g); }\n"
                                    "static void d(int n) { c(n); c(g); c(g); c(g); }\n"
                                    "int main(void) { d(g); d(g); return g; }\n";

static void test_limit_on_edges_holds(void **state) {
  (void)state;
  Lowered l;
  lower(&l, tree_of_calls);
  size_t whole = l.program->edges.count;
  assert_false(l.program->too_large);
  finish(&l);
  for (uint64_t most = 10; most < whole; most += 37) {
    FrontLimits limits = front_default_limits();
    limits.edges = most;
    lower_with(&l, tree_of_calls, limits);
    assert_true(l.program->too_large);
    // The instruction at which the limit is met may have taken a few, and each active block gets a cut.
    assert_in_range(l.program->edges.count, most, most + 16);
    const Cut *cut = &l.program->cuts.data[0];
    assert_int_equal(cut->kind, CUT_CALLS);
    assert_non_null(strstr(cut->what, "most in a ("));
    finish(&l);
  }
}

// Lowers on demand with these calls opened; returns the first call that is not inlined, or 0.
static uint64_t lower_opened(Lowered *l, const uint64_t *opened, size_t count, unsigned ahead) {
  FrontLimits limits = front_default_limits();
  limits.small_call_edges = 40; // calls of a() and b() are small
  limits.calls_ahead = ahead;
  limits.requested_calls = opened;
  limits.requested_call_count = count;
  lower_with(l, tree_of_calls, limits);
  assert_false(l->program->too_large);
  for (size_t i = 0; i < l->program->cuts.count; i++) {
    const Cut *cut = &l->program->cuts.data[i];
    assert_int_equal(cut->kind, CUT_CALLS);
    assert_in_range(cut->call_count, 1, ahead + 1);
    if (i == 0) return cut->calls[0];
  }
  return 0;
}

static int compare_names(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

// What is behind a call that is not inlined is not there; opening one call after the other leads to the whole program.
static void test_calls_are_opened_by_name(void **state) {
  (void)state;
  Lowered l;
  lower(&l, tree_of_calls);
  size_t whole = l.program->edges.count;
  finish(&l);
  uint64_t opened[64];
  size_t count = 0, last = 0;
  for (uint64_t next; (next = lower_opened(&l, opened, count, 0)) != 0; count++) {
    assert_true(l.program->edges.count > last && l.program->edges.count < whole);
    last = l.program->edges.count;
    finish(&l);
    assert_true(count < 64);
    opened[count] = next;
    qsort(opened, count + 1, sizeof *opened, compare_names);
    for (size_t i = 0; i < count; i++) assert_true(opened[i] != opened[i + 1]);
  }
  assert_int_equal(l.program->edges.count, whole);
  assert_int_equal(count, 10); // 2 calls of d, 8 of c
  finish(&l);
}

// Two nested larger calls ahead: of d, and of c in it.
static void test_calls_are_inlined_ahead(void **state) {
  (void)state;
  Lowered l;
  assert_true(lower_opened(&l, NULL, 0, 1) != 0);
  finish(&l);
  assert_true(lower_opened(&l, NULL, 0, 2) == 0);
  finish(&l);
}

static void test_bad_input_is_reported(void **state) {
  (void)state;
  Lowered l;
  lower(&l, "int main(void) { return x; }\n");
  assert_null(l.unit);
  assert_non_null(strstr(l.error.data, "undeclared identifier 'x'"));
  finish(&l);

  lower(&l, "int f(void) { return 0; }\n");
  assert_non_null(l.unit);
  assert_null(l.program);
  assert_non_null(strstr(l.error.data, "no main"));
  finish(&l);

  l = (Lowered){.account = {.room = "test"}, .path = "/tmp/heddle-no-such-file.c"};
  text_init(&l.error, NULL);
  open_path(&l, 32);
  assert_null(l.unit);
  assert_non_null(strstr(l.error.data, "No such file"));
  finish(&l);
}

static void test_truncated_bitcode_is_reported(void **state) {
  (void)state;
  Lowered l = {.account = {.room = "test"}};
  text_init(&l.error, NULL);
  static const unsigned char start[] = {'B', 'C', 0xc0, 0xde, 0x35, 0x14, 0, 0, 5, 0, 0, 0};
  write_source(&l, ".bc", start, sizeof start);
  open_path(&l, 32);
  assert_null(l.unit);
  assert_non_null(strstr(l.error.data, "not valid bitcode"));
  finish(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_threads_get_slots),
      cmocka_unit_test(test_creation_in_a_loop_is_bounded),
      cmocka_unit_test(test_recursion_with_constants_needs_no_bound),
      cmocka_unit_test(test_source_names_and_positions_survive),
      cmocka_unit_test(test_labels_have_the_lines_behind_them),
      cmocka_unit_test(test_unknown_assembly_is_a_cut_with_its_line),
      cmocka_unit_test(test_locals_of_a_loop_are_indeterminate_each_time),
      cmocka_unit_test(test_compare_exchange_is_one_step),
      cmocka_unit_test(test_reach_error_is_an_error_even_with_a_body),
      cmocka_unit_test(test_limit_on_edges_holds),
      cmocka_unit_test(test_calls_are_opened_by_name),
      cmocka_unit_test(test_calls_are_inlined_ahead),
      cmocka_unit_test(test_bad_input_is_reported),
      cmocka_unit_test(test_truncated_bitcode_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
