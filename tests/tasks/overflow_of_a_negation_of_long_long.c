// llabs by hand: the smallest number has no positive counterpart.
extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
  long long x = __VERIFIER_nondet_longlong();
  if (x < 0) x = -x;
  return x == 5;
}
