#include "survey/slices/race_slice.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL_FUNCTION = 150 }; // statements

typedef struct Slicing {
  const Code *code;
  const CallSummary *calls;
  Bitset reached; // functions that main may run
  Bitset kept;
  Bitset started;  // routines and the like: they are not called
  ByteVector deep; // per function: traits of it and of what it runs
  U32Vector order; // reached functions, callees before callers but for recursion
  U64Vector sizes; // per function: statements of a call of it
  bool narrow;
  Account *account;
} Slicing;

typedef struct CalleeList {
  const uint32_t *data;
  uint32_t count;
} CalleeList;

static CalleeList callees_of(const Slicing *s, uint32_t function) {
  assert(function < s->calls->function_count);
  uint32_t first = s->calls->first_callees[function];
  return (CalleeList){s->calls->callees + first, s->calls->first_callees[function + 1] - first};
}

// --- which functions run, and in which order ---

typedef struct Visit {
  uint32_t function, next;
} Visit;
VECTOR(VisitVector, Visit);

static void visit_from(Slicing *s, uint32_t root) {
  VisitVector stack;
  VisitVector_init(&stack, s->account);
  if (bitset_add(&s->reached, root)) VisitVector_push(&stack, (Visit){root, 0});
  while (stack.count) {
    Visit *top = &stack.data[stack.count - 1];
    CalleeList callees = callees_of(s, top->function);
    if (top->next == callees.count) {
      U32Vector_push(&s->order, VisitVector_pop(&stack).function);
      continue;
    }
    uint32_t callee = callees.data[top->next++];
    if (bitset_add(&s->reached, callee)) VisitVector_push(&stack, (Visit){callee, 0});
  }
  VisitVector_free(&stack);
}

static void visit_all(Slicing *s) {
  const Code *code = s->code;
  for (uint32_t f = 0; f < code->function_count; f++)
    if (code->functions[f].defined && (f == code->main || code->functions[f].at_start || code->functions[f].at_exit))
      visit_from(s, f);
}

// --- traits of functions with all that they run ---

static bool take_traits(Slicing *s, uint32_t function) {
  uint8_t traits = s->calls->traits[function];
  CalleeList callees = callees_of(s, function);
  for (uint32_t i = 0; i < callees.count; i++) traits |= s->deep.data[callees.data[i]];
  bool grown = traits != s->deep.data[function];
  s->deep.data[function] = traits;
  return grown;
}

static void deepen_traits(Slicing *s) {
  for (bool grown = true; grown;) {
    grown = false;
    for (size_t i = 0; i < s->order.count; i++) grown |= take_traits(s, s->order.data[i]);
  }
}

// --- sizes ---

static const uint64_t MOST_SIZE = UINT64_C(1) << 40;

// The statements of a call of the function, with the kept functions that it calls inlined.
static void measure(Slicing *s, uint32_t function) {
  uint64_t size = s->code->functions[function].statement_count + 1;
  CalleeList callees = callees_of(s, function);
  for (uint32_t i = 0; i < callees.count; i++)
    if (bitset_get(&s->kept, callees.data[i])) size += s->sizes.data[callees.data[i]];
  s->sizes.data[function] = size < MOST_SIZE ? size : MOST_SIZE;
}

static uint64_t measure_all(Slicing *s) {
  for (size_t i = 0; i < s->sizes.count; i++) s->sizes.data[i] = 0;
  for (size_t i = 0; i < s->order.count; i++) measure(s, s->order.data[i]);
  return s->code->main == NO_CODE_ID ? 0 : s->sizes.data[s->code->main]; // creations count as calls
}

// --- what is kept in any case ---

static bool runs_kept(const Slicing *s, uint32_t function) {
  CalleeList callees = callees_of(s, function);
  for (uint32_t i = 0; i < callees.count; i++)
    if (bitset_get(&s->kept, callees.data[i])) return true;
  return false;
}

