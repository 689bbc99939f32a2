// The values with which a free choice has to be tried, if fewer than all are enough (input_regions.h finds them).
//
// A domain is a list of values such that each value of the choice behaves like one in the list. Choices without a
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

// The list with number i is values[start[i]] to values[start[i + 1] - 1]. Number 0 means that there is no domain. A
// choice is identified by its place: the write of an input or the use of a variable in the compiled code, or the cell.
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
