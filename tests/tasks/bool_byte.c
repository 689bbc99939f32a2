// A _Bool is stored as a byte that is 0 or 1: conversion to it tests for zero, it does not truncate.
extern void abort(void);
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

int main(void) {
  char c = __VERIFIER_nondet_char();
  _Bool b = c;
  unsigned char *bytes = (unsigned char *)&b;
  if (sizeof b != 1 || *bytes != (c != 0))
    reach_error();
  b = 0.5;
  if (b != 1)
    reach_error();
  b = (_Bool)256;
  if (!b)
    reach_error();
  return 0;
}
