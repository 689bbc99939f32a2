// An assumption that comes after the check, in the same thread, does not repair it.
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  _Bool b = __VERIFIER_nondet_bool();
  if (b)
    reach_error();
  __VERIFIER_assume(!b);
  return 0;
}
