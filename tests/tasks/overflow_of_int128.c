// The largest number of 128 bits.
int main(void) {
  __int128 x = ((__int128)9223372036854775807LL << 64) | 18446744073709551615ULL;
  x = x + 1;
  return x == 0;
}
