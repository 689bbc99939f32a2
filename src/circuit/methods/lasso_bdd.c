// Fair cycles with decision diagrams: all reachable states, then the hull of those that have an infinite past with all
// justice.
//
// The hull shrinks, beginning with all reachable states. For each justice, only those states stay that can be reached
// inside the hull from a step in which this justice holds. Then only states with a predecessor in the hull stay, which
// is repeated until nothing changes. In the end the hull consists of the states on and behind cycles that have all
// justice. If it is empty, there is no lasso. All of this uses images only, which never leave the reachable states.
// (Fisler, Fraer, Kamhi, Vardi, Yang: "Is there a best symbolic cycle-detection algorithm?", TACAS 2001, call it
// one-way-catch-them-young and use preimages.)
#include "circuit/methods/lasso_bdd.h"

#include "circuit/methods/lasso_check.h"

typedef struct Search {
  Question *question;
  LassoSystem system;
  U32Vector rings; // the states that are new after 0, 1, ... steps
  Bdd reached, hull;
  uint32_t rounds; // how often the hull was recomputed
  size_t peak_nodes;
} Search;

static bool stopped(Search *s) { return lasso_system_stopped(&s->system); }

static void note_nodes(Search *s) {
  size_t nodes = bdd_space_node_count();
  if (nodes > s->peak_nodes) s->peak_nodes = nodes;
}

// --- reachable states ---

// The successors of the newest states that are in `inside` (BDD_TRUE: all states) and not in `old`.
static Bdd new_after(Search *s, Bdd newest, Bdd inside, Bdd old) {
  lasso_system_reorder(&s->system, old);
  Bdd after = lasso_system_after(&s->system, newest, s->system.constraint);
  if (inside != BDD_TRUE) bdd_space_and_into(&after, inside);
  bdd_space_replace(&after, bdd_space_minus(after, old));
  note_nodes(s);
  return after;
}

static void reach_all(Search *s) {
  Bdd newest = lasso_system_start(&s->system);
  s->reached = bdd_space_share(newest);
  while (newest != BDD_FALSE && !stopped(s)) {
    U32Vector_push(&s->rings, (uint32_t)newest);
    newest = new_after(s, newest, BDD_TRUE, s->reached);
    bdd_space_or_into(&s->reached, newest);
    log_progress(s->question->log, "bdd: depth %zu, %zu nodes", s->rings.count, bdd_space_node_count());
  }
}

// --- the hull ---

// Returns whether the hull changed.
static bool replace_hull(Search *s, Bdd with) {
  bool changed = with != s->hull;
  bdd_space_replace(&s->hull, with);
  log_progress(s->question->log, "bdd: round %u, %zu nodes", s->rounds, bdd_space_node_count());
  return changed;
}

// Keeps the states that can be reached inside the hull from steps with this justice. Returns whether the hull changed.
static bool keep_after(Search *s, Bdd just) {
  s->rounds++;
  Bdd newest = lasso_system_after(&s->system, s->hull, just);
  bdd_space_and_into(&newest, s->hull);
  Bdd kept = bdd_space_share(newest);
  while (newest != BDD_FALSE && kept != s->hull && !stopped(s)) {
    bdd_space_replace(&newest, new_after(s, newest, s->hull, kept));
    bdd_space_or_into(&kept, newest);
  }
  bdd_space_drop(newest);
  return replace_hull(s, kept);
}

// Keeps the states with an infinite past inside the hull. Returns whether the hull changed.
static bool keep_with_past(Search *s) {
  bool changed = false, again = true;
  while (again && s->hull != BDD_FALSE && !stopped(s)) {
    s->rounds++;
    lasso_system_reorder(&s->system, s->hull);
    Bdd after = lasso_system_after(&s->system, s->hull, s->system.constraint);
    bdd_space_and_into(&after, s->hull);
    again = !stopped(s) && replace_hull(s, after);
    changed |= again;
    note_nodes(s);
  }
  return changed;
}

static void shrink_hull(Search *s) {
  const U32Vector *just = &s->system.just;
  size_t unchanged = 0; // how many of the last attempts did not shrink it
  s->hull = bdd_space_share(s->reached);
  for (size_t i = 0; unchanged <= just->count && s->hull != BDD_FALSE && !stopped(s); i = (i + 1) % (just->count + 1)) {
    if (i < just->count)
      unchanged = keep_after(s, (Bdd)just->data[i]) ? 0 : unchanged + 1;
    else
      unchanged = keep_with_past(s) ? 1 : unchanged + 1;
  }
}

// --- answers ---

// Can each justice hold in some step?
static bool can_be_just(const LassoSystem *y) {
  for (size_t i = 0; i < y->just.count; i++)
    if (y->just.data[i] == BDD_FALSE) return false;
  return true;
}

typedef enum Found {
  FOUND_NOTHING, // it had to stop
  FOUND_NONE,    // there is no lasso
  FOUND_LASSO,
  FOUND_OPEN // a loop of the cone's latches, in which other latches do not become the same again
} Found;

static Found search(Search *s) {
  if (stopped(s)) return FOUND_NOTHING;
  if (!can_be_just(&s->system)) return FOUND_NONE;
  reach_all(s);
  if (!stopped(s)) lasso_system_care(&s->system, s->reached);
  if (!stopped(s)) shrink_hull(s);
  if (stopped(s)) return FOUND_NOTHING;
  if (s->hull == BDD_FALSE) return FOUND_NONE;
  switch (lasso_bdd_find(&s->system, &s->rings, s->hull, s->question)) {
  case LASSO_CLOSED: return FOUND_LASSO;
  case LASSO_OPEN: return FOUND_OPEN;
  default: return FOUND_NOTHING;
  }
}

static Found search_cone(Question *question, bool whole, size_t most_nodes) {
  Search s = {.question = question, .reached = BDD_FALSE, .hull = BDD_FALSE};
  U32Vector_init(&s.rings, question->account);
  lasso_system_init(&s.system, question, whole, most_nodes);
  Found found = search(&s);
  if (found == FOUND_NOTHING) {
    const char *flaw = s.system.translator.flaw;
    if (flaw)
      text_add(question->reason, flaw);
    else
      question_break(question, "states with a just past have none", NULL);
    if (s.rings.count > 0 && s.hull == BDD_FALSE)
      text_format(question->covered, "states within %zu steps, without a look for cycles", s.rings.count - 1);
  }
  result_count(question->result, "reachable_rings", (double)s.rings.count);
  result_count(question->result, "fair_rounds", (double)s.rounds);
  result_count(question->result, "bdd_nodes", (double)s.peak_nodes);
  result_count(question->result, "diagram_variables", (double)s.system.variables);
  result_count(question->result, "clusters", (double)s.system.clusters.count);
  result_count(question->result, "reorderings", (double)s.system.reorderings);
  lasso_system_free(&s.system);
  U32Vector_free(&s.rings);
  return found;
}

MethodAnswer lasso_bdd_answer(Question *question, size_t most_nodes) {
  assert(question->trace->steps == 0);
  Found found = search_cone(question, false, most_nodes);
  if (found == FOUND_OPEN) found = search_cone(question, true, most_nodes); // the inputs of other latches matter, too
  if (found == FOUND_NONE) return METHOD_UNREACHABLE;
  if (found == FOUND_LASSO) {
    assert(lasso_is_valid(question));
    return METHOD_REACHED;
  }
  if (found == FOUND_OPEN) text_add(question->reason, "a loop was found that is too long for a trace");
  return METHOD_UNKNOWN;
}

MethodAnswer bdd_lasso(Question *question) { return lasso_bdd_answer(question, 0); }
