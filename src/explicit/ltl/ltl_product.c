#include "explicit/ltl/ltl_product.h"

typedef struct NodeKey {
  StateId state;
  uint32_t automaton;
} NodeKey;

static NodeKey node_key(const LtlProduct *p, uint32_t node) {
  NodeKey key;
  memcpy(&key, records_at(&p->nodes, node), sizeof key);
  return key;
}

static uint32_t *node_number(const LtlProduct *p, uint32_t node) {
  return (uint32_t *)(void *)(records_at(&p->nodes, node) + sizeof(NodeKey));
}

static uint32_t node_of(LtlProduct *p, StateId state, uint32_t automaton) {
  NodeKey key = {.state = state, .automaton = automaton};
  bool is_new;
  return records_insert(&p->nodes, &key, &is_new);
}

static uint64_t lowest_bits(size_t count) { return count == 0 ? 0 : UINT64_MAX >> (64 - count); }

void ltl_product_init(LtlProduct *p, LtlGraph *graph, LtlAutomaton *automaton, bool fair, Account *account) {
  *p = (LtlProduct){.graph = graph, .automaton = automaton, .account = account};
  uint64_t threads = lowest_bits(graph->program->threads.count);
  p->required.fulfilled = lowest_bits(automaton->promises.untils.count);
  p->required.unstopped = threads;
  p->required.fair = fair ? threads : 0;
  records_init(&p->nodes, sizeof(NodeKey), sizeof(uint32_t), account);
  U32Vector_init(&p->live, account);
  ProductRootVector_init(&p->roots, account);
  ProductFrameVector_init(&p->frames, account);
}

void ltl_product_free(LtlProduct *p) {
  ProductFrameVector_free(&p->frames);
  ProductRootVector_free(&p->roots);
  U32Vector_free(&p->live);
  records_free(&p->nodes);
}

// --- marks ---

static void marks_add(Marks *to, const Marks *more) {
  to->fulfilled |= more->fulfilled;
  to->unstopped |= more->unstopped;
  to->fair |= more->fair;
}

static Marks marks_without(const Marks *all, const Marks *some) {
  return (Marks){.fulfilled = all->fulfilled & ~some->fulfilled,
                 .unstopped = all->unstopped & ~some->unstopped,
                 .fair = all->fair & ~some->fair};
}

static bool marks_any(const Marks *marks) { return (marks->fulfilled | marks->unstopped | marks->fair) != 0; }

static bool marks_meet(const Marks *a, const Marks *b) {
  return ((a->fulfilled & b->fulfilled) | (a->unstopped & b->unstopped) | (a->fair & b->fair)) != 0;
}

// --- transitions ---

typedef struct ProductTransition {
  uint32_t to;
  ThreadId thread;
  Marks marks;
} ProductTransition;

static Marks thread_marks(const LtlGraph *g, StateId state, ThreadId thread) {
  if (g->flags.data[state] & GRAPH_ENDED) return (Marks){.unstopped = UINT64_MAX, .fair = UINT64_MAX};
  assert(thread == NO_ID || thread < g->program->threads.count);
  uint64_t moves = thread == NO_ID ? 0 : UINT64_C(1) << thread;
  return (Marks){.unstopped = g->unstopped.data[state] | moves, .fair = ~g->can.data[state] | moves};
}

// The transition number `index` of the node; false if there are not so many, or the automaton's budget is exhausted.
static bool product_transition(LtlProduct *p, uint32_t node, uint32_t index, ProductTransition *out) {
  const LtlGraph *g = p->graph;
  NodeKey key = node_key(p, node);
  size_t edges = ltl_graph_edge_count(g, key.state), ways = edges + ltl_graph_stays(g, key.state);
  bool inside = g->flags.data[key.state] & GRAPH_INSIDE;
  uint32_t first = 0, moves = 1;
  if (!inside) {
    uint32_t letter = g->letters.data[key.state];
    uint64_t value = g->letter_values.data[letter];
    if (!ltl_automaton_moves(p->automaton, key.automaton, value, letter, &first, &moves)) return false;
  }
  if (moves == 0 || index / moves >= ways) return false;
  size_t way = index / moves;
  GraphEdge edge = {.to = key.state, .thread = NO_ID};
  if (way < edges) edge = ltl_graph_edge(g, key.state, way);
  *out = (ProductTransition){.thread = edge.thread};
  if (inside) {
    out->to = node_of(p, edge.to, key.automaton);
    return true;
  }
  const AutomatonMove *move = &p->automaton->moves.data[first + index % moves];
  out->marks = thread_marks(g, key.state, edge.thread);
  out->marks.fulfilled = move->fulfilled;
  out->to = node_of(p, edge.to, move->to);
  return true;
}

