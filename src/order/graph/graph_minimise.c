// Minimal reasons: removes literals from a contradictory set while the rules still find the contradiction.
//
// Each test computes the closure of the part of the graph that rests on the set's literals (or on none): its links and
// edges, and the writes of the cells that these links read. A link's literal implies that its write is executed, so
// that write is in the part without its own literal. A literal that another literal of the set implies holds without
// being in the set. Implications from literals outside the set are not considered.
#include "order/graph/graph_internal.h"

#include <stdlib.h>

void minimiser_init(Minimiser *m, const OrderGraph *graph, const View *whole) {
  Account *account = graph->account;
  *m = (Minimiser){.graph = graph, .whole = whole};
  map_init(&m->by_literal, account);
  U32Vector *vectors[] = {&m->next_same,     &m->node_number,  &m->cell_number, &m->node_stamp,
                          &m->cell_stamp,    &m->nodes,        &m->items,       &m->link_literal,
                          &m->write_literal, &m->edge_literal, &m->cells};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], account);
  ByteVector *bytes[] = {&m->enabled, &m->kept, &m->implied, &m->link_on, &m->write_on, &m->edge_on};
  for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) ByteVector_init(bytes[i], account);
  view_init(&m->part, account);
  closure_init(&m->closure, account);
  U32Vector_resize(&m->node_number, view_nodes(whole));
  U32Vector_resize(&m->node_stamp, view_nodes(whole));
  U32Vector_resize(&m->cell_number, whole->cell_count);
  U32Vector_resize(&m->cell_stamp, whole->cell_count);
  uint32_t links = (uint32_t)whole->links.count, edges = (uint32_t)whole->edges.count;
  U32Vector_resize(&m->next_same, links + edges);
  for (uint32_t i = links + edges; i-- > 0;) {
    Term literal = i < links ? graph->links.data[whole->links.data[i].item].literal
                             : graph->edges.data[whole->edges.data[i - links].item].literal;
    m->next_same.data[i] = (uint32_t)map_get_or(&m->by_literal, literal, NOTHING);
    map_put(&m->by_literal, literal, i);
  }
}

void minimiser_free(Minimiser *m) {
  map_free(&m->by_literal);
  U32Vector *vectors[] = {&m->next_same,     &m->node_number,  &m->cell_number, &m->node_stamp,
                          &m->cell_stamp,    &m->nodes,        &m->items,       &m->link_literal,
                          &m->write_literal, &m->edge_literal, &m->cells};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
  ByteVector *bytes[] = {&m->enabled, &m->kept, &m->implied, &m->link_on, &m->write_on, &m->edge_on};
  for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) ByteVector_free(bytes[i]);
  view_free(&m->part);
  closure_free(&m->closure);
}

static void take_node(Minimiser *m, uint32_t node) {
  if (m->node_stamp.data[node] == m->stamp) return;
  m->node_stamp.data[node] = m->stamp;
  U32Vector_push(&m->nodes, node);
}

static void take_items(Minimiser *m, Term literal) {
  uint32_t links = (uint32_t)m->whole->links.count;
  for (uint32_t i = (uint32_t)map_get_or(&m->by_literal, literal, NOTHING); i != NOTHING; i = m->next_same.data[i]) {
    U32Vector_push(&m->items, i);
    if (i >= links) {
      take_node(m, m->whole->edges.data[i - links].from);
      take_node(m, m->whole->edges.data[i - links].to);
      continue;
    }
    const ViewLink *link = &m->whole->links.data[i];
    take_node(m, link->write);
    take_node(m, link->read);
    if (m->cell_stamp.data[link->cell] == m->stamp) continue;
    m->cell_stamp.data[link->cell] = m->stamp;
    m->cell_number.data[link->cell] = (uint32_t)m->cells.count;
    U32Vector_push(&m->cells, link->cell);
  }
}

static int compare_nodes(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return a < b ? -1 : a > b;
}

