// Fewer thread switches: a search over sets of thread prefixes, one level per switch.
//
// A state says how many nodes of each thread are placed and which thread ran last. Which nodes can be placed next
// depends on nothing else. Level k contains the states that are reached with k switches. The next level lets each other
// thread run for any number of nodes. As long as no level is cut to its beam, the first level that contains the end has
// the fewest switches possible. Beams grow while effort is left.
#include "order/graph/graph_internal.h"

#include <stdlib.h>

enum { FIRST_BEAM = 8, BEAM_GROWTH = 4 };

// A write of a link's cell for which the closure does not say whether it comes before the link's write or after its
// read. It must not be placed while the link's write is placed and its read is not.
typedef struct Danger {
  uint32_t link, next;
} Danger;
VECTOR(DangerVector, Danger);

typedef struct State {
  uint32_t parent;         // index in Reduction.states, or NOTHING
  uint32_t thread;         // the thread that ran last
  uint32_t placed;         // number of placed nodes of all threads
  uint32_t first_position; // in Reduction.positions: one number per thread
} State;
VECTOR(StateVector, State);

typedef struct Reduction {
  const View *view;
  OrderClosure closure;
  GraphNode last;
  DangerVector dangers;
  U32Vector first_danger; // per node
  StateVector states;
  U32Vector positions;
  U32Vector level, next_level; // states of the current and the next level
  size_t level_number;         // of the next level
  Map seen;                    // hashes of prefixes, and of prefixes with a thread -> level
  size_t effort;
  bool cut; // some level did not fit into its beam
} Reduction;

static void reduction_init(Reduction *r, const View *view, GraphNode last, size_t effort, Account *account) {
  *r = (Reduction){.view = view, .last = last, .effort = effort};
  closure_init(&r->closure, account);
  DangerVector_init(&r->dangers, account);
  StateVector_init(&r->states, account);
  U32Vector *vectors[] = {&r->first_danger, &r->positions, &r->level, &r->next_level};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], account);
  map_init(&r->seen, account);
  closure_start(&r->closure, view);
}

static void reduction_free(Reduction *r) {
  closure_free(&r->closure);
  DangerVector_free(&r->dangers);
  StateVector_free(&r->states);
  U32Vector *vectors[] = {&r->first_danger, &r->positions, &r->level, &r->next_level};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
  map_free(&r->seen);
}

static void find_dangers(Reduction *r) {
  const View *view = r->view;
  U32Vector_resize(&r->first_danger, view_nodes(view));
  for (uint32_t n = 0; n < view_nodes(view); n++) r->first_danger.data[n] = NOTHING;
  for (uint32_t l = 0; l < view->links.count; l++) {
    const ViewLink *link = &view->links.data[l];
    for (uint32_t g = view->cell_group.data[link->cell]; g < view->cell_group.data[link->cell + 1]; g++) {
      for (uint32_t i = view->groups.data[g].first; i < view->groups.data[g].end; i++) {
        uint32_t node = view->writes.data[i].node;
        if (node == link->write || node == link->read) continue;
        if (comes_before(&r->closure, node, link->write) || comes_before(&r->closure, link->read, node)) continue;
        DangerVector_push(&r->dangers, (Danger){l, r->first_danger.data[node]});
        r->first_danger.data[node] = (uint32_t)(r->dangers.count - 1);
      }
    }
  }
}

static bool is_placed(const Reduction *r, const uint32_t *positions, uint32_t node) {
  return r->view->position.data[node] < positions[r->view->thread.data[node]];
}

static bool may_place(const Reduction *r, const uint32_t *positions, uint32_t placed, uint32_t node) {
  if (node == r->last && placed + 1 < view_nodes(r->view)) return false;
  const uint32_t *before = before_row(&r->closure, node);
  for (uint32_t t = 0; t < r->view->thread_count; t++) {
    if (before[t] > positions[t]) return false;
  }
  for (uint32_t d = r->first_danger.data[node]; d != NOTHING; d = r->dangers.data[d].next) {
    const ViewLink *link = &r->view->links.data[r->dangers.data[d].link];
    if (is_placed(r, positions, link->write) && !is_placed(r, positions, link->read)) return false;
  }
  return true;
}

// Adds a state to the next level unless it is known, or the same prefixes were reached on an earlier level: a
// continuation from there needs no more switches, whichever thread ran last.
static void add_state(Reduction *r, uint32_t parent, uint32_t thread, uint32_t placed, const uint32_t *positions) {
  uint32_t threads = r->view->thread_count;
  uint64_t hash = hash_bytes(positions, threads * sizeof *positions), with_thread = hash_mix(hash + thread + 1);
  if (map_get_or(&r->seen, hash, r->level_number) < r->level_number || map_contains(&r->seen, with_thread)) return;
  map_put(&r->seen, hash, r->level_number);
  map_put(&r->seen, with_thread, r->level_number);
  uint32_t first = (uint32_t)r->positions.count;
  for (uint32_t t = 0; t < threads; t++) U32Vector_push(&r->positions, positions[t]);
  StateVector_push(&r->states, (State){parent, thread, placed, first});
  U32Vector_push(&r->next_level, (uint32_t)(r->states.count - 1));
}

