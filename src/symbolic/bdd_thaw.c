#include "symbolic/bdd_thaw.h"

enum { LARGE_ESCAPE = 100000 }; // nodes that may be made for one edge

static bool stopped(BddStates *s) { return bdd_translator_stopped(&s->translator); }

void bdd_freeze(BddStates *s) {
  Words *w = s->words;
  ByteVector_resize(&s->frozen, w->bits.count);
  BddEscapeVector_resize(&s->escapes, w->edges.count);
  for (size_t i = 0; i < w->words.count; i++) {
    const Word *word = &w->words.data[i];
    Term initial = word->fresh ? TERM_NONE : transitions_initial(w->transitions, word->variable);
    if (initial == TERM_NONE || !term_is_constant(w->terms, initial)) continue;
    for (uint32_t k = 0; k < word->width; k++) {
      WordBit *bit = words_bit(w, (uint32_t)i, k);
      if (bit->known != BIT_OPEN) continue;
      bit->known = term_constant_value(w->terms, initial) >> k & 1 ? BIT_ONE : BIT_ZERO;
      s->frozen.data[word->first_bit + k] = 1;
    }
  }
}

void bdd_unfreeze(BddStates *s) {
  for (size_t i = 0; i < s->frozen.count; i++)
    if (s->frozen.data[i]) s->words->bits.data[i].known = BIT_OPEN;
  ByteVector_clear(&s->frozen);
}

// --- what edges change ---

static void escape_drop(BddEscape *escape) {
  for (size_t i = 0; i < escape->when.count; i++) bdd_space_drop((Bdd)escape->when.data[i]);
  bdd_space_drop(escape->any);
  U32Vector_free(&escape->when);
  U32Vector_free(&escape->bits);
  *escape = (BddEscape){0};
}

// Adds when the edge gives frozen bits of the word another value.
static void add_escapes(BddStates *s, BddEscape *escape, const Update *update, Bdd guard, Bdd inputs) {
  uint32_t word = words_find(s->words, update->variable);
  const AigLiteral *values = bitblast_term(&s->words->blaster, update->value);
  for (uint32_t k = 0; k < s->words->words.data[word].width && !stopped(s); k++) {
    uint32_t bit = s->words->words.data[word].first_bit + k;
    if (!s->frozen.data[bit]) continue;
    Bdd differs = bdd_translate(&s->translator, aig_not_if(values[k], s->words->bits.data[bit].known == BIT_ONE));
    Bdd when = bdd_space_and_exists(guard, differs, inputs);
    bdd_space_drop(differs);
    if (when == BDD_FALSE) continue;
    U32Vector_push(&escape->bits, bit);
    U32Vector_push(&escape->when, (uint32_t)when);
  }
}

// Is the updated variable a word that is not certainly dead after the edge?
static bool may_change(const BddStates *s, EdgeId edge, const Update *update) {
  uint32_t word = words_find(s->words, update->variable);
  return word != NO_ID && !live_words_dead_after(&s->live, edge, word);
}

static void build_escape(BddStates *s, EdgeId edge, BddEscape *escape) {
  const Transition *transition = &s->words->transitions->edges.data[edge];
  assert(!escape->built);
  escape->built = true;
  U32Vector_init(&escape->bits, s->account);
  U32Vector_init(&escape->when, s->account);
  bdd_translator_limit(&s->translator, LARGE_ESCAPE);
  Bdd inputs = bdd_edge_inputs(s->words, edge, s->account);
  Bdd guard = bdd_translate_condition(&s->translator, transition->guard);
  for (uint32_t i = 0; i < transition->update_count && !stopped(s); i++) {
    const Update *update = words_update(s->words, transition, i);
    if (may_change(s, edge, update)) add_escapes(s, escape, update, guard, inputs);
  }
  escape->large = s->translator.too_large;
  for (size_t i = 0; i < escape->when.count && !escape->large; i++)
    bdd_space_or_into(&escape->any, (Bdd)escape->when.data[i]);
  bdd_space_drop(guard);
  bdd_space_drop(inputs);
  bdd_translator_limit(&s->translator, 0);
  bdd_translator_forget(&s->translator);
}

// --- thawing ---

static bool has_word(const BddStates *s, const U32Vector *starts, size_t at, uint32_t word) {
  for (uint32_t i = starts->data[at]; i < starts->data[at + 1]; i++)
    if (s->live.reads.data[i] == word) return true;
  return false;
}

// Does the edge read or write the word, or does the word die on it?
static bool concerns_word(const BddStates *s, EdgeId edge, uint32_t word) {
  const Edge *e = &s->words->transitions->program->edges.data[edge];
  if (bitset_get(&s->live.at[e->from], word) && !bitset_get(&s->live.at[e->to], word)) return true;
  if (has_word(s, &s->live.by_edge, edge, word)) return true;
  const Transition *transition = &s->words->transitions->edges.data[edge];
  for (uint32_t i = 0; i < transition->update_count; i++) {
    if (words_find(s->words, words_update(s->words, transition, i)->variable) == word) return true;
    if (has_word(s, &s->live.by_update, transition->first_update + i, word)) return true;
  }
  return false;
}

static void thaw_bit(BddStates *s, uint32_t bit) {
  assert(bit < s->frozen.count);
  if (!s->frozen.data[bit]) return;
  s->frozen.data[bit] = 0;
  U32Vector_push(&s->thawed, bit * 2 + (s->words->bits.data[bit].known == BIT_ONE));
  s->words->bits.data[bit].known = BIT_OPEN;
}

// Drops what was built for the edges that the words of thawed bits concern, from the index `first` of these bits on.
static void forget_edges(BddStates *s, size_t first) {
  Map words;
  map_init(&words, s->account);
  for (size_t i = first; i < s->thawed.count; i++) {
    uint32_t word = s->words->bits.data[s->thawed.data[i] / 2].word;
    if (map_contains(&words, word)) continue;
    map_put(&words, word, 1);
    for (EdgeId e = 0; e < s->edges.count; e++) {
      if ((!s->edges.data[e].built && !s->edges.data[e].large && !s->escapes.data[e].built) ||
          !concerns_word(s, e, word))
        continue;
      bdd_states_forget(s, e);
      escape_drop(&s->escapes.data[e]);
    }
  }
  map_free(&words);
}

// Thaws all bits of the words that the edge may change.
static void thaw_all(BddStates *s, EdgeId edge) {
  const Transition *transition = &s->words->transitions->edges.data[edge];
  for (uint32_t i = 0; i < transition->update_count; i++) {
    const Update *update = words_update(s->words, transition, i);
    if (!may_change(s, edge, update)) continue;
    const Word *word = &s->words->words.data[words_find(s->words, update->variable)];
    for (uint32_t k = 0; k < word->width; k++) thaw_bit(s, word->first_bit + k);
  }
}

bool bdd_thaw(BddStates *s, Bdd states, EdgeId edge) {
  assert(edge < s->escapes.count);
  BddEscape *escape = &s->escapes.data[edge];
  if (!escape->built) build_escape(s, edge, escape);
  if (s->translator.flaw) return false;
  size_t before = s->thawed.count;
  if (escape->large) thaw_all(s, edge);
  bool some = !escape->large && escape->any != BDD_FALSE && bdd_space_intersects(states, escape->any);
  for (size_t i = 0; i < escape->bits.count && some; i++)
    if (bdd_space_intersects(states, (Bdd)escape->when.data[i])) thaw_bit(s, escape->bits.data[i]);
  if (s->thawed.count > before) forget_edges(s, before);
  return s->thawed.count > before;
}
