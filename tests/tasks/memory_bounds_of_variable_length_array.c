// Out of bounds by one, of an array whose length is an input.
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char count = __VERIFIER_nondet_uchar();
  if (count < 1 || count > 4)
    return 0;
  char bytes[count];
  bytes[count] = 1;
  return 0;
}
