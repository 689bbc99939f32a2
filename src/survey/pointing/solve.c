#include "survey/pointing/constraints.h"

#include "base/budget.h"

// Places of one area in a node; places in a node, beyond which it holds whole areas.
enum { MOST_NODE_PLACES = 32, MOST_PLACES = 256, CLOCK_TURNS = 256 };

static void apply_place(Solver *s, const Constraint *c, AreaPlace place) {
  switch (c->kind) {
  case ON_LOAD: solver_edge(s, cell_loaded(s, place, c->size), c->node, COPY_MOVE); break;
  case ON_STORE: solver_edge(s, c->node, cell_stored(s, place, c->size), COPY_MOVE); break;
  case ON_CALL: link_place(s, c->index, place); break;
  case ON_ROUTINE: link_routine(s, c->index, place); break;
  case ON_COPY_TO:
  case ON_COPY_FROM: assert(false); break;
  }
}

static void apply(Solver *s, Constraint c, const PlaceSet *fresh) {
  if (c.kind == ON_COPY_TO || c.kind == ON_COPY_FROM) {
    apply_copy(s, c.index, fresh, c.kind == ON_COPY_TO);
    return;
  }
  PlaceCursor at = {0};
  PlaceId id;
  while (place_set_next(fresh, &at, &id)) apply_place(s, &c, place_at(&s->places, id));
}

// The node holds too many places of the area: it holds all of it.
static void count_place(Solver *s, NodeId node, uint32_t area) {
  if (area >= s->tally.count) U32Vector_resize(&s->tally, s->areas.count);
  if (++s->tally.data[area] == MOST_NODE_PLACES + 1) solver_add(s, node, solver_moved(s, place_whole(area), ANY_MOVE));
}

// Looks when the set has doubled.
static void limit_places(Solver *s, NodeId node) {
  uint32_t size = place_set_size(&s->nodes.data[node].set);
  if (size <= MOST_NODE_PLACES || size < 2 * s->nodes.data[node].counted) return;
  s->nodes.data[node].counted = size;
  PlaceSet all = {0};
  place_set_merge(&all, &s->nodes.data[node].set, s->account);
  PlaceCursor at = {0}, again = {0};
  PlaceId id;
  while (place_set_next(&all, &at, &id)) count_place(s, node, place_at(&s->places, id).area);
  while (place_set_next(&all, &again, &id)) s->tally.data[place_at(&s->places, id).area] = 0;
  place_set_free(&all, s->account);
}

static PlaceId whole_id(Solver *s, PlaceId id) {
  AreaPlace place = place_at(&s->places, id);
  return place_table_id(&s->places, solver_moved(s, place, ANY_MOVE));
}

// The wholes of the areas, which come into the node's set, too.
static PlaceSet fresh_areas(Solver *s, NodeId node, const PlaceSet *fresh) {
  PlaceSet kept = {0};
  PlaceCursor at = {0};
  PlaceId id;
  while (place_set_next(fresh, &at, &id)) {
    PlaceId whole = whole_id(s, id);
    bool added = place_set_add(&s->nodes.data[node].set, whole, s->account);
    if (added || whole == id || place_set_has(fresh, whole)) place_set_add(&kept, whole, s->account);
  }
  return kept;
}

// Without those of areas that are in the node's set as a whole.
static PlaceSet fresh_places(Solver *s, NodeId node, const PlaceSet *fresh) {
  PlaceSet kept = {0};
  PlaceCursor at = {0};
  PlaceId id;
  while (place_set_next(fresh, &at, &id)) {
    PlaceId whole = s->places.wholes.data[place_at(&s->places, id).area];
    bool implied = whole != 0 && whole - 1 != id && place_set_has(&s->nodes.data[node].set, whole - 1);
    if (!implied) place_set_add(&kept, id, s->account);
  }
  return kept;
}

// Takes the fresh elements off the node, in as few places as possible.
static PlaceSet take_fresh(Solver *s, NodeId node) {
  PlaceSet fresh = s->nodes.data[node].fresh;
  s->nodes.data[node].fresh = (PlaceSet){0};
  uint32_t size = place_set_size(&s->nodes.data[node].set);
  if (size <= MOST_NODE_PLACES) return fresh;
  PlaceSet kept = size > MOST_PLACES ? fresh_areas(s, node, &fresh) : fresh_places(s, node, &fresh);
  place_set_free(&fresh, s->account);
  return kept;
}

static void process(Solver *s, NodeId node) {
  limit_places(s, node);
  PlaceSet fresh = take_fresh(s, node);
  if (node == s->outside) outside_learns(s, &fresh);
  for (uint32_t c = s->nodes.data[node].first_constraint; c != NO_LINK; c = s->constraints.data[c].next)
    apply(s, s->constraints.data[c], &fresh);
  solver_send_along(s, node, &fresh);
  place_set_free(&fresh, s->account);
}

static bool out_of_time(Solver *s, size_t turn) {
  if (s->deadline > 0 && turn % CLOCK_TURNS == 0 && clock_now() > s->deadline) s->late = true;
  return s->late;
}

// A new order is worth its time when many edges came.
static bool order_is_old(const Solver *s) {
  return s->ordered_edges == 0 || s->edges.count - s->ordered_edges > s->ordered_edges / 16;
}

void solver_run(Solver *s) {
  for (size_t turn = 0; solver_next_pending(s, 0) < s->order.count;) {
    if (order_is_old(s)) solver_reorder(s);
    size_t position = 0;
    while ((position = solver_next_pending(s, position)) < s->order.count) {
      if (out_of_time(s, turn++)) return;
      s->pending.data[position / 64] &= ~(UINT64_C(1) << (position % 64));
      NodeId node = s->order.data[position];
      if (s->nodes.data[node].forward == node) process(s, node);
    }
  }
}
