// Event order graphs: the paper's examples, atomicity, literals, a butterfly, random graphs against all permutations,
// and fewer switches.
#include "order/graph/graph.h"
#include "order/graph/graph_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const GraphLimits generous = {.reasons_per_order = 8, .reasons = 64};

// --- making graphs ---

typedef struct Fixture {
  Account account;
  OrderGraph graph;
  Reasons reasons;
  U32Vector order;
} Fixture;

static void setup(Fixture *f) {
  f->account = (Account){.room = "order"};
  graph_init(&f->graph, &f->account);
  reasons_init(&f->reasons, &f->account);
  U32Vector_init(&f->order, &f->account);
  U32Vector_push(&f->graph.threads, 0);
}

static void teardown(Fixture *f) {
  graph_free(&f->graph);
  reasons_free(&f->reasons);
  U32Vector_free(&f->order);
  assert_int_equal(f->account.bytes, 0);
}

static GraphNode add_node(OrderGraph *g, uint32_t thread) {
  U32Vector_push(&g->threads, thread);
  return (GraphNode)(g->threads.count - 1);
}

static void add_write(OrderGraph *g, GraphNode node, uint32_t cell, Term literal) {
  GraphWriteVector_push(&g->writes, (GraphWrite){node, cell, literal});
}

static GraphNode write_node(OrderGraph *g, uint32_t thread, uint32_t cell, Term literal) {
  GraphNode node = add_node(g, thread);
  add_write(g, node, cell, literal);
  return node;
}

static void add_link(OrderGraph *g, GraphNode write, GraphNode read, uint32_t cell, Term literal) {
  GraphLinkVector_push(&g->links, (GraphLink){write, read, cell, literal});
}

static void add_edge(OrderGraph *g, GraphNode from, GraphNode to, Term literal) {
  GraphEdgeVector_push(&g->edges, (OrderEdge){from, to, literal});
}

static bool has_literal(const Term *set, size_t count, Term literal) {
  for (size_t i = 0; i < count; i++) {
    if (set[i] == literal) return true;
  }
  return false;
}

static bool has_reason(const Reasons *reasons, size_t count, const Term *literals) {
  for (size_t i = 0; i < reasons_count(reasons); i++) {
    uint32_t start = reasons->starts.data[i];
    if (reasons->starts.data[i + 1] - start != count) continue;
    size_t k = 0;
    while (k < count && has_literal(reasons->literals.data + start, count, literals[k])) k++;
    if (k == count) return true;
  }
  return false;
}

#define assert_reason(reasons, ...)                                                                                    \
  assert_true(has_reason(reasons, sizeof((Term[]){__VA_ARGS__}) / sizeof(Term), (Term[]){__VA_ARGS__}))

// --- all permutations, as judge ---

typedef struct Judge {
  const OrderGraph *graph;
  U32Vector *order;
  uint64_t used;
  size_t best; // fewest switches found, or SIZE_MAX
} Judge;

// Every permutation is tried; graph_is_order has the last word, so prune only by chains.
static void try_permutations(Judge *j, bool stop_at_first) {
  const OrderGraph *g = j->graph;
  if (stop_at_first && j->best != SIZE_MAX) return;
  if (j->order->count == g->threads.count) {
    if (!graph_is_order(g, j->order)) return;
    size_t switches = graph_switches(g, j->order);
    if (switches < j->best) j->best = switches;
    return;
  }
  for (uint32_t n = 0; n < g->threads.count; n++) {
    bool next = !(j->used >> n & 1) && (n == 0 || j->used & 1);
    for (uint32_t k = 1; k < n && next; k++) next = g->threads.data[k] != g->threads.data[n] || (j->used >> k & 1);
    if (!next) continue;
    j->used |= UINT64_C(1) << n;
    U32Vector_push(j->order, n);
    try_permutations(j, stop_at_first);
    j->order->count--;
    j->used &= ~(UINT64_C(1) << n);
  }
}

static size_t fewest_switches(const OrderGraph *graph, bool stop_at_first) {
  U32Vector order;
  U32Vector_init(&order, NULL);
  Judge judge = {.graph = graph, .order = &order, .best = SIZE_MAX};
  try_permutations(&judge, stop_at_first);
  U32Vector_free(&order);
  return judge.best;
}

static bool has_order(const OrderGraph *graph) { return fewest_switches(graph, true) != SIZE_MAX; }

