#include "symbolic/bdd_states.h"

#include "symbolic/bdd_order.h"

// Nodes of 20 bytes; with the caches this is about half a gigabyte.
enum { FIRST_NODES = 200000, FIRST_CACHE = 20000, MOST_NODES = 16000000, MOST_VARIABLES = 30000 };
// How many nodes may be made for a relation that is kept, and for one that is built for one set.
enum { LARGE_RELATION = 400000, LARGE_CASE = 100000 };

static bool stopped(BddStates *s) { return bdd_translator_stopped(&s->translator); }

// --- relations ---

typedef struct Selectors {
  const Words *words;
  Map *selectors;
} Selectors;

static void add_selector(void *context, Term variable) {
  Selectors *f = context;
  map_put(f->selectors, words_find(f->words, variable), 1);
}

static void add_selectors(void *context, Term condition) {
  Selectors *f = context;
  term_each_variable(f->words->terms, condition, add_selector, f);
}

// Finds the words in conditions that select between values: addresses, indices.
static void find_selectors(BddStates *s, EdgeId e, Map *selectors) {
  Selectors f = {.words = s->words, .selectors = selectors};
  const Transition *transition = &s->words->transitions->edges.data[e];
  if (transition->missed != TERM_NONE) term_each_condition(s->words->terms, transition->missed, add_selectors, &f);
  term_each_condition(s->words->terms, transition->guard, add_selectors, &f);
  for (uint32_t i = 0; i < transition->update_count; i++)
    term_each_condition(s->words->terms, words_update(s->words, transition, i)->value, add_selectors, &f);
}

static BddRelation build(BddStates *s, EdgeId e, bool kept) {
  Bdd condition = (Bdd)s->conditions.data[e];
  return bdd_relation_build(&s->translator, &s->live, (BddRelationRequest){e, condition, kept}, s->account);
}

// The relation of the edge for all states, built if necessary.
static BddRelation *relation_of(BddStates *s, EdgeId e) {
  BddRelation *relation = &s->edges.data[e];
  if (relation->built || s->translator.flaw) return relation;
  if (s->words->edges.data[e] & EDGE_UNSUPPORTED) {
    s->translator.flaw = "decision diagrams do not know floating-point numbers and arrays";
    return relation;
  }
  bdd_translator_limit(&s->translator, LARGE_RELATION);
  *relation = build(s, e, true);
  if (s->translator.too_large) {
    bdd_relation_drop(relation);
    relation->large = true;
  }
  map_init(&relation->selectors, s->account);
  if (relation->large || bdd_relation_is_long(relation)) find_selectors(s, e, &relation->selectors);
  bdd_translator_limit(&s->translator, 0);
  return relation;
}

// What is computed from an edge and a set of states.
typedef struct EdgeQuery {
  enum { QUERY_AFTER, QUERY_ENABLED, QUERY_MISSED, QUERY_BEFORE } kind;
  Bdd after; // only for QUERY_BEFORE
} EdgeQuery;

static Bdd image(BddStates *s, const BddRelation *relation, Bdd states) {
  Bdd after = bdd_space_exists(states, relation->forget);
  for (size_t i = 0; i < relation->parts.count && after != BDD_FALSE && !stopped(s); i++) {
    const BddPart *part = &relation->parts.data[i];
    bdd_space_replace(&after, bdd_space_and_exists(after, part->relation, part->forget));
  }
  if (!stopped(s) && !relation->direct && relation->written != BDD_TRUE)
    bdd_space_replace(&after, bdd_space_rename(after, s->to_current));
  return after;
}

// The states after the edge, over next variables for the words that it changes, and without words that die.
static Bdd as_next(const BddStates *s, const BddRelation *relation, Bdd after) {
  U32Vector from, to;
  U32Vector_init(&from, s->account);
  U32Vector_init(&to, s->account);
  for (Bdd at = relation->written; at != BDD_TRUE; at = bdd_space_high(at)) {
    U32Vector_push(&from, bdd_space_top(at));
    U32Vector_push(&to, bdd_space_top(at) + 1);
  }
  BddRenaming *renaming = bdd_space_renaming(from.data, to.data, from.count);
  Bdd next = bdd_space_rename(after, renaming);
  bdd_space_replace(&next, bdd_space_exists(next, relation->dying));
  bdd_space_renaming_free(renaming);
  U32Vector_free(&to);
  U32Vector_free(&from);
  return next;
}

