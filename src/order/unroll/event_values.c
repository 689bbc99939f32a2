#include "order/unroll/event_values.h"

void values_init(Values *values, uint32_t size, Account *account) {
  uint32_t pages = (size + PAGE_SIZE - 1) / PAGE_SIZE;
  *values = (Values){.page_count = pages, .account = account};
  values->pages = memory_allocate_zeroed(account, pages * sizeof *values->pages);
}

// Drops one reference to the page.
static void release(Account *account, Page *page) {
  if (page && --page->references == 0) memory_free(account, page, sizeof *page);
}

void values_free(Values *values) {
  for (uint32_t i = 0; i < values->page_count; i++) release(values->account, values->pages[i]);
  memory_free(values->account, values->pages, values->page_count * sizeof *values->pages);
  values->pages = NULL;
  values->page_count = 0;
}

void values_copy(Values *to, const Values *from) {
  *to = *from;
  to->pages = memory_allocate(from->account, from->page_count * sizeof *to->pages);
  for (uint32_t i = 0; i < from->page_count; i++) {
    to->pages[i] = from->pages[i];
    if (to->pages[i]) to->pages[i]->references++;
  }
}

void values_set(Values *values, uint32_t index, Term value) {
  assert(index / PAGE_SIZE < values->page_count);
  Page **slot = &values->pages[index / PAGE_SIZE];
  Page *page = *slot;
  if ((page ? page->terms[index % PAGE_SIZE] : TERM_NONE) == value) return;
  if (!page || page->references > 1) {
    Page *own = memory_allocate_zeroed(values->account, sizeof *own);
    if (page) *own = *page;
    own->references = 1;
    release(values->account, page);
    *slot = page = own;
  }
  page->terms[index % PAGE_SIZE] = value;
}

uint32_t values_next_difference(const Values *a, const Values *b, uint32_t from) {
  assert(a->page_count == b->page_count);
  uint32_t offset = from % PAGE_SIZE;
  for (uint32_t i = from / PAGE_SIZE; i < a->page_count; i++, offset = 0) {
    if (a->pages[i] == b->pages[i]) continue;
    for (uint32_t k = offset; k < PAGE_SIZE; k++)
      if (values_get(a, i * PAGE_SIZE + k) != values_get(b, i * PAGE_SIZE + k)) return i * PAGE_SIZE + k;
  }
  return UINT32_MAX;
}
