#include "solver/bdd_space.h"

#include "base/map.h"
#include "base/vector.h"

#include <assert.h>
#include <bdd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_NODES = 100000, DEFAULT_CACHE = 10000, LARGEST_INCREASE = 5000000, CACHE_RATIO = 16 };

static_assert(sizeof(Bdd) == sizeof(BDD), "Bdd is BuDDy's node number");

struct BddRenaming {
  bddPair *pairs;
};

// BuDDy calls this where it would otherwise only return a wrong node. A full node table is left to
// bdd_space_exhausted: BuDDy then makes no new nodes any more.
static void on_error(int code) {
  if (code == BDD_NODENUM) return;
  if (code == BDD_MEMORY) memory_exhausted(NULL, 0);
  fprintf(stderr, "heddle: decision diagrams: %s\n", bdd_errstring(code));
  abort();
}

bool bdd_space_init(unsigned variables, size_t nodes, size_t cache, size_t node_limit) {
  if (bdd_isrunning()) return false;
  if (bdd_init(nodes > 0 ? (int)nodes : DEFAULT_NODES, cache > 0 ? (int)cache : DEFAULT_CACHE) < 0) {
    memory_exhausted(NULL, 0);
  }
  bdd_error_hook(on_error);
  bdd_gbc_hook(NULL); // no messages
  bdd_reorder_hook(NULL);
  bdd_setmaxincrease(LARGEST_INCREASE);
  bdd_setcacheratio(CACHE_RATIO);
  if (node_limit > 0) bdd_setmaxnodenum((int)node_limit);
  if (variables > 0) bdd_setvarnum((int)variables);
  return true;
}

void bdd_space_done(void) {
  assert(bdd_isrunning());
  bdd_done();
}

bool bdd_space_is_open(void) { return bdd_isrunning(); }

// BuDDy collects garbage only when it needs a node, so after a failure the table stays full to the last node. The sizes
// of tables are primes, so the largest one is a little smaller than the limit.
bool bdd_space_exhausted(void) {
  bddStat sizes;
  bdd_stats(&sizes);
  return sizes.maxnodenum > 0 && sizes.freenodes == 0 && sizes.nodenum + sizes.nodenum / 8 >= sizes.maxnodenum;
}

unsigned bdd_space_variables(void) { return (unsigned)bdd_varnum(); }

// --- references ---

Bdd bdd_space_share(Bdd a) { return bdd_addref(a); }

void bdd_space_drop(Bdd a) { bdd_delref(a); }

void bdd_space_replace(Bdd *place, Bdd with) {
  Bdd old = *place;
  *place = with;
  bdd_delref(old);
}

// --- boolean operations ---

Bdd bdd_space_variable(unsigned variable) { return bdd_space_literal(variable, true); }

Bdd bdd_space_literal(unsigned variable, bool positive) {
  assert(variable < bdd_space_variables());
  return bdd_addref(positive ? bdd_ithvar((int)variable) : bdd_nithvar((int)variable));
}

Bdd bdd_space_not(Bdd a) { return bdd_addref(bdd_not(a)); }
Bdd bdd_space_and(Bdd a, Bdd b) { return bdd_addref(bdd_apply(a, b, bddop_and)); }
Bdd bdd_space_or(Bdd a, Bdd b) { return bdd_addref(bdd_apply(a, b, bddop_or)); }
Bdd bdd_space_equal(Bdd a, Bdd b) { return bdd_addref(bdd_apply(a, b, bddop_biimp)); }
Bdd bdd_space_minus(Bdd a, Bdd b) { return bdd_addref(bdd_apply(a, b, bddop_diff)); }

void bdd_space_and_into(Bdd *place, Bdd b) { bdd_space_replace(place, bdd_space_and(*place, b)); }
void bdd_space_or_into(Bdd *place, Bdd b) { bdd_space_replace(place, bdd_space_or(*place, b)); }

bool bdd_space_entails(Bdd a, Bdd b) { return bdd_apply(a, b, bddop_diff) == BDD_FALSE; }
bool bdd_space_intersects(Bdd a, Bdd b) { return bdd_apply(a, b, bddop_and) != BDD_FALSE; }

Bdd bdd_space_simplify(Bdd a, Bdd care) {
  if (care == BDD_FALSE) return BDD_FALSE; // nothing matters; BuDDy does not expect this
  return bdd_addref(bdd_simplify(a, care));
}

Bdd bdd_space_restrict(Bdd a, Bdd literals) { return bdd_addref(bdd_restrict(a, literals)); }

// --- quantification and renaming ---

Bdd bdd_space_cube(const unsigned *variables, size_t count) {
  Bdd cube = BDD_TRUE;
  for (size_t i = 0; i < count; i++) {
    Bdd variable = bdd_space_variable(variables[i]);
    bdd_space_and_into(&cube, variable);
    bdd_space_drop(variable);
  }
  return cube;
}

Bdd bdd_space_exists(Bdd a, Bdd cube) { return bdd_addref(bdd_exist(a, cube)); }
Bdd bdd_space_and_exists(Bdd a, Bdd b, Bdd cube) { return bdd_addref(bdd_appex(a, b, bddop_and, cube)); }

BddRenaming *bdd_space_renaming(const unsigned *from, const unsigned *to, size_t count) {
  BddRenaming *renaming = memory_allocate(NULL, sizeof(BddRenaming));
  renaming->pairs = bdd_newpair();
  for (size_t i = 0; i < count; i++) bdd_setpair(renaming->pairs, (int)from[i], (int)to[i]);
  return renaming;
}

void bdd_space_renaming_free(BddRenaming *renaming) {
  if (renaming == NULL) return;
  bdd_freepair(renaming->pairs);
  memory_free(NULL, renaming, sizeof(BddRenaming));
}

