// An int input that is assumed to lie in a small range.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 10)
    return 0;
  int sum = 0;
  for (int i = 1; i <= n; i++)
    sum += i;
  if (2 * sum != n * (n + 1))
    reach_error();
  return 0;
}