// Is the literal true if those of the set are?
static bool follows(const OrderGraph *g, const Term *set, size_t count, Term literal) {
  if (literal == TERM_NONE || has_literal(set, count, literal)) return true;
  for (size_t i = 0; i < count && g->implies; i++) {
    if (g->implies(g->context, set[i], literal)) return true;
  }
  return false;
}

// The part of a graph that rests on the given literals; a link brings its write along.
static void restrict_graph(const OrderGraph *g, const Term *set, size_t count, OrderGraph *part) {
  graph_clear(part);
  for (size_t i = 0; i < g->threads.count; i++) U32Vector_push(&part->threads, g->threads.data[i]);
  for (size_t i = 0; i < g->links.count; i++) {
    if (follows(g, set, count, g->links.data[i].literal)) GraphLinkVector_push(&part->links, g->links.data[i]);
  }
  for (size_t i = 0; i < g->edges.count; i++) {
    if (follows(g, set, count, g->edges.data[i].literal)) GraphEdgeVector_push(&part->edges, g->edges.data[i]);
  }
  for (size_t i = 0; i < g->writes.count; i++) {
    const GraphWrite *w = &g->writes.data[i];
    bool present = follows(g, set, count, w->literal);
    for (size_t k = 0; k < part->links.count && !present; k++) {
      present = part->links.data[k].write == w->node && part->links.data[k].cell == w->cell;
    }
    if (present) GraphWriteVector_push(&part->writes, *w);
  }
}

// --- the paper's examples ---

// Section 3.2: x = y + 1; m = y; x = 0 beside y = x + 1; n = x; y = 0, with the links of the first counterexample.
static void test_running_example(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  OrderGraph *g = &f.graph;
  enum { X, Y };
  enum { Y3_Y1 = 1, X5_X1, X4_X2, Y2_Y1 };
  add_write(g, 0, X, TERM_NONE);
  add_write(g, 0, Y, TERM_NONE);
  GraphNode y2 = add_node(g, 1), x2 = write_node(g, 1, X, TERM_NONE), y3 = add_node(g, 1);
  write_node(g, 1, X, TERM_NONE); // x3
  GraphNode x4 = add_node(g, 2);
  write_node(g, 2, Y, TERM_NONE); // y4
  GraphNode x5 = add_node(g, 2);
  write_node(g, 2, Y, TERM_NONE); // y5
  add_link(g, 0, y2, Y, Y2_Y1);
  add_link(g, 0, y3, Y, Y3_Y1);
  add_link(g, x2, x4, X, X4_X2);
  add_link(g, 0, x5, X, X5_X1);
  assert_true(graph_infeasible(g, &generous, &f.reasons));
  assert_int_equal(reasons_count(&f.reasons), 2);
  assert_reason(&f.reasons, Y3_Y1, X5_X1);
  assert_reason(&f.reasons, X5_X1, X4_X2);
  assert_int_equal(graph_solve(g, &f.order, &f.reasons, NULL), GRAPH_IMPOSSIBLE);
  assert_int_equal(reasons_count(&f.reasons), 1);
  assert_int_equal(f.reasons.literals.count, 2);
  assert_true(has_literal(f.reasons.literals.data, 2, X5_X1));
  teardown(&f);
}

