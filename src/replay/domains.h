// The values that a free choice has to be tried with, where fewer than all are enough (regions.h finds them).
//
// A domain is a list of values such that whatever some value does, one in the list does as well. Choices without a domain
// are enumerated or sampled by their width (chooser.h).
#ifndef HEDDLE_REPLAY_DOMAINS_H
#define HEDDLE_REPLAY_DOMAINS_H

#include "program/program.h"

typedef enum ChoiceKind {
  CHOICE_INPUT,    // of a variable made fresh by this step
  CHOICE_VARIABLE, // of an indeterminate variable, about to be read
  CHOICE_CELL      // of an indeterminate cell, being read
} ChoiceKind;

// Lists one behind the other in `values`: that of number i from start[i] to start[i + 1]. Number 0 is none.
typedef struct Domains {
  U64Vector values;
  U32Vector start;
  uint32_t *of_variable, *of_cell; // numbers
  size_t variable_count, cell_count;
  Account *account;
} Domains;

void domains_init(Domains *domains, const Program *program, Account *account); // none anywhere
void domains_free(Domains *domains);
uint32_t domains_add(Domains *domains, const uint64_t *values, size_t count); // its number

// The values for a choice, or NULL.
const uint64_t *domains_get(const Domains *domains, ChoiceKind kind, uint32_t id, uint32_t *count);

#endif
