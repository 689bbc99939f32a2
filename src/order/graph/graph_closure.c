// The closure of a view under rules 1 to 3 (paper: section 4.2, algorithm 1).
//
// Rule 1 is maintained at every insertion. Rules 2 and 3 are applied at links whose premises changed. For each thread
// only the first write after (last write before) matters for the order. Further writes are recorded as well if the
// nearer one rests on a literal, because they may have better reasons.
//
// While recording, a round derives orders from the state at its beginning, so each derived order has a premise that
// rests on earlier rounds only. An order that would close a cycle is recorded but never inserted. So nothing is derived
// from a contradiction, and independent contradictions are still found. The link of such an order still takes part in
// rules 2 and 3, which need only that the link's literal is true.
#include "order/graph/graph_internal.h"

enum {
  ALTERNATIVE_WRITES = 4, // writes of one thread considered for one link, while recording
  PLENTY = 6000 // after so many recorded edges, an edge is recorded only if it adds an order or the first contradiction
};

void closure_init(OrderClosure *closure, Account *account) {
  *closure = (OrderClosure){0};
  U32Vector_init(&closure->after, account);
  U32Vector_init(&closure->before, account);
  U32Vector_init(&closure->queue, account);
  ByteVector_init(&closure->queued, account);
  U32Vector_init(&closure->row, account);
  CrossEdgeVector_init(&closure->edges, account);
  U32Vector_init(&closure->emitted, account);
  U64Vector_init(&closure->trail, account);
}

void closure_free(OrderClosure *closure) {
  U32Vector_free(&closure->after);
  U32Vector_free(&closure->before);
  U32Vector_free(&closure->queue);
  ByteVector_free(&closure->queued);
  U32Vector_free(&closure->row);
  CrossEdgeVector_free(&closure->edges);
  U32Vector_free(&closure->emitted);
  U64Vector_free(&closure->trail);
}

void closure_start(OrderClosure *closure, const View *view) {
  uint32_t nodes = view_nodes(view), threads = view->thread_count;
  closure->view = view;
  assert((uint64_t)nodes * threads < UINT32_MAX / 2); // entries of the trail
  U32Vector_resize(&closure->after, (size_t)nodes * threads);
  U32Vector_resize(&closure->before, (size_t)nodes * threads);
  U32Vector_resize(&closure->row, threads);
  for (uint32_t n = 0; n < nodes; n++) {
    uint32_t *after = closure->after.data + (size_t)n * threads, *before = closure->before.data + (size_t)n * threads;
    for (uint32_t t = 0; t < threads; t++) {
      after[t] = n == 0 ? 0 : chain_length(view, t);
      before[t] = 0;
    }
    before[0] = n != 0;
    after[view->thread.data[n]] = view->position.data[n] + 1;
    before[view->thread.data[n]] = view->position.data[n];
  }
  U32Vector_clear(&closure->queue);
  ByteVector_clear(&closure->queued);
  ByteVector_resize(&closure->queued, view->links.count);
  CrossEdgeVector_clear(&closure->edges);
  U64Vector_clear(&closure->trail);
  closure->closing_count = 0;
  closure->first_of_round = 0;
}

static void queue_link(OrderClosure *c, uint32_t link) {
  if (c->queued.data[link] || (c->link_on && !c->link_on[link])) return;
  c->queued.data[link] = 1;
  U32Vector_push(&c->queue, link);
}

static void queue_list(OrderClosure *c, uint32_t link, const U32Vector *next) {
  for (; link != NOTHING; link = next->data[link]) queue_link(c, link);
}

static void log_change(OrderClosure *c, size_t entry, uint32_t old) {
  if (c->trailing) U64Vector_push(&c->trail, (uint64_t)entry << 32 | old);
}

// The node comes before the nodes that `row` gives for each thread. False: this is not new.
static bool lower_after(OrderClosure *c, uint32_t node, const uint32_t *row) {
  uint32_t threads = c->view->thread_count;
  size_t base = (size_t)node * threads;
  bool changed = false;
  for (uint32_t t = 0; t < threads; t++) {
    uint32_t old = c->after.data[base + t];
    if (old <= row[t]) continue;
    log_change(c, base + t, old);
    c->after.data[base + t] = row[t];
    changed = true;
  }
  if (changed) queue_list(c, c->view->first_from.data[node], &c->view->next_from);
  return changed;
}

// The node comes after the prefixes that `row` gives for each thread. False: this is not new.
static bool raise_before(OrderClosure *c, uint32_t node, const uint32_t *row) {
  uint32_t threads = c->view->thread_count;
  size_t base = (size_t)node * threads;
  bool changed = false;
  for (uint32_t t = 0; t < threads; t++) {
    uint32_t old = c->before.data[base + t];
    if (old >= row[t]) continue;
    log_change(c, c->after.count + base + t, old);
    c->before.data[base + t] = row[t];
    changed = true;
  }
  if (changed) queue_list(c, c->view->first_to.data[node], &c->view->next_to);
  return changed;
}