// Like figures 4 and 5: each gives a derived order; closing the cycle with an edge shows that it is there.
static void test_derived_orders(void **state) {
  (void)state;
  enum { LINK = 1, LINK2, EDGE };
  for (int example = 0; example < 4; example++) {
    for (int closed = 0; closed <= 1; closed++) {
      Fixture f;
      setup(&f);
      OrderGraph *g = &f.graph;
      if (example == 0) { // rule 2: x0, x1 in one thread, x1 reads x2
        GraphNode x0 = write_node(g, 1, 0, TERM_NONE), x1 = add_node(g, 1), x2 = write_node(g, 2, 0, TERM_NONE);
        add_link(g, x2, x1, 0, LINK);
        if (closed) add_edge(g, x2, x0, EDGE);
      } else if (example == 1) { // rule 2 through another thread and cell
        GraphNode x0 = write_node(g, 1, 0, TERM_NONE), y0 = write_node(g, 1, 1, TERM_NONE);
        GraphNode y1 = add_node(g, 2), x1 = add_node(g, 2), x3 = write_node(g, 3, 0, TERM_NONE);
        add_link(g, y0, y1, 1, LINK2);
        add_link(g, x3, x1, 0, LINK);
        if (closed) add_edge(g, x3, x0, EDGE);
      } else if (example == 2) { // rule 3: x0, x2 in one thread, x1 reads x0
        GraphNode x0 = write_node(g, 1, 0, TERM_NONE), x2 = write_node(g, 1, 0, TERM_NONE), x1 = add_node(g, 2);
        add_link(g, x0, x1, 0, LINK);
        if (closed) add_edge(g, x2, x1, EDGE);
      } else { // a derived order is the premise of another
        GraphNode a = write_node(g, 1, 0, TERM_NONE), a2 = write_node(g, 1, 0, TERM_NONE);
        GraphNode b = write_node(g, 2, 1, TERM_NONE), ra = add_node(g, 2), b2 = write_node(g, 3, 1, TERM_NONE);
        GraphNode rb = add_node(g, 1);
        add_link(g, a, ra, 0, LINK);   // ra before a2
        add_link(g, b2, rb, 1, LINK2); // b before ra before a2 before rb: b before b2
        (void)a2;
        if (closed) add_edge(g, b2, b, EDGE);
      }
      assert_int_equal(graph_infeasible(g, &generous, &f.reasons), closed);
      if (closed && (example == 0 || example == 2)) assert_reason(&f.reasons, LINK, EDGE);
      if (closed && (example == 1 || example == 3)) assert_reason(&f.reasons, LINK, LINK2, EDGE);
      assert_int_equal(reasons_count(&f.reasons), closed);
      assert_int_equal(graph_solve(g, &f.order, &f.reasons, NULL), closed ? GRAPH_IMPOSSIBLE : GRAPH_ORDERED);
      if (!closed) assert_true(graph_is_order(g, &f.order));
      teardown(&f);
    }
  }
}

// Two read-modify-writes that see the same write.
static void test_atomicity(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  OrderGraph *g = &f.graph;
  enum { LINK1 = 1, LINK2, LINK3 };
  add_write(g, 0, 7, TERM_NONE);
  GraphNode first = write_node(g, 1, 7, TERM_NONE), second = write_node(g, 2, 7, TERM_NONE);
  add_link(g, 0, first, 7, LINK1);
  add_link(g, 0, second, 7, LINK2);
  assert_true(graph_infeasible(g, &generous, &f.reasons));
  assert_int_equal(reasons_count(&f.reasons), 1);
  assert_reason(&f.reasons, LINK1, LINK2);
  g->links.count = 1;
  add_link(g, first, second, 7, LINK3);
  assert_false(graph_infeasible(g, &generous, &f.reasons));
  assert_int_equal(reasons_count(&f.reasons), 0);
  assert_int_equal(graph_solve(g, &f.order, &f.reasons, NULL), GRAPH_ORDERED);
  assert_int_equal(f.order.data[1], first);
  teardown(&f);
}

// --- literals ---

static bool implied_pairs(void *context, Term strong, Term weak) {
  const Term *pairs = context;
  for (; *pairs; pairs += 2) {
    if (pairs[0] == strong && pairs[1] == weak) return true;
  }
  return false;
}

// The guard of a third write belongs to the reason, unless it is implied, or another link reads that write.
static void test_guards(void **state) {
  (void)state;
  enum { LINK = 1, GUARD, OTHER_LINK, EDGE };
  for (int variant = 0; variant < 4; variant++) {
    Fixture f;
    setup(&f);
    OrderGraph *g = &f.graph;
    Term pairs[] = {LINK, variant == 1 ? GUARD : OTHER_LINK, 0};
    GraphNode w = write_node(g, 1, 0, 77), third = write_node(g, 1, 0, variant == 3 ? TERM_NONE : GUARD);
    GraphNode r = add_node(g, 1);
    add_link(g, w, r, 0, LINK);
    g->implies = implied_pairs;
    g->context = pairs;
    if (variant == 2) { // the third write is read by another link, which the first one implies
      GraphNode reader = add_node(g, 2);
      add_link(g, third, reader, 0, OTHER_LINK);
    }
    assert_true(graph_infeasible(g, &generous, &f.reasons));
    if (variant == 0 || variant == 2) assert_reason(&f.reasons, LINK, GUARD);
    if (variant == 1 || variant == 3) assert_reason(&f.reasons, LINK);
    assert_int_equal(reasons_count(&f.reasons), 1);
    assert_int_equal(graph_solve(g, &f.order, &f.reasons, NULL), GRAPH_IMPOSSIBLE);
    assert_int_equal(f.reasons.literals.count, variant == 0 || variant == 2 ? 2 : 1);
    teardown(&f);
  }
}

