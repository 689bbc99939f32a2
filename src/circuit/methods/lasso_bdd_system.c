#include "circuit/methods/lasso_bdd.h"

// Nodes of 20 bytes; with the caches this is about half a gigabyte.
enum { FIRST_NODES = 200000, FIRST_CACHE = 20000, MOST_NODES = 16000000, MOST_VARIABLES = 30000 };
enum { CLUSTER_NODES = 2500 };

bool lasso_system_stopped(LassoSystem *y) {
  BddTranslator *t = &y->translator;
  if (!t->flaw && bdd_space_is_open() && bdd_space_exhausted()) t->flaw = "the decision diagrams grew too large";
  if (!t->flaw && budget_exhausted_now(t->budget, t->stop_point)) t->flaw = stop_reason_text(t->budget->reason);
  return t->flaw != NULL;
}

// --- variables ---

// The current variable of the i-th latch of the cone. The next variable is behind it.
static uint32_t current_of(const LassoSystem *y, size_t i) {
  assert(i < y->latches.count);
  return y->leaf.data[lasso_leaf_of(y, y->c->latches.data[y->latches.data[i]].now)];
}

static Bdd leaf_diagram(const BddTranslator *t, uint32_t input) {
  const LassoSystem *y = t->context;
  assert(input < y->leaf.count);
  assert(y->leaf.data[input] != NO_ID);
  return bdd_space_variable(y->leaf.data[input]);
}

// Current and next variables stay together when variables are sifted.
static void keep_neighbours(const LassoSystem *y) {
  ByteVector paired;
  ByteVector_init(&paired, y->account);
  ByteVector_resize(&paired, y->variables);
  for (size_t i = 0; i < y->latches.count; i++) paired.data[current_of(y, i)] = 1;
  for (uint32_t v = 0; v < y->variables; v += 1 + paired.data[v]) bdd_space_keep_together(v, v + paired.data[v]);
  ByteVector_free(&paired);
}

static void make_renamings(LassoSystem *y) {
  U32Vector now, next;
  U32Vector_init(&now, y->account);
  U32Vector_init(&next, y->account);
  for (size_t i = 0; i < y->latches.count; i++) {
    U32Vector_push(&now, current_of(y, i));
    U32Vector_push(&next, current_of(y, i) + 1);
  }
  y->to_next = bdd_space_renaming(now.data, next.data, now.count);
  y->to_current = bdd_space_renaming(next.data, now.data, now.count);
  U32Vector_free(&next);
  U32Vector_free(&now);
}

// --- the relation ---

// Multiplies the relation into the last cluster if the product is small; else it becomes a cluster. Takes over the
// reference.
static void add_to_clusters(LassoSystem *y, Bdd relation) {
  if (y->clusters.count > 0 && !lasso_system_stopped(y)) {
    Bdd *last = (Bdd *)U32Vector_last(&y->clusters);
    if (bdd_space_size(*last) + bdd_space_size(relation) <= CLUSTER_NODES) {
      Bdd both = bdd_space_and(*last, relation);
      bool small = !lasso_system_stopped(y) && bdd_space_size(both) <= CLUSTER_NODES;
      bdd_space_drop(small ? relation : both);
      if (small) {
        bdd_space_replace(last, both);
        return;
      }
    }
  }
  U32Vector_push(&y->clusters, (uint32_t)relation);
}

static void build_relation(LassoSystem *y) {
  for (size_t i = 0; i < y->latches.count && !lasso_system_stopped(y); i++) {
    Bdd function = bdd_translate(&y->translator, y->c->latches.data[y->latches.data[i]].next);
    if (lasso_system_stopped(y)) return;
    Bdd next = bdd_space_variable(current_of(y, i) + 1);
    Bdd relation = bdd_space_equal(next, function);
    bdd_space_drop(next);
    bdd_space_drop(function);
    add_to_clusters(y, relation);
    log_progress(y->question->log, "bdd: %zu of %zu functions, %zu nodes", i + 1, y->latches.count,
                 bdd_space_node_count());
  }
}

static void build_conditions(LassoSystem *y) {
  y->constraint = bdd_translate(&y->translator, y->question->constraint);
  for (size_t i = 0; i < y->question->justice.count && !lasso_system_stopped(y); i++) {
    Bdd just = bdd_translate(&y->translator, y->question->justice.data[i]);
    bdd_space_and_into(&just, y->constraint);
    U32Vector_push(&y->just, (uint32_t)just);
  }
  if (y->question->justice.count == 0) U32Vector_push(&y->just, (uint32_t)bdd_space_share(y->constraint));
}

