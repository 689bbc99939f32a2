#include "survey/pointing/constraints.h"

NodeId solver_node(Solver *s) {
  NodeId id = (NodeId)s->nodes.count;
  uint32_t position = (uint32_t)s->order.count;
  PointerNodeVector_push(&s->nodes, (PointerNode){.forward = id,
                                                  .first_edge = NO_LINK,
                                                  .last_edge = NO_LINK,
                                                  .first_constraint = NO_LINK,
                                                  .last_constraint = NO_LINK,
                                                  .position = position});
  U32Vector_push(&s->order, id);
  if (position / 64 >= s->pending.count) U64Vector_push(&s->pending, 0);
  return id;
}

NodeId solver_find(Solver *s, NodeId node) {
  assert(node < s->nodes.count);
  NodeId last = node;
  while (s->nodes.data[last].forward != last) last = s->nodes.data[last].forward;
  while (s->nodes.data[node].forward != last) {
    NodeId next = s->nodes.data[node].forward;
    s->nodes.data[node].forward = last;
    node = next;
  }
  return last;
}

static void set_pending(Solver *s, NodeId node) {
  uint32_t position = s->nodes.data[node].position;
  assert(s->nodes.data[node].forward == node && s->order.data[position] == node);
  s->pending.data[position / 64] |= UINT64_C(1) << (position % 64);
}

size_t solver_next_pending(const Solver *s, size_t from) {
  for (size_t word = from / 64; word < s->pending.count; word++) {
    uint64_t bits = s->pending.data[word];
    if (word == from / 64) bits &= UINT64_MAX << (from % 64);
    if (bits != 0) return word * 64 + (size_t)__builtin_ctzll(bits);
  }
  return s->order.count;
}

AreaPlace solver_moved(const Solver *s, AreaPlace place, PlaceMove move) {
  AreaKind kind = solver_area(s, place.area)->kind;
  return kind == AREA_FUNCTION || kind == AREA_OUTSIDE ? place : place_moved(place, move);
}

void solver_add(Solver *s, NodeId node, AreaPlace place) {
  node = solver_find(s, node);
  PlaceId id = place_table_id(&s->places, place);
  if (!place_set_add(&s->nodes.data[node].set, id, s->account)) return;
  place_set_add(&s->nodes.data[node].fresh, id, s->account);
  set_pending(s, node);
}

static void receive(Solver *s, NodeId to, const PlaceSet *set) {
  PointerNode *node = &s->nodes.data[to];
  if (place_set_union(&node->set, set, &node->fresh, &s->scratch, s->account)) set_pending(s, to);
}

// `set` must not be the set of a node that can grow by it.
static void send(Solver *s, const PlaceSet *set, NodeId to, uint32_t move) {
  if (move == COPY_MOVE) {
    receive(s, to, set);
    return;
  }
  PlaceCursor at = {0};
  PlaceId id;
  while (place_set_next(set, &at, &id))
    solver_add(s, to, solver_moved(s, place_at(&s->places, id), s->moves.data[move]));
}

void solver_send_along(Solver *s, NodeId node, const PlaceSet *set) {
  for (uint32_t e = s->nodes.data[node].first_edge; e != NO_LINK; e = s->edges.data[e].next) {
    NodeId to = solver_find(s, s->edges.data[e].to);
    if (to != node || s->edges.data[e].move != COPY_MOVE) send(s, set, to, s->edges.data[e].move);
  }
}

// Only copies and moves by anything come again and again, from constraints; other moves are made once for a statement.
static bool is_known(Solver *s, NodeId from, NodeId to, uint32_t move) {
  if (move >= FIRST_MOVE) return false;
  uint64_t key = (uint64_t)from << 32 | to, known = map_get_or(&s->edge_keys, key, 0), bit = UINT64_C(1) << move;
  if (known & bit) return true;
  map_put(&s->edge_keys, key, known | bit);
  return false;
}

void solver_edge(Solver *s, NodeId from, NodeId to, uint32_t move) {
  assert(move < s->moves.count);
  if (from == NO_NODE || to == NO_NODE) return;
  from = solver_find(s, from);
  to = solver_find(s, to);
  if ((from == to && move == COPY_MOVE) || is_known(s, from, to, move)) return;
  uint32_t edge = (uint32_t)s->edges.count;
  PlaceEdgeVector_push(&s->edges, (PlaceEdge){to, move, NO_LINK});
  PointerNode *node = &s->nodes.data[from];
  if (node->last_edge == NO_LINK)
    node->first_edge = edge;
  else
    s->edges.data[node->last_edge].next = edge;
  node->last_edge = edge;
  if (place_set_empty(&node->set)) return;
  PlaceSet all = {0}; // a copy: the target may be the node itself, and nodes may move
  place_set_merge(&all, &node->set, s->account);
  send(s, &all, to, move);
  place_set_free(&all, s->account);
}

uint32_t solver_move(Solver *s, PlaceMove move) {
  if (move.offset == 0 && move.stride == 0) return COPY_MOVE;
  assert(s->moves.count >= FIRST_MOVE);
  MoveVector_push(&s->moves, move);
  return (uint32_t)s->moves.count - 1;
}

void solver_flow(Solver *s, Value from, Value to) {
  solver_edge(s, from.whole, to.whole, COPY_MOVE);
  solver_edge(s, from.part, to.part, COPY_MOVE);
}

// All elements are fresh for it, and so for the node's other constraints and edges, too.
void solver_constrain(Solver *s, NodeId node, Constraint constraint) {
  if (node == NO_NODE) return;
  node = solver_find(s, node);
  uint32_t id = (uint32_t)s->constraints.count;
  constraint.next = NO_LINK;
  ConstraintVector_push(&s->constraints, constraint);
  PointerNode *n = &s->nodes.data[node];
  if (n->last_constraint == NO_LINK)
    n->first_constraint = id;
  else
    s->constraints.data[n->last_constraint].next = id;
  n->last_constraint = id;
  if (place_set_empty(&n->set)) return;
  place_set_merge(&n->fresh, &n->set, s->account);
  set_pending(s, node);
}

// Appends the list that begins with `first` to another one.
#define APPEND_LIST(items, into, node, first, last)                                                                    \
  do {                                                                                                                 \
    if ((node)->first == NO_LINK) break;                                                                               \
    if ((into)->last == NO_LINK)                                                                                       \
      (into)->first = (node)->first;                                                                                   \
    else                                                                                                               \
      (items)[(into)->last].next = (node)->first;                                                                      \
    (into)->last = (node)->last;                                                                                       \
    (node)->first = (node)->last = NO_LINK;                                                                            \
  } while (0)

void solver_merge(Solver *s, NodeId from, NodeId to) {
  from = solver_find(s, from);
  to = solver_find(s, to);
  if (from == to) return;
  PointerNode *node = &s->nodes.data[from], *into = &s->nodes.data[to];
  APPEND_LIST(s->edges.data, into, node, first_edge, last_edge);
  APPEND_LIST(s->constraints.data, into, node, first_constraint, last_constraint);
  place_set_merge(&into->set, &node->set, s->account);
  if (!place_set_empty(&into->set)) {
    place_set_merge(&into->fresh, &into->set, s->account);
    set_pending(s, to);
  }
  place_set_free(&node->set, s->account);
  place_set_free(&node->fresh, s->account);
  assert(s->nodes.data[to].forward == to);
  node->forward = to;
}
