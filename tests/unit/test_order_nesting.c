// Loop nesting: known shapes, and random graphs against what the order promises.
#include "order/unroll/nesting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST_LOCATIONS = 24 };

typedef struct Fixture {
  Account account;
  Program *p;
  NestingVector order;
  uint32_t place[MOST_LOCATIONS];
  uint32_t count;
} Fixture;

static void setup(Fixture *f, uint32_t locations) {
  *f = (Fixture){.account = {.room = "order"}, .count = locations};
  f->p = program_new(64, &f->account);
  Position nowhere = {0};
  program_add_thread(f->p, "main", NO_ID, 0, nowhere);
  for (uint32_t l = 0; l < locations; l++) program_add_location(f->p, 0, nowhere);
  f->p->threads.data[0].entry = 0;
  NestingVector_init(&f->order, &f->account);
}

static void add_edge(Fixture *f, LocationId from, LocationId to) {
  Step step = step_plain(f->p, (Position){0});
  program_add_edge(f->p, from, to, &step);
}

static void nest(Fixture *f) {
  program_index(f->p);
  for (uint32_t l = 0; l < f->count; l++) f->place[l] = UINT32_MAX;
  nesting_of_thread(f->p, 0, &f->order, f->place, &f->account);
}

static void teardown(Fixture *f) {
  NestingVector_free(&f->order);
  program_free(f->p);
  assert_int_equal(f->account.bytes, 0);
}

// --- what the order promises ---

// The places in start..end that `from` reaches by edges inside, as bits.
static uint32_t reached_inside(const Fixture *f, uint32_t from, uint32_t start, uint32_t end) {
  uint32_t seen = UINT32_C(1) << from;
  for (bool grew = true; grew;) {
    grew = false;
    for (size_t e = 0; e < f->p->edges.count; e++) {
      uint32_t a = f->place[f->p->edges.data[e].from], b = f->place[f->p->edges.data[e].to];
      if (a == UINT32_MAX || !(seen >> a & 1) || b < start || b >= end || seen >> b & 1) continue;
      seen |= UINT32_C(1) << b;
      grew = true;
    }
  }
  return seen;
}

static void check_places(const Fixture *f) {
  uint32_t reachable = 0; // as locations
  for (bool grew = true; grew;) {
    uint32_t before = reachable;
    reachable |= 1;
    for (size_t e = 0; e < f->p->edges.count; e++)
      if (reachable >> f->p->edges.data[e].from & 1) reachable |= UINT32_C(1) << f->p->edges.data[e].to;
    grew = reachable != before;
  }
  uint32_t listed = 0;
  for (size_t i = 0; i < f->order.count; i++) {
    LocationId location = f->order.data[i].location;
    assert_false(listed >> location & 1);
    listed |= UINT32_C(1) << location;
    assert_int_equal(f->place[location], i);
  }
  assert_int_equal(listed, reachable);
}

static void check_blocks(const Fixture *f) {
  U32Vector ends; // of the blocks around the present place
  U32Vector_init(&ends, NULL);
  for (uint32_t i = 0; i < f->order.count; i++) {
    while (ends.count > 0 && *U32Vector_last(&ends) == i) U32Vector_pop(&ends);
    uint32_t end = f->order.data[i].end;
    if (end == 0) continue;
    assert_true(end > i && end <= f->order.count);
    if (ends.count > 0) assert_true(end <= *U32Vector_last(&ends));
    U32Vector_push(&ends, end);
    // A block is a loop: its head leads everywhere inside, and everything inside back to it.
    uint32_t all = reached_inside(f, i, i, end);
    for (uint32_t k = i; k < end; k++) {
      assert_true(all >> k & 1);
      assert_true(reached_inside(f, k, i, end) >> i & 1);
    }
    bool returns = false;
    for (size_t e = 0; e < f->p->edges.count; e++) {
      uint32_t from = f->place[f->p->edges.data[e].from], to = f->place[f->p->edges.data[e].to];
      returns |= to == i && from != UINT32_MAX && from >= i && from < end;
    }
    assert_true(returns);
  }
  U32Vector_free(&ends);
}

