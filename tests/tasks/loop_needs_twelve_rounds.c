// The error needs the twelfth round of a loop.
// Unsafe: an engine that stops after fewer unwindings may only say UNKNOWN.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  unsigned i = 0;
  while (1) {
    i++;
    if (i == 12)
      reach_error();
    if (i == 20)
      return 0;
  }
}
