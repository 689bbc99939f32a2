// IEEE arithmetic: rounding, not-a-number, infinities, signed zero, conversions.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  volatile double tenth = 0.1, zero = 0.0;
  if (tenth + 0.2 == 0.3 || tenth + 0.2 < 0.3)
    reach_error();
  volatile double nan = zero / zero;
  if (nan == nan || nan < 1.0 || !(nan != nan))
    reach_error();
  if (1.0 / -zero > 0.0 || -zero != zero)
    reach_error();
  volatile float big = 16777216.0f;
  volatile float next = big + 1.0f;
  if (next != big)
    reach_error();
  if ((int)3.99 != 3 || (int)-3.99 != -3 || (unsigned char)200.5 != 200 || (float)(1 << 24 | 1) != big)
    reach_error();
  return 0;
}
