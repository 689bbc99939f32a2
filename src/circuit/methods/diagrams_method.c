// Symbolic reachability with decision diagrams: breadth-first, ring after ring of new states, until there are no new
// states or a state of the newest ring is bad. So a trace has the fewest steps.
#include "circuit/methods/bdd_trace.h"

typedef struct Search {
  Question *question;
  BddSystem system;
  U32Vector rings;  // the states that are new after 0, 1, ... steps
  U32Vector filled; // per ring: how many bits had thawed when it was made
  size_t harmless;  // how many rings have no bad state
  Bdd reached;
  size_t peak_nodes;
  unsigned reorderings;
  size_t reorder_at;   // reorders when `reached` has this many nodes
  double reorder_time; // seconds that the last reordering took
} Search;

static Bdd newest(const Search *s) { return (Bdd)*U32Vector_last(&s->rings); }

static bool stopped(Search *s) { return bdd_system_flaw(&s->system) != NULL; }

static void note_progress(Search *s) {
  size_t nodes = bdd_space_node_count();
  if (nodes > s->peak_nodes) s->peak_nodes = nodes;
  log_progress(s->question->log, "bdd: depth %zu, %zu nodes, %zu bits, %zu states' nodes", s->rings.count - 1, nodes,
               s->system.states.thawed.count, bdd_space_size(s->reached));
}

// Adds the initial values of the bits that thawed since the ring was made.
static void fill(Search *s, size_t ring) {
  Bdd *states = (Bdd *)&s->rings.data[ring];
  bdd_space_replace(states, bdd_system_fill(&s->system, *states, s->filled.data[ring]));
  s->filled.data[ring] = (uint32_t)s->system.states.thawed.count;
}

static void thaw(Search *s) {
  while (bdd_system_thaw(&s->system, newest(s))) {
    bdd_space_replace(&s->reached, bdd_system_fill(&s->system, s->reached, *U32Vector_last(&s->filled)));
    fill(s, s->rings.count - 1);
  }
}

static void add_ring(Search *s, Bdd states) {
  U32Vector_push(&s->rings, (uint32_t)states);
  U32Vector_push(&s->filled, (uint32_t)s->system.states.thawed.count);
}

// Reorders variables if the sets grew enough since the last time. It cannot be interrupted, so there must be time for
// it.
static void reorder(Search *s) {
  enum { FIRST_REORDERING = 100000, TIMES_LONGER = 10, FIRST_TIME = 3 };
  size_t size = bdd_space_size(s->reached);
  if (size < (s->reorderings ? s->reorder_at : FIRST_REORDERING) ||
      budget_left(s->question->budget) < TIMES_LONGER * (s->reorderings ? s->reorder_time : FIRST_TIME))
    return;
  double start = clock_now();
  bdd_space_reorder_now();
  s->reorder_time = clock_now() - start;
  s->reorderings++;
  size_t now = bdd_space_size(s->reached);
  s->reorder_at = 2 * (now < FIRST_REORDERING ? FIRST_REORDERING : now);
  log_progress(s->question->log, "bdd: reordered in %.1f s, from %zu nodes to %zu", s->reorder_time, size, now);
}

// Adds the next ring. False: there is none, or it had to stop.
static bool grow(Search *s) {
  reorder(s);
  thaw(s);
  Bdd after = bdd_system_after(&s->system, newest(s));
  bdd_space_replace(&after, bdd_space_minus(after, s->reached));
  bdd_space_or_into(&s->reached, after);
  if (stopped(s) || after == BDD_FALSE) return false;
  add_ring(s, after);
  note_progress(s);
  return true;
}

// Is the image of the reached states inside them? For asserts only; if it had to stop, the answer is yes.
__attribute__((unused)) static bool is_closed(Search *s) {
  if (bdd_system_thaw(&s->system, s->reached)) return stopped(s);
  Bdd after = bdd_system_after(&s->system, s->reached);
  bool closed = stopped(s) || bdd_space_entails(after, s->reached) || stopped(s);
  bdd_space_drop(after);
  return closed;
}

static MethodAnswer found_bad(Search *s, Bdd bad) {
  for (size_t i = 0; i < s->rings.count; i++) fill(s, i);
  if (bdd_trace_find(&s->system, &s->rings, bad, s->question)) return METHOD_REACHED;
  if (!stopped(s)) question_break(s->question, "a set of states has one that no execution reaches", NULL);
  return METHOD_UNKNOWN;
}

// Is a state of the newest ring bad? After one was told, another one.
static MethodAnswer look_at_newest(Search *s) {
  for (;;) {
    Bdd bad = bdd_system_bad(&s->system, newest(s));
    if (stopped(s)) return METHOD_UNKNOWN;
    if (bad == BDD_FALSE) return METHOD_UNREACHABLE;
    MethodAnswer answer = found_bad(s, bad);
    if (answer != METHOD_REACHED || !question_tell(s->question)) return answer;
    bdd_system_set_goal(&s->system, s->question->bad);
  }
}

static MethodAnswer search(Search *s) {
  Bdd start = bdd_system_initial(&s->system);
  if (stopped(s)) return METHOD_UNKNOWN;
  add_ring(s, start);
  s->reached = bdd_space_share(start);
  do {
    MethodAnswer answer = look_at_newest(s);
    if (answer != METHOD_UNREACHABLE) return answer;
    s->harmless++;
  } while (grow(s));
  if (stopped(s)) return METHOD_UNKNOWN;
  assert(is_closed(s));
  assert(s->harmless == s->rings.count);
  return METHOD_UNREACHABLE;
}

MethodAnswer bdd_reach(Question *question) {
  Search s = {.question = question, .reached = BDD_FALSE};
  U32Vector_init(&s.rings, question->account);
  U32Vector_init(&s.filled, question->account);
  bdd_system_init(&s.system, question->circuit, 0, question->budget, question->account);
  bdd_system_set_goal(&s.system, question->bad);
  MethodAnswer answer = search(&s);
  if (answer == METHOD_UNKNOWN) {
    const char *flaw = bdd_system_flaw(&s.system);
    if (question->reason->length == 0) text_add(question->reason, flaw);
    if (s.harmless > 0) text_format(question->covered, "all states within %zu steps", s.harmless - 1);
  }
  result_count(question->result, "depth", (double)s.rings.count);
  result_count(question->result, "peak_nodes", (double)s.peak_nodes);
  result_count(question->result, "diagram_variables", (double)question->circuit->words->variable_count);
  result_count(question->result, "thawed_bits", (double)s.system.states.thawed.count);
  result_count(question->result, "reorderings", (double)s.reorderings);
  bdd_system_free(&s.system);
  U32Vector_free(&s.filled);
  U32Vector_free(&s.rings);
  return answer;
}