// A link says that its write is executed: no guard of it is needed where it comes between.
static void test_link_brings_write(void **state) {
  (void)state;
  enum { LINK1 = 1, LINK2, LINK3, GUARD };
  Fixture f;
  setup(&f);
  OrderGraph *g = &f.graph;
  add_write(g, 0, 0, TERM_NONE);
  GraphNode w = write_node(g, 1, 0, GUARD), r1 = add_node(g, 2), r2 = add_node(g, 2);
  add_link(g, w, r1, 0, LINK1);
  add_link(g, 0, r2, 0, LINK2);
  assert_true(graph_infeasible(g, &generous, &f.reasons));
  assert_int_equal(reasons_count(&f.reasons), 1);
  assert_reason(&f.reasons, LINK1, LINK2);
  // But where the write matters and not which event reads it, its guard is the better literal.
  GraphNode r3 = add_node(g, 1);
  add_link(g, 0, r3, 0, LINK3);
  assert_true(graph_infeasible(g, &generous, &f.reasons));
  assert_reason(&f.reasons, LINK3, GUARD);
  teardown(&f);
}

// What rests on nothing gives the empty reason; alternatives by guard are all found.
static void test_unconditional(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  OrderGraph *g = &f.graph;
  GraphNode a = write_node(g, 1, 0, TERM_NONE), b = add_node(g, 1);
  add_edge(g, b, a, TERM_NONE);
  assert_true(graph_infeasible(g, &generous, &f.reasons));
  assert_int_equal(reasons_count(&f.reasons), 1);
  assert_int_equal(f.reasons.literals.count, 0);
  assert_int_equal(graph_solve(g, &f.order, &f.reasons, NULL), GRAPH_IMPOSSIBLE);
  assert_int_equal(reasons_count(&f.reasons), 1);
  assert_int_equal(f.reasons.literals.count, 0);
  graph_clear(g);
  U32Vector_push(&g->threads, 0);
  // w; third under 10; third under 11; r
  GraphNode w = write_node(g, 1, 0, TERM_NONE);
  write_node(g, 1, 0, 10);
  write_node(g, 1, 0, 11);
  add_link(g, w, add_node(g, 1), 0, 1);
  assert_true(graph_infeasible(g, &generous, &f.reasons));
  assert_int_equal(reasons_count(&f.reasons), 2);
  assert_reason(&f.reasons, 1, 10);
  assert_reason(&f.reasons, 1, 11);
  GraphLimits one = {.reasons_per_order = 1, .reasons = 1};
  assert_true(graph_infeasible(g, &one, &f.reasons));
  assert_int_equal(reasons_count(&f.reasons), 1);
  teardown(&f);
}

// Two contradictions that have nothing in common are both reported.
static void test_independent_conflicts(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  OrderGraph *g = &f.graph;
  for (uint32_t k = 0; k < 5; k++) {
    add_write(g, 0, k, TERM_NONE);
    GraphNode first = write_node(g, 1 + 2 * k, k, TERM_NONE), second = write_node(g, 2 + 2 * k, k, TERM_NONE);
    add_link(g, 0, first, k, 1 + 2 * k);
    add_link(g, 0, second, k, 2 + 2 * k);
  }
  assert_true(graph_infeasible(g, &generous, &f.reasons));
  assert_int_equal(reasons_count(&f.reasons), 5);
  for (Term k = 0; k < 5; k++) assert_reason(&f.reasons, 1 + 2 * k, 2 + 2 * k);
  GraphLimits three = {.reasons_per_order = 1, .reasons = 3};
  assert_true(graph_infeasible(g, &three, &f.reasons));
  assert_int_equal(reasons_count(&f.reasons), 3);
  teardown(&f);
}

// --- the butterfly (figure 6) ---

