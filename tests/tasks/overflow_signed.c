// A signed addition overflows. Under unreach-call it wraps (as compiled with -fwrapv), so the error is reachable too.
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

int main(void) {
  int x = 2147483647;
  if (__VERIFIER_nondet_bool())
    x = x + 1;
  if (x < 0)
    reach_error();
  return 0;
}
