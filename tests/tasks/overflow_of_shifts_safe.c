// Shifts that are defined: into the sign bit of an unsigned number, out of one, of a negative number to the right.
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char amount = __VERIFIER_nondet_uchar() % 31;
  unsigned u = 3u << 31;
  int r = -8 >> amount;
  int l = 1 << amount;
  long w = 1L << 62;
  return u + r + l + (w == 0) == 77;
}
