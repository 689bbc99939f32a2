// An automatic variable without an initialiser holds any value.
// Unsafe: the byte may happen to be 99.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  unsigned char c;
  unsigned char *p = &c; // memory, not a register
  if (*p == 99)
    reach_error();
  return 0;
}
