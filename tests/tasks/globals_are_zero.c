// Globals and static locals without an initialiser are zero, in every field and element.
extern void abort(void);
void reach_error(void) {}

struct pair {
  char c;
  int i;
  int *p;
} pairs[2];
static int number;
double real;

int main(void) {
  static long kept[2];
  for (int i = 0; i < 2; i++)
    if (pairs[i].c || pairs[i].i || pairs[i].p || kept[i])
      reach_error();
  if (number || real != 0.0)
    reach_error();
  return 0;
}
