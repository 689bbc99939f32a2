// A variable of a loop's body is another one in each round: the pointer to the one of two rounds before dangles,
// although the variable has the same address in each of them.
int main(void) {
  int *kept = 0, sum = 0;
  for (int i = 0; i < 3; i++) {
    int local = i;
    if (i == 0) kept = &local;
    if (i == 2) sum = *kept;
  }
  return sum;
}
