// Builds a total order node by node.
//
// A node is ready if all nodes that come before it in the closure are placed. Placing a ready node puts it before all
// nodes that are not placed yet. This adds an order only if the node writes a cell for a link: other writes of the cell
// that are not placed yet then come after the link's read (rule 3). If the closure already contains these orders, or if
// there are none, the node can be placed without a choice: in any order of the rest, it can be moved to the front. So
// the only choices are among writes of links that have such *rivals*. After each choice the rules are applied, and the
// choice is undone if they find a contradiction.
#include "order/graph/graph_internal.h"

#include <assert.h>

typedef struct Choice {
  size_t order_count, trail_mark;
  uint32_t next_thread; // threads below were tried
} Choice;
VECTOR(ChoiceVector, Choice);

typedef struct Search {
  const View *view;
  OrderClosure *closure;
  U32Vector placed; // per thread
  U32Vector *order;
  ChoiceVector choices;
} Search;

static bool is_ready(const Search *s, uint32_t node) {
  const uint32_t *before = before_row(s->closure, node);
  for (uint32_t t = 0; t < s->view->thread_count; t++) {
    if (before[t] > s->placed.data[t]) return false;
  }
  return true;
}

static uint32_t ready_node(const Search *s, uint32_t thread) {
  assert(s->placed.data[thread] <= chain_length(s->view, thread));
  if (s->placed.data[thread] == chain_length(s->view, thread)) return NOTHING;
  uint32_t node = chain_node(s->view, thread, s->placed.data[thread]);
  return is_ready(s, node) ? node : NOTHING;
}

// Does the closure say that the rivals of `node` (writes that are not placed yet) come after the reads of its links?
// With `insert`, these orders are inserted, and false means a contradiction.
static bool rivals_after(Search *s, uint32_t node, bool insert) {
  const View *view = s->view;
  for (uint32_t l = view->first_from.data[node]; l != NOTHING; l = view->next_from.data[l]) {
    const ViewLink *link = &view->links.data[l];
    for (uint32_t g = view->cell_group.data[link->cell]; g < view->cell_group.data[link->cell + 1]; g++) {
      const WriteGroup *group = &view->groups.data[g];
      uint32_t i = group_at_or_after(view, group, s->placed.data[group->thread]);
      while (i < group->end && (view->writes.data[i].node == node || view->writes.data[i].node == link->read)) i++;
      if (i == group->end || comes_before(s->closure, link->read, view->writes.data[i].node)) continue;
      if (!insert || !closure_insert(s->closure, link->read, view->writes.data[i].node)) return false;
    }
  }
  return true;
}

static void place(Search *s, uint32_t node) {
  assert(is_ready(s, node));
  U32Vector_push(s->order, node);
  s->placed.data[s->view->thread.data[node]]++;
}

static void unplace_to(Search *s, size_t count) {
  assert(count <= s->order->count);
  while (s->order->count > count) s->placed.data[s->view->thread.data[U32Vector_pop(s->order)]]--;
}

// Places all nodes that can be placed without a choice. It stays in one thread as long as possible.
static void place_safe(Search *s) {
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t t = 0; t < s->view->thread_count; t++) {
      for (uint32_t node; (node = ready_node(s, t)) != NOTHING && rivals_after(s, node, false);) {
        place(s, node);
        moved = true;
      }
    }
  }
}

// Takes the next alternative of the innermost choice. False: there is none left.
static bool take_next(Search *s) {
  Choice *choice = ChoiceVector_last(&s->choices);
  while (choice->next_thread < s->view->thread_count) {
    uint32_t node = ready_node(s, choice->next_thread++);
    if (node == NOTHING) continue;
    if (rivals_after(s, node, true) && closure_propagate(s->closure)) {
      place(s, node);
      return true;
    }
    closure_undo(s->closure, choice->trail_mark);
  }
  return false;
}

// Goes back to the last choice that has an alternative left. False: there is none, or no failures are left.
static bool go_back(Search *s, size_t *failures) {
  while (s->choices.count > 0) {
    Choice *choice = ChoiceVector_last(&s->choices);
    closure_undo(s->closure, choice->trail_mark);
    unplace_to(s, choice->order_count);
    if (*failures == 0) return false;
    --*failures;
    if (take_next(s)) return true;
    s->choices.count--;
  }
  return false;
}

SearchAnswer search_order(const View *view, OrderClosure *closure, size_t failures, U32Vector *order) {
  Search s = {.view = view, .closure = closure, .order = order};
  U32Vector_init(&s.placed, order->account);
  U32Vector_resize(&s.placed, view->thread_count);
  ChoiceVector_init(&s.choices, order->account);
  U32Vector_clear(order);
  closure->trailing = true;
  SearchAnswer answer = SEARCH_FOUND;
  for (;;) {
    place_safe(&s);
    if (order->count == view_nodes(view)) break;
    ChoiceVector_push(&s.choices, (Choice){order->count, closure->trail.count, 0});
    if (take_next(&s)) continue;
    s.choices.count--;
    if (!go_back(&s, &failures)) {
      answer = failures == 0 ? SEARCH_GAVE_UP : SEARCH_NONE;
      U32Vector_clear(order);
      break;
    }
  }
  assert(order->count == (answer == SEARCH_FOUND ? view_nodes(view) : 0));
  closure->trailing = false;
  ChoiceVector_free(&s.choices);
  U32Vector_free(&s.placed);
  return answer;
}
