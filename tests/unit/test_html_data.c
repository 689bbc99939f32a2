// The data of the HTML report: what it says of a trace, and that no text of a program can leave its element.
#include "report/page/html_data.h"
#include "verdict/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>
// cmocka wants the headers above first
#include <cmocka.h>

// A program of two threads on one line each, with cells set by hand, and a trace over it.
typedef struct Scene {
  Program *program;
  Trace trace;
  Result *result;
  const char *path;
  CellId x, lock, control;
  VariableId local, pointer;
  cJSON *data;
} Scene;

static CellId add_cell(Program *program, Storage storage, ThreadId owner, const char *name, Term initial) {
  ObjectId object = program_add_object(program, 4, storage, owner, name);
  Object *row = &program->objects.data[object];
  row->first_cell = (CellId)program->cells.count;
  row->cell_count = 1;
  Cell cell = {.address = row->address,
               .bytes = 4,
               .object = object,
               .term = term_variable(program->terms, sort_bits(32), name),
               .initial = initial,
               .name = name};
  CellVector_push(&program->cells, cell);
  return (CellId)program->cells.count - 1;
}

static void scene_init(Scene *scene, const char *path) {
  Program *p = program_new(64, NULL);
  *scene = (Scene){.program = p, .path = path, .result = result_new(PROPERTY_UNREACH_CALL, NULL)};
  program_add_thread(p, "main", NO_ID, 0, (Position){0});
  program_add_thread(p, "worker", 0, 0, (Position){.file = path, .line = 1});
  scene->x = add_cell(p, STORAGE_GLOBAL, NO_ID, "x", term_constant(p->terms, 32, 7));
  scene->lock = add_cell(p, STORAGE_GLOBAL, NO_ID, "m[0]", term_constant(p->terms, 32, 0));
  scene->control = add_cell(p, STORAGE_CONTROL, 1, "thread 0.0.status", term_constant(p->terms, 32, 0));
  scene->local = program_add_variable(p, 1, 32, "seen", false);
  scene->pointer = program_add_variable(p, 1, 64, "mutex.addr", false);
  scene->result->answer = ANSWER_UNSAFE;
  scene->result->schedule = schedule_new(NULL);
  scene->result->schedule->loop_start = NO_ID;
}

static void scene_free(Scene *scene) {
  cJSON_Delete(scene->data);
  result_free(scene->result);
  TraceStepVector_free(&scene->trace.steps);
  TraceChangeVector_free(&scene->trace.changes);
  program_free(scene->program);
}

// A step of a thread, from a new location to a new one. Returns where it leads.
static LocationId add_step(Scene *scene, ThreadId thread, StepKind kind, uint32_t line, bool library) {
  Program *p = scene->program;
  Position position = {.file = scene->path, .line = line, .function = "f", .library = library};
  LocationId from = program_add_location(p, thread, position), to = program_add_location(p, thread, position);
  Step step = step_plain(p, position);
  step.kind = kind;
  step.access.synchronises = library;
  if (kind == STEP_CREATE) step.target = 1;
  EdgeId edge = program_add_edge(p, from, to, &step);
  TraceStep row = {.thread = thread,
                   .edge = edge,
                   .step = p->edges.data[edge].first_step,
                   .first_change = (uint32_t)scene->trace.changes.count};
  TraceStepVector_push(&scene->trace.steps, row);
  return to;
}

static TraceChange *add_change(Scene *scene, CellId cell, VariableId variable, Bits before, Bits after) {
  TraceStepVector_last(&scene->trace.steps)->change_count++;
  TraceChange change = {.cell = cell, .variable = variable, .before = before, .after = after};
  return TraceChangeVector_push(&scene->trace.changes, change);
}