// Six threads, five cells:
//   A: n = 1; m = 2; read x = 1     C: q = 1; p = 2; read x = 2     E: x = 1; read p = 1; read q = 1
//   B: m = 1; n = 2; read x = 1     D: p = 1; q = 2; read x = 2     F: x = 2; read m = 1; read n = 1
// If x = 1 is first, A and B end before x = 2, so F sees m = 1 and n = 1 after all four writes of m and n: A's m = 2
// before B's m = 1 before B's n = 2 before A's n = 1 before A's m = 2. If x = 2 is first, C, D and E do the same with p
// and q. The rules derive nothing as long as neither order is assumed.
static void make_butterfly(OrderGraph *g) {
  enum { M, N, P, Q, X };
  enum { A = 1, B, C, D, E, F };
  for (uint32_t cell = M; cell <= X; cell++) add_write(g, 0, cell, TERM_NONE);
  GraphNode e = write_node(g, E, X, TERM_NONE), f = write_node(g, F, X, TERM_NONE);
  GraphNode n1 = write_node(g, A, N, TERM_NONE), m1 = write_node(g, B, M, TERM_NONE);
  GraphNode q1 = write_node(g, C, Q, TERM_NONE), p1 = write_node(g, D, P, TERM_NONE);
  write_node(g, A, M, TERM_NONE);
  write_node(g, B, N, TERM_NONE);
  write_node(g, C, P, TERM_NONE);
  write_node(g, D, Q, TERM_NONE);
  add_link(g, e, add_node(g, A), X, 1);
  add_link(g, e, add_node(g, B), X, 2);
  add_link(g, f, add_node(g, C), X, 3);
  add_link(g, f, add_node(g, D), X, 4);
  add_link(g, p1, add_node(g, E), P, 5);
  add_link(g, q1, add_node(g, E), Q, 6);
  add_link(g, m1, add_node(g, F), M, 7);
  add_link(g, n1, add_node(g, F), N, 8);
}

static void test_butterfly(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  make_butterfly(&f.graph);
  assert_false(graph_infeasible(&f.graph, &generous, &f.reasons));
  assert_int_equal(graph_solve(&f.graph, &f.order, &f.reasons, NULL), GRAPH_IMPOSSIBLE);
  assert_int_equal(reasons_count(&f.reasons), 1);
  assert_int_equal(f.reasons.literals.count, 8); // every link is needed
  for (size_t without = 0; without < 8; without++) {
    GraphLink last = GraphLinkVector_pop(&f.graph.links), *gone = &f.graph.links.data[without];
    if (without < 7) {
      GraphLink swapped = *gone;
      *gone = last;
      last = swapped;
    }
    assert_int_equal(graph_solve(&f.graph, &f.order, &f.reasons, NULL), GRAPH_ORDERED);
    assert_true(graph_is_order(&f.graph, &f.order));
    GraphLinkVector_push(&f.graph.links, last);
  }
  Budget budget;
  budget_init(&budget, 0, NULL);
  budget.force_at = "graph-solve";
  assert_int_equal(graph_solve(&f.graph, &f.order, &f.reasons, &budget), GRAPH_UNDECIDED);
  assert_int_equal(reasons_count(&f.reasons), 0);
  budget_init(&budget, 0, NULL);
  budget.force_at = "solver-check";
  assert_int_equal(graph_solve(&f.graph, &f.order, &f.reasons, &budget), GRAPH_UNDECIDED);
  teardown(&f);
}

// --- random graphs ---

static uint32_t random_below(uint64_t *seed, uint32_t limit) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*seed >> 33) % limit;
}

enum { GUARDS = 100, GUARD_COUNT = 4 };

// Literals 100 to 103 are guards, each of which implies the smaller ones.
static bool ordered_guards(void *context, Term strong, Term weak) {
  (void)context;
  return strong >= GUARDS && weak >= GUARDS && strong > weak;
}

static Term random_guard(uint64_t *seed) {
  return random_below(seed, 2) ? TERM_NONE : GUARDS + random_below(seed, GUARD_COUNT);
}

static void random_reads(OrderGraph *g, uint64_t *seed, GraphNode node, uint32_t cell, Term literal) {
  GraphNode writers[16];
  uint32_t count = 0;
  for (size_t i = 0; i < g->writes.count; i++) {
    if (g->writes.data[i].cell == cell && g->writes.data[i].node != node) writers[count++] = g->writes.data[i].node;
  }
  if (count > 0) add_link(g, writers[random_below(seed, count)], node, cell, literal);
}

static void random_graph(OrderGraph *g, uint64_t *seed, uint32_t nodes) {
  graph_clear(g);
  U32Vector_push(&g->threads, 99);
  uint32_t threads = 1 + random_below(seed, 4), cells = 1 + random_below(seed, 3);
  for (uint32_t c = 0; c < cells; c++) add_write(g, 0, c * 5, TERM_NONE);
  for (uint32_t n = 1; n < nodes; n++) {
    GraphNode node = add_node(g, random_below(seed, threads) * 3);
    for (uint32_t c = 0; c < cells; c++) {
      if (random_below(seed, 5) < 2) add_write(g, node, c * 5, random_guard(seed));
    }
  }
  Term literal = 1;
  for (GraphNode n = 1; n < nodes; n++) {
    for (uint32_t c = 0; c < cells; c++) {
      if (random_below(seed, 5) < 2) random_reads(g, seed, n, c * 5, literal++);
    }
  }
  if (random_below(seed, 3) == 0 && nodes > 2) {
    GraphNode from = random_below(seed, nodes), to = 1 + random_below(seed, nodes - 1);
    if (from != to) add_edge(g, from, to, random_below(seed, 2) ? TERM_NONE : literal);
  }
}

