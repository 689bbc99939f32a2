// Places of formulas: which locations at(...) means, and what is said where there is none.
#include "test_program_support.h"

#include "program/facts/places.h"

enum { MAIN = 0, LINE = 10 }; // of the first step of a thread's routine

// A step of the line of the function.
static LocationId add_step(Make *m, ThreadId t, const char *function, uint32_t line) {
  Step step = make_step(m, STEP_PLAIN);
  step.position =
      (Position){.file = intern(&m->p->strings, "test.c"), .function = intern(&m->p->strings, function), .line = line};
  LocationId from = m->at[t];
  make_emit(m, t, &step);
  return from;
}

static void add_label(Make *m, const char *name, const char *function, uint32_t line) {
  Label label = {.name = intern(&m->p->strings, name), .function = intern(&m->p->strings, function), .lines = {line}};
  LabelVector_push(&m->p->labels, label);
}

typedef struct Places {
  Make m;
  LocationId entry[2], first[2], second[2], called[2]; // per worker
  Text error;
} Places;

// main creates two workers: worker:10, worker:11 (label `busy`), and helper:20 (label `busy` of another function),
// called twice.
static void set_up(Places *f) {
  make_begin(&f->m, 64);
  text_init(&f->error, &f->m.account);
  for (unsigned i = 0; i < 2; i++) {
    ThreadId t = make_thread(&f->m, MAIN, i, "worker");
    f->entry[i] = f->m.p->threads.data[t].entry;
    edge_only_step(f->m.p, (EdgeId)(f->m.p->edges.count - 1))->position =
        (Position){.function = intern(&f->m.p->strings, "worker"), .line = LINE};
    f->first[i] = add_step(&f->m, t, "worker", LINE);
    f->second[i] = add_step(&f->m, t, "worker", LINE + 1);
    f->called[i] = add_step(&f->m, t, "helper", 20);
    make_exit(&f->m, t);
    make_create(&f->m, MAIN, t);
  }
  make_exit(&f->m, MAIN);
  add_label(&f->m, "busy", "worker", LINE + 1);
  add_label(&f->m, "busy", "helper", 20);
  add_label(&f->m, "away", "helper", 21);
  program_index(f->m.p);
}

static void tear_down(Places *f) {
  text_free(&f->error);
  make_end(&f->m);
}

static bool is_observed(const Places *f, LocationId location, uint32_t observation) {
  return f->m.p->locations.data[location].observed >> observation & 1;
}

static size_t count_observed(const Places *f, uint32_t observation) {
  size_t count = 0;
  for (LocationId l = 0; l < f->m.p->locations.count; l++) count += is_observed(f, l, observation);
  return count;
}

static void test_lines(void **state) {
  (void)state;
  Places f;
  set_up(&f);
  assert_true(program_observe_place(f.m.p, 3, "worker:10", &f.error));
  for (unsigned i = 0; i < 2; i++) {
    assert_true(is_observed(&f, f.first[i], 3));
    assert_false(is_observed(&f, f.entry[i], 3)); // its start belongs to its creation
  }
  assert_int_equal(count_observed(&f, 3), 2);
  // Another observation of the same places does not take the first away.
  assert_true(program_observe_place(f.m.p, 63, " worker : 10 , 0.1 ", &f.error));
  assert_true(is_observed(&f, f.first[1], 63));
  assert_int_equal(count_observed(&f, 63), 1);
  assert_int_equal(count_observed(&f, 3), 2);
  assert_int_equal(f.error.length, 0);
  tear_down(&f);
}

static void test_labels(void **state) {
  (void)state;
  Places f;
  set_up(&f);
  assert_true(program_observe_place(f.m.p, 0, "busy", &f.error)); // of both functions
  assert_int_equal(count_observed(&f, 0), 4);
  assert_true(program_observe_place(f.m.p, 1, "helper:busy", &f.error));
  assert_true(is_observed(&f, f.called[0], 1) && is_observed(&f, f.called[1], 1));
  assert_int_equal(count_observed(&f, 1), 2);
  assert_true(program_observe_place(f.m.p, 2, "worker:busy,0.0", &f.error));
  assert_true(is_observed(&f, f.second[0], 2));
  assert_int_equal(count_observed(&f, 2), 1);
  tear_down(&f);
}

// The first line that has a step counts, whichever thread takes it.
static void test_lines_of_labels(void **state) {
  (void)state;
  Places f;
  set_up(&f);
  Label *label = LabelVector_last(&f.m.p->labels);
  *label = (Label){.name = intern(&f.m.p->strings, "loop"),
                   .function = intern(&f.m.p->strings, "worker"),
                   .lines = {LINE - 1, 20, LINE + 1, LINE}, // 20 is a line of another function
                   .crowded = LINE};
  assert_true(program_observe_place(f.m.p, 0, "loop", &f.error));
  assert_true(is_observed(&f, f.second[0], 0) && is_observed(&f, f.second[1], 0));
  assert_int_equal(count_observed(&f, 0), 2);
  assert_false(program_observe_place(f.m.p, 1, "loop, 0", &f.error));
  assert_string_equal(f.error.data, "no thread takes a step there");
  text_clear(&f.error);
  label->crowded = LINE + 1;
  assert_false(program_observe_place(f.m.p, 2, "loop", &f.error));
  assert_string_equal(f.error.data,
                      "label loop stands behind other statements of its line; put it on a line of its own");
  assert_int_equal(count_observed(&f, 1) + count_observed(&f, 2), 0);
  // Other labels are not concerned.
  text_clear(&f.error);
  assert_true(program_observe_place(f.m.p, 3, "busy", &f.error));
  for (uint32_t i = 0; i < MOST_LABEL_LINES; i++) label->lines[i] = 100 + i;
  label->crowded = 0;
  assert_false(program_observe_place(f.m.p, 4, "loop", &f.error));
  assert_string_equal(f.error.data, "no thread takes a step there");
  tear_down(&f);
}

static void test_nowhere(void **state) {
  (void)state;
  static const struct {
    const char *place, *error;
  } rows[] = {
      {"absent:10", "no step is in a function absent"},
      {"worker:9", "no thread takes a step there"},
      {"worker:20", "no thread takes a step there"}, // the line is one of another function
      {"lost", "there is no label lost"},
      {"worker:away", "there is no label away"},
      {"away", "no thread takes a step there"}, // behind it there is no step
      {"busy, 0.2", "there is no thread 0.2"},
      {"busy, 0", "no thread takes a step there"}, // main never comes there
      {"worker:10, ", "the path of a thread is missing behind the comma"},
      {"busy,", "the path of a thread is missing behind the comma"},
      {"10", "at() wants function:line, function:label or a label"},
      {"", "at() wants function:line, function:label or a label"},
      {"worker:", "at() wants function:line, function:label or a label"},
  };
  Places f;
  set_up(&f);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    text_clear(&f.error);
    assert_false(program_observe_place(f.m.p, 5, rows[i].place, &f.error));
    assert_string_equal(f.error.data, rows[i].error);
  }
  assert_int_equal(count_observed(&f, 5), 0);
  tear_down(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_labels),
      cmocka_unit_test(test_lines_of_labels),
      cmocka_unit_test(test_nowhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
