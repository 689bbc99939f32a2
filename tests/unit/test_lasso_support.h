// Lassos of hand-built programs (test_replay_support.h): a schedule is built along where threads stand.
#ifndef HEDDLE_TESTS_LASSO_SUPPORT_H
#define HEDDLE_TESTS_LASSO_SUPPORT_H

#include "judge/lasso.h"
#include "test_replay_support.h"

// A program with a schedule under way. Where each thread stands is followed along the schedule.
typedef struct Scene {
  Build b;
  ObjectId x;
  Schedule *schedule;
  LocationId at[BUILD_THREADS];
} Scene;

static inline void scene_begin(Scene *s) {
  *s = (Scene){0};
  build_begin(&s->b);
  s->x = build_int(&s->b, "x");
}

// The program is complete: from here on it is run.
static inline void scene_run(Scene *s) {
  passes_prepare(s->b.p, NULL);
  s->schedule = schedule_new(&s->b.account);
  s->schedule->fingerprint = s->b.p->fingerprint;
  s->schedule->property = PROPERTY_LTL;
  for (ThreadId t = 0; t < s->b.p->threads.count; t++) s->at[t] = s->b.p->threads.data[t].entry;
}

static inline void scene_end(Scene *s) {
  if (s->schedule) schedule_free(s->schedule);
  build_end(&s->b);
}

static inline void go_choosing(Scene *s, ThreadId thread, uint32_t way, const Bits *choices, size_t count) {
  const Location *location = &s->b.p->locations.data[s->at[thread]];
  assert_true(way < location->out_count);
  EdgeId edge = s->b.p->out_edges.data[location->first_out + way];
  schedule_add(s->schedule, thread, edge, choices, count);
  s->at[thread] = s->b.p->edges.data[edge].to;
}

// So many steps of the thread, by the first way out each time.
static inline void go(Scene *s, ThreadId thread, unsigned steps) {
  for (unsigned i = 0; i < steps; i++) go_choosing(s, thread, 0, NULL, 0);
}

static inline void loop_here(Scene *s) { s->schedule->loop_start = (uint32_t)s->schedule->steps.count; }

// Atoms are `name == number`, or places whose bits the program has.
static inline void observe(Scene *s, const LtlProperty *ltl) {
  Program *p = s->b.p;
  p->observations.count = 0;
  for (size_t i = 0; i < ltl->atoms.count; i++) {
    char name[20];
    unsigned value;
    if (ltl->atoms.data[i].place) {
      TermVector_push(&p->observations, TERM_NONE);
      continue;
    }
    assert_int_equal(sscanf(ltl->atoms.data[i].text, "%19s == %u", name, &value), 2);
    CellId cell = 0;
    while (strcmp(p->cells.data[cell].name, name) != 0) cell++;
    Term term = p->cells.data[cell].term;
    TermVector_push(&p->observations,
                    term_eq(p->terms, term, build_constant(&s->b, term_width(p->terms, term), value)));
  }
}

// A step that stays where it is, for ever.
static inline void build_idle(Build *b, ThreadId t) { build_jump(b, t, b->at[t]); }

#endif
