// The room dependence: closures against their definition, and the facts about a program in which a blocked thread
// decides which sets are persistent.
#include "dependence/closure.h"
#include "dependence/conflict.h"
#include "dependence/futures.h"
#include "dependence/lock_patterns.h"
#include "test_program_support.h"

// --- closures of random relations ---

enum { THREADS = 9, ROUNDS = 3000 };

// Thread m pulls in thread o if bit o of pulls[m] is set, unless the set holds all of keeps[m][o] (0: always).
typedef struct Relation {
  ThreadMask pulls[THREADS], keeps[THREADS][THREADS];
  unsigned asked[THREADS][THREADS];
} Relation;

static uint64_t next_random(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 33;
}

static bool pulls_in(const Relation *r, ThreadMask set, ThreadId m, ThreadId o) {
  bool kept = r->keeps[m][o] != 0 && (r->keeps[m][o] & ~set) == 0;
  return (r->pulls[m] & thread_bit(o)) && !kept;
}

static bool relation_joins(void *context, ThreadMask set, ThreadMask members, ThreadId other) {
  Relation *r = context;
  bool joins = false;
  assert_true((members & ~set) == 0 && members != 0 && !(set & thread_bit(other)));
  for (; members != 0; members &= members - 1) {
    r->asked[first_thread(members)][other]++;
    joins = joins || pulls_in(r, set, first_thread(members), other);
  }
  return joins;
}

static void random_relation(Relation *r, uint64_t *seed, bool keeps) {
  *r = (Relation){0};
  for (ThreadId m = 0; m < THREADS; m++) {
    r->pulls[m] = next_random(seed) & next_random(seed) & thread_mask_below(THREADS);
    for (ThreadId o = 0; keeps && o < THREADS; o++)
      if (next_random(seed) % 3 == 0) r->keeps[m][o] = next_random(seed) & thread_mask_below(THREADS);
  }
}

static ThreadMask reachable(const Relation *r, ThreadMask initial, ThreadMask candidates) {
  ThreadMask set = initial;
  for (bool grown = true; grown;) {
    grown = false;
    for (ThreadId m = 0; m < THREADS; m++) {
      ThreadMask more = set & thread_bit(m) ? r->pulls[m] & candidates & ~set : 0;
      set |= more;
      grown |= more != 0;
    }
  }
  return set;
}

static void test_least_closed_set(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (int i = 0; i < ROUNDS; i++) {
    Relation r;
    random_relation(&r, &seed, false);
    ThreadMask candidates = next_random(&seed) & thread_mask_below(THREADS);
    ThreadMask initial = thread_bit((ThreadId)(next_random(&seed) % THREADS));
    Closure closure = {.candidates = candidates, .joins = relation_joins, .context = &r};
    assert_int_equal(closure_of(&closure, initial, 0, NO_CLOSURE_LIMIT), reachable(&r, initial, candidates));
  }
}

// If members keep others out, the set is closed all the same, and no pair is asked twice.
static void test_antitone_relation(void **state) {
  (void)state;
  uint64_t seed = 2;
  unsigned smaller = 0;
  for (int i = 0; i < ROUNDS; i++) {
    Relation r;
    random_relation(&r, &seed, true);
    Closure closure = {.candidates = thread_mask_below(THREADS), .joins = relation_joins, .context = &r};
    ThreadMask initial = thread_bit((ThreadId)(next_random(&seed) % THREADS));
    ThreadMask set = closure_of(&closure, initial, 0, NO_CLOSURE_LIMIT);
    for (ThreadId m = 0; m < THREADS; m++)
      for (ThreadId o = 0; o < THREADS; o++) {
        assert_true(r.asked[m][o] <= 1);
        if (set & thread_bit(m) && !(set & thread_bit(o))) assert_false(pulls_in(&r, set, m, o));
      }
    smaller += set != reachable(&r, initial, closure.candidates);
  }
  assert_true(smaller > 0);
}

