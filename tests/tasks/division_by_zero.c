// The divisor is an input that may be zero.
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char c = __VERIFIER_nondet_char();
  return 100 / c == 7;
}
