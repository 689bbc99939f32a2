// A loop of exactly twelve rounds with a sum that is checked at the end.
// Safe; a bounded engine proves it only when the bound was never hit.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  int sum = 0;
  for (int i = 1; i <= 12; i++)
    sum += i;
  if (sum != 78)
    reach_error();
  return 0;
}
