// The divisor is tested before the division and the remainder.
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char c = __VERIFIER_nondet_char();
  if (c == 0)
    return 0;
  return 100 / c == 7 || 100 % c == 7;
}
