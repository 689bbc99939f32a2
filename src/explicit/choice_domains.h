// The values that a free choice has to be tried with, where fewer than all are enough (input_regions.h finds them).
//
// A domain is a list of values such that whatever some value does, one in the list does as well. Choices without a
// domain are enumerated or sampled by their width (chooser.h).
#ifndef HEDDLE_EXPLICIT_CHOICE_DOMAINS_H
#define HEDDLE_EXPLICIT_CHOICE_DOMAINS_H

#include "program/program.h"

typedef enum ChoiceKind {
  CHOICE_INPUT,    // of a variable made fresh by this step
  CHOICE_VARIABLE, // of an indeterminate variable, about to be read
  CHOICE_CELL,     // of an indeterminate cell, being read
  CHOICE_KINDS
} ChoiceKind;

// Lists one behind the other in `values`: that of number i from start[i] to start[i + 1]. Number 0 is none.
// A choice is known by its place: the write of an input or the use of a variable in the compiled code, or the cell.
typedef struct Domains {
  U64Vector values;
  U32Vector start;
  uint32_t *numbers[CHOICE_KINDS];
  size_t counts[CHOICE_KINDS];
  Account *account;
} Domains;

void domains_init(Domains *domains, const size_t *counts, Account *account); // none anywhere
void domains_free(Domains *domains);
uint32_t domains_add(Domains *domains, const uint64_t *values, size_t count); // its number
void domains_set(Domains *domains, ChoiceKind kind, size_t place, uint32_t number);

// The values for a choice, or NULL.
const uint64_t *domains_get(const Domains *domains, ChoiceKind kind, size_t place, uint32_t *count);

#endif