bool closure_insert(OrderClosure *c, uint32_t from, uint32_t to) {
  if (from == to || comes_before(c, to, from)) return false;
  if (comes_before(c, from, to)) return true;
  const View *view = c->view;
  uint32_t threads = view->thread_count, from_thread = view->thread.data[from], to_thread = view->thread.data[to];
  uint32_t *row = c->row.data;
  memcpy(row, after_row(c, to), threads * sizeof *row);
  row[to_thread] = view->position.data[to];
  // Along a chain, an earlier node comes before all nodes that a later one comes before: stop where nothing changes.
  for (uint32_t t = 0; t < threads; t++) {
    uint32_t count = t == from_thread ? view->position.data[from] + 1 : before_row(c, from)[t];
    while (count > 0 && lower_after(c, chain_node(view, t, count - 1), row)) count--;
  }
  memcpy(row, before_row(c, from), threads * sizeof *row);
  row[from_thread] = view->position.data[from] + 1;
  for (uint32_t t = 0; t < threads; t++) {
    uint32_t length = chain_length(view, t);
    uint32_t position = t == to_thread ? view->position.data[to] : after_row(c, to)[t];
    while (position < length && raise_before(c, chain_node(view, t, position), row)) position++;
  }
  assert(comes_before(c, from, to) && !comes_before(c, to, from));
  return true;
}

void closure_undo(OrderClosure *c, size_t mark) {
  while (c->trail.count > mark) {
    uint64_t change = U64Vector_pop(&c->trail);
    size_t entry = change >> 32;
    bool before = entry >= c->after.count;
    *(before ? &c->before.data[entry - c->after.count] : &c->after.data[entry]) = (uint32_t)change;
  }
  for (size_t i = 0; i < c->queue.count; i++) c->queued.data[c->queue.data[i]] = 0;
  U32Vector_clear(&c->queue);
}

// Handles a derived order: records it for the end of the round, or inserts it at once.
static bool derive(OrderClosure *c, uint32_t from, uint32_t to, Rule rule, uint32_t link, uint32_t write) {
  if (!c->recording) return closure_insert(c, from, to);
  if (c->edges.count >= PLENTY) {
    if (comes_before(c, from, to) || (c->closing_count > 0 && comes_before(c, to, from))) return true;
  }
  CrossEdgeVector_push(&c->edges, (CrossEdge){.from = from, .to = to, .rule = rule, .link = link, .write = write});
  return true;
}

// Rule 3: a write of the cell that comes after the link's write comes after the link's read.
static bool apply_rule_3(OrderClosure *c, uint32_t index, const WriteGroup *group, uint32_t *emitted) {
  const View *view = c->view;
  const ViewLink *link = &view->links.data[index];
  bool same_thread = view->thread.data[link->read] == group->thread;
  uint32_t first = group_at_or_after(view, group, after_row(c, link->write)[group->thread]);
  uint32_t found = 0;
  for (uint32_t i = first; i < group->end && found < ALTERNATIVE_WRITES; i++) {
    const ViewWrite *write = &view->writes.data[i];
    if (write->node == link->read || (c->write_on && !c->write_on[i])) continue;
    if (same_thread && view->position.data[write->node] > view->position.data[link->read]) break;
    if (c->recording && i >= *emitted) break;
    if (!derive(c, link->read, write->node, RULE_AFTER_READ, index, i)) return false;
    if (!c->recording || write->unconditional) break;
    found++;
  }
  if (c->recording && first < *emitted) *emitted = first;
  return true;
}

// Rule 2: a write of the cell that comes before the link's read comes before the link's write. If the link's write is
// the initial state, rule 3 finds the same contradictions.
static bool apply_rule_2(OrderClosure *c, uint32_t index, const WriteGroup *group, uint32_t *emitted) {
  const View *view = c->view;
  const ViewLink *link = &view->links.data[index];
  if (link->write == 0) return true;
  bool same_thread = view->thread.data[link->write] == group->thread;
  uint32_t end = group_at_or_after(view, group, before_row(c, link->read)[group->thread]);
  uint32_t found = 0;
  for (uint32_t i = end; i > group->first && found < ALTERNATIVE_WRITES; i--) {
    const ViewWrite *write = &view->writes.data[i - 1];
    if (write->node == link->write || (c->write_on && !c->write_on[i - 1])) continue;
    if (same_thread && view->position.data[write->node] < view->position.data[link->write]) break;
    if (c->recording && i <= *emitted) break;
    if (!derive(c, write->node, link->write, RULE_BEFORE_WRITE, index, i - 1)) return false;
    if (!c->recording || write->unconditional) break;
    found++;
  }
  if (c->recording && end > *emitted) *emitted = end;
  return true;
}

