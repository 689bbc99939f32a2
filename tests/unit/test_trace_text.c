// The text trace: lines per source line, library calls folded, values, names, missing sources, columns, what matters.
#include "report/source_text.h"
#include "report/trace_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>
// cmocka wants the headers above first
#include <cmocka.h>

static const char source[] = "int x, m;\n"
                             "  lock(&m);\t  // take it\n"
                             "x = input();\n"
                             "\n"
                             "create(worker);\n"
                             "if (x == 1)\n";

// A program whose cells are set by hand, and a trace over it.
typedef struct Scene {
  Program *program;
  Trace trace;
  const char *path;
  CellId x, lock;
  VariableId local, temporary;
  LocationId at[3]; // where each thread stands
  Text out;
} Scene;

static CellId add_cell(Program *program, const char *name) {
  ObjectId object = program_add_object(program, 4, STORAGE_GLOBAL, NO_ID, name);
  Cell cell = {.address = program->objects.data[object].address,
               .bytes = 4,
               .object = object,
               .term = term_variable(program->terms, sort_bits(32), name),
               .name = name};
  CellVector_push(&program->cells, cell);
  return (CellId)program->cells.count - 1;
}

static void scene_init(Scene *scene, const char *path) {
  *scene = (Scene){.program = program_new(64, NULL), .path = path};
  program_add_thread(scene->program, "main", NO_ID, 0, (Position){0});
  program_add_thread(scene->program, "worker", 0, 0, (Position){0});
  scene->x = add_cell(scene->program, "x");
  scene->lock = add_cell(scene->program, "m");
  scene->local = program_add_variable(scene->program, 0, 64, "p", false);
  scene->temporary = program_add_variable(scene->program, 0, 32, "the_temporary", true);
  for (ThreadId t = 0; t < 2; t++) scene->at[t] = program_add_location(scene->program, t, (Position){0});
  text_init(&scene->out, NULL);
}

static void scene_free(Scene *scene) {
  TraceStepVector_free(&scene->trace.steps);
  TraceChangeVector_free(&scene->trace.changes);
  text_free(&scene->out);
  program_free(scene->program);
}

// Executes a step; its edge goes to a new location.
static void execute(Scene *scene, ThreadId thread, const Step *step) {
  LocationId to = program_add_location(scene->program, thread, (Position){0});
  EdgeId edge = program_add_edge(scene->program, scene->at[thread], to, step);
  scene->at[thread] = to;
  TraceStep row = {.thread = thread,
                   .edge = edge,
                   .step = scene->program->edges.data[edge].first_step,
                   .first_change = (uint32_t)scene->trace.changes.count};
  TraceStepVector_push(&scene->trace.steps, row);
}

static void add_step(Scene *scene, ThreadId thread, StepKind kind, uint32_t line, bool library) {
  Step step = step_plain(scene->program, (Position){.file = scene->path, .line = line, .library = library});
  step.kind = kind;
  step.access.synchronises = library;
  if (kind == STEP_CREATE) step.target = 1;
  execute(scene, thread, &step);
}

static TraceChange *add_change(Scene *scene, CellId cell, VariableId variable, Bits before, Bits after) {
  TraceStepVector_last(&scene->trace.steps)->change_count++;
  TraceChange change = {.cell = cell, .variable = variable, .before = before, .after = after};
  return TraceChangeVector_push(&scene->trace.changes, change);
}

static void print_as(Scene *scene, Answer answer, const TraceStyle *style, uint32_t loop_start) {
  program_index(scene->program);
  Result *result = result_new(PROPERTY_UNREACH_CALL, NULL);
  result->answer = answer;
  text_add(&result->violation, "it broke");
  result->schedule = schedule_new(NULL);
  result->schedule->loop_start = loop_start;
  text_clear(&scene->out);
  trace_print_text(scene->program, &scene->trace, result, style, &scene->out);
  result_free(result);
}