// --- search ---

static void visit(LtlProduct *p, uint32_t node, const Marks *into) {
  assert(*node_number(p, node) == 0);
  U32Vector_push(&p->live, node);
  *node_number(p, node) = (uint32_t)p->live.count; // those before it are live, too
  ProductRootVector_push(&p->roots, (ProductRoot){.number = (uint32_t)p->live.count, .into = *into});
  ProductFrameVector_push(&p->frames, (ProductFrame){.node = node});
}

// A cycle closes at the live node of that number. True: the part has all marks now.
static bool merge(LtlProduct *p, uint32_t number, const Marks *marks) {
  assert(number > 0 && number <= p->live.count);
  Marks all = *marks;
  while (ProductRootVector_last(&p->roots)->number > number) {
    ProductRoot root = ProductRootVector_pop(&p->roots);
    marks_add(&all, &root.within);
    marks_add(&all, &root.into);
  }
  ProductRoot *root = ProductRootVector_last(&p->roots);
  marks_add(&root->within, &all);
  Marks missing = marks_without(&p->required, &root->within);
  return !marks_any(&missing);
}

static void leave(LtlProduct *p, uint32_t node) {
  ProductFrameVector_pop(&p->frames);
  if (ProductRootVector_last(&p->roots)->number != *node_number(p, node)) return;
  uint32_t first = ProductRootVector_pop(&p->roots).number;
  assert(p->live.data[first - 1] == node);
  while (p->live.count >= first) *node_number(p, U32Vector_pop(&p->live)) = NO_ID;
}

static bool memory_is_short(const LtlProduct *p) {
  const Account *account = p->account;
  return account != NULL && account->limit != 0 && account->bytes > account->limit / 4 * 3;
}

static ProductEnd search(LtlProduct *p, Budget *budget) {
  Marks none = {0};
  visit(p, node_of(p, 0, 0), &none);
  while (p->frames.count > 0) {
    if (budget_exhausted(budget, "replay product")) return PRODUCT_STOPPED;
    if ((++p->transitions & 0xffff) == 0 && memory_is_short(p)) {
      budget->reason = STOP_MEMORY;
      return PRODUCT_STOPPED;
    }
    ProductFrame *frame = ProductFrameVector_last(&p->frames);
    ProductTransition transition;
    if (!product_transition(p, frame->node, frame->next++, &transition)) {
      if (budget->reason != STOP_NONE) return PRODUCT_STOPPED;
      leave(p, frame->node);
      continue;
    }
    uint32_t number = *node_number(p, transition.to);
    if (number == 0)
      visit(p, transition.to, &transition.marks);
    else if (number != NO_ID && merge(p, number, &transition.marks))
      return PRODUCT_FOUND;
  }
  return PRODUCT_EMPTY;
}

ProductEnd ltl_product_search(LtlProduct *p, Budget *budget) {
  p->automaton->budget = budget;
  ProductEnd end = search(p, budget);
  p->automaton->budget = NULL; // all moves are known that a lasso needs
  return end;
}

// --- lassos ---

// A search for a shortest way, over nodes that were visited.
VECTOR(MarksVector, Marks);
typedef struct Wave {
  LtlProduct *product;
  U32Vector nodes;     // in the order they are reached
  U32Vector parents;   // per entry of `nodes`
  U32Vector threads;   // the same: the thread that took the step
  MarksVector marks;   // the same: of the transition to it
  Map reached;         // nodes
  bool part_only;      // only nodes of the part that was found
  const Marks *wanted; // stop at a transition with one of these marks; NULL: at a node
  uint32_t goal;       // the node; NO_ID: any of the part that is outside of sections
} Wave;

