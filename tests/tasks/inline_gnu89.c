// An inline function with gnu89 semantics has an external definition in this file; it is not an undefined function.
// Safe: if its body disappeared, the returned value would be arbitrary.
extern void abort(void);
void reach_error(void) {}

__attribute__((gnu_inline)) extern inline int hidden(int x) {
  return x + 100; // only for inlining: the definition below is the real one
}
int hidden(int x) {
  return x + 1;
}
__attribute__((gnu_inline)) inline int visible(int x) {
  return x + 2;
}
static inline int local(int x) {
  return x + 3;
}

int main(void) {
  int (*through)(int) = visible;
  if (visible(1) != 3 || through(1) != 3 || local(1) != 4)
    reach_error();
  if (hidden(1) != 2 && hidden(1) != 101)
    reach_error();
  return 0;
}
