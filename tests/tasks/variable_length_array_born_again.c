// An array in the body of a loop is another one in each round: it holds any value then, also where its length is the
// same. The error is reached if it held 1 before the first round or does not in the second.
void reach_error(void) {}
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int length = 1 + __VERIFIER_nondet_bool();
  for (int round = 0; round < 2; round++) {
    char bytes[length];
    if (round == 1 && bytes[0] != 1)
      reach_error();
    bytes[0] = 1;
  }
  return 0;
}
