// Old code writes plain `inline`, which under C99 rules provides no external definition.
// Safe: the body counts, as it does with gnu89 semantics.
extern void abort(void);
void reach_error(void) {}

inline int twice(int x) {
  return 2 * x;
}

int main(void) {
  if (twice(21) != 42)
    reach_error();
  return 0;
}
