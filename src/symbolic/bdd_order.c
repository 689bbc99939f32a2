#include "symbolic/bdd_order.h"

// Clusters of words that meet in an operation.
typedef struct Clusters {
  Words *w;
  U32Vector parent; // union-find over words
  Map leader;       // term -> one more than a word that represents all words that meet in it; 0: none
  TermVector stack;
} Clusters;

// --- meeting ---

static uint32_t root_of(Clusters *c, uint32_t word) {
  assert(word < c->parent.count);
  while (c->parent.data[word] != word) {
    c->parent.data[word] = c->parent.data[c->parent.data[word]];
    word = c->parent.data[word];
  }
  return word;
}

// The word with the smaller number stays the root: it was mentioned first.
static void meet(Clusters *c, uint32_t a, uint32_t b) {
  a = root_of(c, a);
  b = root_of(c, b);
  if (a < b) c->parent.data[b] = a;
  if (b < a) c->parent.data[a] = b;
}

static uint32_t known_leader(const Clusters *c, Term t) { return (uint32_t)map_get_or(&c->leader, t, 0); }

static uint32_t meet_leaders(Clusters *c, uint32_t a, uint32_t b) {
  if (a && b) meet(c, a - 1, b - 1);
  return a ? a : b;
}

// The leader of a term whose children have leaders. Operands of a Boolean connective need not be neighbours.
static uint32_t find_leader(Clusters *c, Term t) {
  const TermStore *terms = c->w->terms;
  TermOperator op = term_operator(terms, t);
  unsigned arity = term_arity(terms, t);
  if (op == TERM_VARIABLE) return words_find(c->w, t) + 1; // NO_ID: none
  if (arity == 0 || sort_is_array(term_sort(terms, t))) return 0;
  bool boolean = term_width(terms, t) == 1;
  uint32_t first = known_leader(c, term_child(terms, t, 0));
  if (arity == 1) return boolean && op != TERM_EXTRACT ? 0 : first;
  uint32_t second = known_leader(c, term_child(terms, t, 1));
  if (op == TERM_ITE) return meet_leaders(c, second, known_leader(c, term_child(terms, t, 2)));
  if (op == TERM_CONCAT || op == TERM_SHL || op == TERM_LSHR || op == TERM_ASHR) return first ? first : second;
  if (boolean && (op == TERM_AND || op == TERM_OR || op == TERM_XOR)) return 0;
  uint32_t both = meet_leaders(c, first, second);
  return boolean ? 0 : both;
}

static uint32_t leader_of(Clusters *c, Term root) {
  TermVector_push(&c->stack, root);
  while (c->stack.count > 0) {
    Term t = *TermVector_last(&c->stack);
    size_t before = c->stack.count;
    for (unsigned i = 0; i < term_arity(c->w->terms, t) && !map_contains(&c->leader, t); i++) {
      Term child = term_child(c->w->terms, t, i);
      if (!map_contains(&c->leader, child)) TermVector_push(&c->stack, child);
    }
    if (c->stack.count > before) continue;
    if (!map_contains(&c->leader, t)) map_put(&c->leader, t, find_leader(c, t));
    TermVector_pop(&c->stack);
  }
  return known_leader(c, root);
}

static void meet_in_edge(Clusters *c, EdgeId e) {
  const Transition *transition = &c->w->transitions->edges.data[e];
  if (c->w->edges.data[e] & EDGE_TAKEN) leader_of(c, transition->guard);
  if (transition->missed != TERM_NONE) leader_of(c, transition->missed);
  for (uint32_t i = 0; c->w->edges.data[e] & EDGE_CHANGES && i < transition->update_count; i++) {
    const Update *update = words_update(c->w, transition, i);
    uint32_t word = words_find(c->w, update->variable);
    if (word != NO_ID) meet_leaders(c, word + 1, leader_of(c, update->value));
  }
}

// Joins all fresh variables that meet no state variable to one cluster.
static void join_fresh_only(Clusters *c) {
  Words *w = c->w;
  ByteVector has_state;
  ByteVector_init(&has_state, w->account);
  ByteVector_resize(&has_state, w->words.count);
  for (uint32_t i = 0; i < w->words.count; i++)
    if (!w->words.data[i].fresh) has_state.data[root_of(c, i)] = 1;
  uint32_t first = NO_ID;
  for (uint32_t i = 0; i < w->words.count; i++) {
    if (has_state.data[root_of(c, i)]) continue;
    if (first == NO_ID) first = i;
    meet(c, first, i);
  }
  ByteVector_free(&has_state);
}

// --- columns of a cluster: the bits of a state variable, or of fresh variables that share them ---

typedef struct Column {
  uint32_t cluster, width;
  uint32_t word;         // of a state variable; NO_ID: the column is shared by fresh variables
  uint32_t first_shared; // if it is shared: the index in `shared` of its lowest bit's variable
} Column;
VECTOR(ColumnVector, Column);

typedef struct Layout {
  Clusters *clusters;
  ColumnVector columns;
  Map shared_column;         // cluster << 32 | number of a fresh variable among those of an edge -> column
  U32Vector shared;          // the variables of shared columns
  U32Vector column_of_fresh; // per word
} Layout;

