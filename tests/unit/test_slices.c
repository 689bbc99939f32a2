// Slices of programs: what the front end makes of them, and which functions a slice for a race keeps.
#include "front/front.h"
#include "survey/slices/race_slice.h"
#include "surveyed_source.h"

static const char source[] =
    "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "int x, y, options[4]; char words[4]; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    "static void take(void) { pthread_mutex_lock(&m); }\n"
    "static void *grab(unsigned n) { return malloc(n); }\n"
    "static int sum(int n) { int r = 0; for (int i = 0; i < n; i++) r += i; return r; }\n"
    "static void set(int *p) { for (int i = 0; i < 4; i++) p[i] = sum(i) + i; printf(\"set\"); }\n"
    "static void hit(void) { x++; }\n"
    "static void *worker(void *a) { take(); hit(); pthread_mutex_unlock(&m); return a; }\n"
    "int main(void) { set(options); y = sum(3); int *p = grab(4); *p = (int)strlen(words);\n"
    "  pthread_t t; pthread_create(&t, 0, worker, 0); hit(); pthread_join(t, 0); system(\"date\"); return *p; }\n";

typedef struct Sliced {
  Surveyed whole;
  Arena arena;
} Sliced;

static void open_sliced(Sliced *s) {
  SurveyOptions asked = {.summarise_calls = true};
  survey_with(&asked, source, &s->whole);
  assert_non_null(s->whole.survey->calls);
  arena_init(&s->arena, &s->whole.account);
}

static void close_sliced(Sliced *s) {
  arena_free(&s->arena);
  end_survey(&s->whole);
}

// A slice for the accesses of x.
static RaceSlice slice_of(Sliced *s, uint64_t budget, bool bare) {
  for (uint32_t i = 0; i < s->whole.survey->object_count; i++) {
    const SurveyObject *object = &s->whole.survey->objects[i];
    if (strcmp(object->name, "x") != 0) continue;
    assert_true(object->pair_count > 0);
    uint32_t statements[] = {object->pairs[0].first.statement, object->pairs[0].second.statement};
    return race_slice_make(s->whole.code, s->whole.survey->calls, statements, 2, budget, bare, &s->arena);
  }
  fail_msg("x is not surveyed");
  return (RaceSlice){.kept = 0};
}

static void test_ways_locks_and_allocations_are_kept(void **state) {
  (void)state;
  Sliced s;
  open_sliced(&s);
  RaceSlice slice = slice_of(&s, 1, false);
  const char *const kept[] = {"main", "worker", "hit", "take", "grab", "strlen", "system"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (front_slice_find(&slice.front, kept[i])) fail_msg("%s is replaced", kept[i]);
  const FrontReplaced *set = front_slice_find(&slice.front, "set"), *sum = front_slice_find(&slice.front, "sum");
  assert_non_null(set);
  assert_non_null(sum);
  assert_false(set->pure); // it writes through its argument
  assert_true(sum->pure);
  assert_int_equal(slice.kept + slice.front.count, slice.all);
  close_sliced(&s);
}

static void test_a_larger_budget_keeps_more(void **state) {
  (void)state;
  Sliced s;
  open_sliced(&s);
  RaceSlice all = slice_of(&s, 0, false), rich = slice_of(&s, 10000, false);
  assert_int_equal(all.front.count, 0);
  assert_int_equal(rich.front.count, 0);
  assert_int_equal(rich.kept, rich.all);
  assert_true(slice_of(&s, 1, false).statements < rich.statements);
  close_sliced(&s);
}

static void test_bare_slices_leave_the_library_out(void **state) {
  (void)state;
  Sliced s;
  open_sliced(&s);
  RaceSlice slice = slice_of(&s, 1, true);
  assert_non_null(front_slice_find(&slice.front, "strlen"));
  assert_non_null(front_slice_find(&slice.front, "printf"));
  assert_null(front_slice_find(&slice.front, "pthread_mutex_lock"));
  assert_null(front_slice_find(&slice.front, "malloc"));
  close_sliced(&s);
}

// --- the front end ---

static Program *lower(Sliced *s, const FrontSlice *slice) {
  FrontLimits limits = front_default_limits();
  FrontView view = {.every_access = true, .slice = slice};
  Text error;
  text_init(&error, NULL);
  Program *program = front_lower(s->whole.unit, &limits, view, &error, &s->whole.account);
  if (!program) fail_msg("%s", error.data);
  text_free(&error);
  return program;
}

static size_t count_calls(const Program *p, const char *name) {
  size_t count = 0;
  for (size_t i = 0; i < p->steps.count; i++) {
    const Step *step = &p->steps.data[i];
    if (step->replaced) assert_non_null(step->position.model);
    count += step->replaced && strcmp(step->position.model, name) == 0;
  }
  return count;
}

static size_t count_cuts(const Program *p) {
  size_t count = 0;
  for (size_t i = 0; i < p->steps.count; i++) count += p->steps.data[i].kind == STEP_CUT;
  return count;
}

static void test_replaced_functions_are_not_lowered(void **state) {
  (void)state;
  Sliced s;
  open_sliced(&s);
  static const FrontReplaced rows[] = {{"set", false}, {"strlen", true}, {"sum", true}};
  const FrontSlice slice = {rows, 3};
  Program *whole = lower(&s, NULL), *part = lower(&s, &slice);
  assert_true(part->edges.count < whole->edges.count);
  assert_int_equal(count_calls(part, "set"), 1);
  assert_int_equal(count_calls(part, "sum"), 1); // that in main: the one in set is gone
  assert_int_equal(count_calls(part, "strlen"), 1);
  assert_int_equal(count_calls(part, "hit"), 0);
  program_free(whole);
  program_free(part);
  close_sliced(&s);
}

static void test_calls_without_a_model_do_not_end_a_slice(void **state) {
  (void)state;
  Sliced s;
  open_sliced(&s);
  static const FrontSlice nothing = {NULL, 0};
  Program *whole = lower(&s, NULL), *part = lower(&s, &nothing);
  assert_int_equal(count_calls(whole, "system"), 0);
  assert_int_equal(count_calls(part, "system"), 1);
  assert_true(count_cuts(part) < count_cuts(whole));
  program_free(whole);
  program_free(part);
  close_sliced(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ways_locks_and_allocations_are_kept),
      cmocka_unit_test(test_a_larger_budget_keeps_more),
      cmocka_unit_test(test_bare_slices_leave_the_library_out),
      cmocka_unit_test(test_replaced_functions_are_not_lowered),
      cmocka_unit_test(test_calls_without_a_model_do_not_end_a_slice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