// All that was executed; print_as says what matters for a violation.
static void print(Scene *scene, bool full) { print_as(scene, ANSWER_UNKNOWN, &(TraceStyle){.full = full}, NO_ID); }

static void assert_has(const Scene *scene, const char *part) {
  if (!strstr(scene->out.data, part)) fail_msg("'%s' is not in:\n%s", part, scene->out.data);
}

static void assert_lacks(const Scene *scene, const char *part) {
  if (strstr(scene->out.data, part)) fail_msg("'%s' is in:\n%s", part, scene->out.data);
}

static void write_source(char *path) {
  int file = mkstemps(path, 2);
  assert_true(file >= 0);
  assert_int_equal(write(file, source, sizeof source - 1), (ssize_t)sizeof source - 1);
  close(file);
}

// Lock in a library model, an input, a create, a read by the other thread.
static void play(Scene *scene) {
  add_step(scene, 0, STEP_PLAIN, 2, true);
  add_change(scene, scene->lock, NO_ID, 7, 8); // the model's bookkeeping
  add_step(scene, 0, STEP_LOCK, 2, true);
  add_change(scene, scene->lock, NO_ID, 0, 1);
  add_step(scene, 0, STEP_PLAIN, 3, false);
  add_change(scene, NO_ID, scene->temporary, 0, 5);
  add_step(scene, 0, STEP_PLAIN, 3, false);
  add_change(scene, scene->x, NO_ID, 0, 5)->chosen = true;
  add_step(scene, 0, STEP_PLAIN, 3, false);
  add_change(scene, scene->x, NO_ID, 5, 0xffffffff);
  add_step(scene, 0, STEP_CREATE, 5, true);
  add_step(scene, 0, STEP_PLAIN, 5, false);
  add_change(scene, NO_ID, scene->local, 0, scene->program->cells.data[scene->x].address);
  add_step(scene, 1, STEP_PLAIN, 6, false);
  add_change(scene, scene->x, NO_ID, 1, 1)->read = true;
}

static void test_lines(void **state) {
  (void)state;
  char path[] = "/tmp/heddle-test-XXXXXX.c";
  write_source(path);
  Scene scene;
  scene_init(&scene, path);
  play(&scene);
  print(&scene, false);
  assert_has(&scene, "thread 0 (main)\n");
  assert_has(&scene, ":2  lock(&m); // take it");
  assert_has(&scene, "locks m\n");
  assert_lacks(&scene, "7 -> 8");
  assert_has(&scene, "x: 0 -> 5 -> -1 (input)\n");
  assert_lacks(&scene, "the_temporary");
  assert_has(&scene, "creates thread 0.0 (worker), p: 0 -> &x\n");
  assert_has(&scene, "thread 0.0 (worker)\n");
  assert_has(&scene, "reads x = 1\n");
  assert_lacks(&scene, "violation");
  unsigned lines = 0;
  for (const char *c = scene.out.data; *c; c++) lines += *c == '\n';
  assert_int_equal(lines, 2 + 4); // headers, joined lines
  print(&scene, true);
  assert_has(&scene, "m: 7 -> 8");
  assert_has(&scene, "the_temporary: 0 -> 5");
  scene_free(&scene);
  unlink(path);
}

static void test_missing_source(void **state) {
  (void)state;
  Scene scene;
  scene_init(&scene, "/nowhere/lost.c");
  play(&scene);
  print(&scene, false);
  assert_has(&scene, "lost.c:3");
  assert_has(&scene, "x: 0 -> 5 -> -1 (input)\n");
  scene_free(&scene);
}