// Without next variables: first the new values are joined and the changed bits quantified, then the guard and the
// states before are joined.
static Bdd direct_preimage(BddStates *s, const BddRelation *relation, Bdd before, Bdd after) {
  Bdd states = bdd_space_exists(after, relation->dying);
  for (size_t i = 1; i < relation->parts.count && !stopped(s); i++)
    bdd_space_and_into(&states, relation->parts.data[i].relation);
  if (!stopped(s)) bdd_space_replace(&states, bdd_space_exists(states, relation->written));
  if (!stopped(s)) bdd_space_and_into(&states, relation->parts.data[0].relation);
  if (!stopped(s)) bdd_space_and_into(&states, before);
  return states;
}

static Bdd preimage(BddStates *s, const BddRelation *relation, Bdd before, Bdd after) {
  if (relation->direct) return direct_preimage(s, relation, before, after);
  Bdd states = as_next(s, relation, after), next = as_next(s, relation, relation->written);
  bdd_space_and_into(&states, before);
  for (size_t i = 0; i < relation->parts.count && !stopped(s); i++)
    bdd_space_and_into(&states, relation->parts.data[i].relation);
  if (!stopped(s)) bdd_space_replace(&states, bdd_space_exists(states, next));
  if (!stopped(s)) bdd_space_replace(&states, bdd_space_exists(states, relation->inputs));
  bdd_space_drop(next);
  return states;
}

static Bdd answer(BddStates *s, const BddRelation *relation, Bdd states, const EdgeQuery *query) {
  switch (query->kind) {
  case QUERY_AFTER: return image(s, relation, states);
  case QUERY_BEFORE: return preimage(s, relation, states, query->after);
  case QUERY_ENABLED: return bdd_space_and(states, relation->enabled);
  case QUERY_MISSED: return bdd_space_and(states, relation->missed);
  }
  return BDD_FALSE;
}

// --- cases ---

// Calls `visit` for each open bit that the edge reads, possibly several times.
static void each_bit_read(BddStates *s, EdgeId e, void (*visit)(void *context, uint32_t bit), void *context) {
  const Transition *transition = &s->words->transitions->edges.data[e];
  const LiveWords *live = &s->live;
  for (uint32_t i = 0; i <= transition->update_count; i++) {
    const U32Vector *starts = i == 0 ? &live->by_edge : &live->by_update;
    uint32_t at = i == 0 ? e : transition->first_update + i - 1;
    for (uint32_t k = starts->data[at]; k < starts->data[at + 1]; k++) {
      const Word *word = &s->words->words.data[live->reads.data[k]];
      for (uint32_t place = 0; place < word->width; place++)
        if (s->words->bits.data[word->first_bit + place].known == BIT_OPEN) visit(context, word->first_bit + place);
    }
  }
}

typedef struct Forcing {
  BddStates *s;
  const Map *selectors;
  uint32_t split;    // an open bit that has both values in the states; NO_ID: there is none
  uint32_t selector; // such a bit of a word that selects between values; NO_ID: there is none
} Forcing;

_Static_assert(BIT_ZERO == 0 && BIT_ONE == 1 && BIT_OPEN == 2, "bdd_space_agreement returns values of bits");

// Takes the bit if its variable is above that of the one taken so far.
static void take_upper(const Words *w, uint32_t *place, uint32_t bit) {
  if (*place == NO_ID || w->bits.data[bit].variable < w->bits.data[*place].variable) *place = bit;
}

static void force_bit(void *context, uint32_t bit) {
  Forcing *f = context;
  const Words *w = f->s->words;
  uint8_t agreed = f->s->agreed.data[w->bits.data[bit].variable];
  f->s->translator.forced.data[bit] = agreed;
  if (agreed != BIT_OPEN) return;
  take_upper(w, &f->split, bit);
  if (map_contains(f->selectors, w->bits.data[bit].word)) take_upper(w, &f->selector, bit);
}

static void release_bit(void *context, uint32_t bit) { ((BddStates *)context)->translator.forced.data[bit] = BIT_OPEN; }

typedef struct Cases {
  BddStates *s;
  EdgeId edge;
  const BddRelation *whole; // the relation for all states
  const EdgeQuery *query;
  U32Vector open; // sets that are to be answered
  uint32_t split; // how often a set was split
  Bdd all;        // the answer so far
} Cases;

static void split_case(Cases *c, Bdd states, uint32_t bit) {
  for (int positive = 0; positive < 2; positive++) {
    Bdd half = bdd_space_literal(c->s->words->bits.data[bit].variable, positive);
    bdd_space_and_into(&half, states);
    U32Vector_push(&c->open, (uint32_t)half);
  }
}