// Is the write in the part? It is if its literal is in the set or TERM_NONE. It also is if it is the write of a link in
// the part, because the link's write needs its place among the writes (see write_present).
static bool write_wanted(const Minimiser *m, const ViewWrite *write, LiteralSet set) {
  Term literal = m->graph->writes.data[write->item].literal;
  if (literal == TERM_NONE || set_contains(set, literal)) return true;
  for (uint32_t i = m->whole->first_from.data[write->node]; i != NOTHING; i = m->whole->next_from.data[i]) {
    const ViewLink *link = &m->whole->links.data[i];
    if (link->cell != write->cell) continue;
    Term through = m->graph->links.data[link->item].literal;
    if (through == TERM_NONE || set_contains(set, through)) return true;
  }
  return false;
}

static void each_write(Minimiser *m, LiteralSet set, void (*take)(Minimiser *m, const ViewWrite *write)) {
  const View *whole = m->whole;
  for (size_t c = 0; c < m->cells.count; c++) {
    uint32_t cell = m->cells.data[c];
    for (uint32_t g = whole->cell_group.data[cell]; g < whole->cell_group.data[cell + 1]; g++) {
      for (uint32_t i = whole->groups.data[g].first; i < whole->groups.data[g].end; i++) {
        if (write_wanted(m, &whole->writes.data[i], set)) take(m, &whole->writes.data[i]);
      }
    }
  }
}

static void take_write_node(Minimiser *m, const ViewWrite *write) { take_node(m, write->node); }

static void take_write(Minimiser *m, const ViewWrite *write) {
  uint32_t node = m->node_number.data[write->node];
  ViewWriteVector_push(&m->part.writes, (ViewWrite){.node = node,
                                                    .thread = m->part.thread.data[node],
                                                    .cell = m->cell_number.data[write->cell],
                                                    .item = write->item,
                                                    .unconditional = write->unconditional});
}

static uint32_t index_in(LiteralSet set, Term literal) {
  for (uint32_t i = 0; i < set.count; i++) {
    if (set.data[i] == literal) return i;
  }
  return NOTHING;
}

static void note_literals(Minimiser *m, LiteralSet set) {
  const View *part = &m->part;
  const OrderGraph *graph = m->graph;
  U32Vector_resize(&m->link_literal, part->links.count);
  U32Vector_resize(&m->write_literal, part->writes.count);
  U32Vector_resize(&m->edge_literal, part->edges.count);
  for (size_t i = 0; i < part->links.count; i++) {
    m->link_literal.data[i] = index_in(set, graph->links.data[part->links.data[i].item].literal);
  }
  for (size_t i = 0; i < part->edges.count; i++) {
    m->edge_literal.data[i] = index_in(set, graph->edges.data[part->edges.data[i].item].literal);
  }
  for (size_t i = 0; i < part->writes.count; i++) {
    m->write_literal.data[i] = index_in(set, graph->writes.data[part->writes.data[i].item].literal);
  }
}

// The part of the graph that rests on the literals of `set`, with the nodes that matter to it numbered anew.
static void make_part(Minimiser *m, LiteralSet set) {
  m->stamp++;
  U32Vector_clear(&m->nodes);
  U32Vector_clear(&m->cells);
  U32Vector_clear(&m->items);
  take_node(m, 0);
  take_items(m, TERM_NONE);
  for (size_t i = 0; i < set.count; i++) take_items(m, set.data[i]);
  each_write(m, set, take_write_node);
  qsort(m->nodes.data, m->nodes.count, sizeof(uint32_t), compare_nodes);
  view_clear(&m->part);
  uint32_t threads = 0;
  U32Vector *number = &m->part.first_from; // free until view_finish
  U32Vector_clear(number);
  U32Vector_resize(number, m->whole->thread_count);
  for (uint32_t i = 0; i < m->nodes.count; i++) {
    uint32_t node = m->nodes.data[i], *thread = &number->data[m->whole->thread.data[node]];
    if (*thread == 0) *thread = ++threads;
    m->node_number.data[node] = i;
    U32Vector_push(&m->part.thread, *thread - 1);
  }
  uint32_t links = (uint32_t)m->whole->links.count;
  for (size_t i = 0; i < m->items.count; i++) {
    uint32_t item = m->items.data[i];
    if (item < links) {
      const ViewLink *l = &m->whole->links.data[item];
      ViewLinkVector_push(&m->part.links, (ViewLink){m->node_number.data[l->write], m->node_number.data[l->read],
                                                     m->cell_number.data[l->cell], l->item});
    } else {
      const ViewEdge *e = &m->whole->edges.data[item - links];
      ViewEdgeVector_push(&m->part.edges,
                          (ViewEdge){m->node_number.data[e->from], m->node_number.data[e->to], e->item});
    }
  }
  each_write(m, set, take_write);
  view_finish(&m->part, threads, (uint32_t)m->cells.count);
  note_literals(m, set);
}

