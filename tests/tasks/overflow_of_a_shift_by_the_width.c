// The amount must be less than the width, for an unsigned number, too.
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned amount = __VERIFIER_nondet_uchar() % 33;
  return (1u << amount) == 5;
}