// What surrounds a thread's routine has the place of its creation, which is not shown as a line of that thread.
static void test_around_the_routine(void **state) {
  (void)state;
  Scene scene;
  scene_init(&scene, "around.c");
  scene.program->threads.data[1].created_at = (Position){.file = "around.c", .line = 9};
  add_step(&scene, 1, STEP_START, 9, false);
  add_step(&scene, 1, STEP_PLAIN, 3, false);
  add_change(&scene, scene.x, NO_ID, 4, 4); // a write that others may see, though it changes nothing
  add_step(&scene, 1, STEP_EXIT, 9, false);
  add_step(&scene, 0, STEP_PLAIN, 10, true);
  add_change(&scene, scene.lock, NO_ID, 2, 2)->read = true;
  add_step(&scene, 0, STEP_WAIT, 10, true);
  add_step(&scene, 0, STEP_PLAIN, 11, false);
  print(&scene, false);
  assert_lacks(&scene, "around.c:9");
  assert_lacks(&scene, "starts");
  assert_has(&scene, "x: 4 -> 4, ends\n");
  assert_has(&scene, "its wait for m is over\n");
  print(&scene, true);
  assert_has(&scene, "starts\n");
  scene_free(&scene);
}

// A loop on one line: the values in between are left out.
static void test_long_chain(void **state) {
  (void)state;
  Scene scene;
  scene_init(&scene, "loop.c");
  for (unsigned i = 0; i < 100; i++) {
    add_step(&scene, 0, STEP_PLAIN, 1, false);
    add_change(&scene, scene.x, NO_ID, i, i + 1);
  }
  print(&scene, false);
  assert_has(&scene, "x: 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> ... -> 100\n");
  scene_free(&scene);
}

// Main counts x on line 1 and goes on to line 2, `rounds` times; in between, `jump` is added once.
static void play_rounds(Scene *scene, unsigned rounds, unsigned jump_at) {
  Bits x = 0;
  for (unsigned i = 0; i < rounds; i++) {
    Bits next = x + (i == jump_at ? 10 : 1);
    add_step(scene, 0, STEP_PLAIN, 1, false);
    add_change(scene, scene->x, NO_ID, x, next);
    add_step(scene, 0, STEP_PLAIN, 2, false);
    x = next;
  }
}

static void test_rounds(void **state) {
  (void)state;
  Scene scene;
  scene_init(&scene, "/nowhere/r.c");
  play_rounds(&scene, 60, 99);
  print(&scene, false);
  assert_string_equal(scene.out.data, "thread 0 (main)\n"
                                      "  r.c:1                                                            x: 0 -> 1\n"
                                      "  r.c:2  \n"
                                      "  \xe2\x80\xa6 these 2 lines \xc3\x97 58, x = 2 \xe2\x80\xa6 59\n"
                                      "  r.c:1                                                            x: 59 -> 60\n"
                                      "  r.c:2  \n");
  print(&scene, true);
  assert_lacks(&scene, "\xc3\x97");
  scene_free(&scene);
}

// Three rounds are few; a value that jumps ends the rounds before it.
static void test_rounds_apart(void **state) {
  (void)state;
  Scene scene;
  scene_init(&scene, "/nowhere/r.c");
  play_rounds(&scene, 3, 99);
  print(&scene, false);
  assert_lacks(&scene, "\xc3\x97");
  scene_free(&scene);
  scene_init(&scene, "/nowhere/r.c");
  play_rounds(&scene, 20, 9);
  print(&scene, false);
  assert_has(&scene, "\xc3\x97 7, x = 2 \xe2\x80\xa6 8\n");
  assert_has(&scene, "x: 9 -> 19\n");
  assert_has(&scene, "\xc3\x97 8, x = 21 \xe2\x80\xa6 28\n");
  scene_free(&scene);
}

// The mark of a lasso's loop is never left out, nor is the round around it.
static void test_rounds_and_loop(void **state) {
  (void)state;
  Scene scene;
  scene_init(&scene, "/nowhere/r.c");
  play_rounds(&scene, 20, 99);
  print_as(&scene, ANSWER_UNKNOWN, &(TraceStyle){0}, 20);
  assert_has(&scene, "\xc3\x97 8, x = 2 \xe2\x80\xa6 9\n");
  assert_has(&scene, "from here on again and again:\nthread 0 (main)\n");
  assert_has(&scene, "\xc3\x97 8, x = 12 \xe2\x80\xa6 19\n");
  scene_free(&scene);
}

