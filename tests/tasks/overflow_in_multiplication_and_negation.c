// -INT_MIN does not fit into an int.
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int x = -2147483647 - 1;
  if (__VERIFIER_nondet_bool())
    x = x / 2;
  x = -x;
  return x == 0;
}
