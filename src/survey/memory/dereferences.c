#include "survey/memory/dereferences.h"

#include "survey/memory/bounds.h"
#include "survey/memory/releases.h"

#include <stdlib.h>

VECTOR(SurveyFunctionVector, SurveyFunction);

typedef struct Looking {
  const SurveyFacts *facts;
  PointerValues values;
  Releases releases;
  SurveyDereferences counts; // of the function
  // Positions in the function: of what is excluded, of what is not, and of calls that are not looked at.
  U32Vector excluded, left, calls;
} Looking;

// --- one dereference ---

static bool lives(const Looking *l, const Known *known, CodeOperand pointer) {
  if (pointer.kind == CODE_ADDRESS) return true;
  bool lasting = pointer_value(&l->values, known, pointer) & VALUE_LASTING;
  PlaceRange range = pointing_of(l->facts->pointing, pointer);
  for (uint32_t i = 0; i < range.count; i++) {
    uint32_t area = range.data[i].area;
    AreaKind kind = pointing_area(l->facts->pointing, area)->kind;
    bool temporary = kind == AREA_AUTOMATIC || kind == AREA_THREAD_LOCAL;
    if (releases_may_free(&l->releases, l->facts, area) || (temporary && !lasting)) return false;
  }
  return range.count > 0;
}

static void dereference(Looking *l, const Known *known, const CodeStatement *s, uint32_t operand) {
  CodeOperand pointer = code_operand(l->facts->code, s, operand);
  bool writes = operand == 0 && s->kind != CODE_LOAD;
  uint8_t value = pointer_value(&l->values, known, pointer);
  bool not_null = (value & VALUE_GENUINE) && (value & VALUE_NOT_NULL);
  bool not_freed = lives(l, known, pointer), in_range = access_in_range(&l->values, known, pointer, s->size, writes);
  bool all = not_null && not_freed && in_range;
  SurveyDereferences *c = &l->counts;
  U32Vector_push(all ? &l->excluded : &l->left, s->position);
  if (all && access_named_object(l->facts->code, pointer) != NO_CODE_ID) {
    c->by_name++;
    return;
  }
  c->by_pointers++;
  c->not_null += not_null;
  c->not_freed += not_freed;
  c->in_range += in_range;
  c->all += all;
}

// Something else than a call of functions with a body.
static bool is_call_of_others(const SurveyFacts *facts, uint32_t statement) {
  const CodeStatement *s = &facts->code->statements[statement];
  if (s->kind != CODE_CALL) return s->kind == CODE_OPAQUE;
  CallTargets targets = calls_of(facts->calls, statement);
  for (uint32_t i = 0; i < targets.count; i++)
    if (targets.data[i].kind != CALL_BODY) return true;
  return targets.count == 0 || code_operand(facts->code, s, 0).kind != CODE_FUNCTION;
}

static void visit(void *argument, const Known *known, uint32_t statement) {
  Looking *l = argument;
  const CodeStatement *s = &l->facts->code->statements[statement];
  if (is_call_of_others(l->facts, statement)) U32Vector_push(&l->calls, s->position);
  for (uint32_t i = 0; i < known_dereferenced(s); i++) dereference(l, known, s, i);
}

// --- which functions run ---

static void run_function(Bitset *run, U32Vector *work, const Code *code, uint32_t function) {
  if (function == NO_CODE_ID || !code->functions[function].defined || !bitset_add(run, function)) return;
  U32Vector_push(work, function);
}

static void find_running(Bitset *run, const SurveyFacts *facts) {
  const Code *code = facts->code;
  U32Vector work;
  U32Vector_init(&work, facts->account);
  for (uint32_t t = 0; t < templates_count(facts->templates); t++)
    run_function(run, &work, code, templates_at(facts->templates, t)->routine);
  for (uint32_t f = 0; f < code->function_count; f++)
    if (code->functions[f].at_start || code->functions[f].at_exit || pointing_called_from_outside(facts->pointing, f))
      run_function(run, &work, code, f);
  while (work.count > 0) {
    const CodeFunction *f = &code->functions[U32Vector_pop(&work)];
    for (uint32_t s = f->first_statement; s < f->first_statement + f->statement_count; s++) {
      CallTargets targets = calls_of(facts->calls, s);
      for (uint32_t i = 0; i < targets.count; i++) run_function(run, &work, code, targets.data[i].function);
    }
  }
  U32Vector_free(&work);
}

