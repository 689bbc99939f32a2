#include "program/facts/test_sets.h"

enum { MOST_TEST_SIZE = 100 }; // nodes of a test, as a graph

void test_sets_init(TestSets *sets, TermStore *terms, Account *account) {
  *sets = (TestSets){.terms = terms, .account = account};
  U32Vector_init(&sets->start, account);
  TermVector_init(&sets->items, account);
  map_init(&sets->numbers, account);
  map_init(&sets->added, account);
  map_init(&sets->united, account);
  map_init(&sets->guarded, account);
  map_init(&sets->records, account);
  GuardedTestVector_init(&sets->guarded_tests, account);
  for (unsigned i = 0; i < 3; i++) U32Vector_push(&sets->start, 0); // TESTS_NONE and TESTS_CLOSELY have no items
}

void test_sets_free(TestSets *sets) {
  GuardedTestVector_free(&sets->guarded_tests);
  map_free(&sets->records);
  map_free(&sets->guarded);
  map_free(&sets->united);
  map_free(&sets->added);
  map_free(&sets->numbers);
  TermVector_free(&sets->items);
  U32Vector_free(&sets->start);
}

// --- guarded tests ---

static const GuardedTest *find_record(const TestSets *sets, Term test) {
  uint64_t index;
  return map_get(&sets->records, test, &index) ? &sets->guarded_tests.data[index] : NULL;
}

static bool has_guard(const GuardedTest *record, Term condition) {
  for (unsigned i = 0; i < record->count; i++)
    if (record->guards[i] == condition) return true;
  return false;
}

static void insert_guard(GuardedTest *record, Term condition) {
  assert(record->count < MOST_GUARDS);
  unsigned at = record->count++;
  for (; at > 0 && record->guards[at - 1] > condition; at--) record->guards[at] = record->guards[at - 1];
  record->guards[at] = condition;
}

static Term build_guarded(TestSets *sets, const GuardedTest *record) {
  TermStore *terms = sets->terms;
  Term all = term_true(terms);
  for (unsigned i = 0; i < record->count; i++) all = term_and(terms, all, record->guards[i]);
  Term zero = term_constant(terms, term_width(terms, record->plain), 0);
  return term_ite(terms, all, record->plain, zero);
}

Term test_sets_guard(TestSets *sets, Term condition, Term test) {
  uint64_t key = (uint64_t)condition << 32 | test, known;
  if (test == condition || term_is_constant(sets->terms, condition)) return test;
  if (map_get(&sets->guarded, key, &known)) return (Term)known;
  const GuardedTest *before = find_record(sets, test);
  GuardedTest record = before ? *before : (GuardedTest){.plain = test};
  Term result = test;
  if (record.count < MOST_GUARDS && !has_guard(&record, condition)) {
    insert_guard(&record, condition);
    result = build_guarded(sets, &record);
    if (result != test && !map_contains(&sets->records, result)) {
      map_put(&sets->records, result, sets->guarded_tests.count);
      GuardedTestVector_push(&sets->guarded_tests, record);
    }
  }
  map_put(&sets->guarded, key, result);
  return result;
}

// --- sets ---

typedef struct Draft {
  Term tests[MOST_TESTS];
  uint32_t count;
  bool closely;
} Draft;

static bool draft_has(const Draft *draft, Term test) {
  for (uint32_t i = 0; i < draft->count; i++)
    if (draft->tests[i] == test) return true;
  return false;
}

// Do the tests of the draft determine the result of `test`?
static bool follows(const TestSets *sets, const Draft *draft, Term test) {
  if (term_is_constant(sets->terms, test) || draft_has(draft, test)) return true;
  const GuardedTest *record = find_record(sets, test);
  if (record == NULL || !draft_has(draft, record->plain)) return false;
  for (unsigned i = 0; i < record->count; i++)
    if (!draft_has(draft, record->guards[i])) return false;
  return true;
}

