// Usual arithmetic conversions, integer promotion, sign extension, comparison of signed with unsigned.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  volatile int minus = -1;
  volatile unsigned one = 1;
  volatile unsigned char byte = 255;
  volatile signed char negative = (signed char)0x80;
  volatile unsigned short half = 65535;
  if (minus < one)
    reach_error(); // -1 becomes UINT_MAX
  if (byte + 1 != 256 || (unsigned char)(byte + 1) != 0 || ~byte != -256)
    reach_error();
  if (negative != -128 || (unsigned)negative != 0xffffff80u || (unsigned char)negative != 128)
    reach_error();
  if (half * 2 != 131070 || (short)half != -1)
    reach_error();
  if (-7 / 2 != -3 || -7 % 2 != -1 || minus / 2 != 0 || (unsigned)minus / 2 != 2147483647)
    reach_error();
  return 0;
}
