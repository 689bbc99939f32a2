#include "term/term_internal.h"
void term_print_smtlib(const TermStore *store, Term t, bool as_bool, Text *out) {
  TermOperator op = operator_of(store, t);
  if (op == TERM_CONSTANT) { text_format(out, "%llx'%u", (unsigned long long)term_constant_value(store,t), width_of(store,t)); return; }
  if (op == TERM_VARIABLE) { text_format(out, "%s%u", term_variable_name(store,t), t); return; }
  text_format(out, "(%s", term_operator_name(op));
  for (unsigned i=0;i<term_arity(store,t);i++){ text_add(out," "); term_print_smtlib(store, child_of(store,t,i), as_bool, out);}
  text_format(out, ")'%u", term_sort(store,t));
}
