#include "reach/refine/model_samples.h"

void samples_init(Samples *s, const TermStore *terms, Account *account) {
  *s = (Samples){.terms = terms, .account = account};
}

static void free_sample(Sample *sample) {
  model_free(&sample->model);
  map_free(&sample->values);
}

void samples_free(Samples *s) {
  for (uint32_t i = 0; i < s->count; i++) free_sample(&s->samples[i]);
}

static Bits value_of(void *context, Term variable) { return (Bits)map_get_or(context, variable, 0); }

static Bits element_of(void *context, Term array, Bits index) {
  (void)context, (void)array, (void)index;
  return 0;
}

typedef struct Adding {
  Samples *samples;
  Solver *solver;
  Map *values;
} Adding;

static void add_value(void *context, Term variable) {
  Adding *adding = context;
  Sort sort = term_sort(adding->samples->terms, variable);
  if (sort_is_array(sort) || term_width(adding->samples->terms, variable) > 64) return;
  map_put(adding->values, variable, (uint64_t)solver_value(adding->solver, variable));
}

void samples_add(Samples *s, Solver *solver, const Term *formulas, size_t count) {
  Sample *sample = &s->samples[s->next];
  if (s->count == MOST_SAMPLES)
    free_sample(sample);
  else
    s->count++;
  s->next = (s->next + 1) % MOST_SAMPLES;
  assert(s->count <= MOST_SAMPLES);
  map_init(&sample->values, s->account);
  model_init(&sample->model, s->terms, s->account);
  Adding adding = {.samples = s, .solver = solver, .values = &sample->values};
  for (size_t i = 0; i < count; i++) term_each_variable(s->terms, formulas[i], add_value, &adding);
  TermValuation valuation = {.value_of = value_of, .element_of = element_of, .context = &sample->values};
  model_reset(&sample->model, (ModelSource){.valuation = valuation});
}

static Sample *newest(Samples *s, uint32_t i) { return &s->samples[(s->next + MOST_SAMPLES - 1 - i) % MOST_SAMPLES]; }

// Does the sample satisfy all conditions?
static bool meets(Sample *sample, const Term *conditions, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!model_value(&sample->model, conditions[i])) return false;
  return true;
}

bool samples_refute(Samples *s, const Term *conditions, size_t count, Term formula) {
  for (uint32_t i = 0; i < s->count; i++) {
    Sample *sample = newest(s, i);
    if (!model_value(&sample->model, formula) && meets(sample, conditions, count)) return true;
  }
  return false;
}

void samples_each(Samples *s, const Term *conditions, size_t count, void (*visit)(void *context, Model *model),
                  void *context) {
  for (uint32_t i = 0; i < s->count; i++)
    if (meets(newest(s, i), conditions, count)) visit(context, &newest(s, i)->model);
}
