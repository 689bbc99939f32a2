// The same with a length that is a constant, although it is none for C.
void reach_error(void) {}

int main(void) {
  for (int round = 0; round < 2; round++) {
    int length = 2;
    char bytes[length];
    if (round == 1 && bytes[0] != 1)
      reach_error();
    bytes[0] = 1;
  }
  return 0;
}