static bool holds(const Minimiser *m, uint32_t literal) { return literal == NOTHING || m->enabled.data[literal]; }

// Is the write enabled? A write whose literal is not enabled is there only through an enabled link, unless it is
// unconditional.
static bool write_present(const Minimiser *m, uint32_t index) {
  const ViewWrite *write = &m->part.writes.data[index];
  if (write->unconditional) return true;
  uint32_t literal = m->write_literal.data[index];
  if (literal != NOTHING && m->enabled.data[literal]) return true;
  for (uint32_t i = m->part.first_from.data[write->node]; i != NOTHING; i = m->part.next_from.data[i]) {
    if (m->part.links.data[i].cell == write->cell && m->link_on.data[i]) return true;
  }
  return false;
}

// Do the kept literals except `without` still contradict each other?
static bool contradictory(Minimiser *m, uint32_t count, uint32_t without) {
  for (uint32_t i = 0; i < count; i++) {
    m->enabled.data[i] = m->kept.data[i] && i != without;
    for (uint32_t k = 0; k < count && !m->enabled.data[i]; k++) {
      m->enabled.data[i] = m->kept.data[k] && k != without && m->implied.data[k * count + i];
    }
  }
  const View *part = &m->part;
  ByteVector_resize(&m->link_on, part->links.count + 1);
  ByteVector_resize(&m->write_on, part->writes.count + 1);
  ByteVector_resize(&m->edge_on, part->edges.count + 1);
  for (uint32_t i = 0; i < part->links.count; i++) m->link_on.data[i] = holds(m, m->link_literal.data[i]);
  for (uint32_t i = 0; i < part->edges.count; i++) m->edge_on.data[i] = holds(m, m->edge_literal.data[i]);
  for (uint32_t i = 0; i < part->writes.count; i++) m->write_on.data[i] = write_present(m, i);
  m->closure.link_on = m->link_on.data;
  m->closure.write_on = m->write_on.data;
  m->closure.edge_on = m->edge_on.data;
  closure_start(&m->closure, part);
  return !closure_run(&m->closure);
}

static void note_implications(Minimiser *m, LiteralSet set) {
  const OrderGraph *graph = m->graph;
  ByteVector_clear(&m->implied);
  ByteVector_resize(&m->implied, set.count * set.count);
  if (!graph->implies) return;
  for (size_t i = 0; i < set.count; i++) {
    for (size_t k = 0; k < set.count; k++) {
      m->implied.data[i * set.count + k] = i != k && graph->implies(graph->context, set.data[i], set.data[k]);
    }
  }
}

static bool is_link_or_edge(const Minimiser *m, Term literal) { return map_contains(&m->by_literal, literal); }

bool minimise(Minimiser *m, TermVector *set) {
  uint32_t count = (uint32_t)set->count;
  make_part(m, set_of(set));
  note_implications(m, set_of(set));
  ByteVector_resize(&m->enabled, count);
  ByteVector_resize(&m->kept, count);
  for (uint32_t i = 0; i < count; i++) m->kept.data[i] = 1;
  if (!contradictory(m, count, NOTHING)) return false;
  // Links and edges are removed first: if a write suffices without a link, its guard gives the better clause, because
  // it is true more often. The second pass removes the guards of writes whose links are needed.
  for (int guards = 0; guards <= 1; guards++) {
    for (uint32_t i = 0; i < count; i++) {
      if (is_link_or_edge(m, set->data[i]) != (guards == 0)) continue;
      if (contradictory(m, count, i)) m->kept.data[i] = 0;
    }
  }
  size_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (m->kept.data[i]) set->data[kept++] = set->data[i];
  }
  set->count = kept;
  return true;
}