// Two threads take turns: a round has lines of both, and headings come again after it.
static void test_rounds_of_two_threads(void **state) {
  (void)state;
  Scene scene;
  scene_init(&scene, "/nowhere/r.c");
  for (unsigned i = 0; i < 10; i++) {
    add_step(&scene, i % 2, STEP_PLAIN, 1 + i % 2, false);
    add_change(&scene, scene.x, NO_ID, i, i + 1);
  }
  print(&scene, false);
  assert_has(&scene, "\xe2\x80\xa6 these 2 lines \xc3\x97 3, x = 3 \xe2\x80\xa6 7\nthread 0 (main)\n");
  assert_has(&scene, "x: 9 -> 10\n");
  scene_free(&scene);
}

// With nothing else to show, a temporary is.
static void test_temporary_alone(void **state) {
  (void)state;
  Scene scene;
  scene_init(&scene, "t.c");
  add_step(&scene, 0, STEP_PLAIN, 1, false);
  add_change(&scene, NO_ID, scene.temporary, 0, 9);
  print(&scene, false);
  assert_has(&scene, "the_temporary: 0 -> 9\n");
  scene_free(&scene);
}

static void test_values(void **state) {
  (void)state;
  Scene scene;
  scene_init(&scene, "v.c");
  uint64_t address = scene.program->cells.data[scene.x].address;
  struct {
    Bits value;
    unsigned width;
    const char *text;
  } rows[] = {{0, 64, "0"},
              {255, 8, "-1"},
              {1, 1, "1"},
              {address, 64, "&x"},
              {address + 2, 64, "&x + 2"},
              {~(Bits)0, 128, "-1"},
              {(Bits)1 << 127, 128, "-170141183460469231731687303715884105728"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    text_clear(&scene.out);
    words_value(scene.program, rows[i].value, rows[i].width, SHOWN_AS_NUMBER, &scene.out);
    assert_string_equal(scene.out.data, rows[i].text);
  }
  scene_free(&scene);
}

static void test_sources(void **state) {
  (void)state;
  char path[] = "/tmp/heddle-test-XXXXXX.c";
  write_source(path);
  Account account = {.room = "test"};
  Sources sources;
  sources_init(&sources, &account);
  Text line;
  text_init(&line, &account);
  assert_true(sources_add_line(&sources, path, 2, &line));
  assert_string_equal(line.data, "lock(&m); // take it");
  text_clear(&line);
  assert_false(sources_add_line(&sources, path, 4, &line)); // blank
  assert_false(sources_add_line(&sources, path, 7, &line));
  assert_false(sources_add_line(&sources, path, 0, &line));
  assert_false(sources_add_line(&sources, "/nowhere/lost.c", 1, &line));
  assert_string_equal(line.data, "");
  assert_int_equal(sources.files.count, 2);
  text_free(&line);
  sources_free(&sources);
  assert_int_equal(account.bytes, 0);
  unlink(path);
}

// --- what matters ---

// A load of `cell` into the thread's variable, or a store of a value, in one step.
static void add_access(Scene *scene, ThreadId thread, uint32_t line, CellId cell, VariableId into, Term stored) {
  Program *program = scene->program;
  Step step = step_plain(program, (Position){.file = scene->path, .line = line});
  step.access.address = term_constant(program->terms, 64, program->cells.data[cell].address);
  step.access.bytes = 4;
  step.access.reads = stored == TERM_NONE;
  step.access.writes = stored != TERM_NONE;
  step.access.into = into;
  step.access.stored = stored;
  execute(scene, thread, &step);
}

static void add_load(Scene *scene, ThreadId thread, uint32_t line, CellId cell, VariableId into, Bits value) {
  add_access(scene, thread, line, cell, into, TERM_NONE);
  add_change(scene, cell, NO_ID, value, value)->read = true;
  add_change(scene, NO_ID, into, 0, value);
}

static void add_store(Scene *scene, ThreadId thread, uint32_t line, CellId cell, Term stored, Bits before, Bits after) {
  add_access(scene, thread, line, cell, NO_ID, stored);
  add_change(scene, cell, NO_ID, before, after);
}

// Main creates the worker; both add to x, and main overwrites what the worker wrote. The worker also writes m, which
// no thread reads. Then main fails, deciding by x.
static void play_lost_update(Scene *scene) {
  Program *program = scene->program;
  VariableId worker = program_add_variable(program, 1, 32, "t2", true);
  VariableId seen = program_add_variable(program, 0, 32, "t3", true);
  Term own = variable_term(program, scene->temporary), its = variable_term(program, worker);
  add_step(scene, 0, STEP_CREATE, 1, false);
  add_load(scene, 0, 2, scene->x, scene->temporary, 0);
  add_store(scene, 1, 11, scene->lock, term_constant(program->terms, 32, 9), 0, 9);
  add_load(scene, 1, 12, scene->x, worker, 0);
  add_store(scene, 1, 13, scene->x, term_add_constant(program->terms, its, 1), 0, 1);
  add_store(scene, 0, 3, scene->x, term_add_constant(program->terms, own, 1), 1, 1);
  add_load(scene, 0, 4, scene->x, seen, 1);
  Step error = step_plain(program, (Position){.file = scene->path, .line = 5});
  error.kind = STEP_ERROR;
  error.guard = term_ne(program->terms, variable_term(program, seen), term_constant(program->terms, 32, 2));
  execute(scene, 0, &error);
}

static void test_what_matters(void **state) {
  (void)state;
  Scene scene;
  scene_init(&scene, "lost.c");
  play_lost_update(&scene);
  TraceStyle style = {0};
  print_as(&scene, ANSWER_UNSAFE, &style, NO_ID);
  for (unsigned line = 1; line <= 5; line++) {
    char place[16];
    snprintf(place, sizeof place, "lost.c:%u ", line);
    assert_has(&scene, place);
  }
  assert_has(&scene, "lost.c:13"); // its value got lost, which is the point
  assert_lacks(&scene, "lost.c:11");
  assert_has(&scene, "at the end: x = 1\n");
  assert_has(&scene, "violation: it broke\n");
  assert_has(&scene, "why: x is 1: thread 0.0's write of 1 at lost.c:13 was lost, as main had read x = 0 at lost.c:2 "
                     "before it and wrote 1 after it\n");
  assert_has(&scene, "(2 lines that did not matter left out; --full shows all)\n"); // line 12: its value got lost, too
  print_as(&scene, ANSWER_UNSAFE, &(TraceStyle){.full = true}, NO_ID);
  assert_has(&scene, "lost.c:11");
  assert_lacks(&scene, "left out");
  scene_free(&scene);
}

// --- columns ---

static size_t widest_row(const Scene *scene) {
  size_t widest = 0;
  const char *end = strstr(scene->out.data, "at the end");
  for (const char *row = scene->out.data; row < end;) {
    const char *next = strchr(row, '\n');
    size_t width = text_columns(row, (size_t)(next - row));
    if (width > widest) widest = width;
    row = next + 1;
  }
  return widest;
}

static void test_columns(void **state) {
  (void)state;
  Scene scene;
  scene_init(&scene, "lost.c");
  play_lost_update(&scene);
  const unsigned widths[] = {100, 120, 200};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    print_as(&scene, ANSWER_UNSAFE, &(TraceStyle){.width = widths[i]}, NO_ID);
    assert_has(&scene, "thread 0 (main) ");
    assert_has(&scene, "\xe2\x94\x82 thread 0.0 (worker)\n");
    assert_has(&scene, "\xe2\x94\x82     x: 0 -> 1\n");
    assert_in_range(widest_row(&scene), widths[i] - 2, widths[i]);
  }
  print_as(&scene, ANSWER_UNSAFE, &(TraceStyle){.width = 80}, NO_ID); // too narrow: the list
  assert_lacks(&scene, "\xe2\x94\x82");
  assert_lacks(&scene, "\033");
  print_as(&scene, ANSWER_UNSAFE, &(TraceStyle){.colour = true}, NO_ID);
  assert_has(&scene, "\033[1mthread 0 (main)\033[0m\n");
  scene_free(&scene);
}