static bool is_in_part(const LtlProduct *p, uint32_t node) {
  uint32_t number = *node_number(p, node);
  return number != 0 && number != NO_ID && number >= ProductRootVector_last(&p->roots)->number;
}

static bool is_goal(const Wave *w, uint32_t node) {
  if (w->wanted != NULL) return false;
  if (w->goal != NO_ID) return node == w->goal;
  return is_in_part(w->product, node) &&
         !(w->product->graph->flags.data[node_key(w->product, node).state] & GRAPH_INSIDE);
}

static void wave_reach(Wave *w, uint32_t node, uint32_t parent, ThreadId thread, Marks marks) {
  map_put(&w->reached, node, 1);
  U32Vector_push(&w->nodes, node);
  U32Vector_push(&w->parents, parent);
  U32Vector_push(&w->threads, thread);
  MarksVector_push(&w->marks, marks);
}

// Follows the transitions of the entry `at`. True: the goal is the last entry.
static bool wave_spread(Wave *w, uint32_t at) {
  LtlProduct *p = w->product;
  ProductTransition transition;
  for (uint32_t i = 0; product_transition(p, w->nodes.data[at], i, &transition); i++) {
    if (*node_number(p, transition.to) == 0 || (w->part_only && !is_in_part(p, transition.to))) continue;
    bool hit = w->wanted != NULL && marks_meet(&transition.marks, w->wanted);
    // A goal may be where the wave began.
    if (!hit && !is_goal(w, transition.to) && map_contains(&w->reached, transition.to)) continue;
    wave_reach(w, transition.to, at, transition.thread, transition.marks);
    if (hit || is_goal(w, transition.to)) return true;
  }
  return false;
}

static void wave_tell(const Wave *w, ProductStepVector *out, Marks *passed) {
  size_t start = out->count;
  for (uint32_t at = (uint32_t)w->nodes.count - 1; w->parents.data[at] != NO_ID; at = w->parents.data[at]) {
    ProductStep step = {.thread = w->threads.data[at], .to = node_key(w->product, w->nodes.data[at]).state};
    ProductStepVector_push(out, step);
    marks_add(passed, &w->marks.data[at]);
  }
  for (size_t i = start, k = out->count; i + 1 < k; i++) {
    ProductStep swap = out->data[i];
    out->data[i] = out->data[--k];
    out->data[k] = swap;
  }
}

// Runs the wave from a node; appends the way to `out`, and returns the node where it ends. `passed`: the marks on the
// way.
static uint32_t wave_run(Wave *w, uint32_t from, ProductStepVector *out, Marks *passed) {
  Account *account = w->product->account;
  U32Vector *const vectors[] = {&w->nodes, &w->parents, &w->threads};
  for (size_t i = 0; i < 3; i++) U32Vector_init(vectors[i], account);
  MarksVector_init(&w->marks, account);
  map_init(&w->reached, account);
  wave_reach(w, from, NO_ID, NO_ID, (Marks){0});
  bool found = false;
  for (uint32_t at = 0; at < w->nodes.count && !found; at++) found = wave_spread(w, at);
  assert(found); // the part is strongly connected, and can be reached
  uint32_t end = *U32Vector_last(&w->nodes);
  wave_tell(w, out, passed);
  map_free(&w->reached);
  MarksVector_free(&w->marks);
  for (size_t i = 0; i < 3; i++) U32Vector_free(vectors[i]);
  return end;
}

void ltl_product_lasso(LtlProduct *p, ProductStepVector *stem, ProductStepVector *loop) {
  Wave to_part = {.product = p, .goal = NO_ID};
  Marks passed = {0};
  uint32_t first = node_of(p, 0, 0);
  uint32_t start = is_goal(&to_part, first) ? first : wave_run(&to_part, first, stem, &passed);
  passed = (Marks){0};
  uint32_t at = start;
  for (Marks missing = p->required; marks_any(&missing); missing = marks_without(&p->required, &passed)) {
    Wave wave = {.product = p, .part_only = true, .wanted = &missing, .goal = NO_ID};
    at = wave_run(&wave, at, loop, &passed);
  }
  Wave back = {.product = p, .part_only = true, .goal = start};
  if (at != start) wave_run(&back, at, loop, &passed);
}
