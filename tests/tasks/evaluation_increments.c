// Prefix and postfix increments of variables, array elements and pointers; compound assignments with conversions.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  int a[3] = {1, 2, 3}, *p = a, i = 0;
  if (*p++ != 1 || *p != 2 || ++*p != 3 || a[1] != 3 || a[i++] != 1 || a[++i] != 3)
    reach_error();
  unsigned char c = 250;
  c += 10;
  int n = 7;
  n *= 1.5;
  n <<= 2;
  n ^= 1;
  n -= -1;
  if (c != 4 || n != 42 || (n %= 5) != 2)
    reach_error();
  return 0;
}
