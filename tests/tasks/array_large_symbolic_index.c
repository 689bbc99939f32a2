// One element of a large table has another value.
// Unsafe: an input index finds it.
extern void abort(void);
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

char table[256];

int main(void) {
  table[201] = 1;
  if (table[(unsigned char)__VERIFIER_nondet_char()])
    reach_error();
  return 0;
}
