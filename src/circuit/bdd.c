// Symbolic reachability with decision diagrams: breadth first, one ring of new states after the other, until there are no new
// ones or something bad can happen in one of them. So a trace has the fewest steps.
#include "circuit/bdd_trace.h"

typedef struct Search {
  Question *question;
  BddSystem system;
  U32Vector rings; // the states that are new after 0, 1, ... steps
  size_t harmless; // so many rings have no bad state
  Bdd reached;
  size_t peak_nodes;
} Search;

static Bdd newest(const Search *s) { return (Bdd)*U32Vector_last(&s->rings); }

static bool stopped(Search *s) { return bdd_system_flaw(&s->system) != NULL; }

static void note_progress(Search *s) {
  size_t nodes = bdd_space_node_count();
  if (nodes > s->peak_nodes) s->peak_nodes = nodes;
  log_progress(s->question->log, "bdd: depth %zu, %zu nodes", s->rings.count - 1, nodes);
}

// The next ring. False: there is none, or it had to stop.
static bool grow(Search *s) {
  Bdd after = bdd_system_after(&s->system, newest(s));
  bdd_space_replace(&after, bdd_space_minus(after, s->reached));
  bdd_space_or_into(&s->reached, after);
  if (stopped(s) || after == BDD_FALSE) return false;
  U32Vector_push(&s->rings, (uint32_t)after);
  note_progress(s);
  return true;
}

// Is the image of the fixpoint inside it? For asserts. No answer is a yes.
static inline bool is_closed(Search *s) {
  Bdd after = bdd_system_after(&s->system, s->reached);
  bool closed = stopped(s) || bdd_space_entails(after, s->reached) || stopped(s);
  bdd_space_drop(after);
  return closed;
}

static MethodAnswer found_bad(Search *s, Bdd bad) {
  if (bdd_trace_find(&s->system, &s->rings, bad, s->question)) return METHOD_REACHED;
  if (!stopped(s)) text_add(s->question->reason, "internal error: a set of states has one that no execution reaches");
  return METHOD_UNKNOWN;
}

static MethodAnswer search(Search *s) {
  Bdd start = bdd_system_initial(&s->system);
  if (stopped(s)) return METHOD_UNKNOWN;
  U32Vector_push(&s->rings, (uint32_t)start);
  s->reached = bdd_space_share(start);
  do {
    Bdd bad = bdd_system_bad(&s->system, newest(s));
    if (stopped(s)) return METHOD_UNKNOWN;
    if (bad != BDD_FALSE) return found_bad(s, bad);
    s->harmless++;
  } while (grow(s));
  if (stopped(s)) return METHOD_UNKNOWN;
  assert(is_closed(s));
  return METHOD_UNREACHABLE;
}

static MethodAnswer bdd_run(Question *question) {
  Search s = {.question = question, .reached = BDD_FALSE};
  U32Vector_init(&s.rings, question->account);
  bdd_system_init(&s.system, question->circuit, 0, question->budget, question->account);
  bdd_system_seek(&s.system, question->bad);
  MethodAnswer answer = search(&s);
  if (answer == METHOD_UNKNOWN) {
    const char *flaw = bdd_system_flaw(&s.system);
    if (question->reason->length == 0) text_add(question->reason, flaw);
    if (s.harmless > 0) text_format(question->covered, "all states within %zu steps", s.harmless - 1);
  }
  result_count(question->result, "depth", (double)s.rings.count);
  result_count(question->result, "peak_nodes", (double)s.peak_nodes);
  result_count(question->result, "diagram_variables", (double)question->circuit->words->variable_count);
  bdd_system_free(&s.system);
  U32Vector_free(&s.rings);
  return answer;
}

const Method method_bdd = {.name = "bdd", .summary = "reachability with decision diagrams", .run = bdd_run};