static void draft_add(const TestSets *sets, Draft *draft, Term test) {
  if (draft->closely || follows(sets, draft, test)) return;
  bool bare = term_operator(sets->terms, test) == TERM_VARIABLE;
  draft->closely = bare || draft->count == MOST_TESTS || term_dag_size(sets->terms, test) > MOST_TEST_SIZE;
  if (draft->closely) return;
  assert(draft->count < MOST_TESTS);
  uint32_t at = draft->count++;
  for (; at > 0 && draft->tests[at - 1] > test; at--) draft->tests[at] = draft->tests[at - 1];
  draft->tests[at] = test;
}

// Adds the test; if it is guarded, adds its plain test and its conditions instead.
static void draft_add_plain(const TestSets *sets, Draft *draft, Term test) {
  const GuardedTest *record = find_record(sets, test);
  draft_add(sets, draft, record ? record->plain : test);
  for (unsigned i = 0; record && i < record->count; i++) draft_add(sets, draft, record->guards[i]);
}

static Draft draft_of(const TestSets *sets, TestSetId id) {
  Draft draft = {.closely = id == TESTS_CLOSELY};
  const Term *tests = test_set_at(sets, id, &draft.count);
  if (draft.count > 0) memcpy(draft.tests, tests, draft.count * sizeof(Term));
  return draft;
}

static TestSetId number_of(TestSets *sets, const Draft *draft) {
  if (draft->closely) return TESTS_CLOSELY;
  if (draft->count == 0) return TESTS_NONE;
  uint64_t hash = hash_bytes(draft->tests, draft->count * sizeof(Term)), number;
  if (map_get(&sets->numbers, hash, &number)) {
    uint32_t count;
    const Term *tests = test_set_at(sets, (TestSetId)number, &count);
    if (count == draft->count && memcmp(tests, draft->tests, count * sizeof(Term)) == 0) return (TestSetId)number;
  }
  number = sets->start.count - 1;
  for (uint32_t i = 0; i < draft->count; i++) TermVector_push(&sets->items, draft->tests[i]);
  U32Vector_push(&sets->start, (uint32_t)sets->items.count);
  map_put(&sets->numbers, hash, number);
  return (TestSetId)number;
}

// All tests of the set and one more, with plain tests and conditions in place of guarded tests.
static TestSetId unguarded(TestSets *sets, TestSetId id, Term test) {
  Draft draft = {0};
  uint32_t count;
  const Term *tests = test_set_at(sets, id, &count);
  for (uint32_t i = 0; i < count; i++) draft_add_plain(sets, &draft, tests[i]);
  draft_add_plain(sets, &draft, test);
  return number_of(sets, &draft);
}

TestSetId test_sets_add(TestSets *sets, TestSetId id, Term test) {
  if (id == TESTS_CLOSELY) return id;
  uint64_t key = (uint64_t)id << 32 | test, known;
  if (map_get(&sets->added, key, &known)) return (TestSetId)known;
  Draft draft = draft_of(sets, id);
  bool full = draft.count == MOST_TESTS && !follows(sets, &draft, test);
  if (!full) draft_add(sets, &draft, test);
  TestSetId result = full ? unguarded(sets, id, test) : number_of(sets, &draft);
  map_put(&sets->added, key, result);
  return result;
}

TestSetId test_sets_unite(TestSets *sets, TestSetId a, TestSetId b) {
  if (a == b || b == TESTS_NONE || a == TESTS_CLOSELY) return a;
  if (a == TESTS_NONE || b == TESTS_CLOSELY) return b;
  uint64_t key = (uint64_t)a << 32 | b, known;
  if (map_get(&sets->united, key, &known)) return (TestSetId)known;
  TestSetId result = a;
  uint32_t count;
  test_set_at(sets, b, &count);
  for (uint32_t i = 0; i < count; i++) result = test_sets_add(sets, result, test_set_at(sets, b, &count)[i]);
  map_put(&sets->united, key, result);
  return result;
}
