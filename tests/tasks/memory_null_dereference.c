// A null pointer is dereferenced on one of two inputs.
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int x = 1, *p = __VERIFIER_nondet_bool() ? &x : 0;
  return *p - 1;
}
