// One of 256 input values falls through into the error.
extern void abort(void);
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

int main(void) {
  switch ((unsigned char)__VERIFIER_nondet_char()) {
  case 10:
    break;
  case 217: // no break
  case 300: // a char never has this value
    reach_error();
  default:
    break;
  }
  return 0;
}
