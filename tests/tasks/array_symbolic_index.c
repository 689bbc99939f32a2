// A store through an input index changes one element and no other.
extern void abort(void);
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

int array[8];

int main(void) {
  unsigned char i = __VERIFIER_nondet_char() & 7, j = __VERIFIER_nondet_char() & 7;
  array[i] = 1;
  if (array[j] != (i == j))
    reach_error();
  return 0;
}
