// Strongly connected components of the graph, by Tarjan's algorithm without recursion.
#include "survey/pointing/constraints.h"

typedef struct Frame {
  NodeId node;
  uint32_t edge; // the next one to look at
} Frame;
VECTOR(FrameVector, Frame);

typedef struct Search {
  Solver *s;
  bool all_edges;            // not only copies
  U32Vector index, low;      // per node; index 0: not seen
  U32Vector component;       // per node: NO_NODE while it is not finished
  U32Vector stack, finished; // `finished`: nodes in the order of their components, targets first
  FrameVector frames;
  uint32_t next_index, next_component;
} Search;

static void search_init(Search *search, Solver *s, bool all_edges) {
  *search = (Search){.s = s, .all_edges = all_edges};
  U32Vector *vectors[] = {&search->index, &search->low, &search->component, &search->stack, &search->finished};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], s->account);
  FrameVector_init(&search->frames, s->account);
  U32Vector_resize(&search->index, s->nodes.count);
  U32Vector_resize(&search->low, s->nodes.count);
  U32Vector_resize(&search->component, s->nodes.count);
  memset(search->component.data, 0xff, s->nodes.count * sizeof(uint32_t));
}

static void search_free(Search *search) {
  U32Vector *vectors[] = {&search->index, &search->low, &search->component, &search->stack, &search->finished};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
  FrameVector_free(&search->frames);
}

static void enter(Search *search, NodeId node) {
  assert(search->index.data[node] == 0);
  search->index.data[node] = search->low.data[node] = ++search->next_index;
  U32Vector_push(&search->stack, node);
  FrameVector_push(&search->frames, (Frame){node, search->s->nodes.data[node].first_edge});
}

static void finish_component(Search *search, NodeId root) {
  NodeId node;
  do {
    node = U32Vector_pop(&search->stack);
    search->component.data[node] = search->next_component;
    U32Vector_push(&search->finished, node);
  } while (node != root);
  search->next_component++;
}

static void lower(Search *search, NodeId node, uint32_t value) {
  if (value < search->low.data[node]) search->low.data[node] = value;
}

static void leave(Search *search) {
  NodeId node = FrameVector_pop(&search->frames).node;
  assert(search->low.data[node] <= search->index.data[node]);
  if (search->low.data[node] == search->index.data[node]) finish_component(search, node);
  if (search->frames.count > 0) lower(search, FrameVector_last(&search->frames)->node, search->low.data[node]);
}

static void search_from(Search *search, NodeId start) {
  enter(search, start);
  while (search->frames.count > 0) {
    Frame *frame = FrameVector_last(&search->frames);
    if (frame->edge == NO_LINK) {
      leave(search);
      continue;
    }
    PlaceEdge edge = search->s->edges.data[frame->edge];
    frame->edge = edge.next;
    if (edge.move != COPY_MOVE && !search->all_edges) continue;
    NodeId to = solver_find(search->s, edge.to);
    if (search->index.data[to] == 0)
      enter(search, to);
    else if (search->component.data[to] == NO_NODE)
      lower(search, frame->node, search->index.data[to]);
  }
}

static void search_all(Search *search) {
  for (NodeId n = 0; n < search->s->nodes.count; n++)
    if (search->s->nodes.data[n].forward == n && search->index.data[n] == 0) search_from(search, n);
}

// `outside` stays itself: areas refer to it.
static void merge_copies(Solver *s) {
  Search search;
  search_init(&search, s, false);
  search_all(&search);
  const U32Vector *finished = &search.finished;
  for (size_t i = 0, end; i < finished->count; i = end) {
    uint32_t component = search.component.data[finished->data[i]];
    NodeId into = finished->data[i];
    for (end = i; end < finished->count && search.component.data[finished->data[end]] == component; end++)
      if (finished->data[end] == s->outside) into = s->outside;
    for (size_t k = i; k < end; k++)
      if (finished->data[k] != into) solver_merge(s, finished->data[k], into);
  }
  search_free(&search);
}

static void mark_cycles(Solver *s, const Search *search) {
  for (NodeId n = 0; n < s->nodes.count; n++)
    for (uint32_t e = s->nodes.data[n].first_edge; e != NO_LINK; e = s->edges.data[e].next) {
      PlaceEdge edge = s->edges.data[e];
      bool cyclic = search->component.data[solver_find(s, edge.to)] == search->component.data[n];
      if (edge.move >= FIRST_MOVE && cyclic) s->moves.data[edge.move].cyclic = true;
    }
}

static void set_order(Solver *s, const Search *search) {
  size_t count = search->finished.count;
  assert(search->stack.count == 0 && search->frames.count == 0 && count <= s->nodes.count);
  U32Vector_clear(&s->order);
  U64Vector_clear(&s->pending);
  U64Vector_resize(&s->pending, count / 64 + 1);
  for (size_t i = 0; i < count; i++) {
    PointerNode *node = &s->nodes.data[search->finished.data[count - 1 - i]];
    node->position = (uint32_t)i;
    U32Vector_push(&s->order, search->finished.data[count - 1 - i]);
    if (!place_set_empty(&node->fresh)) s->pending.data[i / 64] |= UINT64_C(1) << (i % 64);
  }
}

void solver_reorder(Solver *s) {
  merge_copies(s);
  Search search;
  search_init(&search, s, true);
  search_all(&search);
  mark_cycles(s, &search);
  set_order(s, &search);
  search_free(&search);
  s->ordered_edges = s->edges.count;
}
