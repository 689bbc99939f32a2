// Unsigned arithmetic wraps by definition, and conversion to a narrower type is no overflow.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  unsigned x = 4294967295u;
  x++;
  signed char c = (signed char)200;
  c = c - 100; // computed in int, then converted
  if (x != 0 || c != 100)
    reach_error();
  return 0;
}
