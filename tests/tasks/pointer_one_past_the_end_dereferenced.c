// The loop runs one element too far.
int main(void) {
  int array[3] = {1, 2, 3}, sum = 0;
  for (int *p = array; p <= array + 3; p++)
    sum += *p;
  return sum != 6;
}
