// A call through a null function pointer.
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);

void nothing(void) {}

int main(void) {
  void (*f)(void) = 0;
  if (__VERIFIER_nondet_bool())
    f = nothing;
  f();
  return 0;
}