static void check_reasons(const OrderGraph *g, const Reasons *reasons, OrderGraph *part, bool minimal_by_rules) {
  Reasons ignored;
  reasons_init(&ignored, NULL);
  for (size_t i = 0; i < reasons_count(reasons); i++) {
    const Term *set = reasons->literals.data + reasons->starts.data[i];
    size_t count = reasons->starts.data[i + 1] - reasons->starts.data[i];
    assert_false(has_literal(set, count, TERM_NONE));
    restrict_graph(g, set, count, part);
    assert_false(has_order(part));
    for (size_t k = 0; k < i; k++) {
      const Term *other = reasons->literals.data + reasons->starts.data[k];
      size_t size = reasons->starts.data[k + 1] - reasons->starts.data[k], shared = 0;
      assert_true(size <= count);
      while (shared < size && has_literal(set, count, other[shared])) shared++;
      assert_true(shared < size);
    }
    for (size_t k = 0; k < count && !g->implies; k++) {
      Term fewer[64];
      assert_true(count < 64);
      size_t left = 0;
      for (size_t m = 0; m < count; m++) {
        if (m != k) fewer[left++] = set[m];
      }
      restrict_graph(g, fewer, left, part);
      if (minimal_by_rules) {
        assert_false(graph_infeasible(part, &generous, &ignored));
      } else {
        assert_true(has_order(part));
      }
    }
  }
  reasons_free(&ignored);
}

static void test_random(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  OrderGraph part;
  graph_init(&part, &f.account);
  uint64_t seed = 12345;
  size_t feasible = 0, by_rules = 0, beyond_rules = 0, reason_count = 0;
  for (size_t round = 0; round < 6000; round++) {
    random_graph(&f.graph, &seed, 3 + random_below(&seed, 6));
    f.graph.implies = round % 3 == 0 ? ordered_guards : NULL;
    bool ordered = has_order(&f.graph);
    GraphLimits limits = round % 2 ? generous : (GraphLimits){.reasons_per_order = 1, .reasons = 3};
    bool infeasible = graph_infeasible(&f.graph, &limits, &f.reasons);
    assert_true(!infeasible || !ordered);
    assert_int_equal(infeasible, reasons_count(&f.reasons) > 0);
    assert_true(reasons_count(&f.reasons) <= limits.reasons);
    reason_count += reasons_count(&f.reasons);
    check_reasons(&f.graph, &f.reasons, &part, true);
    feasible += ordered;
    by_rules += infeasible;
    beyond_rules += !infeasible && !ordered;
    GraphAnswer answer = graph_solve(&f.graph, &f.order, &f.reasons, NULL);
    assert_int_equal(answer, ordered ? GRAPH_ORDERED : GRAPH_IMPOSSIBLE);
    if (ordered) assert_true(graph_is_order(&f.graph, &f.order));
    assert_int_equal(reasons_count(&f.reasons), !ordered);
    check_reasons(&f.graph, &f.reasons, &part, false);
  }
  print_message("random graphs: %zu feasible, %zu infeasible by the rules (%zu reasons), %zu only by the solver\n",
                feasible, by_rules, reason_count, beyond_rules);
  assert_true(feasible > 500 && by_rules > 500);
  graph_free(&part);
  teardown(&f);
}

// The search without limit and the constraints answer the same question by different means.
static void compare_methods(Fixture *f, size_t *found, size_t *impossible, size_t *beyond_rules) {
  View view;
  OrderClosure closure;
  view_init(&view, &f->account);
  closure_init(&closure, &f->account);
  view_of_graph(&view, &f->graph);
  closure_start(&closure, &view);
  bool consistent = closure_run(&closure);
  SearchAnswer searched = consistent ? search_order(&view, &closure, SIZE_MAX, &f->order) : SEARCH_NONE;
  assert_int_not_equal(searched, SEARCH_GAVE_UP);
  if (searched == SEARCH_FOUND) assert_true(graph_is_order(&f->graph, &f->order));
  reasons_clear(&f->reasons);
  GraphAnswer exact = exact_order(&f->graph, &view, &f->order, &f->reasons, NULL);
  assert_int_equal(exact, searched == SEARCH_FOUND ? GRAPH_ORDERED : GRAPH_IMPOSSIBLE);
  if (exact == GRAPH_ORDERED) assert_true(graph_is_order(&f->graph, &f->order));
  *found += exact == GRAPH_ORDERED;
  *impossible += exact == GRAPH_IMPOSSIBLE;
  *beyond_rules += consistent && exact == GRAPH_IMPOSSIBLE;
  closure_free(&closure);
  view_free(&view);
}

