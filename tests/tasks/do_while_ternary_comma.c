// do-while runs at least once; continue jumps to its test; conditional and comma operators; side effects in order.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  int n = 0, tests = 0;
  do {
    n++;
    if (n == 2)
      continue;
  } while (tests++, n < 4);
  if (n != 4 || tests != 4)
    reach_error();
  do
    n = -1;
  while (0);
  int a = n < 0 ? n == -1 ? 5 : 6 : 7, b = (a++, a * 2);
  if (a != 6 || b != 12 || (n ?: 9) != -1)
    reach_error();
  return 0;
}
