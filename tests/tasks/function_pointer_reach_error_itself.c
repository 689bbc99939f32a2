// reach_error is called through a pointer.
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}
void nothing(void) {}

int main(void) {
  void (*f)(void) = __VERIFIER_nondet_bool() ? reach_error : nothing;
  f();
  return 0;
}