static void test_loop_mark(void **state) {
  (void)state;
  Scene scene;
  scene_init(&scene, "lost.c");
  play_lost_update(&scene);
  print_as(&scene, ANSWER_UNSAFE, &(TraceStyle){0}, 4);
  const char *mark = strstr(scene.out.data, "from here on again and again:\n");
  assert_non_null(mark);
  assert_true(mark < strstr(scene.out.data, "lost.c:13") && mark > strstr(scene.out.data, "lost.c:2 "));
  print_as(&scene, ANSWER_UNSAFE, &(TraceStyle){.width = 120}, 4);
  assert_has(&scene, "from here on again and again:\n");
  for (unsigned width = 0; width <= 120; width += 120) { // nothing goes on
    print_as(&scene, ANSWER_UNSAFE, &(TraceStyle){.width = width}, (uint32_t)scene.trace.steps.count);
    mark = strstr(scene.out.data, "from here on nothing happens any more\n");
    assert_true(mark && mark > strstr(scene.out.data, "5 ") && mark < strstr(scene.out.data, "violation: "));
    assert_lacks(&scene, "again and again");
  }
  scene_free(&scene);
}

// A step without a place of its own has no line: the mark stands before the next one that has.
static void test_loop_mark_without_line(void **state) {
  (void)state;
  Scene scene;
  scene_init(&scene, "lost.c");
  add_step(&scene, 0, STEP_PLAIN, 1, false);
  add_step(&scene, 0, STEP_PLAIN, 0, false);
  add_step(&scene, 0, STEP_PLAIN, 1, false); // the same line as before the loop
  add_step(&scene, 0, STEP_PLAIN, 2, false);
  for (uint32_t loop = 1; loop < 3; loop++) {
    print_as(&scene, ANSWER_UNSAFE, &(TraceStyle){0}, loop);
    const char *mark = strstr(scene.out.data, "from here on again and again:\n");
    assert_non_null(mark);
    assert_non_null(strstr(mark, "lost.c:1"));
    assert_non_null(strstr(mark, "lost.c:2"));
    assert_null(strstr(mark + 1, "from here on"));
  }
  scene_free(&scene);
}

