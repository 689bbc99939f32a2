// Small concurrent programs for the tests of reach, and searches of them.
#ifndef HEDDLE_TEST_REACH_PROGRAMS_H
#define HEDDLE_TEST_REACH_PROGRAMS_H

#include "reach/label.h"
#include "reach/reach.h"
#include "test_replay_support.h"

enum { MAIN = 0, FIRST = 1, SECOND = 2 };

static const ReductionKind *const reductions[] = {&reduction_none, &reduction_local, &reduction_monotone};

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
  passes_prepare(b->p);
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
  passes_prepare(b->p);
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
  passes_prepare(b->p);
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
  passes_prepare(b->p);
}

// --- running ---

typedef struct Search {
  Program *view;
  Explorer explorer;
  LabelDomain domain;
  Budget budget;
  Account *account;
  ExploreAnswer answer;
} Search;

static inline void search_open(Search *s, Build *b, ExploreOptions options, bool large) {
  *s = (Search){.account = &b->account};
  budget_init(&s->budget, 0, NULL);
  s->view = program_view(b->p);
  passes_reduce(s->view, PRESERVES_REACHABILITY, large);
  Log quiet = {.level = LOG_QUIET};
  explorer_init(&s->explorer, s->view, &options, &s->budget, &quiet, s->account);
  label_domain_init(&s->domain, &s->explorer);
  s->answer = explorer_run(&s->explorer, &s->domain.domain);
}

static inline void search_close(Search *s) {
  s->domain.domain.operations->free(&s->domain.domain);
  explorer_free(&s->explorer);
  program_free_view(s->view);
}

#endif
