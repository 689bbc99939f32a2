#include "replay/domains.h"

void domains_init(Domains *domains, const Program *program, Account *account) {
  *domains = (Domains){.account = account};
  domains->variable_count = program->variables.count;
  domains->cell_count = program->cells.count;
  U64Vector_init(&domains->values, account);
  U32Vector_init(&domains->start, account);
  domains->of_variable = memory_allocate_zeroed(account, domains->variable_count * sizeof(uint32_t));
  domains->of_cell = memory_allocate_zeroed(account, domains->cell_count * sizeof(uint32_t));
  U32Vector_push(&domains->start, 0);
  U32Vector_push(&domains->start, 0);
}

void domains_free(Domains *domains) {
  memory_free(domains->account, domains->of_cell, domains->cell_count * sizeof(uint32_t));
  memory_free(domains->account, domains->of_variable, domains->variable_count * sizeof(uint32_t));
  U32Vector_free(&domains->start);
  U64Vector_free(&domains->values);
}

uint32_t domains_add(Domains *domains, const uint64_t *values, size_t count) {
  assert(count > 0);
  for (size_t i = 0; i < count; i++) U64Vector_push(&domains->values, values[i]);
  U32Vector_push(&domains->start, (uint32_t)domains->values.count);
  return (uint32_t)domains->start.count - 2;
}

const uint64_t *domains_get(const Domains *domains, ChoiceKind kind, uint32_t id, uint32_t *count) {
  assert(id < (kind == CHOICE_CELL ? domains->cell_count : domains->variable_count));
  uint32_t number = kind == CHOICE_CELL ? domains->of_cell[id] : domains->of_variable[id];
  if (number == 0) return NULL;
  *count = domains->start.data[number + 1] - domains->start.data[number];
  return domains->values.data + domains->start.data[number];
}
