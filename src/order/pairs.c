#include "order/pairs.h"

// The nodes of two links form a small graph: write, read, write, read.
enum { WRITE_A, READ_A, WRITE_B, READ_B, PLACES };

typedef struct Pair {
  NodeId nodes[PLACES];
  bool writes[PLACES]; // the node writes the cell of both links whenever it happens
  bool before[PLACES][PLACES];
} Pair;

static bool add_order(Pair *pair, unsigned from, unsigned to) {
  if (pair->nodes[from] == pair->nodes[to] || pair->before[from][to]) return false;
  pair->before[from][to] = true;
  return true;
}

// Rule 1, once.
static bool close_transitively(Pair *pair) {
  bool grew = false;
  for (unsigned k = 0; k < PLACES; k++)
    for (unsigned i = 0; i < PLACES; i++)
      for (unsigned j = 0; j < PLACES; j++) {
        bool left = pair->before[i][k] || pair->nodes[i] == pair->nodes[k];
        bool right = pair->before[k][j] || pair->nodes[k] == pair->nodes[j];
        if (!left || !right || pair->before[i][j]) continue;
        if (!pair->before[i][k] && !pair->before[k][j]) continue;
        pair->before[i][j] = true; // a node before itself is a contradiction
        grew = true;
      }
  return grew;
}

// Rules 2 and 3 for one link, with every other node that writes the cell.
static bool apply_rules(Pair *pair, unsigned write, unsigned read) {
  bool grew = false;
  for (unsigned other = 0; other < PLACES; other++) {
    if (!pair->writes[other] || pair->nodes[other] == pair->nodes[write] || pair->nodes[other] == pair->nodes[read])
      continue;
    if (pair->before[other][read]) grew |= add_order(pair, other, write);
    if (pair->before[write][other]) grew |= add_order(pair, read, other);
  }
  return grew;
}

static bool contradicts(const Pair *pair) {
  for (unsigned i = 0; i < PLACES; i++)
    for (unsigned j = 0; j < PLACES; j++)
      if (pair->before[i][j] && (pair->before[j][i] || pair->nodes[i] == pair->nodes[j])) return true;
  return false;
}

typedef struct PairFinder {
  const Events *events;
  const MustOrder *order;
  bool *rewrites; // per event: it is a read, and whenever it happens, its node writes the same cell
} PairFinder;

// Do rules 1 to 3, applied to the four nodes of two links of one cell, give a contradiction?
static bool is_impossible(const PairFinder *f, const EventLink *a, const EventLink *b) {
  const Events *events = f->events;
  assert(events->events.data[a->read].cell == events->events.data[b->read].cell);
  Pair pair = {.writes = {true, f->rewrites[a->read], true, f->rewrites[b->read]}};
  EventId ends[PLACES] = {a->write, a->read, b->write, b->read};
  for (unsigned i = 0; i < PLACES; i++) pair.nodes[i] = events->events.data[ends[i]].node;
  for (unsigned i = 0; i < PLACES; i++)
    for (unsigned j = 0; j < PLACES; j++)
      pair.before[i][j] = must_precede(events, f->order, pair.nodes[i], pair.nodes[j]);
  add_order(&pair, WRITE_A, READ_A);
  add_order(&pair, WRITE_B, READ_B);
  bool grew = true;
  while (grew && !contradicts(&pair)) {
    grew = close_transitively(&pair);
    grew |= apply_rules(&pair, WRITE_A, READ_A);
    grew |= apply_rules(&pair, WRITE_B, READ_B);
  }
  return contradicts(&pair);
}

static void find_rewrites(PairFinder *f) {
  const Events *events = f->events;
  for (EventId r = 0; r < events->events.count; r++) {
    const Event *read = &events->events.data[r];
    if (read->write) continue;
    const Node *node = &events->nodes.data[read->node];
    for (EventId w = node->first_event; w < node->first_event + node->event_count; w++) {
      const Event *write = &events->events.data[w];
      if (write->write && write->cell == read->cell && conjunction_implies(&events->guards, read->guard, write->guard))
        f->rewrites[r] = true;
    }
  }
}

// Does each read come before the other link's write?
static bool cross(const PairFinder *f, const EventLink *a, const EventLink *b) {
  const Event *events = f->events->events.data;
  NodeId write_a = events[a->write].node, read_a = events[a->read].node;
  NodeId write_b = events[b->write].node, read_b = events[b->read].node;
  return (read_a == write_b || must_precede(f->events, f->order, read_a, write_b)) &&
         (read_b == write_a || must_precede(f->events, f->order, read_b, write_a));
}

size_t encode_impossible_pairs(const Events *events, const MustOrder *order, Solver *solver, size_t most) {
  size_t links = events->links.count, found = 0;
  if (links * links / 2 > most) return 0;
  TermStore *terms = solver->store;
  PairFinder f = {.events = events, .order = order};
  f.rewrites = memory_allocate_zeroed(events->account, events->events.count * sizeof(bool));
  find_rewrites(&f);
  for (size_t i = 0; i < links; i++) {
    const EventLink *a = &events->links.data[i];
    for (size_t j = 0; j < i; j++) {
      const EventLink *b = &events->links.data[j];
      if (a->read == b->read) continue; // alternatives of one read
      bool same_cell = events->events.data[a->read].cell == events->events.data[b->read].cell;
      bool exchange = same_cell && f.rewrites[a->read] && f.rewrites[b->read];
      if (exchange ? !is_impossible(&f, a, b) : !cross(&f, a, b)) continue;
      Term clause[2] = {term_not(terms, a->literal), term_not(terms, b->literal)};
      solver_add_clause(solver, clause, 2);
      found++;
    }
  }
  memory_free(events->account, f.rewrites, events->events.count * sizeof(bool));
  return found;
}
