// long long is 64 bits on ILP32: carries, multiplication, division, shifts and comparisons across the halves.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  volatile unsigned long long a = 0xffffffffULL, b = 0x100000001ULL;
  volatile long long c = -5000000000LL;
  if (sizeof(long) != 4 || sizeof(void *) != 4 || sizeof(long long) != 8)
    reach_error();
  if (a + 1 != 0x100000000ULL || a * b != 0xffffffffffffffffULL || b / 2 != 0x80000000ULL)
    reach_error();
  if (c / 3 != -1666666666LL || c % 3 != -2 || c >> 33 != -1 || (c < 0) != 1)
    reach_error();
  if ((b << 31) != 0x8000000080000000ULL || (unsigned)b != 1 || (int)c != -705032704)
    reach_error();
  return 0;
}
