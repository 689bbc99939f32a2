// A product of two numbers of 64 bits fits into 128.
long long x = 9223372036854775807LL;

int main(void) {
  __int128 product = (__int128)x * x;
  return product < x;
}
