// switch: fall-through, default in the middle, negative and duplicate-free labels, a label inside a loop.
extern void abort(void);
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

static int classify(int n) {
  int result = 0;
  switch (n) {
  case -1:
    result = 1;
  case 2: // also reached from -1
    result += 10;
    break;
  default:
    result = 100;
    break;
  case 3 ... 5:
    return 7;
  }
  return result;
}

int main(void) {
  signed char n = __VERIFIER_nondet_char();
  int expected = n == -1 ? 11 : n == 2 ? 10 : n >= 3 && n <= 5 ? 7 : 100;
  if (classify(n) != expected)
    reach_error();
  return 0;
}