Bdd bdd_space_rename(Bdd a, const BddRenaming *renaming) { return bdd_addref(bdd_replace(a, renaming->pairs)); }

// --- inspection ---

static void visit_below(Bdd a, Map *visited, U32Vector *stack) {
  if (a == BDD_TRUE || a == BDD_FALSE || map_contains(visited, (uint64_t)a)) return;
  map_put(visited, (uint64_t)a, 1);
  U32Vector_push(stack, (uint32_t)a);
}

// Not bdd_support, which crashes in an instance that is not the process's first one.
Bdd bdd_space_support(Bdd a) {
  size_t levels = bdd_space_variables();
  unsigned char *used = memory_allocate_zeroed(NULL, levels);
  Map visited;
  U32Vector stack;
  map_init(&visited, NULL);
  U32Vector_init(&stack, NULL);
  visit_below(a, &visited, &stack);
  while (stack.count > 0) {
    Bdd node = (Bdd)U32Vector_pop(&stack);
    used[bdd_var2level(bdd_var(node))] = 1;
    visit_below(bdd_low(node), &visited, &stack);
    visit_below(bdd_high(node), &visited, &stack);
  }
  Bdd cube = BDD_TRUE;
  for (size_t level = levels; level-- > 0;) // from the bottom up: each one is a node on top
    if (used[level]) bdd_space_replace(&cube, bdd_space_and(cube, bdd_ithvar(bdd_level2var((int)level))));
  U32Vector_free(&stack);
  map_free(&visited);
  memory_free(NULL, used, levels);
  return cube;
}

size_t bdd_space_size(Bdd a) { return (size_t)bdd_nodecount(a); }

bool bdd_space_pick(Bdd a, unsigned char *values) {
  if (a == BDD_FALSE) return false;
  for (unsigned i = 0; i < bdd_space_variables(); i++) values[i] = 0;
  // Walking down makes no nodes, so nothing has to be referenced.
  while (a != BDD_TRUE) {
    bool high = bdd_low(a) == BDD_FALSE;
    values[bdd_var(a)] = high;
    a = high ? bdd_high(a) : bdd_low(a);
  }
  return true;
}

Bdd bdd_space_pick_cube(Bdd a, Bdd cube) { return bdd_addref(bdd_satoneset(a, cube, BDD_FALSE)); }

bool bdd_space_evaluate(Bdd a, const unsigned char *values) {
  while (a != BDD_TRUE && a != BDD_FALSE) a = values[bdd_var(a)] ? bdd_high(a) : bdd_low(a);
  return a == BDD_TRUE;
}

// Levels that are passed over, or that are left by both branches, are free. `skipped` counts where ranges of levels
// that are passed over begin and end.
typedef struct Agreement {
  unsigned char *seen; // per level: 1, 2: branches that are taken
  int *skipped;
  Map visited;
  U32Vector stack;
} Agreement;

static int level_of(Bdd a) { return a == BDD_TRUE ? bdd_varnum() : bdd_var2level(bdd_var(a)); }

static void follow_branch(Agreement *g, int level, unsigned char branch, Bdd to) {
  if (to == BDD_FALSE) return;
  if (level >= 0) g->seen[level] |= branch;
  g->skipped[level + 1]++;
  g->skipped[level_of(to)]--;
  if (to == BDD_TRUE || map_contains(&g->visited, (uint64_t)to)) return;
  map_put(&g->visited, (uint64_t)to, 1);
  U32Vector_push(&g->stack, (uint32_t)to);
}

void bdd_space_agreement(Bdd a, unsigned char *values) {
  assert(a != BDD_FALSE);
  size_t levels = bdd_space_variables() + 1;
  Agreement g = {.seen = memory_allocate_zeroed(NULL, levels),
                 .skipped = memory_allocate_zeroed(NULL, (levels + 1) * sizeof(int))};
  map_init(&g.visited, NULL);
  U32Vector_init(&g.stack, NULL);
  follow_branch(&g, -1, 0, a);
  while (g.stack.count > 0) {
    Bdd node = (Bdd)U32Vector_pop(&g.stack);
    follow_branch(&g, level_of(node), 1, bdd_low(node));
    follow_branch(&g, level_of(node), 2, bdd_high(node));
  }
  int passed_over = 0;
  for (size_t level = 0; level + 1 < levels; level++) {
    passed_over += g.skipped[level];
    unsigned char seen = g.seen[level];
    values[bdd_level2var((int)level)] = passed_over == 0 && (seen == 1 || seen == 2) ? seen - 1 : 2;
  }
  U32Vector_free(&g.stack);
  map_free(&g.visited);
  memory_free(NULL, g.skipped, (levels + 1) * sizeof(int));
  memory_free(NULL, g.seen, levels);
}

unsigned bdd_space_top(Bdd a) { return (unsigned)bdd_var(a); }
Bdd bdd_space_low(Bdd a) { return bdd_low(a); }
Bdd bdd_space_high(Bdd a) { return bdd_high(a); }

double bdd_space_paths(Bdd a) { return bdd_pathcount(a); }

size_t bdd_space_node_count(void) { return (size_t)bdd_getnodenum(); }

size_t bdd_space_produced(void) {
  bddStat counts;
  bdd_stats(&counts);
  return (size_t)counts.produced;
}

// --- variable order ---

void bdd_space_reorder_now(void) { bdd_reorder(BDD_REORDER_SIFT); }

void bdd_space_keep_together(unsigned first, unsigned last) {
  bdd_intaddvarblock((int)first, (int)last, BDD_REORDER_FIXED);
}
