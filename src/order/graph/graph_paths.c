// Cheapest paths: Dijkstra's algorithm with one bucket per cost. Steps along a chain cost nothing.
#include "order/graph/graph_internal.h"

static const uint32_t by_chain = NOTHING;

void paths_init(Paths *paths, Account *account) {
  *paths = (Paths){0};
  PathEdgeVector_init(&paths->edges, account);
  U32Vector_init(&paths->first_out, account);
  U32Vector_init(&paths->distance, account);
  U32Vector_init(&paths->stamp, account);
  U32Vector_init(&paths->arrival, account);
  for (size_t i = 0; i < PATH_COSTS; i++) U32Vector_init(&paths->buckets[i], account);
}

void paths_free(Paths *paths) {
  PathEdgeVector_free(&paths->edges);
  U32Vector_free(&paths->first_out);
  U32Vector_free(&paths->distance);
  U32Vector_free(&paths->stamp);
  U32Vector_free(&paths->arrival);
  for (size_t i = 0; i < PATH_COSTS; i++) U32Vector_free(&paths->buckets[i]);
}

void paths_start(Paths *paths, const View *view) {
  uint32_t nodes = view_nodes(view);
  paths->view = view;
  PathEdgeVector_clear(&paths->edges);
  U32Vector_resize(&paths->first_out, nodes);
  for (uint32_t n = 0; n < nodes; n++) paths->first_out.data[n] = NOTHING;
  U32Vector_resize(&paths->distance, nodes);
  U32Vector_clear(&paths->stamp);
  U32Vector_resize(&paths->stamp, nodes);
  U32Vector_resize(&paths->arrival, nodes);
  paths->search = 0;
}

uint32_t paths_add(Paths *paths, uint32_t from, uint32_t to, uint32_t cost) {
  assert(from < view_nodes(paths->view) && to < view_nodes(paths->view));
  uint32_t id = (uint32_t)paths->edges.count;
  PathEdgeVector_push(&paths->edges, (PathEdge){from, to, cost, paths->first_out.data[from]});
  paths->first_out.data[from] = id;
  return id;
}

// The node is reached by the edge at this cost. Updates its distance if the cost is smaller.
static inline void reach(Paths *paths, uint32_t node, uint32_t cost, uint32_t edge) {
  if (cost >= PATH_COSTS) cost = PATH_COSTS - 1;
  if (paths->stamp.data[node] == paths->search && paths->distance.data[node] <= cost) return;
  paths->stamp.data[node] = paths->search;
  paths->distance.data[node] = cost;
  paths->arrival.data[node] = edge;
  U32Vector_push(&paths->buckets[cost], node);
}

static inline bool node_allowed(const Paths *paths, uint32_t node, uint32_t to, const PathFilter *filter) {
  if (node == to) return true;
  const View *view = paths->view;
  if (filter->prefixes && view->position.data[node] >= filter->prefixes[view->thread.data[node]]) return false;
  return !filter->components || filter->components[node] == filter->components[to];
}

// Follows all edges out of the node that the filter allows.
static void leave(Paths *paths, uint32_t node, uint32_t cost, uint32_t to, const PathFilter *filter) {
  uint32_t next = paths->view->next.data[node];
  if (next != NOTHING && node_allowed(paths, next, to, filter)) reach(paths, next, cost, by_chain);
  for (uint32_t e = paths->first_out.data[node]; e != NOTHING; e = paths->edges.data[e].next) {
    const PathEdge *edge = &paths->edges.data[e];
    if (e >= filter->edge_limit || e == filter->forbidden || (filter->blocked && filter->blocked[e])) continue;
    if (node_allowed(paths, edge->to, to, filter)) reach(paths, edge->to, cost + edge->cost, e);
  }
}

static void read_back(const Paths *paths, uint32_t from, uint32_t to, U32Vector *path) {
  U32Vector_clear(path);
  const View *view = paths->view;
  for (uint32_t node = to; node != from;) {
    uint32_t edge = paths->arrival.data[node];
    if (edge == by_chain) {
      node = chain_node(view, view->thread.data[node], view->position.data[node] - 1);
    } else {
      U32Vector_push(path, edge);
      node = paths->edges.data[edge].from;
    }
  }
}

bool paths_find(Paths *paths, uint32_t from, uint32_t to, const PathFilter *filter, U32Vector *path) {
  U32Vector_clear(path);
  if (from == 0) return true; // the initial state comes before everything
  paths->search++;
  reach(paths, from, 0, by_chain);
  bool found = false;
  for (uint32_t cost = 0; cost < PATH_COSTS && !found; cost++) {
    U32Vector *bucket = &paths->buckets[cost];
    while (bucket->count > 0 && !found) {
      uint32_t node = U32Vector_pop(bucket);
      if (paths->distance.data[node] != cost) continue; // reached more cheaply since
      paths->effort++;
      found = node == to;
      if (!found) leave(paths, node, cost, to, filter);
    }
  }
  for (size_t i = 0; i < PATH_COSTS; i++) U32Vector_clear(&paths->buckets[i]);
  if (found) read_back(paths, from, to, path);
  return found;
}
