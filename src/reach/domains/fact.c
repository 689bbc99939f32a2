#include "reach/domains/fact.h"

bool fact_read(TermStore *terms, Term literal, Term *variable, Term *value) {
  assert(term_width(terms, literal) == 1);
  bool negated = term_operator(terms, literal) == TERM_NOT;
  Term inside = negated ? term_child(terms, literal, 0) : literal;
  if (term_operator(terms, inside) == TERM_VARIABLE) {
    *variable = inside;
    *value = term_bool(terms, !negated);
    return true;
  }
  if (negated || term_operator(terms, inside) != TERM_EQ) return false;
  Term a = term_child(terms, inside, 0), b = term_child(terms, inside, 1);
  if (term_is_constant(terms, a)) {
    Term other = a;
    a = b;
    b = other;
  }
  if (term_operator(terms, a) != TERM_VARIABLE || !term_is_constant(terms, b)) return false;
  *variable = a;
  *value = b;
  return true;
}
