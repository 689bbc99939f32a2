// Compound literals are objects; GNU statement expressions and typeof; a loop with a declared variable per round.
extern void abort(void);
void reach_error(void) {}

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })

int main(void) {
  int *p = (int[]){3, 4, 5};
  p[1] = 40;
  int i = 0;
  if (MAX(i++, p[1]) != 40 || i != 1)
    reach_error();
  for (int round = 0; round < 3; round++) {
    int fresh = 0;
    fresh++;
    if (fresh != 1)
      reach_error();
  }
  return 0;
}