// --- passes ---

// Clusters that are still to be ordered, and which variables they have.
typedef struct Ordering {
  LassoSystem *y;
  ByteVector forgotten; // per variable: is it to be quantified?
  U32Vector uses;       // per variable: how many of the clusters that are left have it
  U32Vector variables;  // of all clusters, one after the other
  U32Vector first;      // per cluster and one more: where its variables begin
  ByteVector done;      // per cluster
} Ordering;

static void note_variables(Ordering *o) {
  LassoSystem *y = o->y;
  for (size_t i = 0; i < y->clusters.count; i++) {
    U32Vector_push(&o->first, (uint32_t)o->variables.count);
    Bdd support = bdd_space_support((Bdd)y->clusters.data[i]);
    for (Bdd at = support; at > BDD_TRUE; at = bdd_space_high(at)) {
      U32Vector_push(&o->variables, bdd_space_top(at));
      o->uses.data[bdd_space_top(at)]++;
    }
    bdd_space_drop(support);
  }
  U32Vector_push(&o->first, (uint32_t)o->variables.count);
}

// How many variables fewer the product has after multiplication with the cluster. Variables that are not quantified get
// into the product sooner or later, so they count less.
static int gain_of(const Ordering *o, size_t cluster) {
  int gain = 0;
  for (uint32_t i = o->first.data[cluster]; i < o->first.data[cluster + 1]; i++) {
    uint32_t variable = o->variables.data[i];
    if (!o->forgotten.data[variable])
      gain -= 1;
    else if (o->uses.data[variable] == 1)
      gain += 2;
  }
  return gain;
}

static size_t best_cluster(const Ordering *o) {
  size_t best = SIZE_MAX;
  int most = 0;
  for (size_t i = 0; i < o->y->clusters.count; i++) {
    if (o->done.data[i]) continue;
    int gain = gain_of(o, i);
    if (best == SIZE_MAX || gain > most) best = i, most = gain;
  }
  return best;
}

// Takes the next cluster. Returns the cube of the variables that no cluster after it has.
static Bdd take_cluster(Ordering *o, size_t cluster) {
  U32Vector cube;
  U32Vector_init(&cube, o->y->account);
  for (uint32_t i = o->first.data[cluster]; i < o->first.data[cluster + 1]; i++) {
    uint32_t variable = o->variables.data[i];
    if (--o->uses.data[variable] == 0 && o->forgotten.data[variable]) U32Vector_push(&cube, variable);
  }
  o->done.data[cluster] = 1;
  Bdd forget = bdd_space_cube(cube.data, cube.count);
  U32Vector_free(&cube);
  return forget;
}

static Bdd used_nowhere(const Ordering *o) {
  U32Vector cube;
  U32Vector_init(&cube, o->y->account);
  for (uint32_t v = o->y->variables; v-- > 0;)
    if (o->uses.data[v] == 0 && o->forgotten.data[v]) U32Vector_push(&cube, v);
  Bdd first = bdd_space_cube(cube.data, cube.count);
  U32Vector_free(&cube);
  return first;
}

// Orders the clusters for images, which quantify inputs and current variables, or for preimages, which quantify inputs
// and next variables.
static void make_pass(LassoSystem *y, LassoPass *pass, bool backward) {
  Ordering o = {.y = y};
  ByteVector_init(&o.forgotten, y->account);
  U32Vector_init(&o.uses, y->account);
  U32Vector_init(&o.variables, y->account);
  U32Vector_init(&o.first, y->account);
  ByteVector_init(&o.done, y->account);
  for (uint32_t v = 0; v < y->variables; v++) ByteVector_push(&o.forgotten, 1);
  for (size_t i = 0; i < y->latches.count; i++) o.forgotten.data[current_of(y, i) + !backward] = 0;
  U32Vector_resize(&o.uses, y->variables);
  ByteVector_resize(&o.done, y->clusters.count);
  note_variables(&o);
  for (size_t i = 0; i < pass->forget.count; i++) bdd_space_drop((Bdd)pass->forget.data[i]);
  U32Vector_clear(&pass->forget);
  U32Vector_clear(&pass->order);
  bdd_space_replace(&pass->first, used_nowhere(&o));
  for (size_t i = 0; i < y->clusters.count; i++) {
    size_t cluster = best_cluster(&o);
    U32Vector_push(&pass->order, (uint32_t)cluster);
    U32Vector_push(&pass->forget, (uint32_t)take_cluster(&o, cluster));
  }
  ByteVector_free(&o.done);
  U32Vector_free(&o.first);
  U32Vector_free(&o.variables);
  U32Vector_free(&o.uses);
  ByteVector_free(&o.forgotten);
}

