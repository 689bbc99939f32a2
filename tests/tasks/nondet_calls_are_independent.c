// Two calls of the same input function may give different values.
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

int main(void) {
  if (__VERIFIER_nondet_bool() != __VERIFIER_nondet_bool())
    reach_error();
  return 0;
}
