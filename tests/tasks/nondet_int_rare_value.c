// An int input has one bad value among four thousand million.
// Unsafe: enumerating or sampling a few values is not enough to call it safe.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n == 123456789)
    reach_error();
  return 0;
}
