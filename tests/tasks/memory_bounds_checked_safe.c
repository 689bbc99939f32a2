// An input is used as an index after a complete check.
extern char __VERIFIER_nondet_char(void);
int array[4];

int main(void) {
  signed char i = __VERIFIER_nondet_char();
  if (i >= 0 && i < 4)
    array[i] = 1;
  return 0;
}
