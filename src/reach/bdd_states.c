#include "reach/bdd_states.h"

// Nodes of 20 bytes; with the caches this is about half a gigabyte.
enum { FIRST_NODES = 200000, FIRST_CACHE = 20000, MOST_NODES = 16000000 };
// So many nodes may be made for a relation that is kept, and for one that is not.
enum { LARGE_RELATION = 400000, LARGE_CASE = 100000 };

static bool stopped(BddStates *s) { return bdd_translator_stopped(&s->translator); }

// --- relations ---

static BddRelation *relation_of(BddStates *s, EdgeId e) {
  BddRelation *relation = &s->edges.data[e];
  if (relation->built || s->translator.flaw) return relation;
  if (s->words.edges.data[e] & EDGE_UNSUPPORTED) {
    s->translator.flaw = "decision diagrams do not know floating-point numbers and arrays";
    return relation;
  }
  bdd_translator_limit(&s->translator, LARGE_RELATION);
  *relation = bdd_relation_build(&s->translator, &s->live, e, s->account);
  if (s->translator.too_large) {
    bdd_relation_drop(relation);
    relation->large = true;
  }
  bdd_translator_limit(&s->translator, 0);
  return relation;
}

// What is asked of an edge and a set of states.
typedef struct Question {
  enum { QUESTION_AFTER, QUESTION_ENABLED, QUESTION_MISSED, QUESTION_BEFORE } kind;
  Bdd after; // QUESTION_BEFORE
} Question;

static Bdd image(BddStates *s, const BddRelation *relation, Bdd states) {
  Bdd after = bdd_space_exists(states, relation->forget);
  for (size_t i = 0; i < relation->parts.count && after != BDD_FALSE && !stopped(s); i++) {
    const BddPart *part = &relation->parts.data[i];
    bdd_space_replace(&after, bdd_space_and_exists(after, part->relation, part->forget));
  }
  if (!stopped(s) && relation->next != BDD_TRUE) bdd_space_replace(&after, bdd_space_rename(after, s->to_current));
  return after;
}

// The states after the edge, with next variables for the words that it changes and without those that die.
static Bdd as_next(const BddStates *s, const BddRelation *relation, Bdd after) {
  U32Vector from, to;
  U32Vector_init(&from, s->account);
  U32Vector_init(&to, s->account);
  for (Bdd at = relation->next; at != BDD_TRUE; at = bdd_space_high(at)) {
    U32Vector_push(&to, bdd_space_top(at));
    U32Vector_push(&from, bdd_space_top(at) - 1);
  }
  BddRenaming *renaming = bdd_space_renaming(from.data, to.data, from.count);
  Bdd next = bdd_space_rename(after, renaming);
  bdd_space_replace(&next, bdd_space_exists(next, relation->forgotten));
  bdd_space_renaming_free(renaming);
  U32Vector_free(&to);
  U32Vector_free(&from);
  return next;
}

static Bdd preimage(BddStates *s, const BddRelation *relation, Bdd before, Bdd after) {
  Bdd states = as_next(s, relation, after);
  bdd_space_and_into(&states, before);
  for (size_t i = 0; i < relation->parts.count && !stopped(s); i++)
    bdd_space_and_into(&states, relation->parts.data[i].relation);
  if (!stopped(s)) bdd_space_replace(&states, bdd_space_exists(states, relation->next));
  if (!stopped(s)) bdd_space_replace(&states, bdd_space_exists(states, relation->inputs));
  return states;
}

static Bdd answer(BddStates *s, const BddRelation *relation, Bdd states, const Question *question) {
  switch (question->kind) {
  case QUESTION_AFTER: return image(s, relation, states);
  case QUESTION_BEFORE: return preimage(s, relation, states, question->after);
  case QUESTION_ENABLED: return bdd_space_and(states, relation->enabled);
  case QUESTION_MISSED: return bdd_space_and(states, relation->missed);
  }
  return BDD_FALSE;
}

// --- cases ---

// Calls `visit` for each open bit that the edge reads, possibly several times.
static void each_bit_read(BddStates *s, EdgeId e, void (*visit)(void *context, uint32_t bit), void *context) {
  const Transition *transition = &s->words.transitions->edges.data[e];
  const BddLive *live = &s->live;
  for (uint32_t i = 0; i <= transition->update_count; i++) {
    const U32Vector *starts = i == 0 ? &live->by_edge : &live->by_update;
    uint32_t at = i == 0 ? e : transition->first_update + i - 1;
    for (uint32_t k = starts->data[at]; k < starts->data[at + 1]; k++) {
      const BddWord *word = &s->words.words.data[live->reads.data[k]];
      for (uint32_t place = 0; place < word->width; place++)
        if (s->words.bits.data[word->first_bit + place].known == BIT_OPEN) visit(context, word->first_bit + place);
    }
  }
}

typedef struct Forcing {
  BddStates *s;
  Bdd states;
  uint32_t split; // a bit that the states do not agree on; NO_ID: there is none
} Forcing;

static bool agree(const Forcing *f, uint32_t variable, bool value) {
  Bdd other = bdd_space_literal(variable, !value);
  bool intersects = bdd_space_intersects(f->states, other);
  bdd_space_drop(other);
  return !intersects;
}

static void force_bit(void *context, uint32_t bit) {
  Forcing *f = context;
  uint8_t *forced = &f->s->translator.forced.data[bit];
  if (*forced != BIT_OPEN || f->s->translator.flaw) return;
  uint32_t variable = f->s->words.bits.data[bit].variable;
  if (agree(f, variable, true))
    *forced = BIT_ONE;
  else if (agree(f, variable, false))
    *forced = BIT_ZERO;
  else if (f->split == NO_ID || variable < f->s->words.bits.data[f->split].variable)
    f->split = bit;
}

