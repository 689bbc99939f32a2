// The pointer is tested before it is used.
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int x = 0, *p = __VERIFIER_nondet_bool() ? &x : 0;
  return p && *p;
}
