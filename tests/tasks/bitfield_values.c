// Bit-fields: truncation when stored, sign extension of signed ones, no effect on the neighbours.
extern void abort(void);
void reach_error(void) {}

struct {
  unsigned u : 3;
  signed s : 3;
  unsigned wide : 17;
  _Bool b : 1;
} bits;

int main(void) {
  bits.u = 7;
  bits.s = 5; // 101 in three bits: -3
  bits.wide = 0x1ffff;
  bits.b = 2;
  if (bits.u != 7 || bits.s != -3 || bits.wide != 0x1ffff || bits.b != 1)
    reach_error();
  bits.u = bits.u + 1; // 8 does not fit
  if (bits.u != 0 || bits.s != -3 || bits.wide != 0x1ffff)
    reach_error();
  return 0;
}