static void keep_ways(Slicing *s, const uint32_t *statements, size_t count) {
  for (size_t i = 0; i < count; i++) bitset_set(&s->kept, s->code->statements[statements[i]].function);
  for (bool grown = true; grown;) {
    grown = false;
    for (size_t i = 0; i < s->order.count; i++)
      if (runs_kept(s, s->order.data[i])) grown |= bitset_add(&s->kept, s->order.data[i]);
  }
  for (uint32_t f = 0; f < s->code->function_count; f++) // they have no calls that could be replaced
    if (bitset_get(&s->started, f)) bitset_set(&s->kept, f);
  if (s->code->main != NO_CODE_ID) bitset_set(&s->kept, s->code->main);
}

// Functions that something else than a call runs.
static void find_started(Slicing *s) {
  const Code *code = s->code;
  for (uint32_t f = 0; f < code->function_count; f++) {
    if (code->functions[f].defined && (code->functions[f].at_start || code->functions[f].at_exit))
      bitset_set(&s->started, f);
    if (!(s->calls->traits[f] & TRAIT_STARTS)) continue;
    CalleeList callees = callees_of(s, f);
    for (uint32_t i = 0; i < callees.count; i++)
      if (code->functions[callees.data[i]].address_taken) bitset_set(&s->started, callees.data[i]);
  }
}

// Is the function needed wherever it is called? In a narrow slice, a large one that only synchronises or allocates on
// its own behalf is not.
static bool is_needed(const Slicing *s, uint32_t function) {
  const unsigned needed = TRAIT_SYNCHRONISES | TRAIT_ALLOCATES | TRAIT_STARTS;
  if (!(s->deep.data[function] & needed)) return false;
  return !s->narrow || s->sizes.data[function] <= SMALL_FUNCTION;
}

// `sizes`: of calls with all that they run.
static void keep_needed(Slicing *s) {
  for (size_t i = s->order.count; i-- > 0;) { // callers first
    uint32_t f = s->order.data[i];
    if (!bitset_get(&s->kept, f)) continue;
    CalleeList callees = callees_of(s, f);
    for (uint32_t k = 0; k < callees.count; k++)
      if (is_needed(s, callees.data[k])) bitset_set(&s->kept, callees.data[k]);
  }
}

// --- the budget ---

// Functions that write come first, then small ones.
static bool is_before(const Slicing *s, uint32_t a, uint32_t b) {
  bool a_writes = s->deep.data[a] & TRAIT_WRITES, b_writes = s->deep.data[b] & TRAIT_WRITES;
  uint32_t a_size = s->code->functions[a].statement_count, b_size = s->code->functions[b].statement_count;
  if (a_writes != b_writes) return a_writes;
  return a_size != b_size ? a_size < b_size : a < b;
}

// The next function to keep: a kept one calls it. NO_CODE_ID: there is none.
static uint32_t next_candidate(const Slicing *s, const Bitset *refused) {
  uint32_t best = NO_CODE_ID;
  for (size_t i = 0; i < s->order.count; i++) {
    if (!bitset_get(&s->kept, s->order.data[i])) continue;
    CalleeList callees = callees_of(s, s->order.data[i]);
    for (uint32_t k = 0; k < callees.count; k++) {
      uint32_t callee = callees.data[k];
      if (bitset_get(&s->kept, callee) || bitset_get(refused, callee)) continue;
      if (best == NO_CODE_ID || is_before(s, callee, best)) best = callee;
    }
  }
  return best;
}

static void spend(Slicing *s, uint64_t budget) {
  Bitset refused;
  bitset_init(&refused, s->code->function_count, s->account);
  for (uint32_t f = next_candidate(s, &refused); f != NO_CODE_ID; f = next_candidate(s, &refused)) {
    bitset_set(&s->kept, f);
    if (measure_all(s) <= budget) continue;
    bitset_reset(&s->kept, f);
    bitset_set(&refused, f);
  }
  bitset_free(&refused);
}

// --- the result ---

static int compare_rows(const void *a, const void *b) {
  return strcmp(((const FrontReplaced *)a)->name, ((const FrontReplaced *)b)->name);
}

