// Shifts: arithmetic for signed, logical for unsigned operands; the type of the left operand decides.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  volatile int minus = -16;
  volatile unsigned top = 0x80000000u;
  volatile unsigned char byte = 0x80;
  if (minus >> 2 != -4 || top >> 31 != 1 || (int)top >> 31 != -1)
    reach_error();
  if (byte << 1 != 256 || (unsigned char)(byte << 1) != 0)
    reach_error();
  if (1ULL << 35 >> 3 != 1ULL << 32 || (top << 1) != 0)
    reach_error();
  return 0;
}