static void test_methods_agree(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  uint64_t seed = 31337;
  size_t found = 0, impossible = 0, beyond_rules = 0;
  for (size_t round = 0; round < 1500; round++) { // small ones, few of them without any order
    random_graph(&f.graph, &seed, 3 + random_below(&seed, 10));
    compare_methods(&f, &found, &impossible, &beyond_rules);
  }
  for (size_t round = 0; round < 1500; round++) { // butterflies with a link bent or an edge added
    graph_clear(&f.graph);
    U32Vector_push(&f.graph.threads, 0);
    make_butterfly(&f.graph);
    uint32_t changes = random_below(&seed, 3);
    for (uint32_t i = 0; i < changes; i++) {
      GraphLink *link = &f.graph.links.data[random_below(&seed, (uint32_t)f.graph.links.count)];
      const GraphWrite *write = &f.graph.writes.data[random_below(&seed, (uint32_t)f.graph.writes.count)];
      if (write->cell == link->cell) link->write = write->node;
    }
    GraphNode from = 1 + random_below(&seed, 18), to = 1 + random_below(&seed, 18);
    if (from != to && random_below(&seed, 2)) add_edge(&f.graph, from, to, 50);
    compare_methods(&f, &found, &impossible, &beyond_rules);
  }
  print_message("methods agree: %zu orders, %zu impossible, %zu of them beyond the rules\n", found, impossible,
                beyond_rules);
  assert_true(found > 300 && impossible > 500 && beyond_rules > 50);
  teardown(&f);
}

static void test_random_switches(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  uint64_t seed = 777;
  size_t reduced = 0, kept_last = 0;
  for (size_t round = 0; round < 3000; round++) {
    random_graph(&f.graph, &seed, 4 + random_below(&seed, 5));
    if (graph_solve(&f.graph, &f.order, &f.reasons, NULL) != GRAPH_ORDERED) continue;
    size_t before = graph_switches(&f.graph, &f.order);
    GraphNode last = *U32Vector_last(&f.order);
    graph_reduce_switches(&f.graph, last, 1 + random_below(&seed, 400), &f.order);
    assert_true(graph_is_order(&f.graph, &f.order));
    assert_int_equal(*U32Vector_last(&f.order), last);
    size_t after = graph_switches(&f.graph, &f.order);
    assert_true(after <= before);
    kept_last++;
    graph_reduce_switches(&f.graph, NO_NODE, 1000000, &f.order);
    assert_true(graph_is_order(&f.graph, &f.order));
    assert_int_equal(graph_switches(&f.graph, &f.order), fewest_switches(&f.graph, false));
    reduced += graph_switches(&f.graph, &f.order) < before;
  }
  print_message("switches: %zu orders, %zu reduced\n", kept_last, reduced);
  assert_true(kept_last > 300 && reduced > 20);
  teardown(&f);
}

// --- checks of orders ---

static void test_is_order(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  OrderGraph *g = &f.graph;
  add_write(g, 0, 0, TERM_NONE);
  GraphNode w = write_node(g, 1, 0, TERM_NONE), w2 = write_node(g, 1, 0, TERM_NONE), r = add_node(g, 2);
  GraphNode s = add_node(g, 3);
  add_link(g, w, r, 0, 1);
  add_edge(g, w, s, TERM_NONE);
  const uint32_t orders[][5] = {{0, w, r, w2, s}, {0, w, w2, r, s}, {0, r, w, w2, s}, {w, 0, r, w2, s},
                                {0, w2, w, r, s}, {0, s, w, r, w2}, {0, w, w, r, s}};
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    U32Vector_clear(&f.order);
    for (size_t k = 0; k < 5; k++) U32Vector_push(&f.order, orders[i][k]);
    assert_int_equal(graph_is_order(g, &f.order), i == 0);
    if (i == 0) assert_int_equal(graph_switches(g, &f.order), 3);
  }
  f.order.count = 4;
  assert_false(graph_is_order(g, &f.order));
  teardown(&f);
}

// --- large graphs ---