// --- what is told ---

static int compare_positions(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void make_set(U32Vector *positions) {
  size_t count = 0;
  if (positions->count > 1) qsort(positions->data, positions->count, sizeof *positions->data, compare_positions);
  for (size_t i = 0; i < positions->count; i++)
    if (i == 0 || positions->data[i] != positions->data[i - 1]) positions->data[count++] = positions->data[i];
  positions->count = count;
}

// The positions that are not among the `others`; both are sets.
static CodePosition *keep(const Code *code, const U32Vector *positions, const U32Vector *others, uint32_t *count,
                          Arena *arena) {
  CodePosition *kept = arena_allocate_zeroed(arena, (positions->count + 1) * sizeof *kept);
  *count = 0;
  for (size_t i = 0, k = 0; i < positions->count; i++) {
    uint32_t position = positions->data[i];
    while (k < others->count && others->data[k] < position) k++;
    bool other = k < others->count && others->data[k] == position;
    if (!other) kept[(*count)++] = code->positions[position];
  }
  return kept;
}

static void keep_lines(Looking *l, SurveyFunction *told, Arena *arena) {
  const U32Vector none = {.count = 0};
  make_set(&l->left);
  told->left = keep(l->facts->code, &l->left, &none, &told->left_count, arena);
  for (size_t i = 0; i < l->left.count; i++) U32Vector_push(&l->calls, l->left.data[i]);
  make_set(&l->calls);
  make_set(&l->excluded);
  told->excluded = keep(l->facts->code, &l->excluded, &l->calls, &told->excluded_count, arena);
}

static void add_counts(SurveyDereferences *sum, const SurveyDereferences *more) {
  assert(more->all <= more->not_null && more->all <= more->not_freed && more->all <= more->in_range);
  assert(more->not_null <= more->by_pointers && more->not_freed <= more->by_pointers);
  sum->by_name += more->by_name;
  sum->by_pointers += more->by_pointers;
  sum->not_null += more->not_null;
  sum->not_freed += more->not_freed;
  sum->in_range += more->in_range;
  sum->all += more->all;
}

static void look_at(Looking *l, uint32_t function, Survey *survey, SurveyFunctionVector *functions) {
  const Code *code = l->facts->code;
  const CodeFunction *f = &code->functions[function];
  l->counts = (SurveyDereferences){0};
  U32Vector_clear(&l->excluded);
  U32Vector_clear(&l->calls);
  U32Vector_clear(&l->left);
  known_walk(&l->values.known, function, visit, l);
  add_counts(&survey->totals.dereferences, &l->counts);
  if (l->counts.by_name + l->counts.by_pointers == 0) return;
  SurveyFunction told = {.name = arena_string(&survey->arena, f->name),
                         .position = code->positions[f->position],
                         .dereferences = l->counts};
  keep_lines(l, &told, &survey->arena);
  SurveyFunctionVector_push(functions, told);
}

static void look_at_all(Looking *l, Survey *survey) {
  const SurveyFacts *facts = l->facts;
  SurveyFunctionVector functions;
  Bitset run;
  SurveyFunctionVector_init(&functions, facts->account);
  U32Vector_init(&l->excluded, facts->account);
  U32Vector_init(&l->calls, facts->account);
  U32Vector_init(&l->left, facts->account);
  bitset_init(&run, facts->code->function_count, facts->account);
  releases_init(&l->releases, facts);
  find_running(&run, facts);
  for (size_t f = bitset_next(&run, 0); f < run.bits; f = bitset_next(&run, f + 1))
    look_at(l, (uint32_t)f, survey, &functions);
  survey->function_count = (uint32_t)functions.count;
  if (functions.count > 0)
    survey->functions = arena_copy(&survey->arena, functions.data, functions.count * sizeof *functions.data);
  releases_free(&l->releases);
  bitset_free(&run);
  U32Vector_free(&l->excluded);
  U32Vector_free(&l->calls);
  U32Vector_free(&l->left);
  SurveyFunctionVector_free(&functions);
}

bool dereferences_find(Survey *survey, const SurveyFacts *facts, const uint32_t *entries, size_t entry_count) {
  Looking l = {.facts = facts};
  pointer_values_init(&l.values, facts, entries, entry_count);
  bool in_time = pointer_values_find(&l.values);
  if (in_time) look_at_all(&l, survey);
  pointer_values_free(&l.values);
  return in_time;
}