// Adds the answer for one set if the relation is small with the bits that its states agree on; otherwise splits the
// set.
static void answer_case(Cases *c, Bdd states) {
  enum { MOST_SPLITS = 64 };
  BddStates *s = c->s;
  Forcing f = {.s = s, .selectors = &c->whole->selectors, .split = NO_ID, .selector = NO_ID};
  if (s->agreed_states != states) bdd_space_agreement(states, s->agreed.data);
  bdd_space_replace(&s->agreed_states, bdd_space_share(states)); // the next query is mostly about the same states
  each_bit_read(s, c->edge, force_bit, &f);
  bdd_translator_limit(&s->translator, LARGE_CASE);
  BddRelation relation = build(s, c->edge, false);
  if (s->translator.too_large && f.split == NO_ID &&
      c->whole->large) { // large by the inputs of the edge: no bit can be split
    bdd_relation_drop(&relation);
    bdd_translator_limit(&s->translator, 0);
    relation = build(s, c->edge, false);
  }
  bool too_large = s->translator.too_large;
  bdd_translator_limit(&s->translator, 0);
  each_bit_read(s, c->edge, release_bit, s);
  bool whole_suffices = !c->whole->large && (f.selector == NO_ID || c->split >= MOST_SPLITS);
  bool split =
      too_large ? !whole_suffices : bdd_relation_is_long(&relation) && f.selector != NO_ID && c->split < MOST_SPLITS;
  assert(!split || f.split != NO_ID || s->translator.flaw);
  if (split && !s->translator.flaw) {
    c->split++;
    split_case(c, states, f.selector != NO_ID ? f.selector : f.split);
  } else if (!s->translator.flaw) {
    Bdd part = answer(s, too_large ? c->whole : &relation, states, c->query);
    bdd_space_or_into(&c->all, part);
    bdd_space_drop(part);
  }
  bdd_relation_drop(&relation);
}

static Bdd answer_by_cases(BddStates *s, EdgeId e, const EdgeQuery *query, Bdd states) {
  Cases c = {.s = s, .edge = e, .whole = &s->edges.data[e], .query = query, .all = BDD_FALSE};
  U32Vector_init(&c.open, s->account);
  U32Vector_push(&c.open, (uint32_t)bdd_space_share(states));
  while (c.open.count > 0) {
    Bdd part = (Bdd)U32Vector_pop(&c.open);
    if (part != BDD_FALSE && !stopped(s)) answer_case(&c, part);
    bdd_space_drop(part);
  }
  U32Vector_free(&c.open);
  return c.all;
}

static Bdd run_query(BddStates *s, EdgeId e, Bdd states, EdgeQuery query) {
  assert(e < s->edges.count || s->translator.flaw);
  const BddRelation *relation = relation_of(s, e);
  if (s->translator.flaw) return BDD_FALSE;
  bool cases = relation->large || bdd_relation_is_long(relation);
  Bdd result = cases ? answer_by_cases(s, e, &query, states) : answer(s, relation, states, &query);
  if (stopped(s)) bdd_space_replace(&result, BDD_FALSE);
  return result;
}

void bdd_states_require(BddStates *s, EdgeId edge, Bdd condition) {
  assert(edge < s->conditions.count);
  bdd_states_forget(s, edge);
  bdd_space_replace((Bdd *)&s->conditions.data[edge], bdd_space_share(condition));
}

void bdd_states_forget(BddStates *s, EdgeId edge) {
  BddRelation *relation = &s->edges.data[edge];
  if (!relation->built) return;
  map_free(&relation->selectors);
  bdd_relation_drop(relation);
  *relation = (BddRelation){0};
}

// --- sets of states ---

Bdd bdd_states_after(BddStates *s, Bdd states, EdgeId edge) {
  return run_query(s, edge, states, (EdgeQuery){.kind = QUERY_AFTER});
}

Bdd bdd_states_enabled(BddStates *s, Bdd states, EdgeId edge, bool missed) {
  assert(missed || !(s->words->edges.data[edge] & EDGE_CHANGES));
  return run_query(s, edge, states, (EdgeQuery){.kind = missed ? QUERY_MISSED : QUERY_ENABLED});
}

Bdd bdd_states_before(BddStates *s, Bdd before, EdgeId edge, Bdd after) {
  return run_query(s, edge, before, (EdgeQuery){.kind = QUERY_BEFORE, .after = after});
}

