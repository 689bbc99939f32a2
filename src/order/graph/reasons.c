// Reasons and sets of literals.
#include "base/sorted.h"
#include "order/graph/graph_internal.h"

#include <stdlib.h>

void reasons_init(Reasons *reasons, Account *account) {
  TermVector_init(&reasons->literals, account);
  U32Vector_init(&reasons->starts, account);
  U32Vector_push(&reasons->starts, 0);
}

void reasons_free(Reasons *reasons) {
  TermVector_free(&reasons->literals);
  U32Vector_free(&reasons->starts);
}

void reasons_clear(Reasons *reasons) {
  TermVector_clear(&reasons->literals);
  reasons->starts.count = 1;
}

void reasons_add(Reasons *reasons, LiteralSet set) {
  for (size_t i = 0; i < set.count; i++) TermVector_push(&reasons->literals, set.data[i]);
  U32Vector_push(&reasons->starts, (uint32_t)reasons->literals.count);
}

void sets_init(LiteralSets *sets, Account *account) {
  TermVector_init(&sets->literals, account);
  U32Vector_init(&sets->starts, account);
  U32Vector_push(&sets->starts, 0);
}

void sets_free(LiteralSets *sets) {
  TermVector_free(&sets->literals);
  U32Vector_free(&sets->starts);
}

void sets_clear(LiteralSets *sets) {
  TermVector_clear(&sets->literals);
  sets->starts.count = 1;
}

// `set` may be one of `sets`.
void sets_push(LiteralSets *sets, LiteralSet set) {
  bool inside =
      set.count > 0 && set.data >= sets->literals.data && set.data < sets->literals.data + sets->literals.count;
  size_t offset = inside ? (size_t)(set.data - sets->literals.data) : 0;
  TermVector_reserve(&sets->literals, sets->literals.count + set.count);
  if (inside) set.data = sets->literals.data + offset;
  for (size_t i = 0; i < set.count; i++) TermVector_push(&sets->literals, set.data[i]);
  U32Vector_push(&sets->starts, (uint32_t)sets->literals.count);
}

bool set_contains(LiteralSet set, Term literal) { return sorted_has_u32(set.data, set.count, literal); }

bool set_subset(LiteralSet small, LiteralSet large) {
  size_t j = 0;
  for (size_t i = 0; i < small.count; i++, j++) {
    while (j < large.count && large.data[j] < small.data[i]) j++;
    if (j == large.count || large.data[j] != small.data[i]) return false;
  }
  return true;
}

static int compare_terms(const void *left, const void *right) {
  Term a = *(const Term *)left, b = *(const Term *)right;
  return a < b ? -1 : a > b;
}

void set_sort(TermVector *set) {
  if (set->count > 1) qsort(set->data, set->count, sizeof(Term), compare_terms);
  size_t kept = 0;
  for (size_t i = 0; i < set->count; i++) {
    Term literal = set->data[i];
    if (literal == TERM_NONE || (kept > 0 && set->data[kept - 1] == literal)) continue;
    set->data[kept++] = literal;
  }
  set->count = kept;
}

void sets_by_size(const LiteralSets *sets, U32Vector *indices) {
  size_t count = sets_count(sets), largest = 0;
  for (size_t i = 0; i < count; i++) {
    if (sets_at(sets, i).count > largest) largest = sets_at(sets, i).count;
  }
  U32Vector places; // counting sort: per size, where the next set of that size goes
  U32Vector_init(&places, indices->account);
  U32Vector_resize(&places, largest + 2);
  for (size_t i = 0; i < count; i++) places.data[sets_at(sets, i).count + 1]++;
  for (size_t size = 0; size <= largest; size++) places.data[size + 1] += places.data[size];
  U32Vector_resize(indices, count);
  for (size_t i = 0; i < count; i++) indices->data[places.data[sets_at(sets, i).count]++] = (uint32_t)i;
  U32Vector_free(&places);
}
