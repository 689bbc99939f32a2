// Views: a graph arranged by threads and cells.
#include "order/graph/graph_internal.h"

#include <stdlib.h>

void view_init(View *view, Account *account) {
  *view = (View){0};
  U32Vector *vectors[] = {&view->thread,     &view->position,   &view->chain_start, &view->chain,
                          &view->cell_group, &view->first_from, &view->next_from,   &view->first_to,
                          &view->next_to,    &view->slot,       &view->next};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], account);
  ViewLinkVector_init(&view->links, account);
  ViewWriteVector_init(&view->writes, account);
  ViewEdgeVector_init(&view->edges, account);
  WriteGroupVector_init(&view->groups, account);
}

void view_free(View *view) {
  U32Vector *vectors[] = {&view->thread,     &view->position,   &view->chain_start, &view->chain,
                          &view->cell_group, &view->first_from, &view->next_from,   &view->first_to,
                          &view->next_to,    &view->slot,       &view->next};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
  ViewLinkVector_free(&view->links);
  ViewWriteVector_free(&view->writes);
  ViewEdgeVector_free(&view->edges);
  WriteGroupVector_free(&view->groups);
}

void view_clear(View *view) {
  view->thread.count = 0;
  view->links.count = 0;
  view->writes.count = 0;
  view->edges.count = 0;
}

static void make_chains(View *view) {
  uint32_t nodes = view_nodes(view);
  U32Vector_clear(&view->chain_start);
  U32Vector_resize(&view->chain_start, view->thread_count + 1);
  U32Vector_resize(&view->position, nodes);
  U32Vector_resize(&view->chain, nodes);
  for (uint32_t n = 0; n < nodes; n++) view->position.data[n] = view->chain_start.data[view->thread.data[n] + 1]++;
  for (uint32_t t = 0; t < view->thread_count; t++) view->chain_start.data[t + 1] += view->chain_start.data[t];
  for (uint32_t n = 0; n < nodes; n++) {
    view->chain.data[view->chain_start.data[view->thread.data[n]] + view->position.data[n]] = n;
  }
  U32Vector_resize(&view->next, nodes);
  for (uint32_t i = 0; i < nodes; i++) {
    bool last = i + 1 == nodes || view->thread.data[view->chain.data[i]] != view->thread.data[view->chain.data[i + 1]];
    view->next.data[view->chain.data[i]] = last ? NOTHING : view->chain.data[i + 1];
  }
  assert(chain_length(view, 0) == 1);
}

static int compare_writes(const void *left, const void *right) {
  const ViewWrite *a = left, *b = right;
  if (a->cell != b->cell) return a->cell < b->cell ? -1 : 1;
  if (a->thread != b->thread) return a->thread < b->thread ? -1 : 1;
  return a->node < b->node ? -1 : a->node > b->node;
}

static void make_groups(View *view) {
  if (view->writes.count > 0) qsort(view->writes.data, view->writes.count, sizeof(ViewWrite), compare_writes);
  WriteGroupVector_clear(&view->groups);
  U32Vector_clear(&view->cell_group);
  U32Vector_resize(&view->cell_group, view->cell_count + 1);
  for (uint32_t i = 0; i < view->writes.count;) {
    const ViewWrite *first = &view->writes.data[i];
    uint32_t end = i + 1;
    while (end < view->writes.count && view->writes.data[end].cell == first->cell &&
           view->writes.data[end].thread == first->thread) {
      assert(view->writes.data[end].node != view->writes.data[end - 1].node);
      end++;
    }
    if (first->thread != 0) {
      WriteGroupVector_push(&view->groups, (WriteGroup){first->thread, i, end});
      view->cell_group.data[first->cell + 1]++;
    }
    i = end;
  }
  for (uint32_t c = 0; c < view->cell_count; c++) view->cell_group.data[c + 1] += view->cell_group.data[c];
}

static void make_link_lists(View *view) {
  uint32_t nodes = view_nodes(view), links = (uint32_t)view->links.count;
  U32Vector_resize(&view->first_from, nodes);
  U32Vector_resize(&view->first_to, nodes);
  for (uint32_t n = 0; n < nodes; n++) view->first_from.data[n] = view->first_to.data[n] = NOTHING;
  U32Vector_resize(&view->next_from, links);
  U32Vector_resize(&view->next_to, links);
  U32Vector_resize(&view->slot, links + 1);
  uint32_t slots = 0;
  for (uint32_t i = 0; i < links; i++) {
    const ViewLink *link = &view->links.data[i];
    view->next_from.data[i] = view->first_from.data[link->write];
    view->first_from.data[link->write] = i;
    view->next_to.data[i] = view->first_to.data[link->read];
    view->first_to.data[link->read] = i;
    view->slot.data[i] = slots;
    slots += view->cell_group.data[link->cell + 1] - view->cell_group.data[link->cell];
  }
  view->slot.data[links] = slots;
}

void view_finish(View *view, uint32_t thread_count, uint32_t cell_count) {
  view->thread_count = thread_count;
  view->cell_count = cell_count;
  make_chains(view);
  make_groups(view);
  make_link_lists(view);
}

static uint32_t dense_number(Map *numbers, uint32_t key, uint32_t *count) {
  uint64_t number = map_get_or(numbers, key, *count);
  if (number == *count) map_put(numbers, key, (*count)++);
  return (uint32_t)number;
}

void view_of_graph(View *view, const OrderGraph *graph) {
  assert(graph->threads.count > 0);
  view_clear(view);
  Map threads, cells;
  map_init(&threads, graph->account);
  map_init(&cells, graph->account);
  uint32_t thread_count = 0, cell_count = 0;
  for (size_t n = 0; n < graph->threads.count; n++) {
    uint32_t thread = dense_number(&threads, graph->threads.data[n], &thread_count);
    assert((thread == 0) == (n == 0));
    U32Vector_push(&view->thread, thread);
  }
  for (uint32_t i = 0; i < graph->links.count; i++) {
    const GraphLink *l = &graph->links.data[i];
    assert(l->write != l->read && l->read != 0);
    ViewLinkVector_push(&view->links, (ViewLink){l->write, l->read, dense_number(&cells, l->cell, &cell_count), i});
  }
  // Writes of cells without links give no constraints.
  for (uint32_t i = 0; i < graph->writes.count; i++) {
    const GraphWrite *w = &graph->writes.data[i];
    uint64_t cell;
    if (!map_get(&cells, w->cell, &cell)) continue;
    ViewWriteVector_push(&view->writes,
                         (ViewWrite){w->node, view->thread.data[w->node], (uint32_t)cell, i, w->literal == TERM_NONE});
  }
  for (uint32_t i = 0; i < graph->edges.count; i++) {
    const OrderEdge *e = &graph->edges.data[i];
    assert(e->to != 0);
    ViewEdgeVector_push(&view->edges, (ViewEdge){e->from, e->to, i});
  }
  map_free(&threads);
  map_free(&cells);
  view_finish(view, thread_count, cell_count);
}

uint32_t group_at_or_after(const View *view, const WriteGroup *group, uint32_t position) {
  uint32_t low = group->first, high = group->end;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (view->position.data[view->writes.data[middle].node] < position) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
