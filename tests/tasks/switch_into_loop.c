// Duff's device: a switch that jumps into the middle of a loop.
extern void abort(void);
void reach_error(void) {}

static int count(int n) {
  int copied = 0, rounds = (n + 3) / 4;
  switch (n % 4) {
  case 0:
    do {
      copied++;
    case 3:
      copied++;
    case 2:
      copied++;
    case 1:
      copied++;
    } while (--rounds > 0);
  }
  return copied;
}

int main(void) {
  for (int n = 1; n <= 9; n++)
    if (count(n) != n)
      reach_error();
  return 0;
}
