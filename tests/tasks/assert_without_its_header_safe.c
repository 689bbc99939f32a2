// An undeclared assert tests pointers and floating numbers as if does, and returns.
int x;

int main(void) {
  int *high = &x;
  double half = 0.5, zero = -0.0;
  assert(high);
  assert(half);
  assert(!zero);
  x = 1;
  assert(x);
  return 0;
}