// Functions of one name are replaced if all of them are.
static size_t join_names(FrontReplaced *rows, size_t count) {
  size_t kept = 0;
  if (count) qsort(rows, count, sizeof *rows, compare_rows);
  for (size_t i = 0; i < count; i++) {
    if (kept && strcmp(rows[kept - 1].name, rows[i].name) == 0)
      rows[kept - 1].pure &= rows[i].pure;
    else
      rows[kept++] = rows[i];
  }
  return kept;
}

static bool copies_blocks(const char *name) {
  static const char *const names[] = {"memcpy", "memmove", "memset", "mempcpy", "bcopy", "bzero"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

// Is it a function of the library that a bare slice leaves out?
static bool is_bare(const Slicing *s, const CodeFunction *function) {
  const Effect *effect = function->defined ? NULL : effect_of(function->name);
  if (!effect || effect->synchronisation != SYNC_NONE || effect->result != RESULT_NUMBER) return false;
  if (effect->gives || effect->stores_to || copies_blocks(function->name)) return false;
  if (call_orders_threads(function->name, s->calls->channels)) return false;
  uint8_t all = effect->rest;
  for (unsigned i = 0; i < EFFECT_ARGUMENTS; i++) all |= effect->arguments[i];
  return !(all & (ARGUMENT_FREED | ARGUMENT_CALLED));
}

static RaceSlice list_replaced(const Slicing *s, bool bare, Arena *arena) {
  RaceSlice slice = {.all = (uint32_t)s->order.count};
  FrontReplaced *rows = arena_allocate(arena, (s->code->function_count + 1) * sizeof *rows);
  size_t count = 0;
  for (size_t i = 0; i < s->order.count; i++) {
    uint32_t f = s->order.data[i];
    const unsigned visible = TRAIT_WRITES | TRAIT_SYNCHRONISES | TRAIT_STARTS;
    if (bitset_get(&s->kept, f))
      slice.kept++;
    else
      rows[count++] = (FrontReplaced){arena_string(arena, s->code->functions[f].name), !(s->deep.data[f] & visible)};
  }
  for (uint32_t f = 0; bare && f < s->code->function_count; f++)
    if (is_bare(s, &s->code->functions[f]))
      rows[count++] = (FrontReplaced){arena_string(arena, s->code->functions[f].name), true};
  slice.front = (FrontSlice){rows, join_names(rows, count)};
  return slice;
}

static void slicing_init(Slicing *s, const Code *code, const CallSummary *calls) {
  assert(calls->function_count == code->function_count);
  *s = (Slicing){.code = code, .calls = calls};
  Bitset *sets[] = {&s->reached, &s->kept, &s->started};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) bitset_init(sets[i], code->function_count, NULL);
  ByteVector_init(&s->deep, NULL);
  U32Vector_init(&s->order, NULL);
  U64Vector_init(&s->sizes, NULL);
  ByteVector_resize(&s->deep, code->function_count);
  U64Vector_resize(&s->sizes, code->function_count);
}

static void slicing_free(Slicing *s) {
  Bitset *sets[] = {&s->reached, &s->kept, &s->started};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) bitset_free(sets[i]);
  ByteVector_free(&s->deep);
  U32Vector_free(&s->order);
  U64Vector_free(&s->sizes);
}

RaceSlice race_slice_make(const Code *code, const CallSummary *calls, const uint32_t *statements, size_t count,
                          uint64_t budget, bool bare, Arena *arena) {
  Slicing s;
  slicing_init(&s, code, calls);
  visit_all(&s);
  deepen_traits(&s);
  find_started(&s);
  s.narrow = budget == RACE_SLICE_NARROW;
  bitset_union(&s.kept, &s.reached);
  measure_all(&s);
  bitset_clear_all(&s.kept);
  keep_ways(&s, statements, count);
  keep_needed(&s);
  if (budget)
    spend(&s, budget);
  else
    bitset_union(&s.kept, &s.reached);
  uint64_t size = measure_all(&s);
  RaceSlice slice = list_replaced(&s, bare, arena);
  slice.statements = size;
  assert(slice.kept <= slice.all);
  slicing_free(&s);
  return slice;
}
