// A variable of a function is another one in each call.
static int *kept;

static int keep(int first) {
  int local = 1;
  if (first) kept = &local;
  return first ? 0 : *kept;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; i++) sum += keep(i == 0);
  return sum;
}