static void test_limit(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int i = 0; i < ROUNDS; i++) {
    Relation r;
    random_relation(&r, &seed, false);
    ThreadMask all = thread_mask_below(THREADS), enabled = next_random(&seed) & all;
    ThreadMask initial = thread_bit((ThreadId)(next_random(&seed) % THREADS));
    Closure closure = {.candidates = all, .joins = relation_joins, .context = &r};
    unsigned limit = 2 + (unsigned)(next_random(&seed) % 4);
    ThreadMask set = closure_of(&closure, initial, enabled, limit), full = reachable(&r, initial, all);
    assert_int_equal(set & ~full, 0);
    if (thread_mask_count(full & enabled) < limit) assert_int_equal(set, full);
    if (set != full) assert_true(thread_mask_count(set & enabled) >= limit);
  }
}

static void test_smallest(void **state) {
  (void)state;
  uint64_t seed = 4;
  unsigned ties = 0;
  for (int i = 0; i < ROUNDS; i++) {
    Relation r, more;
    random_relation(&r, &seed, false);
    more = r;
    for (ThreadId m = 0; m < THREADS; m++) more.pulls[m] |= next_random(&seed) & thread_mask_below(THREADS);
    ThreadMask all = thread_mask_below(THREADS), enabled = next_random(&seed) & all;
    Closure closure = {.candidates = all, .joins = relation_joins, .context = &r}, tie = closure;
    tie.context = &more;
    bool second = next_random(&seed) & 1;
    ThreadMask best = enabled;
    unsigned count = thread_mask_count(enabled), later = count;
    for (ThreadId s = 0; s < THREADS; s++) {
      if (!(enabled & thread_bit(s))) continue;
      ThreadMask set = reachable(&r, thread_bit(s), all) & enabled;
      unsigned here = thread_mask_count(set), there = here;
      if (second) there = thread_mask_count(reachable(&more, thread_bit(s), all) & enabled);
      if (here > count || (here == count && there >= later)) continue;
      ties += here == count;
      best = set, count = here, later = there;
    }
    assert_int_equal(closure_smallest(&closure, second ? &tie : NULL, enabled, enabled), best);
  }
  assert_true(ties > 0);
}

// --- a program ---

// The steps of a program as they are, without layout and transitions.
static void touch_steps(const void *context, EdgeId edge, ThingVisit visit, void *to) {
  const Program *p = context;
  uint32_t steps, cells;
  const Step *step = edge_steps(p, edge, &steps);
  for (uint32_t i = 0; i < steps; i++) {
    if (step[i].access.address == TERM_NONE) continue;
    const CellId *list = access_cells(p, &step[i].access, &cells);
    for (uint32_t k = 0; k < cells; k++) visit(to, list[k], step[i].access.reads, step[i].access.writes);
  }
}

static uint32_t lock_thing(const void *context, EdgeId edge) {
  const Step *step = edge_first_step(context, edge);
  if (step->kind != STEP_LOCK || step->access.cells.count != 1) return NO_ID;
  return cell_set_cells(context, step->access.cells)[0];
}

static ThreadMask created_by(const void *context, EdgeId edge) {
  const Step *step = edge_first_step(context, edge);
  return step->kind == STEP_CREATE ? thread_bit(step->target) : 0;
}

enum { MAIN, WRITER, READER, RELEASER };

// Main creates three threads. The writer: x, and then y under the lock `own`. The reader: waits for `gate`, reads x,
// and then y under `own`. The releaser frees `gate`.
typedef struct Facts {
  Make m;
  MayTouch touch;
  HeldLocks locks;
  Futures futures;
  LocationId at[MAKE_THREADS]; // behind START
  uint32_t x, y, gate;         // resources
} Facts;

static uint32_t resource_of(const Facts *f, ObjectId object) {
  const Program *p = f->m.p;
  return may_touch_resource(&f->touch, program_cell_at(p, p->objects.data[object].address));
}

