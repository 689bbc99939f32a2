// Enumerators, negative ones, sizeof expressions, character and wide constants, _Static_assert, _Generic.
extern void abort(void);
void reach_error(void) {}

enum colour { RED = -1, GREEN, BLUE = GREEN + 5, LAST };
_Static_assert(LAST == 6, "enumerators count on");

int main(void) {
  enum colour c = BLUE;
  volatile int green = GREEN;
  if (c != 5 || RED != -1 || green || 'A' != 65 || '\377' != -1 || sizeof(c) != 4)
    reach_error();
  if (_Generic(c + 1L, long: 1, default: 2) != 1)
    reach_error();
  return 0;
}
