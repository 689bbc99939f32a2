// rdtsc gives any value: its low half may be 7.
void reach_error(void) {}

int main(void) {
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  if (low == 7)
    reach_error();
  return 0;
}
