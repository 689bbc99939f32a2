// What an array defined elsewhere holds is not known, but it does not change by itself, and what is stored stays.
// Safe.
extern char table[];
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
  unsigned char i = __VERIFIER_nondet_uchar();
  char before = table[i];
  if (table[i] != before) reach_error();
  table[i] = 3;
  if (table[i] != 3) reach_error();
  return 0;
}
