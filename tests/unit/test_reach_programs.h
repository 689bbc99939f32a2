// Small concurrent programs for the tests of reach, and searches of them.
#ifndef HEDDLE_TEST_REACH_PROGRAMS_H
#define HEDDLE_TEST_REACH_PROGRAMS_H

#include "reach/domains/domains.h"
#include "reach/reach.h"
#include "test_replay_support.h"

enum { MAIN = 0, FIRST = 1, SECOND = 2 };

static const ReductionKind *const reductions[] = {&reduction_none, &reduction_local, &reduction_monotone,
                                                  &reduction_persistent, &reduction_aware};
enum { REDUCTIONS = sizeof reductions / sizeof *reductions };

// --- programs ---

static inline Term plus(Build *b, VariableId v, uint64_t value) {
  return term_add_constant(b->p->terms, build_value(b, v), value);
}

// Two workers add one to x; main joins both and wants 2.
static inline void make_counter(Build *b, bool locked) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  ObjectId x = build_int(b, "x"), mutex = build_int(b, "mutex");
  for (ThreadId t = FIRST; t <= SECOND; t++) {
    build_thread(b, "worker", MAIN);
    VariableId v = build_variable(b, t, 32, "v");
    if (locked) build_lock(b, t, mutex);
    build_load(b, t, v, x);
    build_store_at(b, t, build_address(b, x, 0), plus(b, v, 1));
    if (locked) build_unlock(b, t, mutex);
    build_exit(b, t);
  }
  for (ThreadId t = FIRST; t <= SECOND; t++) build_create(b, MAIN, t);
  for (ThreadId t = FIRST; t <= SECOND; t++) build_join(b, MAIN, t);
  VariableId seen = build_variable(b, MAIN, 32, "total");
  build_load(b, MAIN, seen, x);
  build_error_if(b, MAIN, term_not(b->p->terms, build_equals(b, seen, 2)));
  build_exit(b, MAIN);
  passes_prepare(b->p, NULL);
}

// Both threads turn x from 0 to 1 and from 1 to 0 for ever; it is never `bad`. Needs covers.
static inline void make_flipper(Build *b, uint64_t bad) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "worker", MAIN);
  build_create(b, MAIN, FIRST);
  ObjectId x = build_int(b, "x");
  for (ThreadId t = MAIN; t <= FIRST; t++) {
    VariableId v = build_variable(b, t, 32, "v");
    LocationId head = b->at[t];
    build_load(b, t, v, x);
    build_error_if(b, t, build_equals(b, v, bad));
    Term one = build_constant(b, 32, 1);
    build_store_at(b, t, build_address(b, x, 0), term_sub(b->p->terms, one, build_value(b, v)));
    build_jump(b, t, head);
  }
  passes_prepare(b->p, NULL);
}

// One thread works on its own for ever, the other fails after a few steps if `fails`.
static inline void make_ignored(Build *b, bool fails) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "worker", MAIN);
  build_create(b, MAIN, FIRST);
  ObjectId x = build_int(b, "x");
  VariableId turn = build_variable(b, MAIN, 8, "turn"), v = build_variable(b, FIRST, 32, "v");
  LocationId head = b->at[MAIN];
  build_assign(b, MAIN, turn, plus(b, turn, 1));
  LocationId otherwise = build_branch(b, MAIN, build_equals(b, turn, 3));
  build_assign(b, MAIN, turn, build_constant(b, 8, 0));
  build_jump(b, MAIN, head);
  b->at[MAIN] = otherwise;
  build_jump(b, MAIN, head);
  build_store(b, FIRST, x, 1);
  build_load(b, FIRST, v, x);
  build_store_at(b, FIRST, build_address(b, x, 0), plus(b, v, 1));
  build_load(b, FIRST, v, x);
  build_error_if(b, FIRST, build_equals(b, v, fails ? 2 : 3));
  build_exit(b, FIRST);
  passes_prepare(b->p, NULL);
}

// An input that is tested twice, and shared in between.
static inline void make_input(Build *b, uint64_t bad) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "worker", MAIN);
  build_create(b, MAIN, FIRST);
  ObjectId x = build_int(b, "x");
  VariableId in = build_variable(b, MAIN, 32, "in"), v = build_variable(b, FIRST, 32, "v");
  build_assign(b, MAIN, in, VALUE_INPUT);
  build_guarded(b, MAIN, STEP_ASSUME,
                term_binary(b->p->terms, TERM_ULT, build_value(b, in), build_constant(b, 32, 10)));
  build_store_at(b, MAIN, build_address(b, x, 0), build_value(b, in));
  build_exit(b, MAIN);
  build_load(b, FIRST, v, x);
  build_error_if(b, FIRST, build_equals(b, v, bad));
  build_exit(b, FIRST);
  passes_prepare(b->p, NULL);
}

// --- random programs ---

static inline uint32_t random_below(uint64_t *seed, uint32_t limit) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*seed >> 33) % limit;
}

