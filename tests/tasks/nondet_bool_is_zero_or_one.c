// An input of type _Bool is zero or one, and two calls are independent.
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

int main(void) {
  int a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool();
  if (a < 0 || a > 1 || a + b > 2)
    reach_error();
  return 0;
}