static void set_up(Facts *f) {
  Make *m = &f->m;
  make_begin(m, 64);
  ObjectId x = make_object(m, 4, "x"), y = make_object(m, 4, "y");
  ObjectId gate = make_object(m, 4, "gate"), own = make_object(m, 4, "own");
  for (ThreadId t = WRITER; t <= RELEASER; t++) make_create(m, MAIN, make_thread(m, MAIN, t - 1, "worker"));
  make_exit(m, MAIN);
  Term one = make_constant(m, 32, 1);
  make_store(m, WRITER, make_address(m, x, 0), one);
  make_lock(m, READER, STEP_LOCK, make_address(m, gate, 0));
  make_load(m, READER, make_variable(m, READER, 32, "seen"), make_address(m, x, 0));
  for (ThreadId t = WRITER; t <= READER; t++) {
    make_lock(m, t, STEP_LOCK, make_address(m, own, 0));
    make_store(m, t, make_address(m, y, 0), one);
    make_lock(m, t, STEP_UNLOCK, make_address(m, own, 0));
  }
  make_store(m, RELEASER, make_address(m, gate, 0), make_constant(m, 32, 0));
  for (ThreadId t = WRITER; t <= RELEASER; t++) make_exit(m, t);
  program_index(m->p);
  passes_prepare(m->p, NULL);
  TouchSource source = {.program = m->p,
                        .context = m->p,
                        .thing_count = m->p->cells.count,
                        .each_touch = touch_steps,
                        .locks = lock_thing,
                        .creates = created_by};
  may_touch_init(&f->touch, &source, (TouchRowRange){NEXT_READS, LATER_RELEASES, 1 << 20}, &m->account);
  assert_non_null(f->touch.rows);
  held_locks_init(&f->locks, m->p, &m->account);
  futures_init(&f->futures, &f->touch, &f->locks, &m->account);
  EdgeId start;
  for (ThreadId t = 0; t < MAKE_THREADS; t++) f->at[t] = thread_beginning(m->p, t, &start);
  f->x = resource_of(f, x);
  f->y = resource_of(f, y);
  f->gate = resource_of(f, gate);
}

static void tear_down(Facts *f) {
  futures_free(&f->futures);
  held_locks_free(&f->locks);
  may_touch_free(&f->touch);
  make_end(&f->m);
}

static bool has(const Facts *f, ThreadId thread, TouchRow row, uint32_t resource) {
  return may_touch_has(&f->touch, f->at[thread], row, resource);
}

static void test_rows(void **state) {
  (void)state;
  Facts f;
  set_up(&f);
  assert_true(has(&f, WRITER, NEXT_WRITES, f.x) && !has(&f, WRITER, NEXT_READS, f.x));
  assert_true(has(&f, READER, LATER_READS, f.x) && !has(&f, READER, NEXT_READS, f.x));
  assert_true(has(&f, READER, NEXT_READS, f.gate) && has(&f, READER, NEXT_WRITES, f.gate));
  assert_false(has(&f, RELEASER, LATER_WRITES, f.x));
  assert_false(has(&f, MAIN, LATER_WRITES, f.x)); // its children's steps are not its own
  assert_int_equal(f.touch.creates[f.at[MAIN]], thread_mask_below(MAKE_THREADS) & ~thread_bit(MAIN));
  tear_down(&f);
}

// Only the releaser can free the gate without having taken it.
static void test_releases(void **state) {
  (void)state;
  Facts f;
  set_up(&f);
  assert_true(has(&f, READER, LATER_WRITES, f.gate) && !has(&f, READER, LATER_RELEASES, f.gate));
  assert_true(has(&f, RELEASER, LATER_WRITES, f.gate) && has(&f, RELEASER, LATER_RELEASES, f.gate));
  assert_true(has(&f, READER, LATER_RELEASES, f.y)); // what is no lock is always released
  ResourceTouch wait = {.resource = f.gate, .reads = true, .writes = true};
  NextTouches next = {.touches = &wait, .count = 1};
  assert_true(touches_enabled_later(&f.touch, next, LATER_WRITES, f.at[READER]));
  assert_false(touches_enabled_later(&f.touch, next, LATER_RELEASES, f.at[READER]));
  assert_true(touches_enabled_later(&f.touch, next, LATER_RELEASES, f.at[RELEASER]));
  assert_true(touches_conflict_later(&f.touch, next, f.at[READER]));
  assert_false(touches_conflict_later(&f.touch, next, f.at[WRITER]));
  tear_down(&f);
}

static bool in_set(const uint64_t *row, uint32_t resource) { return row[resource / 64] >> resource % 64 & 1; }