// After this step the thread stands before taking the lock that its pointer names.
static void wants_lock(Scene *scene, LocationId at) {
  Program *p = scene->program;
  Step step = step_plain(p, (Position){.file = scene->path, .line = 9, .library = true});
  step.kind = STEP_LOCK;
  step.access.address = variable_term(p, scene->pointer);
  step.access.bytes = 4;
  step.access.reads = step.access.writes = true;
  program_add_edge(p, at, program_add_location(p, 1, (Position){0}), &step);
}

static void play(Scene *scene) {
  add_step(scene, 0, STEP_CREATE, 1, true);
  add_change(scene, scene->control, NO_ID, 0, 1);
  add_step(scene, 0, STEP_LOCK, 2, true);
  add_change(scene, scene->lock, NO_ID, 0, 1);
  add_step(scene, 1, STEP_START, 1, false);
  add_change(scene, scene->control, NO_ID, 1, 1)->read = true;
  add_step(scene, 1, STEP_PLAIN, 3, false);
  add_change(scene, scene->x, NO_ID, 7, 7)->read = true;
  add_change(scene, NO_ID, scene->local, 0, 0xffffffff);
  LocationId at = add_step(scene, 1, STEP_PLAIN, 9, true);
  add_change(scene, NO_ID, scene->pointer, 0, scene->program->cells.data[scene->lock].address);
  wants_lock(scene, at);
  program_index(scene->program);
}

static void make(Scene *scene) {
  Text out, error;
  text_init(&out, NULL);
  text_init(&error, NULL);
  Report report = {.result = scene->result,
                   .program = scene->program,
                   .trace = &scene->trace,
                   .files = &scene->path,
                   .file_count = 1,
                   .version = "1",
                   .data_model = "LP64"};
  html_add_data(&report, &out);
  assert_null(strpbrk(out.data, "<>&"));
  scene->data = json_parse(out.data, out.length, &error);
  if (!scene->data) fail_msg("%s in:\n%s", error.data, out.data);
  text_free(&error);
  text_free(&out);
}

// A member of nested arrays, as text without blanks.
static void assert_row(const Scene *scene, const char *table, int row, const char *wanted) {
  char *text = cJSON_PrintUnformatted(cJSON_GetArrayItem(cJSON_GetObjectItem(scene->data, table), row));
  assert_non_null(text);
  assert_string_equal(text, wanted);
  cJSON_free(text);
}

static void test_trace(void **state) {
  (void)state;
  Scene scene;
  scene_init(&scene, "no-such-file.c");
  play(&scene);
  make(&scene);
  assert_row(&scene, "threads", 1, "{\"path\":\"0.0\",\"label\":\"0.0\",\"routine\":\"worker\",\"parent\":0}");
  assert_row(&scene, "sources", 0, "{\"path\":\"no-such-file.c\",\"text\":null}");
  assert_row(&scene, "places", 0, "[\"x\",\"shared\",-1,\"7\",-1]");
  assert_row(&scene, "places", 1, "[\"m\",\"lock\",-1,\"0\",-1]"); // the object's name says it all
  assert_row(&scene, "places", 2, "[\"thread 0.0.status\",\"control\",1,\"0\",-1]");
  assert_row(&scene, "places", 3, "[\"seen\",\"local\",1,null,0]");
  assert_row(&scene, "places", 4, "[\"mutex.addr\",\"temporary\",1,null,1]"); // the library's own
  assert_row(&scene, "steps", 0, "[0,2,[\"create\",1],[[2,8,\"1\"]],-1,-1]");
  assert_row(&scene, "steps", 1, "[0,3,[\"lock\",1],[[1,8,\"1\"]],-1,-1]");
  assert_row(&scene, "steps", 2, "[1,-1,[\"start\",0],[[2,9,\"1\"]],-1,-1]"); // a start has no place of its own
  assert_row(&scene, "steps", 3, "[1,0,0,[[0,1,\"7\"],[3,0,\"-1\"]],-1,-1]");
  assert_row(&scene, "steps", 4, "[1,1,0,[[4,8,\"&m[0]\"]],1,1]"); // it wants the lock that its pointer names
  assert_row(&scene, "positions", 0, "[0,3,\"f\"]");
  assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(scene.data, "steps")), 5);
  assert_int_equal(cJSON_GetObjectItem(scene.data, "loop")->valueint, -1);
  scene_free(&scene);
}