// The k-th fresh variable that an edge has in a cluster is in the cluster's k-th shared column.
static void share_columns(Layout *l, EdgeId e) {
  const Words *w = l->clusters->w;
  const Transition *transition = &w->transitions->edges.data[e];
  Map counts;
  map_init(&counts, w->account);
  for (uint32_t i = 0; i < transition->fresh_count; i++) {
    uint32_t word = words_find(w, w->transitions->fresh.data[transition->first_fresh + i]);
    if (word == NO_ID) continue;
    uint32_t cluster = root_of(l->clusters, word);
    uint64_t before = map_get_or(&counts, cluster, 0), key = (uint64_t)cluster << 32 | before;
    map_put(&counts, cluster, before + 1);
    uint64_t column = l->columns.count;
    if (!map_get(&l->shared_column, key, &column)) {
      ColumnVector_push(&l->columns, (Column){.cluster = cluster, .word = NO_ID});
      map_put(&l->shared_column, key, column);
    }
    uint32_t width = w->words.data[word].width;
    if (l->columns.data[column].width < width) l->columns.data[column].width = width;
    l->column_of_fresh.data[word] = (uint32_t)column;
  }
  map_free(&counts);
}

static uint32_t new_variable(Words *w, uint32_t bit) {
  assert(w->bit_of_variable.count == w->variable_count);
  U32Vector_push(&w->bit_of_variable, bit);
  return w->variable_count++;
}

static void place_bit(Layout *l, Column *column, uint32_t place) {
  Words *w = l->clusters->w;
  if (place >= column->width) return;
  if (column->word == NO_ID) {
    l->shared.data[column->first_shared + place] = new_variable(w, NO_ID);
    return;
  }
  WordBit *bit = words_bit(w, column->word, place);
  if (bit->known != BIT_OPEN) return;
  bit->variable = new_variable(w, w->words.data[column->word].first_bit + place);
  new_variable(w, w->words.data[column->word].first_bit + place);
}

static void place_cluster(Layout *l, uint32_t cluster) {
  U32Vector members;
  U32Vector_init(&members, l->clusters->w->account);
  uint32_t width = 0;
  for (uint32_t i = 0; i < l->columns.count; i++) {
    if (l->columns.data[i].cluster != cluster) continue;
    U32Vector_push(&members, i);
    if (l->columns.data[i].width > width) width = l->columns.data[i].width;
  }
  for (uint32_t place = width; place-- > 0;)
    for (size_t i = 0; i < members.count; i++) place_bit(l, &l->columns.data[members.data[i]], place);
  U32Vector_free(&members);
}

static void place_all(Layout *l) {
  Words *w = l->clusters->w;
  for (uint32_t i = 0; i < w->words.count; i++) {
    const Word *word = &w->words.data[i];
    if (word->fresh) continue;
    ColumnVector_push(&l->columns,
                      (Column){.cluster = root_of(l->clusters, i), .width = word->width, .word = (uint32_t)i});
  }
  for (EdgeId e = 0; e < w->edges.count; e++) share_columns(l, e);
  for (size_t i = 0; i < l->columns.count; i++) {
    if (l->columns.data[i].word != NO_ID) continue;
    l->columns.data[i].first_shared = (uint32_t)l->shared.count;
    U32Vector_resize(&l->shared, l->shared.count + l->columns.data[i].width);
  }
  for (uint32_t i = 0; i < w->words.count; i++)
    if (root_of(l->clusters, i) == i) place_cluster(l, i);
  for (uint32_t i = 0; i < w->words.count; i++) {
    if (!w->words.data[i].fresh) continue;
    const Column *column = ColumnVector_at(&l->columns, l->column_of_fresh.data[i]); // each belongs to an edge
    for (uint32_t k = 0; k < w->words.data[i].width; k++)
      words_bit(w, i, k)->variable = l->shared.data[column->first_shared + k];
  }
}

void bdd_order_assign(Words *w, uint32_t reserved) {
  Clusters c = {.w = w};
  w->variable_count = 0;
  U32Vector_clear(&w->bit_of_variable);
  while (w->variable_count < reserved) new_variable(w, NO_ID);
  U32Vector_init(&c.parent, w->account);
  map_init(&c.leader, w->account);
  TermVector_init(&c.stack, w->account);
  for (uint32_t i = 0; i < w->words.count; i++) U32Vector_push(&c.parent, i);
  for (EdgeId e = 0; e < w->edges.count; e++) meet_in_edge(&c, e);
  join_fresh_only(&c);
  Layout l = {.clusters = &c};
  ColumnVector_init(&l.columns, w->account);
  map_init(&l.shared_column, w->account);
  U32Vector_init(&l.shared, w->account);
  U32Vector_init(&l.column_of_fresh, w->account);
  for (uint32_t i = 0; i < w->words.count; i++) U32Vector_push(&l.column_of_fresh, NO_ID);
  place_all(&l);
  U32Vector_free(&l.column_of_fresh);
  U32Vector_free(&l.shared);
  map_free(&l.shared_column);
  ColumnVector_free(&l.columns);
  TermVector_free(&c.stack);
  map_free(&c.leader);
  U32Vector_free(&c.parent);
}
