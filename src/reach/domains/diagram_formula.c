#include "reach/domains/diagram_formula.h"

void bdd_formulas_init(BddFormulas *f, const Words *words, Account *account) {
  *f = (BddFormulas){.words = words};
  map_init(&f->terms, account);
  U32Vector_init(&f->stack, account);
}

// The references to diagram nodes end with the instance of the diagrams.
void bdd_formulas_free(BddFormulas *f) {
  U32Vector_free(&f->stack);
  map_free(&f->terms);
}

static Term bit_term(const Words *w, unsigned variable) {
  uint32_t bit = w->bit_of_variable.data[variable];
  const Word *word = &w->words.data[w->bits.data[bit].word];
  assert(w->bits.data[bit].variable == variable); // the variable is a current one, not a next one
  uint32_t place = bit - word->first_bit;
  return term_extract(w->terms, word->variable, place, place);
}

// The term of a constant or of a node that has one; TERM_NONE: it has none yet.
static Term known_term(const BddFormulas *f, Bdd node) {
  if (node == BDD_TRUE || node == BDD_FALSE) return term_bool(f->words->terms, node == BDD_TRUE);
  return (Term)map_get_or(&f->terms, (uint64_t)node, TERM_NONE);
}

Term bdd_formula(BddFormulas *f, Bdd states) {
  TermStore *terms = f->words->terms;
  U32Vector_push(&f->stack, (uint32_t)states);
  while (f->stack.count > 0) {
    Bdd node = (Bdd)*U32Vector_last(&f->stack);
    if (known_term(f, node) != TERM_NONE) {
      U32Vector_pop(&f->stack);
      continue;
    }
    Bdd low = bdd_space_low(node), high = bdd_space_high(node);
    Term otherwise = known_term(f, low), then = known_term(f, high);
    if (otherwise == TERM_NONE) U32Vector_push(&f->stack, (uint32_t)low);
    if (then == TERM_NONE) U32Vector_push(&f->stack, (uint32_t)high);
    if (otherwise == TERM_NONE || then == TERM_NONE) continue;
    map_put(&f->terms, (uint64_t)node, term_ite(terms, bit_term(f->words, bdd_space_top(node)), then, otherwise));
    bdd_space_share(node);
    U32Vector_pop(&f->stack);
  }
  return known_term(f, states);
}