static void test_lasso(void **state) {
  (void)state;
  Scene scene;
  scene_init(&scene, "no-such-file.c");
  play(&scene);
  scene.result->schedule->loop_start = 3;
  make(&scene);
  assert_int_equal(cJSON_GetObjectItem(scene.data, "loop")->valueint, 3);
  scene_free(&scene);
}

static void test_hostile_source(void **state) {
  (void)state;
  static const char source[] =
      "\"</script><!--\\\t\xff\xc3 \xed\xa0\x80 \xf5\x80\x80\x80 \xc0\xaf \xc3\xa9\xf0\x9f\x98\x80\x01\x00&\n";
  char path[] = "/tmp/heddle-test-XXXXXX.c";
  int file = mkstemps(path, 2);
  assert_true(file >= 0);
  assert_int_equal(write(file, source, sizeof source - 1), (ssize_t)sizeof source - 1);
  close(file);
  Scene scene;
  scene_init(&scene, path);
  text_add(&scene.result->violation, "x <b> & \"y\"");
  make(&scene);
  unlink(path);
  assert_string_equal(json_string(scene.data, "violation"), "x <b> & \"y\"");
  const char *text = json_string(cJSON_GetArrayItem(cJSON_GetObjectItem(scene.data, "sources"), 0), "text");
#define BROKEN "\xef\xbf\xbd"
  const char *wanted = "\"</script><!--\\\t" BROKEN BROKEN " " BROKEN BROKEN BROKEN " " BROKEN BROKEN BROKEN BROKEN
                       " " BROKEN BROKEN " \xc3\xa9\xf0\x9f\x98\x80\x01";
  assert_memory_equal(text, wanted, strlen(wanted)); // cJSON ends the text at the zero byte
  scene_free(&scene);
}

// A string cut anywhere is still a string.
static void test_cut_character(void **state) {
  (void)state;
  Text out;
  text_init(&out, NULL);
  html_add_string(&out, "a\xf0\x9f\x98", 4);
  assert_string_equal(out.data, "\"a\\ufffd\\ufffd\\ufffd\"");
  text_free(&out);
}

static void test_page(void **state) {
  (void)state;
  Result *result = result_new(PROPERTY_NO_DATA_RACE, NULL);
  result_unknown(result, "out of {{data}} </script>");
  result_add_cut(result, CUT_THREADS, "more than 8 threads");
  result->assumptions = 1u << ASSUME_WRAPPING;
  const char *file = "dir/a<b>&c.c";
  Report report = {.result = result, .files = &file, .file_count = 1, .version = "1", .data_model = "LP64"};
  Text out;
  text_init(&out, NULL);
  Text data;
  text_init(&data, NULL);
  report_page_data(&report, &data);
  report_page(report.result->answer, report.files[0], data.data, &out);
  text_free(&data);
  assert_non_null(strstr(out.data, "<title>UNKNOWN: a&lt;b>&amp;c.c</title>"));
  assert_non_null(strstr(out.data, "out of {{data}} \\u003c/script\\u003e"));
  assert_non_null(strstr(out.data, "[\"thread limit\",\"more than 8 threads\"]"));
  assert_non_null(strstr(out.data, "signed overflow wraps"));
  assert_non_null(strstr(out.data, "buildModel")); // the scripts are there
  assert_null(strstr(out.data, "{{title}}"));
  assert_null(strstr(out.data, "\"steps\":["));
  text_free(&out);
  result_free(result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_trace),         cmocka_unit_test(test_lasso), cmocka_unit_test(test_hostile_source),
      cmocka_unit_test(test_cut_character), cmocka_unit_test(test_page),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
