// Event order graphs: construction, solving, and the checks of orders.
#include "order/graph/graph_internal.h"

enum { SEARCH_FAILURES = 300 }; // dead ends after which a search leaves the question to a solver

void graph_init(OrderGraph *graph, Account *account) {
  *graph = (OrderGraph){.account = account};
  U32Vector_init(&graph->threads, account);
  GraphWriteVector_init(&graph->writes, account);
  GraphLinkVector_init(&graph->links, account);
  GraphEdgeVector_init(&graph->edges, account);
}

void graph_free(OrderGraph *graph) {
  U32Vector_free(&graph->threads);
  GraphWriteVector_free(&graph->writes);
  GraphLinkVector_free(&graph->links);
  GraphEdgeVector_free(&graph->edges);
}

void graph_clear(OrderGraph *graph) {
  U32Vector_clear(&graph->threads);
  GraphWriteVector_clear(&graph->writes);
  GraphLinkVector_clear(&graph->links);
  GraphEdgeVector_clear(&graph->edges);
}

GraphAnswer graph_solve(const OrderGraph *graph, U32Vector *order, Reasons *reasons, Budget *budget) {
  reasons_clear(reasons);
  U32Vector_clear(order);
  View view;
  OrderClosure closure;
  view_init(&view, graph->account);
  closure_init(&closure, graph->account);
  view_of_graph(&view, graph);
  closure_start(&closure, &view);
  bool consistent = closure_run(&closure);
  GraphAnswer answer;
  if (consistent && search_order(&view, &closure, SEARCH_FAILURES, order) == SEARCH_FOUND) {
    answer = GRAPH_ORDERED;
  } else {
    answer = exact_order(graph, &view, order, reasons, budget);
  }
  assert(answer != GRAPH_ORDERED || graph_is_order(graph, order));
  closure_free(&closure);
  view_free(&view);
  return answer;
}

static bool edges_hold(const OrderGraph *graph, const U32Vector *place) {
  for (size_t n = 1; n < place->count; n++) {
    if (place->data[n] == 0) return false; // only node 0 comes first
  }
  for (size_t i = 0; i < graph->edges.count; i++) {
    if (place->data[graph->edges.data[i].from] >= place->data[graph->edges.data[i].to]) return false;
  }
  return true;
}

// Follows the order and keeps the last write of each cell: each read must see the write of its link.
static bool links_hold(const OrderGraph *graph, const U32Vector *order, const View *view) {
  U32Vector last; // per cell that is read
  U32Vector_init(&last, graph->account);
  U32Vector_resize(&last, view->cell_count);
  for (uint32_t c = 0; c < view->cell_count; c++) last.data[c] = NOTHING;
  U32Vector first, next; // writes by node
  U32Vector_init(&first, graph->account);
  U32Vector_init(&next, graph->account);
  U32Vector_resize(&first, view_nodes(view));
  U32Vector_resize(&next, view->writes.count);
  for (uint32_t n = 0; n < view_nodes(view); n++) first.data[n] = NOTHING;
  for (uint32_t i = 0; i < view->writes.count; i++) {
    next.data[i] = first.data[view->writes.data[i].node];
    first.data[view->writes.data[i].node] = i;
  }
  bool hold = true;
  for (size_t p = 0; p < order->count && hold; p++) {
    uint32_t node = order->data[p];
    for (uint32_t i = view->first_to.data[node]; i != NOTHING; i = view->next_to.data[i]) {
      if (last.data[view->links.data[i].cell] != view->links.data[i].write) hold = false;
    }
    for (uint32_t i = first.data[node]; i != NOTHING; i = next.data[i]) last.data[view->writes.data[i].cell] = node;
  }
  U32Vector_free(&first);
  U32Vector_free(&next);
  U32Vector_free(&last);
  return hold;
}

static bool chains_hold(const View *view, const U32Vector *place) {
  for (uint32_t n = 1; n < view_nodes(view); n++) {
    uint32_t next = view->next.data[n];
    if (next != NOTHING && place->data[n] >= place->data[next]) return false;
  }
  return true;
}

bool graph_is_order(const OrderGraph *graph, const U32Vector *order) {
  size_t nodes = graph->threads.count;
  if (order->count != nodes) return false;
  U32Vector place;
  U32Vector_init(&place, graph->account);
  U32Vector_resize(&place, nodes);
  for (size_t n = 0; n < nodes; n++) place.data[n] = NOTHING;
  bool right = true;
  for (size_t p = 0; p < nodes && right; p++) {
    right = order->data[p] < nodes && place.data[order->data[p]] == NOTHING;
    if (right) place.data[order->data[p]] = (uint32_t)p;
  }
  if (right) {
    View view;
    view_init(&view, graph->account);
    view_of_graph(&view, graph);
    right = edges_hold(graph, &place) && chains_hold(&view, &place) && links_hold(graph, order, &view);
    view_free(&view);
  }
  U32Vector_free(&place);
  return right;
}

size_t graph_switches(const OrderGraph *graph, const U32Vector *order) {
  size_t switches = 0;
  uint32_t previous = NO_NODE;
  for (size_t p = 0; p < order->count; p++) {
    uint32_t node = order->data[p];
    if (node == 0) continue;
    if (previous != NO_NODE && graph->threads.data[node] != graph->threads.data[previous]) switches++;
    previous = node;
  }
  return switches;
}