// Lets `thread` run from a state for 1, 2, ... nodes. True if that places everything.
static bool run_thread(Reduction *r, uint32_t from, uint32_t thread, uint32_t *positions) {
  const View *view = r->view;
  uint32_t placed = r->states.data[from].placed;
  memcpy(positions, r->positions.data + r->states.data[from].first_position, view->thread_count * sizeof *positions);
  while (positions[thread] < chain_length(view, thread) && r->effort > 0) {
    uint32_t node = chain_node(view, thread, positions[thread]);
    if (!may_place(r, positions, placed, node)) break;
    r->effort--;
    positions[thread]++;
    placed++;
    add_state(r, from, thread, placed, positions);
    if (placed == view_nodes(view)) return true;
  }
  return false;
}

// Keeps the states of the next level with the most placed nodes, found by counting the states per number of placed
// nodes.
static void cut_level(Reduction *r, size_t beam, U32Vector *counts) {
  if (r->next_level.count <= beam) return;
  r->cut = true;
  uint32_t nodes = view_nodes(r->view);
  U32Vector_clear(counts);
  U32Vector_resize(counts, nodes + 1);
  for (size_t i = 0; i < r->next_level.count; i++) counts->data[r->states.data[r->next_level.data[i]].placed]++;
  size_t room = beam;
  uint32_t least = nodes; // states with more nodes are kept, and of those with exactly so many as many as fit
  while (counts->data[least] <= room) room -= counts->data[least--];
  size_t kept = 0;
  for (size_t i = 0; i < r->next_level.count; i++) {
    uint32_t state = r->next_level.data[i], placed = r->states.data[state].placed;
    if (placed < least || (placed == least && room == 0)) continue;
    if (placed == least) room--;
    r->next_level.data[kept++] = state;
  }
  r->next_level.count = kept;
}

static void start_levels(Reduction *r, uint32_t *positions) {
  StateVector_clear(&r->states);
  U32Vector_clear(&r->positions);
  U32Vector_clear(&r->next_level);
  map_clear(&r->seen);
  memset(positions, 0, r->view->thread_count * sizeof *positions);
  positions[0] = 1; // node 0
  r->level_number = 0;
  add_state(r, NOTHING, 0, 1, positions);
  r->cut = false;
}

// One search with a given beam. Returns the last state if it needs fewer than `switches` switches, else NOTHING.
static uint32_t search_levels(Reduction *r, size_t beam, size_t switches, U32Vector *positions, U32Vector *counts) {
  start_levels(r, positions->data);
  for (size_t level = 0; level < switches && r->next_level.count > 0 && r->effort > 0; level++) {
    cut_level(r, beam, counts);
    U32Vector done = r->level;
    r->level = r->next_level;
    r->next_level = done;
    U32Vector_clear(&r->next_level);
    r->level_number = level + 1;
    for (size_t i = 0; i < r->level.count; i++) {
      uint32_t state = r->level.data[i], running = r->states.data[state].thread;
      for (uint32_t t = 1; t < r->view->thread_count; t++) {
        if (t == running) continue;
        if (run_thread(r, state, t, positions->data)) return (uint32_t)(r->states.count - 1);
      }
    }
  }
  return NOTHING;
}

static void read_states(const Reduction *r, uint32_t state, U32Vector *order) {
  uint32_t place = view_nodes(r->view);
  order->count = place;
  for (; r->states.data[state].parent != NOTHING; state = r->states.data[state].parent) {
    const State *now = &r->states.data[state], *before = &r->states.data[now->parent];
    uint32_t from = r->positions.data[before->first_position + now->thread];
    for (uint32_t p = r->positions.data[now->first_position + now->thread]; p > from; p--) {
      order->data[--place] = chain_node(r->view, now->thread, p - 1);
    }
  }
  assert(place == 1);
  order->data[0] = 0;
}

void graph_reduce_switches(const OrderGraph *graph, GraphNode last, size_t effort, U32Vector *order) {
  assert(graph_is_order(graph, order));
  assert(last == NO_NODE || *U32Vector_last(order) == last);
  View view;
  Reduction r;
  view_init(&view, graph->account);
  view_of_graph(&view, graph);
  reduction_init(&r, &view, last, effort, graph->account);
  bool consistent = closure_run(&r.closure);
  assert(consistent);
  (void)consistent;
  find_dangers(&r);
  U32Vector positions, counts;
  U32Vector_init(&positions, graph->account);
  U32Vector_init(&counts, graph->account);
  U32Vector_resize(&positions, view.thread_count);
  for (size_t beam = FIRST_BEAM; r.effort > 0; beam *= BEAM_GROWTH) {
    size_t switches = graph_switches(graph, order);
    uint32_t end = search_levels(&r, beam, switches, &positions, &counts);
    if (end != NOTHING) read_states(&r, end, order);
    if (!r.cut && r.effort > 0) break;
  }
  assert(graph_is_order(graph, order));
  assert(last == NO_NODE || *U32Vector_last(order) == last);
  U32Vector_free(&positions);
  U32Vector_free(&counts);
  reduction_free(&r);
  view_free(&view);
}
