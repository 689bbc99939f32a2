// A partial initialiser of a local aggregate makes the rest zero.
extern void abort(void);
void reach_error(void) {}

int main(void) {
  int a[4] = {1};
  struct {
    char c;
    int i;
  } s = {.c = 2};
  if (a[0] != 1 || a[1] || a[3] || s.c != 2 || s.i)
    reach_error();
  return 0;
}
