#include "reach/domains/diagram_cases.h"

#include "verdict/schedule.h"

enum { MOST_CASES = 20000, MOST_BRANCHES = 64, CASE_FREE = 2 };

typedef struct Show {
  const BddStates *s;
  const Words *words;
  EdgeId edge;
  const Transition *transition;
  Term condition;
  bool changes; // the edge's updates matter
  Bdd after;
  ByteVector values; // per variable of the diagrams: 0, 1, CASE_FREE
  BitsVector become; // per update: the value after the edge
  Map update_of;     // word -> its update
  unsigned cases;
  unsigned branches; // how often the check of this case had to follow both values of a bit
} Show;

// --- values ---

static Bits value_of(void *context, Term variable) {
  const Show *show = context;
  const Words *w = show->words;
  uint32_t word = words_find(w, variable);
  assert(word != NO_ID);
  Bits value = 0;
  for (uint32_t i = 0; i < w->words.data[word].width; i++) {
    const WordBit *bit = words_bit(w, word, i);
    uint8_t is = bit->known != BIT_OPEN ? bit->known : show->values.data[bit->variable];
    assert(is != CASE_FREE);
    if (is) value |= (Bits)1 << i;
  }
  return value;
}

// A diagram variable of the words in the range that the case leaves open; NO_ID: there is none.
static uint32_t find_free(const Show *show, const U32Vector *starts, uint32_t at) {
  for (uint32_t i = starts->data[at]; i < starts->data[at + 1]; i++) {
    uint32_t word = show->s->live.reads.data[i];
    for (uint32_t k = 0; k < show->words->words.data[word].width; k++) {
      const WordBit *bit = words_bit(show->words, word, k);
      if (bit->known == BIT_OPEN && show->values.data[bit->variable] == CASE_FREE) return bit->variable;
    }
  }
  return NO_ID;
}

static uint32_t find_free_in_updates(const Show *show) {
  uint32_t variable = NO_ID;
  for (uint32_t i = 0; i < show->transition->update_count && variable == NO_ID; i++)
    variable = find_free(show, &show->s->live.by_update, show->transition->first_update + i);
  return variable;
}

// --- one case ---

// Does the value agree with the bits of the word that are constant in all states?
static bool keeps_known(const Show *show, uint32_t word, Bits value) {
  for (uint32_t i = 0; i < show->words->words.data[word].width; i++) {
    uint8_t known = words_bit(show->words, word, i)->known;
    if (known != BIT_OPEN && known != (value >> i & 1)) return false;
  }
  return true;
}

static bool find_values(Show *show, const TermValuation *valuation) {
  BitsVector_clear(&show->become);
  for (uint32_t i = 0; i < show->transition->update_count; i++) {
    const Update *update = words_update(show->words, show->transition, i);
    uint32_t word = words_find(show->words, update->variable);
    Bits value = 0;
    if (word != NO_ID) {
      value = term_evaluate(show->words->terms, update->value, valuation);
      if (!keeps_known(show, word, value)) return false;
    }
    BitsVector_push(&show->become, value);
  }
  return true;
}

static uint8_t bit_after(const Show *show, unsigned variable) {
  assert(variable < show->values.count);
  uint32_t bit = show->words->bit_of_variable.data[variable], word = show->words->bits.data[bit].word;
  uint64_t update;
  if (!map_get(&show->update_of, word, &update)) return show->values.data[variable];
  return show->become.data[update] >> (bit - show->words->words.data[word].first_bit) & 1;
}

// Does the set contain all states of the case after the edge?
static bool is_inside(Show *show, Bdd set) {
  while (set != BDD_TRUE) {
    if (set == BDD_FALSE) return false;
    uint8_t bit = bit_after(show, bdd_space_top(set));
    if (bit == CASE_FREE) {
      if (++show->branches > MOST_BRANCHES || !is_inside(show, bdd_space_low(set))) return false;
      bit = 1;
    }
    set = bit ? bdd_space_high(set) : bdd_space_low(set);
  }
  return true;
}

// Checks a case in which all values that the edge reads are known. `taken`: the edge can be taken in it.
static bool show_values(Show *show, bool taken) {
  TermValuation valuation = {.value_of = value_of, .context = show};
  if (!taken) return !term_evaluate(show->words->terms, show->condition, &valuation);
  show->branches = 0;
  return find_values(show, &valuation) && is_inside(show, show->after);
}

// Checks a case. If it leaves a value open that the edge reads, it is split. `taken`: the edge can be taken in it.
static bool show_case(Show *show, bool taken) {
  if (++show->cases > MOST_CASES) return false;
  uint32_t free = taken ? find_free_in_updates(show) : find_free(show, &show->s->live.by_edge, show->edge);
  if (free == NO_ID) return show_values(show, taken) || (!taken && show->changes && show_case(show, true));
  bool shown = true;
  for (uint8_t value = 0; value < 2 && shown; value++) {
    show->values.data[free] = value;
    shown = show_case(show, taken);
  }
  show->values.data[free] = CASE_FREE;
  return shown;
}

// --- all cases ---

// Checks all cases below a node: every path to true is a case. The recursion is at most as deep as there are variables.
static bool show_below(Show *show, Bdd node) {
  if (node == BDD_FALSE) return true;
  if (node == BDD_TRUE) return show_case(show, false);
  unsigned variable = bdd_space_top(node);
  assert(variable < show->values.count && show->values.data[variable] == CASE_FREE);
  bool shown = true;
  for (uint8_t value = 0; value < 2 && shown; value++) {
    show->values.data[variable] = value;
    shown = show_below(show, value ? bdd_space_high(node) : bdd_space_low(node));
  }
  show->values.data[variable] = CASE_FREE;
  return shown;
}

static bool mentions_inputs(const Show *show) {
  for (uint32_t i = 0; i < show->transition->fresh_count; i++) {
    Term fresh = show->words->transitions->fresh.data[show->transition->first_fresh + i];
    if (words_find(show->words, fresh) != NO_ID) return true;
  }
  return false;
}

bool bdd_cases_show(const BddStates *s, Bdd before, EdgeId edge, bool missed, Bdd after) {
  Show show = {.s = s, .words = s->words, .edge = edge, .after = after};
  show.transition = &s->words->transitions->edges.data[edge];
  show.condition = missed ? show.transition->missed : show.transition->guard;
  show.changes = !missed && s->words->edges.data[edge] & EDGE_CHANGES;
  if (before == BDD_FALSE) return true;
  if (mentions_inputs(&show) || bdd_space_paths(before) > MOST_CASES) return false;
  ByteVector_init(&show.values, s->account);
  BitsVector_init(&show.become, s->account);
  map_init(&show.update_of, s->account);
  for (uint32_t i = 0; i < s->words->variable_count; i++) ByteVector_push(&show.values, CASE_FREE);
  for (uint32_t i = 0; show.changes && i < show.transition->update_count; i++) {
    uint32_t word = words_find(show.words, words_update(show.words, show.transition, i)->variable);
    if (word != NO_ID) map_put(&show.update_of, word, i);
  }
  bool shown = show_below(&show, before);
  map_free(&show.update_of);
  BitsVector_free(&show.become);
  ByteVector_free(&show.values);
  return shown;
}
