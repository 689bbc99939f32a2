// b++ on a _Bool gives true, however often; b-- toggles.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  _Bool b = 0;
  b++;
  b++;
  if (b != 1)
    reach_error();
  b--;
  if (b != 0)
    reach_error();
  b--;
  if (b != 1)
    reach_error();
  return 0;
}
