// An input is used as an index after an incomplete check (negative values pass).
extern char __VERIFIER_nondet_char(void);
int array[4], around;

int main(void) {
  signed char i = __VERIFIER_nondet_char();
  if (i < 4)
    array[i] = 1;
  return 0;
}