static bool apply_rules(OrderClosure *c, uint32_t index) {
  const View *view = c->view;
  uint32_t cell = view->links.data[index].cell, first = view->cell_group.data[cell];
  for (uint32_t g = first; g < view->cell_group.data[cell + 1]; g++) {
    const WriteGroup *group = &view->groups.data[g];
    uint32_t slot = view->slot.data[index] + (g - first);
    uint32_t *emitted = c->recording ? &c->emitted.data[2 * slot] : NULL;
    if (!apply_rule_3(c, index, group, emitted)) return false;
    if (!apply_rule_2(c, index, group, emitted ? emitted + 1 : NULL)) return false;
  }
  return true;
}

// Inserts the orders that a round recorded. Orders that close a cycle are marked and not inserted.
static void insert_round(OrderClosure *c, uint32_t round) {
  for (size_t i = c->first_of_round; i < c->edges.count; i++) {
    CrossEdge *edge = &c->edges.data[i];
    edge->round = round;
    edge->closing = !closure_insert(c, edge->from, edge->to);
    c->closing_count += edge->closing;
  }
  c->first_of_round = c->edges.count;
}

bool closure_propagate(OrderClosure *c) {
  assert(!c->recording);
  while (c->queue.count > 0) {
    uint32_t link = U32Vector_pop(&c->queue);
    c->queued.data[link] = 0;
    if (!apply_rules(c, link)) return false;
  }
  return true;
}

static bool insert_given(OrderClosure *c) {
  const View *view = c->view;
  for (uint32_t i = 0; i < view->edges.count; i++) {
    const ViewEdge *edge = &view->edges.data[i];
    if (c->edge_on && !c->edge_on[i]) continue;
    if (c->recording) {
      CrossEdgeVector_push(&c->edges, (CrossEdge){.from = edge->from, .to = edge->to, .rule = RULE_EDGE, .link = i});
    } else if (!closure_insert(c, edge->from, edge->to)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < view->links.count; i++) {
    const ViewLink *link = &view->links.data[i];
    if (c->link_on && !c->link_on[i]) continue;
    if (c->recording) {
      CrossEdgeVector_push(&c->edges, (CrossEdge){.from = link->write, .to = link->read, .rule = RULE_LINK, .link = i});
    } else if (!closure_insert(c, link->write, link->read)) {
      return false;
    }
  }
  return true;
}

// Nothing has been derived yet: rule 3 counts down from the end of a group, rule 2 up from its beginning.
static void clear_emitted(OrderClosure *c) {
  uint32_t slots = c->view->slot.data[c->view->links.count];
  U32Vector_resize(&c->emitted, 2 * (size_t)slots);
  for (uint32_t slot = 0; slot < slots; slot++) {
    c->emitted.data[2 * slot] = UINT32_MAX;
    c->emitted.data[2 * slot + 1] = 0;
  }
}

bool closure_run(OrderClosure *c) {
  if (!insert_given(c)) return false;
  for (uint32_t i = 0; i < c->view->links.count; i++) queue_link(c, i);
  if (!c->recording) return closure_propagate(c);
  clear_emitted(c);
  insert_round(c, 0);
  U32Vector now;
  U32Vector_init(&now, c->queue.account);
  for (uint32_t round = 1; c->queue.count > 0 && (!c->enough || c->closing_count < c->enough); round++) {
    U32Vector changed = c->queue;
    c->queue = now;
    now = changed;
    U32Vector_clear(&c->queue);
    for (size_t i = 0; i < now.count; i++) {
      c->queued.data[now.data[i]] = 0;
      apply_rules(c, now.data[i]);
    }
    insert_round(c, round);
  }
  U32Vector_free(&now);
  return c->closing_count == 0;
}

void closure_order(const OrderClosure *closure, U32Vector *order) {
  const View *view = closure->view;
  U32Vector placed;
  U32Vector_init(&placed, order->account);
  U32Vector_resize(&placed, view->thread_count);
  U32Vector_clear(order);
  // Each chain is followed as far as possible. Since the order is acyclic, some chain can always be continued.
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t t = 0; t < view->thread_count; t++) {
      while (placed.data[t] < chain_length(view, t)) {
        uint32_t node = chain_node(view, t, placed.data[t]), other = 0;
        while (other < view->thread_count && before_row(closure, node)[other] <= placed.data[other]) other++;
        if (other < view->thread_count) break;
        U32Vector_push(order, node);
        placed.data[t]++;
        moved = true;
      }
    }
  }
  assert(order->count == view_nodes(view));
  U32Vector_free(&placed);
}