static void check_edges(const Fixture *f) {
  for (size_t e = 0; e < f->p->edges.count; e++) {
    uint32_t from = f->place[f->p->edges.data[e].from], to = f->place[f->p->edges.data[e].to];
    if (from == UINT32_MAX) continue;
    bool forward = to > from, to_head = to <= from && from < f->order.data[to].end;
    assert_true(forward || to_head);
  }
}

static void check(const Fixture *f) {
  check_places(f);
  check_edges(f);
  check_blocks(f);
}

// --- known shapes ---

static void test_nested_loops(void **state) {
  (void)state;
  Fixture f;
  setup(&f, 8);
  // 0 -> 1 (outer head) -> 2 (inner head) -> 3 -> 2, 2 -> 4 -> 1, 1 -> 5; 5 -> 5; 5 -> 6; 7 is not reached
  static const LocationId edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 2}, {2, 4}, {4, 1}, {1, 5}, {5, 5}, {5, 6}, {7, 1}};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) add_edge(&f, edges[i][0], edges[i][1]);
  nest(&f);
  check(&f);
  static const NestingEntry expected[] = {{0, 0}, {1, 5}, {2, 4}, {3, 0}, {4, 0}, {5, 6}, {6, 0}};
  assert_int_equal(f.order.count, 7);
  for (size_t i = 0; i < 7; i++) {
    assert_int_equal(f.order.data[i].location, expected[i].location);
    assert_int_equal(f.order.data[i].end, expected[i].end);
  }
  assert_int_equal(f.place[7], UINT32_MAX); // left alone
  teardown(&f);
}

// Both ways into a loop: 0 -> 1, 0 -> 2, 1 <-> 2.
static void test_irreducible(void **state) {
  (void)state;
  Fixture f;
  setup(&f, 4);
  static const LocationId edges[][2] = {{0, 1}, {0, 2}, {1, 2}, {2, 1}, {2, 3}};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) add_edge(&f, edges[i][0], edges[i][1]);
  nest(&f);
  check(&f);
  assert_int_equal(f.order.count, 4);
  assert_int_equal(f.order.data[1].end, 3); // one block of two
  assert_int_equal(f.order.data[3].location, 3);
  teardown(&f);
}

// The entry itself heads a loop, and there is no way out.
static void test_entry_in_loop(void **state) {
  (void)state;
  Fixture f;
  setup(&f, 3);
  add_edge(&f, 0, 1);
  add_edge(&f, 1, 2);
  add_edge(&f, 2, 0);
  nest(&f);
  check(&f);
  assert_int_equal(f.order.data[0].end, 3);
  teardown(&f);
}

static uint32_t random_below(uint64_t *seed, uint32_t limit) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*seed >> 33) % limit;
}

static void test_random_graphs(void **state) {
  (void)state;
  uint64_t seed = 11;
  unsigned irreducible = 0;
  for (unsigned run = 0; run < 3000; run++) {
    Fixture f;
    setup(&f, 2 + random_below(&seed, MOST_LOCATIONS - 1));
    uint32_t edges = f.count + random_below(&seed, f.count + 1);
    for (uint32_t l = 1; l < f.count; l++)
      if (random_below(&seed, 10)) add_edge(&f, random_below(&seed, l), l); // mostly reachable
    for (uint32_t i = 0; i < edges; i++) add_edge(&f, random_below(&seed, f.count), random_below(&seed, f.count));
    nest(&f);
    check(&f);
    for (uint32_t i = 0; i < f.order.count; i++)
      for (size_t e = 0; e < f.p->edges.count; e++) {
        uint32_t from = f.place[f.p->edges.data[e].from], to = f.place[f.p->edges.data[e].to];
        irreducible += from < i && to > i && to < f.order.data[i].end; // enters a block behind its head
      }
    teardown(&f);
  }
  assert_true(irreducible > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nested_loops),
      cmocka_unit_test(test_irreducible),
      cmocka_unit_test(test_entry_in_loop),
      cmocka_unit_test(test_random_graphs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