static void note_size(LassoSystem *y) {
  y->relation_nodes = bdd_space_size(y->constraint);
  for (size_t i = 0; i < y->clusters.count; i++) y->relation_nodes += bdd_space_size((Bdd)y->clusters.data[i]);
  for (size_t i = 0; i < y->just.count; i++) y->relation_nodes += bdd_space_size((Bdd)y->just.data[i]);
}

static void make_passes(LassoSystem *y) {
  if (lasso_system_stopped(y)) return;
  note_size(y);
  make_pass(y, &y->forward, false);
  make_pass(y, &y->backward, true);
}

void lasso_system_care(LassoSystem *y, Bdd states) {
  for (size_t i = 0; i < y->clusters.count && !lasso_system_stopped(y); i++) {
    Bdd *cluster = (Bdd *)&y->clusters.data[i];
    Bdd simple = bdd_space_simplify(*cluster, states);
    if (!lasso_system_stopped(y) && bdd_space_size(simple) < bdd_space_size(*cluster))
      bdd_space_replace(cluster, simple);
    else
      bdd_space_drop(simple);
  }
  make_passes(y); // the clusters may depend on other variables now
}

// --- steps ---

static Bdd multiply(LassoSystem *y, const LassoPass *pass, Bdd states, Bdd condition) {
  assert(pass->order.count == pass->forget.count);
  if (lasso_system_stopped(y)) return BDD_FALSE;
  Bdd product = bdd_space_and_exists(states, condition, pass->first);
  for (size_t i = 0; i < pass->order.count && product != BDD_FALSE && !lasso_system_stopped(y); i++) {
    Bdd cluster = (Bdd)y->clusters.data[pass->order.data[i]];
    bdd_space_replace(&product, bdd_space_and_exists(product, cluster, (Bdd)pass->forget.data[i]));
  }
  return lasso_system_stopped(y) ? BDD_FALSE : product;
}

Bdd lasso_system_after(LassoSystem *y, Bdd states, Bdd condition) {
  Bdd after = multiply(y, &y->forward, states, condition);
  bdd_space_replace(&after, bdd_space_rename(after, y->to_current));
  return after;
}

Bdd lasso_system_before(LassoSystem *y, Bdd states, Bdd condition) {
  Bdd next = bdd_space_rename(states, y->to_next);
  Bdd before = multiply(y, &y->backward, next, condition);
  bdd_space_drop(next);
  return before;
}

// Sifting cannot be interrupted, so there must be time for it. Its time is estimated from the last time.
void lasso_system_reorder(LassoSystem *y, Bdd states) {
  enum { FIRST_REORDERING = 100000, TIMES_LONGER = 4 };
  static const double FIRST_RATE = 1e-4; // seconds per node
  size_t nodes = y->relation_nodes + bdd_space_size(states);
  double rate = y->reorderings ? y->reorder_rate : FIRST_RATE;
  if (nodes < (y->reorderings ? y->reorder_at : FIRST_REORDERING) || lasso_system_stopped(y) ||
      budget_left(y->question->budget) < TIMES_LONGER * rate * (double)nodes)
    return;
  double start = clock_now();
  bdd_space_reorder_now();
  double seconds = clock_now() - start;
  y->reorder_rate = seconds / (double)nodes;
  y->reorderings++;
  note_size(y);
  size_t now = y->relation_nodes + bdd_space_size(states);
  y->reorder_at = 2 * (now < FIRST_REORDERING ? FIRST_REORDERING : now);
  log_progress(y->question->log, "bdd: reordered in %.1f s, from %zu nodes to %zu", seconds, nodes, now);
}

// --- single states ---