// The events of a random run of `threads` threads over `cells` cells, with the links it really had; then some reads are
// bent to another write, which makes most graphs infeasible.
static void random_run(OrderGraph *g, uint64_t *seed, uint32_t nodes, uint32_t threads, uint32_t cells, uint32_t bent) {
  graph_clear(g);
  U32Vector_push(&g->threads, 0);
  GraphNode *last = calloc(cells, sizeof *last);
  GraphNode *number = calloc(nodes, sizeof *number);
  uint32_t *thread = calloc(nodes, sizeof *thread), *cell = calloc(nodes, sizeof *cell);
  for (uint32_t c = 0; c < cells; c++) add_write(g, 0, c, TERM_NONE);
  for (uint32_t i = 1; i < nodes; i++) {
    thread[i] = random_below(seed, 10) ? thread[i - 1] : 1 + random_below(seed, threads);
    if (thread[i] == 0) thread[i] = 1;
    cell[i] = random_below(seed, cells);
  }
  for (uint32_t t = 1; t <= threads; t++) { // numbered thread by thread
    for (uint32_t i = 1; i < nodes; i++) {
      if (thread[i] == t) number[i] = add_node(g, t);
    }
  }
  Term literal = 1000000;
  for (uint32_t i = 1; i < nodes; i++) {
    if (random_below(seed, 2)) add_link(g, last[cell[i]], number[i], cell[i], literal++);
    if (random_below(seed, 2)) {
      add_write(g, number[i], cell[i], random_below(seed, 2) ? TERM_NONE : number[i]);
      last[cell[i]] = number[i];
    }
  }
  for (uint32_t i = 0; i < bent && g->links.count > 0; i++) {
    GraphLink *link = &g->links.data[random_below(seed, (uint32_t)g->links.count)];
    const GraphWrite *other = &g->writes.data[random_below(seed, (uint32_t)g->writes.count)];
    if (other->cell == link->cell && other->node != link->read) link->write = other->node;
  }
  free(last);
  free(number);
  free(thread);
  free(cell);
}

static void test_speed(void **state) {
  (void)state;
  static const struct {
    uint32_t nodes, threads, cells, bent;
  } sizes[] = {{100, 4, 6, 0},    {100, 4, 6, 60},     {300, 5, 20, 0},    {300, 5, 20, 400},   {1000, 8, 40, 0},
               {1000, 8, 40, 40}, {1000, 8, 40, 2000}, {3000, 10, 100, 0}, {3000, 10, 100, 100}};
  static const GraphLimits usual = {.reasons_per_order = 4, .reasons = 32};
  Fixture f;
  setup(&f);
  uint64_t seed = 4711;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    random_run(&f.graph, &seed, sizes[i].nodes, sizes[i].threads, sizes[i].cells, sizes[i].bent);
    double start = clock_now();
    bool infeasible = graph_infeasible(&f.graph, &usual, &f.reasons);
    double rules = clock_now() - start;
    size_t reasons = reasons_count(&f.reasons), literals = f.reasons.literals.count;
    start = clock_now();
    GraphAnswer answer = graph_solve(&f.graph, &f.order, &f.reasons, NULL);
    double solving = clock_now() - start, reducing = 0;
    assert_true(answer == (infeasible ? GRAPH_IMPOSSIBLE : GRAPH_ORDERED) || !infeasible);
    if (sizes[i].bent == 0) assert_int_equal(answer, GRAPH_ORDERED);
    size_t before = 0, after = 0;
    if (answer == GRAPH_ORDERED) {
      before = graph_switches(&f.graph, &f.order);
      start = clock_now();
      graph_reduce_switches(&f.graph, NO_NODE, 1000000, &f.order);
      reducing = clock_now() - start;
      after = graph_switches(&f.graph, &f.order);
    }
    print_message("%4u nodes, %4zu links: %s, %2zu reasons (%3zu literals), rules %.4fs, solve %.4fs", sizes[i].nodes,
                  f.graph.links.count, infeasible ? "infeasible" : "open      ", reasons, literals, rules, solving);
    print_message(", switches %zu -> %zu in %.3fs\n", before, after, reducing);
  }
  teardown(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_running_example),
      cmocka_unit_test(test_derived_orders),
      cmocka_unit_test(test_atomicity),
      cmocka_unit_test(test_guards),
      cmocka_unit_test(test_link_brings_write),
      cmocka_unit_test(test_unconditional),
      cmocka_unit_test(test_independent_conflicts),
      cmocka_unit_test(test_butterfly),
      cmocka_unit_test(test_is_order),
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_methods_agree),
      cmocka_unit_test(test_random_switches),
      cmocka_unit_test(test_speed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
