#include "transition/instances.h"

typedef struct Parameters {
  const TermStore *terms;
  uint32_t state_limit;
  TermVector found;
} Parameters;

static void note_parameter(void *context, Term variable) {
  Parameters *parameters = context;
  if (term_variable_index(parameters->terms, variable) >= parameters->state_limit)
    TermVector_push(&parameters->found, variable);
}

// Appends each of the first `count` formulas of `all` with the input in place of the parameter.
static void replace_in_all(TermStore *terms, Term parameter, Term input, size_t count, TermVector *all,
                           Account *account) {
  assert(count <= all->count && term_sort(terms, parameter) == term_sort(terms, input));
  Map map;
  map_init(&map, account);
  map_put(&map, parameter, input);
  for (size_t i = 0; i < count && all->count <= MOST_INSTANCES; i++) {
    Term instance = term_substitute(terms, all->data[i], &map, NULL);
    if (instance != all->data[i]) TermVector_push(all, instance);
  }
  map_free(&map);
}

static void add_of_conjunct(TermStore *terms, Term conjunct, uint32_t state_limit, const Term *inputs,
                            size_t input_count, TermVector *out, Account *account) {
  Parameters parameters = {.terms = terms, .state_limit = state_limit};
  TermVector all; // the conjunct, then its instances
  TermVector_init(&parameters.found, account);
  TermVector_init(&all, account);
  TermVector_push(&all, conjunct);
  term_each_variable(terms, conjunct, note_parameter, &parameters);
  for (size_t p = 0; p < parameters.found.count; p++) {
    Term parameter = parameters.found.data[p];
    size_t before = all.count;
    for (size_t i = 0; i < input_count; i++) {
      bool fits = inputs[i] != parameter && term_sort(terms, inputs[i]) == term_sort(terms, parameter);
      if (fits) replace_in_all(terms, parameter, inputs[i], before, &all, account);
    }
  }
  for (size_t i = 1; i < all.count; i++) TermVector_push(out, all.data[i]);
  TermVector_free(&all);
  TermVector_free(&parameters.found);
}

void instances_add(TermStore *terms, Term formula, uint32_t state_limit, const Term *inputs, size_t input_count,
                   TermVector *out, Account *account) {
  if (input_count == 0) return;
  TermVector conjuncts;
  TermVector_init(&conjuncts, account);
  term_list_conjuncts(terms, formula, &conjuncts);
  for (size_t i = 0; i < conjuncts.count; i++)
    add_of_conjunct(terms, conjuncts.data[i], state_limit, inputs, input_count, out, account);
  TermVector_free(&conjuncts);
}
