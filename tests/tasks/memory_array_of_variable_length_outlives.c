// An array of variable length is gone at the end of its block.
int main(void) {
  volatile int count = 3;
  int *volatile place;
  {
    int numbers[count];
    numbers[0] = 1;
    place = numbers;
  }
  return *place;
}
