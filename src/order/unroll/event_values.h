// Values: arrays of terms that are copied often and changed little.
//
// The state of a thread during unrolling is copied at every branch and compared at every join. The array consists of
// pages. Copies share a page until one of them writes to it. Shared pages are not compared. An index that was never
// written has the value TERM_NONE.
#ifndef HEDDLE_ORDER_UNROLL_EVENT_VALUES_H
#define HEDDLE_ORDER_UNROLL_EVENT_VALUES_H

#include "term/term.h"

enum { PAGE_SIZE = 32 };

typedef struct Page {
  uint32_t references;
  Term terms[PAGE_SIZE];
} Page;

typedef struct Values {
  Page **pages; // NULL: all TERM_NONE
  uint32_t page_count;
  Account *account;
} Values;

void values_init(Values *values, uint32_t size, Account *account);
void values_free(Values *values);
void values_copy(Values *to, const Values *from); // `to` is not initialised
void values_set(Values *values, uint32_t index, Term value);

static inline Term values_get(const Values *values, uint32_t index) {
  assert(index / PAGE_SIZE < values->page_count);
  const Page *page = values->pages[index / PAGE_SIZE];
  return page ? page->terms[index % PAGE_SIZE] : TERM_NONE;
}
// The first index at or after `from` at which the two differ, or UINT32_MAX.
uint32_t values_next_difference(const Values *a, const Values *b, uint32_t from);

#endif