static void test_cutting(void **state) {
  (void)state;
  const char text[] = "a\xc3\xa4\xe2\x82\xac"
                      "b"; // four characters of 1, 2, 3 and 1 bytes
  assert_int_equal(text_columns(text, 7), 4);
  assert_int_equal(text_fitting(text, 7, 0), 0);
  assert_int_equal(text_fitting(text, 7, 1), 1);
  assert_int_equal(text_fitting(text, 7, 2), 3);
  assert_int_equal(text_fitting(text, 7, 3), 6);
  assert_int_equal(text_fitting(text, 7, 9), 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines),
                                     cmocka_unit_test(test_missing_source),
                                     cmocka_unit_test(test_around_the_routine),
                                     cmocka_unit_test(test_long_chain),
                                     cmocka_unit_test(test_rounds),
                                     cmocka_unit_test(test_rounds_apart),
                                     cmocka_unit_test(test_rounds_and_loop),
                                     cmocka_unit_test(test_rounds_of_two_threads),
                                     cmocka_unit_test(test_temporary_alone),
                                     cmocka_unit_test(test_values),
                                     cmocka_unit_test(test_what_matters),
                                     cmocka_unit_test(test_columns),
                                     cmocka_unit_test(test_loop_mark),
                                     cmocka_unit_test(test_loop_mark_without_line),
                                     cmocka_unit_test(test_cutting),
                                     cmocka_unit_test(test_sources)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
