// An input of type char takes every value, also negative ones.
extern void abort(void);
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

int main(void) {
  signed char c = __VERIFIER_nondet_char();
  if (c == -77)
    reach_error();
  return 0;
}