Bdd bdd_states_initial(BddStates *s) {
  const Words *w = s->words;
  Bdd states = BDD_TRUE;
  for (uint32_t v = w->variable_count; v-- > 0 && !stopped(s);) { // from the last variable up
    if (w->bit_of_variable.data[v] == NO_ID) continue;
    const WordBit *bit = &w->bits.data[w->bit_of_variable.data[v]];
    const Word *word = &w->words.data[bit->word];
    Term initial = transitions_initial(w->transitions, word->variable);
    if (bit->known != BIT_OPEN || bit->variable != v || initial == TERM_NONE || !term_is_constant(w->terms, initial))
      continue;
    uint32_t place = w->bit_of_variable.data[v] - word->first_bit;
    Bdd literal = bdd_space_literal(v, term_constant_value(w->terms, initial) >> place & 1);
    bdd_space_and_into(&states, literal);
    bdd_space_drop(literal);
  }
  return states;
}

Bdd bdd_states_pick(Bdd states) {
  Bdd support = bdd_space_support(states), state = bdd_space_pick_cube(states, support);
  bdd_space_drop(support);
  return state;
}

// --- all ---

// Renames all next variables to the current ones.
static BddRenaming *rename_all(const Words *w) {
  U32Vector from, to;
  U32Vector_init(&from, w->account);
  U32Vector_init(&to, w->account);
  for (size_t i = 0; i < w->bits.count; i++) {
    const WordBit *bit = &w->bits.data[i];
    if (bit->known != BIT_OPEN || w->words.data[bit->word].fresh) continue;
    U32Vector_push(&from, bit->variable + 1);
    U32Vector_push(&to, bit->variable);
  }
  BddRenaming *renaming = bdd_space_renaming(from.data, to.data, from.count);
  U32Vector_free(&to);
  U32Vector_free(&from);
  return renaming;
}

void bdd_states_init(BddStates *s, Words *words, BddFrame frame, Budget *budget, Account *account) {
  *s = (BddStates){.words = words, .account = account};
  BddRelationVector_init(&s->edges, account);
  ByteVector_init(&s->agreed, account);
  ByteVector_init(&s->frozen, account);
  U32Vector_init(&s->thawed, account);
  BddEscapeVector_init(&s->escapes, account);
  U32Vector_init(&s->conditions, account);
  const char *flaw = frame.flaw;
  if (!flaw) bdd_order_assign(words, frame.reserved);
  if (s->words->variable_count > MOST_VARIABLES) flaw = "the states have too many bits for decision diagrams";
  if (!flaw) live_words_init(&s->live, words, frame.touches, account);
  bdd_translator_init(&s->translator, words, budget, account);
  if (frame.stop_point) s->translator.stop_point = frame.stop_point;
  s->translator.flaw = flaw;
  if (flaw) return;
  size_t most = frame.most_nodes ? frame.most_nodes : MOST_NODES;
  if (!bdd_space_init(s->words->variable_count + 1, most < FIRST_NODES ? most / 2 : FIRST_NODES, FIRST_CACHE, most)) {
    s->translator.flaw = "decision diagrams are in use already, and a process has them only once";
    return;
  }
  s->to_current = rename_all(s->words);
  BddRelationVector_resize(&s->edges, words->edges.count);
  for (size_t i = 0; i < words->edges.count; i++) U32Vector_push(&s->conditions, BDD_TRUE);
  ByteVector_resize(&s->agreed, bdd_space_variables());
}

// Closing the node table frees all diagrams.
void bdd_states_free(BddStates *s) {
  for (size_t i = 0; i < s->edges.count; i++) {
    BddPartVector_free(&s->edges.data[i].parts);
    map_free(&s->edges.data[i].selectors);
  }
  if (s->to_current) {
    bdd_space_renaming_free(s->to_current);
    bdd_space_done();
  }
  bdd_translator_free(&s->translator);
  live_words_free(&s->live);
  U32Vector_free(&s->conditions);
  for (size_t i = 0; i < s->escapes.count; i++) {
    U32Vector_free(&s->escapes.data[i].bits);
    U32Vector_free(&s->escapes.data[i].when);
  }
  BddEscapeVector_free(&s->escapes);
  U32Vector_free(&s->thawed);
  ByteVector_free(&s->frozen);
  ByteVector_free(&s->agreed);
  BddRelationVector_free(&s->edges);
}