// The state of the current values (or of the next ones); NULL: the initial state.
static Bdd state_of(const LassoSystem *y, const uint8_t *values, bool next) {
  Bdd state = BDD_TRUE;
  for (size_t i = y->latches.count; i-- > 0;) {
    uint32_t variable = current_of(y, i);
    Bdd literal = bdd_space_literal(variable, values && values[variable + next]);
    bdd_space_and_into(&state, literal);
    bdd_space_drop(literal);
  }
  return state;
}

Bdd lasso_system_pick(LassoSystem *y, Bdd states) {
  ByteVector values;
  ByteVector_init(&values, y->account);
  ByteVector_resize(&values, y->variables + 1);
  bool some = bdd_space_pick(states, values.data);
  Bdd state = some ? state_of(y, values.data, false) : BDD_FALSE;
  ByteVector_free(&values);
  return state;
}

Bdd lasso_system_start(LassoSystem *y) { return state_of(y, NULL, false); }

Bdd lasso_system_next_of(LassoSystem *y, const ByteVector *values) { return state_of(y, values->data, true); }

bool lasso_system_step(LassoSystem *y, Bdd state, Bdd condition, Bdd into, ByteVector *values) {
  Bdd steps = bdd_space_restrict(condition, state);
  for (size_t i = 0; i < y->clusters.count && !lasso_system_stopped(y); i++) {
    Bdd here = bdd_space_restrict((Bdd)y->clusters.data[i], state);
    bdd_space_and_into(&steps, here);
    bdd_space_drop(here);
  }
  Bdd goal = bdd_space_rename(into, y->to_next);
  bdd_space_and_into(&steps, goal);
  bdd_space_drop(goal);
  ByteVector_resize(values, y->variables + 1);
  bool some = !lasso_system_stopped(y) && bdd_space_pick(steps, values->data);
  ByteVector now;
  ByteVector_init(&now, y->account);
  ByteVector_resize(&now, y->variables + 1);
  bdd_space_pick(state, now.data);
  for (size_t i = 0; i < y->latches.count; i++) values->data[current_of(y, i)] = now.data[current_of(y, i)];
  ByteVector_free(&now);
  bdd_space_drop(steps);
  return some;
}

// --- all ---

static void open_space(LassoSystem *y, size_t most_nodes) {
  size_t most = most_nodes ? most_nodes : MOST_NODES;
  if (y->variables > MOST_VARIABLES)
    y->translator.flaw = "the states have too many bits for decision diagrams";
  else if (!bdd_space_init(y->variables + 1, most < FIRST_NODES ? most / 2 : FIRST_NODES, FIRST_CACHE, most))
    y->translator.flaw = "decision diagrams are in use already, and a process has them only once";
}

void lasso_system_init(LassoSystem *y, const Question *question, bool whole, size_t most_nodes) {
  Account *account = question->account;
  *y = (LassoSystem){.question = question, .c = question->circuit, .account = account};
  U32Vector_init(&y->leaf, account);
  U32Vector_init(&y->latches, account);
  U32Vector_init(&y->just, account);
  U32Vector_init(&y->clusters, account);
  for (int i = 0; i < 2; i++) {
    LassoPass *pass = i ? &y->backward : &y->forward;
    U32Vector_init(&pass->order, account);
    U32Vector_init(&pass->forget, account);
    pass->first = BDD_TRUE;
  }
  bdd_translator_init_graph(&y->translator, &question->circuit->aig, question->budget, account);
  y->translator.stop_point = "lasso-bdd";
  y->translator.leaf = leaf_diagram;
  y->translator.context = y;
  lasso_system_find_cone(y, whole);
  open_space(y, most_nodes);
  if (y->translator.flaw) return;
  keep_neighbours(y);
  make_renamings(y);
  build_conditions(y);
  build_relation(y);
  bdd_translator_forget(&y->translator);
  make_passes(y);
}

void lasso_system_free(LassoSystem *y) {
  if (y->to_next) {
    bdd_space_renaming_free(y->to_next);
    bdd_space_renaming_free(y->to_current);
    bdd_space_done();
  }
  bdd_translator_free(&y->translator);
  for (int i = 0; i < 2; i++) {
    LassoPass *pass = i ? &y->backward : &y->forward;
    U32Vector_free(&pass->forget);
    U32Vector_free(&pass->order);
  }
  U32Vector_free(&y->clusters);
  U32Vector_free(&y->just);
  U32Vector_free(&y->latches);
  U32Vector_free(&y->leaf);
}
