// The literal of the round before is gone, although the next one is at the same address.
int main(void) {
  int *before = 0, sum = 0;
  for (int i = 0; i < 3; i++) {
    if (i == 2) sum = *before;
    int *place = (int[]){i};
    if (i == 0) before = place;
  }
  return sum;
}