static void release_bit(void *context, uint32_t bit) { ((BddStates *)context)->translator.forced.data[bit] = BIT_OPEN; }

// The answer for one set, if the relation is small where its states agree; else the set is split.
static void answer_case(BddStates *s, EdgeId e, const Question *question, Bdd states, U32Vector *open, Bdd *all) {
  Forcing f = {.s = s, .states = states, .split = NO_ID};
  each_bit_read(s, e, force_bit, &f);
  bdd_translator_limit(&s->translator, LARGE_CASE);
  BddRelation relation = bdd_relation_build(&s->translator, &s->live, e, s->account);
  bool too_large = s->translator.too_large;
  bdd_translator_limit(&s->translator, 0);
  each_bit_read(s, e, release_bit, s);
  if (too_large && f.split == NO_ID) {
    s->translator.flaw = "the decision diagrams grew too large"; // by the inputs of the edge
  } else if (too_large) {
    uint32_t variable = s->words.bits.data[f.split].variable;
    for (int positive = 0; positive < 2; positive++) {
      Bdd half = bdd_space_literal(variable, positive);
      bdd_space_and_into(&half, states);
      U32Vector_push(open, (uint32_t)half);
    }
  } else if (!s->translator.flaw) {
    Bdd mine = answer(s, &relation, states, question);
    bdd_space_or_into(all, mine);
    bdd_space_drop(mine);
  }
  bdd_relation_drop(&relation);
}

static Bdd answer_by_cases(BddStates *s, EdgeId e, const Question *question, Bdd states) {
  U32Vector open;
  U32Vector_init(&open, s->account);
  U32Vector_push(&open, (uint32_t)bdd_space_share(states));
  Bdd all = BDD_FALSE;
  while (open.count > 0) {
    Bdd mine = (Bdd)U32Vector_pop(&open);
    if (mine != BDD_FALSE && !stopped(s)) answer_case(s, e, question, mine, &open, &all);
    bdd_space_drop(mine);
  }
  U32Vector_free(&open);
  return all;
}

static Bdd ask(BddStates *s, EdgeId e, Bdd states, Question question) {
  const BddRelation *relation = relation_of(s, e);
  if (s->translator.flaw) return BDD_FALSE;
  Bdd result = relation->large ? answer_by_cases(s, e, &question, states) : answer(s, relation, states, &question);
  if (stopped(s)) bdd_space_replace(&result, BDD_FALSE);
  return result;
}

// --- sets of states ---

Bdd bdd_states_after(BddStates *s, Bdd states, EdgeId edge) {
  return ask(s, edge, states, (Question){.kind = QUESTION_AFTER});
}

Bdd bdd_states_enabled(BddStates *s, Bdd states, EdgeId edge, bool missed) {
  assert(missed || !(s->words.edges.data[edge] & EDGE_CHANGES));
  return ask(s, edge, states, (Question){.kind = missed ? QUESTION_MISSED : QUESTION_ENABLED});
}

Bdd bdd_states_before(BddStates *s, Bdd before, EdgeId edge, Bdd after) {
  return ask(s, edge, before, (Question){.kind = QUESTION_BEFORE, .after = after});
}

Bdd bdd_states_initial(BddStates *s) {
  const BddWords *w = &s->words;
  Bdd states = BDD_TRUE;
  for (uint32_t v = w->variable_count; v-- > 0 && !stopped(s);) { // from the last one up
    if (w->bit_of_variable.data[v] == NO_ID) continue;
    const BddBit *bit = &w->bits.data[w->bit_of_variable.data[v]];
    const BddWord *word = &w->words.data[bit->word];
    Term initial = transitions_initial(w->transitions, word->variable);
    if (bit->variable != v || initial == TERM_NONE || !term_is_constant(w->terms, initial)) continue;
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

static BddRenaming *rename_all(const BddWords *w) {
  U32Vector from, to;
  U32Vector_init(&from, w->account);
  U32Vector_init(&to, w->account);
  for (size_t i = 0; i < w->bits.count; i++) {
    const BddBit *bit = &w->bits.data[i];
    if (bit->known != BIT_OPEN || w->words.data[bit->word].fresh) continue;
    U32Vector_push(&from, bit->variable + 1);
    U32Vector_push(&to, bit->variable);
  }
  BddRenaming *renaming = bdd_space_renaming(from.data, to.data, from.count);
  U32Vector_free(&to);
  U32Vector_free(&from);
  return renaming;
}

void bdd_states_init(BddStates *s, const Transitions *transitions, Budget *budget, Account *account) {
  *s = (BddStates){.account = account};
  BddRelationVector_init(&s->edges, account);
  const char *flaw = bdd_words_init(&s->words, transitions, budget, account);
  if (!flaw) bdd_live_init(&s->live, &s->words, account);
  bdd_translator_init(&s->translator, &s->words, budget, account);
  s->translator.flaw = flaw;
  if (flaw) return;
  if (!bdd_space_init(s->words.variable_count + 1, FIRST_NODES, FIRST_CACHE, MOST_NODES)) {
    s->translator.flaw = "decision diagrams are in use already, and a process has them only once";
    return;
  }
  s->to_current = rename_all(&s->words);
  BddRelationVector_resize(&s->edges, transitions->edges.count);
}

// Closing the instance frees all diagrams.
void bdd_states_free(BddStates *s) {
  for (size_t i = 0; i < s->edges.count; i++) BddPartVector_free(&s->edges.data[i].parts);
  if (s->to_current) {
    bdd_space_renaming_free(s->to_current);
    bdd_space_done();
  }
  bdd_translator_free(&s->translator);
  bdd_live_free(&s->live);
  bdd_words_free(&s->words);
  BddRelationVector_free(&s->edges);
}
