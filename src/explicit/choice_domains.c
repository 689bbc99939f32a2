#include "explicit/choice_domains.h"

void domains_init(Domains *domains, const size_t *counts, Account *account) {
  *domains = (Domains){.account = account};
  U64Vector_init(&domains->values, account);
  U32Vector_init(&domains->start, account);
  for (size_t kind = 0; kind < CHOICE_KINDS; kind++) {
    domains->counts[kind] = counts[kind];
    domains->numbers[kind] = memory_allocate_zeroed(account, counts[kind] * sizeof(uint32_t));
  }
  U32Vector_push(&domains->start, 0);
  U32Vector_push(&domains->start, 0);
}

void domains_free(Domains *domains) {
  for (size_t kind = 0; kind < CHOICE_KINDS; kind++)
    memory_free(domains->account, domains->numbers[kind], domains->counts[kind] * sizeof(uint32_t));
  U32Vector_free(&domains->start);
  U64Vector_free(&domains->values);
}

uint32_t domains_add(Domains *domains, const uint64_t *values, size_t count) {
  assert(count > 0);
  for (size_t i = 0; i < count; i++) U64Vector_push(&domains->values, values[i]);
  U32Vector_push(&domains->start, (uint32_t)domains->values.count);
  return (uint32_t)domains->start.count - 2;
}

void domains_set(Domains *domains, ChoiceKind kind, size_t place, uint32_t number) {
  assert(place < domains->counts[kind] && number + 1 < domains->start.count);
  domains->numbers[kind][place] = number;
}

const uint64_t *domains_get(const Domains *domains, ChoiceKind kind, size_t place, uint32_t *count) {
  assert(place < domains->counts[kind]);
  uint32_t number = domains->numbers[kind][place];
  if (number == 0) return NULL;
  *count = domains->start.data[number + 1] - domains->start.data[number];
  return domains->values.data + domains->start.data[number];
}
