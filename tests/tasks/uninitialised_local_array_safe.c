// Reading indeterminate bytes is no error by itself, and a value that was read is one value.
// Safe: whatever the byte is, it is not both.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  unsigned char bytes[2];
  bytes[0] = 1;
  unsigned char seen = bytes[1];
  if (seen < 128 && seen >= 128)
    reach_error();
  if (bytes[0] != 1 || bytes[1] != seen)
    reach_error();
  return 0;
}