static inline void random_step(Build *b, ThreadId t, const ObjectId *objects, ObjectId mutex, VariableId v,
                               uint64_t *seed) {
  ObjectId x = objects[random_below(seed, 2)];
  switch (random_below(seed, 8)) {
  case 0: build_store(b, t, x, random_below(seed, 3)); break;
  case 1: build_load(b, t, v, x); break;
  case 2: build_store_at(b, t, build_address(b, x, 0), plus(b, v, 1)); break;
  case 3:
    build_lock(b, t, mutex);
    build_load(b, t, v, x);
    build_store_at(b, t, build_address(b, x, 0), plus(b, v, 1));
    build_unlock(b, t, mutex);
    break;
  case 4:
    build_section(b, t);
    build_load(b, t, v, x);
    build_store_at(b, t, build_address(b, objects[0], 0), plus(b, v, 1));
    build_section_end(b, t);
    break;
  case 5: build_await(b, t, STEP_WAIT, build_address(b, x, 0), random_below(seed, 2)); break;
  case 6: {
    LocationId otherwise = build_branch(b, t, build_equals(b, v, random_below(seed, 3)));
    build_store(b, t, x, 2);
    build_jump(b, t, otherwise);
    break;
  }
  default:
    build_load(b, t, v, x);
    build_error_if(b, t, build_equals(b, v, 1 + random_below(seed, 3)));
    break;
  }
}

static inline void make_random(Build *b, uint64_t seed) {
  build_begin(b);
  unsigned threads = 2 + random_below(&seed, 2);
  for (ThreadId t = 0; t < threads; t++) build_thread(b, "thread", t == MAIN ? NO_ID : MAIN);
  ObjectId objects[] = {build_int(b, "x"), build_int(b, "y")}, mutex = build_int(b, "mutex");
  for (ThreadId t = FIRST; t < threads; t++) build_create(b, MAIN, t);
  for (ThreadId t = 0; t < threads; t++) {
    VariableId v = build_variable(b, t, 32, "v");
    for (unsigned i = 0; i < 3; i++) random_step(b, t, objects, mutex, v, &seed);
    build_exit(b, t);
  }
  passes_prepare(b->p, NULL);
}

// --- running ---

static inline Answer ask_engine(Build *b, const Engine *engine, const EngineOptions *options) {
  Budget budget;
  budget_init(&budget, 0, NULL);
  Log quiet = {.level = LOG_QUIET};
  Context context = {.program = b->p,
                     .property = PROPERTY_UNREACH_CALL,
                     .options = options,
                     .budget = &budget,
                     .log = &quiet,
                     .account = &b->account};
  Result *result = engine->run(&context);
  Answer answer = result->answer;
  if (answer == ANSWER_UNKNOWN) print_message("%s\n", result->reason.data);
  result_free(result);
  return answer;
}

typedef struct Search {
  Program *view;
  Explorer explorer;
  AnyDomain domain;
  Budget budget;
  Account *account;
  ExploreAnswer answer;
} Search;

static inline void search_open_in(Search *s, Build *b, DomainKind domain, ExploreOptions options, bool large) {
  *s = (Search){.account = &b->account};
  budget_init(&s->budget, 0, NULL);
  s->view = program_view(b->p);
  passes_reduce(s->view, PRESERVES_REACHABILITY, large ? BLOCK_LARGE : BLOCK_SINGLE);
  Log quiet = {.level = LOG_QUIET};
  explorer_init(&s->explorer, s->view, &options, &s->budget, &quiet, s->account);
  s->answer = explorer_run(&s->explorer, domain_open(&s->domain, domain, &s->explorer));
}

static inline void search_open(Search *s, Build *b, ExploreOptions options, bool large) {
  search_open_in(s, b, DOMAIN_LABEL, options, large);
}

static inline void search_close(Search *s) {
  s->domain.domain.operations->free(&s->domain.domain);
  explorer_free(&s->explorer);
  program_free_view(s->view);
}

// --- programs with known answers ---

// What a test makes of a program; it ends the program.
typedef void (*Expectation)(Build *b, Answer expected, uint64_t number);

static inline void expect_small_programs(Expectation expect) {
  Build b;
  make_counter(&b, true);
  expect(&b, ANSWER_SAFE, 0);
  make_counter(&b, false);
  expect(&b, ANSWER_UNSAFE, 1);
  make_flipper(&b, 7);
  expect(&b, ANSWER_SAFE, 2);
  make_flipper(&b, 1);
  expect(&b, ANSWER_UNSAFE, 3);
  make_ignored(&b, false);
  expect(&b, ANSWER_SAFE, 4);
  make_ignored(&b, true);
  expect(&b, ANSWER_UNSAFE, 5);
  make_input(&b, 12);
  expect(&b, ANSWER_SAFE, 6);
  make_input(&b, 9);
  expect(&b, ANSWER_UNSAFE, 7);
}

// Random programs, judged by the exhaustive search.
static inline void expect_random_programs(unsigned count, Expectation expect) {
  unsigned safe = 0, unsafe = 0;
  for (uint64_t seed = 1; seed <= count; seed++) {
    Build b;
    make_random(&b, seed);
    EngineOptions exhaustive = build_options("none");
    Answer expected = ask_engine(&b, &explicit_engine, &exhaustive);
    safe += expected == ANSWER_SAFE;
    unsafe += expected == ANSWER_UNSAFE;
    expect(&b, expected, seed);
  }
  assert_true(safe > count / 8 && unsafe > count / 8);
}

#endif
