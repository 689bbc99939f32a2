// Sizes and arithmetic of LP64: long and pointers have 64 bits.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  volatile unsigned long one = 1;
  if (sizeof(long) != 8 || sizeof(void *) != 8 || sizeof(int) != 4)
    reach_error();
  if ((one << 40) != 1099511627776UL || (unsigned)(one << 40) != 0)
    reach_error();
  long difference = (int)-1;
  if (difference != -1L || (unsigned long)difference != 0xffffffffffffffffUL)
    reach_error();
  return 0;
}