static void test_futures(void **state) {
  (void)state;
  Facts f;
  set_up(&f);
  ThreadMask all = thread_mask_below(MAKE_THREADS);
  assert_int_equal(f.locks.cells.count, 1); // `own`; the gate can be taken from its owner
  assert_true(in_set(futures_of(&f.futures, f.at[READER], all, 0).writes, f.y));
  Future closed = futures_of(&f.futures, f.at[READER], all, 1);
  assert_true(in_set(closed.reads, f.x) && !in_set(closed.writes, f.y));
  // Main's future contains what the threads do that it may still start.
  assert_true(in_set(futures_of(&f.futures, f.at[MAIN], thread_bit(MAIN), 0).reads, f.x));
  assert_false(in_set(futures_of(&f.futures, f.at[MAIN], all & ~thread_bit(WRITER), 0).reads, f.x));
  assert_false(in_set(futures_of(&f.futures, f.at[MAIN], thread_bit(MAIN), 1).writes, f.y));
  size_t known = f.futures.known.count;
  futures_of(&f.futures, f.at[READER], all, 1);
  assert_int_equal(f.futures.known.count, known);
  tear_down(&f);
}

static void test_patterns(void **state) {
  (void)state;
  Facts f;
  set_up(&f);
  Patterns patterns;
  patterns_init(&patterns, &f.touch, &f.m.account);
  const PatternSet *y = patterns_of(&patterns, f.at[READER], f.y, true);
  const PatternSet *x = patterns_of(&patterns, f.at[READER], f.x, false);
  assert_true(y->count == 1 && y->masks[0] == 1);
  assert_true(x->count == 1 && x->masks[0] == 0);
  assert_int_equal(patterns_of(&patterns, f.at[RELEASER], f.y, true)->count, 0);
  patterns_free(&patterns);
  tear_down(&f);
}

// The reader is blocked at the gate.
static bool joins_here(void *context, ThreadMask set, ThreadMask members, ThreadId other) {
  Facts *f = context;
  Future future = futures_of(&f->futures, f->at[other], thread_mask_below(MAKE_THREADS), 0);
  (void)set;
  for (; members != 0; members &= members - 1) {
    ThreadId m = first_thread(members);
    for (size_t w = 0; w < f->touch.words; w++) {
      uint64_t reads = may_touch_row(&f->touch, f->at[m], NEXT_READS)[w];
      uint64_t writes = may_touch_row(&f->touch, f->at[m], NEXT_WRITES)[w];
      uint64_t enabled = conflict_of_enabled(reads, writes, future.reads[w], future.writes[w]);
      if (m == READER ? conflict_of_blocked(reads, future.writes[w]) : enabled) return true;
    }
  }
  return false;
}

// The example of closure.h: {writer} is not persistent, because the releaser lets the reader go first. A closure over
// enabled threads alone does not see it.
static void test_blocked_threads_take_part(void **state) {
  (void)state;
  Facts f;
  set_up(&f);
  ThreadMask writer = thread_bit(WRITER), reader = thread_bit(READER), releaser = thread_bit(RELEASER);
  Closure closure = {.candidates = writer | reader | releaser, .joins = joins_here, .context = &f};
  assert_int_equal(closure_of(&closure, writer, writer | releaser, NO_CLOSURE_LIMIT), writer | reader | releaser);
  // The writer does not touch the gate, so the releaser and the blocked reader are closed without it.
  assert_int_equal(closure_smallest(&closure, NULL, writer | releaser, writer | releaser), releaser);
  closure.candidates = writer | releaser;
  assert_int_equal(closure_of(&closure, writer, writer | releaser, NO_CLOSURE_LIMIT), writer);
  tear_down(&f);
}

static void test_rows_too_large(void **state) {
  (void)state;
  Facts f;
  set_up(&f);
  MayTouch small;
  may_touch_init(&small, &f.touch.source, (TouchRowRange){NEXT_READS, LATER_WRITES, 8}, &f.m.account);
  assert_null(small.rows);
  assert_int_equal(small.resource_count, f.touch.resource_count);
  may_touch_free(&small);
  tear_down(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_least_closed_set),
      cmocka_unit_test(test_antitone_relation),
      cmocka_unit_test(test_limit),
      cmocka_unit_test(test_smallest),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_releases),
      cmocka_unit_test(test_futures),
      cmocka_unit_test(test_patterns),
      cmocka_unit_test(test_rows_too_large),
      cmocka_unit_test(test_blocked_threads_take_part),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
